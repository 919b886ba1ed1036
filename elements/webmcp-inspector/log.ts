import type { TemplateResult } from 'lit';
import type { ModelContext, RegisteredTool } from '../../src/index.js';
import { say } from '../strings.js';
import type { InspectorHost } from './host.js';
import { Journal, type JournalEntry } from './journal.js';
import { logView } from './log-view.js';
import type { ToolEntry } from './tools.js';
import { viewStrings } from './view-strings.js';
import { viewStyles } from './view-styles.js';

/** The calls that are made from here, and the log of these and of what happens in the page. */
export class Log {
  readonly #host: InspectorHost;
  readonly #journal = new Journal((entry) => this.#tell(entry));

  constructor(host: InspectorHost) {
    this.#host = host;
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

  render(): TemplateResult {
    return logView(this.#host, this.entries);
  }

  clear(): void {
    this.#journal.clear();
    this.#host.requestUpdate();
  }

  call(entry: ToolEntry, input: unknown, text: string): void {
    const run = async (signal: AbortSignal): Promise<string | null> => {
      const tool = toolOfEntry(entry);
      if (tool) return document.modelContext.executeTool(tool, input as object, { signal });
      throw new DOMException(say(this.#host.sentences.gone, { tool: entry.name }), 'InvalidStateError');
    };
    void this.#journal.follow(entry.name, text, run);
  }

  /** Gives up every call that runs. */
  cancelAll(): void {
    this.#journal.cancelAll();
  }

  /** Says in few words what has happened. */
  #tell({ type, tool, state, milliseconds }: JournalEntry): void {
    const words = this.#host.sentences;
    this.#host.requestUpdate();
    const isSilent = type === 'toolchange' || state === 'running' || (type === 'webmcp-await-user' && state === 'done');
    if (isSilent) return;
    const what = type === 'call' && state ? words[state] : words[type];
    const time = milliseconds === undefined ? '' : `, ${say(words.duration, { ms: Math.round(milliseconds) })}`;
    this.#host.announce(`${tool}: ${what}${time}`);
  }
}

/** The tool as `executeTool` takes it; undefined once its window is gone. */
function toolOfEntry({ window, name, origin, title, description }: ToolEntry): RegisteredTool | undefined {
  const target = window.deref();
  return target && !target.closed ? { name, origin, title, description, window: target } : undefined;
}
