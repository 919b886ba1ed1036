import type { AwaitUserDetail, ModelContext } from '../../../src/index.js';
import type { ElementDiagnostic } from '../../diagnostic.js';
import type { ToolEntry } from '../tools.js';

type JournalType =
  | 'call'
  | 'toolactivated'
  | 'toolcancel'
  | 'toolchange'
  | 'webmcp-await-user'
  | 'webmcp-response'
  | 'webmcp-diagnostic';

/** The error of a call, with truncated strings. */
export interface JournalError {
  readonly name: string;
  readonly message: string;
  readonly errors: readonly (readonly [parameter: string, code: string, message: string])[];
}

/** An entry of the log. It keeps no object of the page alive. */
export interface JournalEntry {
  readonly id: number;
  readonly type: JournalType;
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
  readonly error?: JournalError;
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
export function journalError(reason: unknown): JournalError {
  const {
    name = '',
    message = String(reason),
    errors,
  } = (reason ?? {}) as Partial<Record<keyof JournalError, unknown>>;
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

/** The latest calls and events, newest first. */
export class Journal {
  entries: readonly JournalEntry[] = [];
  readonly #onEntry: (entry: JournalEntry) => void;
  readonly #toolNameOf: (form: Element) => string;
  readonly #running = new Set<() => void>();
  #lastId = 0;

  constructor(onEntry: (entry: JournalEntry) => void, toolNameOf: (form: Element) => string) {
    this.#onEntry = onEntry;
    this.#toolNameOf = toolNameOf;
  }

  add(type: JournalType, tool: string, rest: Partial<JournalEntry> = {}): number {
    const entry = { ...rest, id: ++this.#lastId, type, tool: truncate(tool), time: Date.now() };
    this.entries = [entry, ...this.entries.slice(0, limits.entries - 1)];
    this.#onEntry(entry);
    return entry.id;
  }

  update(id: number, change: Partial<JournalEntry>): void {
    const index = this.entries.findIndex((entry) => entry.id === id);
    const old = this.entries[index];
    if (!old) return;
    const entry = { ...old, ...change };
    this.entries = this.entries.with(index, entry);
    this.#onEntry(entry);
  }

  clear(): void {
    this.entries = this.entries.filter(({ state }) => state === 'running');
  }

  followContext(context: ModelContext, signal: AbortSignal): void {
    for (const type of ['toolactivated', 'toolcancel'] as const) {
      context.addEventListener(type, (event) => void this.add(type, event.toolName), { signal });
    }
    context.addEventListener('toolchange', () => this.#logToolChange(), { signal });
  }

  /** Merges consecutive changes into one entry. */
  #logToolChange(): void {
    const last = this.entries[0];
    if (last?.type !== 'toolchange') return void this.add('toolchange', '');
    this.update(last.id, { count: (last.count ?? 1) + 1, time: Date.now() });
  }

  followDocument(target: Document, signal: AbortSignal): void {
    const listen = (type: JournalType, listener: (event: CustomEvent<unknown>) => void): void =>
      target.addEventListener(type, (event) => listener(event as CustomEvent<unknown>), { signal, passive: true });
    listen('webmcp-await-user', ({ detail }) => this.#logWait(detail as Detail<AwaitUserDetail>, signal));
    listen('webmcp-response', (event) => {
      const [form] = event.composedPath();
      const tool = form instanceof Element ? this.#toolNameOf(form) : '';
      this.add('webmcp-response', tool, { result: jsonText(event.detail) });
    });
    listen('webmcp-diagnostic', ({ detail }) => {
      const { tool = '', code, severity, message } = (detail ?? {}) as Partial<ElementDiagnostic>;
      this.add('webmcp-diagnostic', tool, { message: truncate(`${severity}: ${code}: ${message}`) });
    });
  }

  #logWait(detail: Detail<AwaitUserDetail>, signal: AbortSignal): void {
    const { toolName = '', signal: ended } = detail ?? {};
    const start = performance.now();
    const id = this.add('webmcp-await-user', toolName, { state: 'waiting' });
    const end = (): void => this.update(id, { state: 'done', milliseconds: performance.now() - start });
    ended?.addEventListener('abort', end, { once: true, signal });
  }

  async run(
    { key, name }: Pick<ToolEntry, 'key' | 'name'>,
    input: string,
    call: (signal: AbortSignal) => Promise<string | null>,
  ): Promise<void> {
    const start = performance.now();
    const controller = new AbortController();
    const cancel = (): void => controller.abort();
    this.#running.add(cancel);
    const id = this.add('call', name, { key, state: 'running', input: truncate(input), cancel });
    const change = await outcome(call, controller.signal);
    this.#running.delete(cancel);
    this.update(id, { ...change, milliseconds: performance.now() - start, cancel: undefined });
  }

  cancelAll(): void {
    for (const cancel of this.#running) cancel();
  }
}

async function outcome(
  call: (signal: AbortSignal) => Promise<string | null>,
  signal: AbortSignal,
): Promise<Partial<JournalEntry>> {
  try {
    const result = await call(signal);
    return { state: 'done', result: result === null ? null : truncate(result) };
  } catch (reason) {
    return { state: signal.aborted ? 'canceled' : 'failed', error: journalError(reason) };
  }
}
