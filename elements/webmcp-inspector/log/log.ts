import type { AwaitUserDetail, ModelContext, RegisteredTool } from '../../../src/index.js';
import { modelContextOf } from '../../../src/platform/model-context.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { ToolEntry } from '../tools.js';
import { viewStrings } from '../view/view-strings.js';
import { viewStyles } from '../view/view-styles.js';

type LogType =
  | 'call'
  | 'toolactivated'
  | 'toolcancel'
  | 'toolchange'
  | 'webmcp-await-user'
  | 'webmcp-response'
  | 'webmcp-diagnostic';

/** The error of a call, with truncated strings. */
export interface CallError {
  readonly name: string;
  readonly message: string;
  readonly errors: readonly (readonly [parameter: string, code: string, message: string])[];
}

/** An entry of the log. It keeps no object of the page alive. */
export interface LogEntry {
  readonly id: number;
  readonly type: LogType;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly tool: string;
  /** Identifies the tool of a call. */
  readonly key?: string;
  readonly state?: 'running' | 'waiting' | 'done' | 'failed' | 'canceled';
  readonly milliseconds?: number;
  /** The number of consecutive events of the type. */
  readonly count?: number;
  readonly input?: string;
  /** Null if the call navigated the page. */
  readonly result?: string | null;
  readonly message?: string;
  readonly error?: CallError;
  /** Undefined if the call is not running. */
  readonly cancel?: (() => void) | undefined;
}

const limits = { entries: 500, characters: 200_000, errors: 100 };

const truncate = (value: unknown): string => {
  const text = typeof value === 'string' ? value : String(value);
  return text.length > limits.characters ? `${text.slice(0, limits.characters)}…` : text;
};

function jsonText(value: unknown): string {
  try {
    return truncate(JSON.stringify(value));
  } catch (error) {
    return truncate(error);
  }
}

type ErrorList = readonly (Partial<Record<'parameter' | 'code' | 'message', unknown>> | undefined)[];

/** @param reason - any thrown value, or the result of a failed native call */
export function callErrorOf(reason: unknown): CallError {
  const { name = '', message = String(reason), errors } = (reason ?? {}) as Partial<Record<keyof CallError, unknown>>;
  const list = Array.isArray(errors) ? (errors as ErrorList).slice(0, limits.errors) : [];
  return {
    name: truncate(name),
    message: truncate(message),
    errors: list.map((each) => [
      truncate(each?.parameter ?? ''),
      truncate(each?.code ?? ''),
      truncate(each?.message ?? ''),
    ]),
  };
}

/** Members may be missing, because any script can dispatch these events. */
type Detail<Type> = Partial<Type> | null;

/** The latest calls and events of the page, newest first. */
export class Log {
  entries: readonly LogEntry[] = [];
  readonly #host: WebmcpInspector;
  readonly #running = new Set<() => void>();
  #lastId = 0;

  constructor(host: WebmcpInspector) {
    this.#host = host;
    host.extend(viewStyles, viewStrings);
  }

  followContext(context: ModelContext, signal: AbortSignal): void {
    for (const type of ['toolactivated', 'toolcancel'] as const) {
      context.addEventListener(type, (event) => void this.#add(type, event.toolName), { signal });
    }
    context.addEventListener('toolchange', () => this.#addToolChange(), { signal });
  }

  followDocument(signal: AbortSignal): void {
    const listen = (type: LogType, listener: (event: CustomEvent<unknown>) => void): void =>
      document.addEventListener(type, (event) => listener(event as CustomEvent<unknown>), { signal, passive: true });
    listen('webmcp-await-user', ({ detail }) => this.#addWait(detail as Detail<AwaitUserDetail>, signal));
    listen('webmcp-response', (event) => {
      const [form] = event.composedPath();
      const tool = form instanceof Element ? this.#host.sources.toolNameOf(form) : '';
      this.#add('webmcp-response', tool, { result: jsonText(event.detail) });
    });
    listen('webmcp-diagnostic', ({ detail }) => {
      const { tool = '', code, severity, message } = (detail ?? {}) as Partial<ElementDiagnostic>;
      this.#add('webmcp-diagnostic', tool, { message: truncate(`${severity}: ${code}: ${message}`) });
    });
  }

  clear(): void {
    this.entries = this.entries.filter(({ state }) => state === 'running');
    this.#host.requestUpdate();
  }

  /** Calls a tool. `text` is the input as shown in the log. */
  async call(entry: ToolEntry, input: object, text: string): Promise<void> {
    const start = performance.now();
    const controller = new AbortController();
    const cancel = (): void => controller.abort();
    this.#running.add(cancel);
    const { key, name } = entry;
    const id = this.#add('call', name, { key, state: 'running', input: truncate(text), cancel });
    const change = await this.#outcomeOf(entry, input, controller.signal);
    this.#running.delete(cancel);
    this.#update(id, { ...change, milliseconds: performance.now() - start, cancel: undefined });
  }

  cancelAll(): void {
    for (const cancel of this.#running) cancel();
  }

  async #outcomeOf(entry: ToolEntry, input: object, signal: AbortSignal): Promise<Partial<LogEntry>> {
    try {
      const result = await this.#execute(entry, input, signal);
      return { state: 'done', result: result === null ? null : truncate(result) };
    } catch (reason) {
      return { state: signal.aborted ? 'canceled' : 'failed', error: callErrorOf(reason) };
    }
  }

  async #execute(entry: ToolEntry, input: object, signal: AbortSignal): Promise<string | null> {
    const { source, name } = entry;
    if (source) return source.from.executeTool(source.tool, input, { signal });
    const tool = toolOfEntry(entry);
    const modelContext = modelContextOf(window);
    if (tool && modelContext) return modelContext.executeTool(tool, input, { signal });
    throw new DOMException(formatMessage(this.#host.messages.gone, { tool: name }), 'InvalidStateError');
  }

  #add(type: LogType, tool: string, rest: Partial<LogEntry> = {}): number {
    const entry = { ...rest, id: ++this.#lastId, type, tool: truncate(tool), time: Date.now() };
    this.entries = [entry, ...this.entries.slice(0, limits.entries - 1)];
    this.#announce(entry);
    return entry.id;
  }

  #update(id: number, change: Partial<LogEntry>): void {
    const index = this.entries.findIndex((entry) => entry.id === id);
    const old = this.entries[index];
    if (!old) return;
    const entry = { ...old, ...change };
    this.entries = this.entries.with(index, entry);
    this.#announce(entry);
  }

  /** Merges consecutive changes into one entry. */
  #addToolChange(): void {
    const last = this.entries[0];
    if (last?.type !== 'toolchange') return void this.#add('toolchange', '');
    this.#update(last.id, { count: (last.count ?? 1) + 1, time: Date.now() });
  }

  #addWait(detail: Detail<AwaitUserDetail>, signal: AbortSignal): void {
    const { toolName = '', signal: ended } = detail ?? {};
    const start = performance.now();
    const id = this.#add('webmcp-await-user', toolName, { state: 'waiting' });
    const end = (): void => this.#update(id, { state: 'done', milliseconds: performance.now() - start });
    ended?.addEventListener('abort', end, { once: true, signal });
  }

  #announce({ type, tool, state, milliseconds }: LogEntry): void {
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
