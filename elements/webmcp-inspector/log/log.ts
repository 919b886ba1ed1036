import type { ModelContext, RegisteredTool } from '../../../src/index.js';
import { modelContextOf } from '../../../src/platform/model-context.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolEntry } from '../tools.js';
import { viewStrings } from '../view/view-strings.js';
import { viewStyles } from '../view/view-styles.js';
import { Journal, type JournalEntry } from './journal.js';

/** Runs calls, and logs them and the events of the page. */
export class Log {
  readonly #host: WebmcpInspector;
  readonly #journal: Journal;

  constructor(host: WebmcpInspector) {
    this.#host = host;
    this.#journal = new Journal((entry) => this.#onEntry(entry), host.sources.toolNameOf);
    host.extend(viewStyles, viewStrings);
  }

  get entries(): readonly JournalEntry[] {
    return this.#journal.entries;
  }

  followDocument(signal: AbortSignal): void {
    this.#journal.followDocument(document, signal);
  }

  followContext(context: ModelContext, signal: AbortSignal): void {
    this.#journal.followContext(context, signal);
  }

  clear(): void {
    this.#journal.clear();
    this.#host.requestUpdate();
  }

  /** Calls a tool. `text` is the input as shown in the log. */
  call(entry: ToolEntry, input: object, text: string): void {
    void this.#journal.run(entry, text, (signal) => this.#execute(entry, input, signal));
  }

  async #execute(entry: ToolEntry, input: object, signal: AbortSignal): Promise<string | null> {
    const { source, name } = entry;
    if (source) return source.from.executeTool(source.tool, input, { signal });
    const tool = toolOfEntry(entry);
    const modelContext = modelContextOf(window);
    if (tool && modelContext) return modelContext.executeTool(tool, input, { signal });
    throw new DOMException(formatMessage(this.#host.messages.gone, { tool: name }), 'InvalidStateError');
  }

  cancelAll(): void {
    this.#journal.cancelAll();
  }

  #onEntry({ type, tool, state, milliseconds }: JournalEntry): void {
    const { messages } = this.#host;
    this.#host.requestUpdate();
    const isSilent = type === 'toolchange' || state === 'running' || (type === 'webmcp-await-user' && state === 'done');
    if (isSilent) return;
    const event = messages[type === 'call' && state ? state : type];
    const time =
      milliseconds === undefined ? '' : `, ${formatMessage(messages.duration, { ms: Math.round(milliseconds) })}`;
    this.#host.announce(`${tool}: ${event}${time}`);
  }
}

/** The argument of `executeTool`; undefined once the window of the tool is gone. */
function toolOfEntry({ window, name, origin, title, description }: ToolEntry): RegisteredTool | undefined {
  const target = window.deref();
  return target && !target.closed ? { name, origin, title, description, window: target } : undefined;
}
