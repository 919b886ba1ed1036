import type { AwaitUserDetail, ModelContext, ToolEvent } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';

export type JournalType =
  | 'call'
  | 'toolactivated'
  | 'toolcancel'
  | 'toolchange'
  | 'webmcp-await-user'
  | 'webmcp-response'
  | 'webmcp-diagnostic';

/** Texts of pages and tools, cut to what the log keeps. */
export interface JournalError {
  readonly name: string;
  readonly message: string;
  readonly errors: readonly (readonly [parameter: string, code: string, message: string])[];
}

/** One line of the log. It keeps nothing of the page alive. */
export interface JournalEntry {
  readonly id: number;
  readonly type: JournalType;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly tool: string;
  readonly state?: 'running' | 'waiting' | 'done' | 'failed' | 'canceled';
  readonly milliseconds?: number;
  /** How many events of its type came one after another. */
  readonly count?: number;
  readonly input?: string;
  /** Null for a navigation. */
  readonly result?: string | null;
  readonly message?: string;
  readonly error?: JournalError;
  /** While it runs. */
  readonly cancel?: (() => void) | undefined;
}

const most = { entries: 500, characters: 200_000, errors: 100 };

/** Text of any length, as the log keeps it. */
const kept = (value: unknown): string => {
  const text = typeof value === 'string' ? value : String(value);
  return text.length > most.characters ? `${text.slice(0, most.characters)}…` : text;
};

function jsonText(value: unknown): string {
  try {
    return kept(JSON.stringify(value));
  } catch (error) {
    return kept(error);
  }
}

type ErrorList = readonly (Partial<Record<'parameter' | 'code' | 'message', unknown>> | undefined)[];

/** What a call has failed with, whatever it is. */
export function journalError(reason: unknown): JournalError {
  const {
    name = '',
    message = String(reason),
    errors,
  } = (reason ?? {}) as Partial<Record<keyof JournalError, unknown>>;
  const list = Array.isArray(errors) ? (errors as ErrorList).slice(0, most.errors) : [];
  return {
    ...{ name: kept(name), message: kept(message) },
    errors: list.map((each) => [kept(each?.parameter ?? ''), kept(each?.code ?? ''), kept(each?.message ?? '')]),
  };
}

/** Any script can dispatch an event of that name. */
type Detail<Type> = Partial<Type> | null;

/** A control can hide the methods of its form behind its name. */
const toolNameOf = (form: Element): string =>
  ['toolname', 'data-toolname'].map((name) => Element.prototype.getAttribute.call(form, name)).find((name) => name) ??
  '';

/** The log: the last entries, newest first. */
export class Journal {
  entries: readonly JournalEntry[] = [];
  readonly #tell: (entry: JournalEntry) => void;
  readonly #running = new Set<() => void>();
  #lastId = 0;

  constructor(tell: (entry: JournalEntry) => void) {
    this.#tell = tell;
  }

  add(type: JournalType, tool: string, rest: Partial<JournalEntry> = {}): number {
    const entry = { ...rest, id: ++this.#lastId, type, tool: kept(tool), time: Date.now() };
    this.entries = [entry, ...this.entries.slice(0, most.entries - 1)];
    this.#tell(entry);
    return entry.id;
  }

  /** An entry that was cleared, or has gone out of the end, is not brought back. */
  update(id: number, change: Partial<JournalEntry>): void {
    const index = this.entries.findIndex((entry) => entry.id === id);
    const old = this.entries[index];
    if (!old) return;
    const entry = { ...old, ...change };
    this.entries = this.entries.with(index, entry);
    this.#tell(entry);
  }

  clear(): void {
    this.entries = this.entries.filter(({ state }) => state === 'running');
  }

  /** Follows what the model context says of calls, whoever makes them. */
  followContext(context: ModelContext, signal: AbortSignal): void {
    for (const type of ['toolactivated', 'toolcancel'] as const) {
      context.addEventListener(type, (event) => void this.add(type, (event as ToolEvent).toolName), { signal });
    }
    context.addEventListener('toolchange', () => this.#toolsChanged(), { signal });
  }

  /** Many changes in a row are one entry. */
  #toolsChanged(): void {
    const last = this.entries[0];
    if (last?.type !== 'toolchange') return void this.add('toolchange', '');
    this.update(last.id, { count: (last.count ?? 1) + 1, time: Date.now() });
  }

  /** Follows what forms and elements of the document say. */
  followDocument(target: Document, signal: AbortSignal): void {
    const listen = (type: JournalType, use: (event: CustomEvent<unknown>) => void): void =>
      target.addEventListener(type, (event) => use(event as CustomEvent<unknown>), { signal, passive: true });
    listen('webmcp-await-user', ({ detail }) => this.#waits(detail as Detail<AwaitUserDetail>, signal));
    listen('webmcp-response', (event) => {
      const [form] = event.composedPath();
      this.add('webmcp-response', form instanceof Element ? toolNameOf(form) : '', { result: jsonText(event.detail) });
    });
    listen('webmcp-diagnostic', ({ detail }) => {
      const { tool = '', code, severity, message } = (detail ?? {}) as Partial<ElementDiagnostic>;
      this.add('webmcp-diagnostic', tool, { message: kept(`${severity}: ${code}: ${message}`) });
    });
  }

  #waits(detail: Detail<AwaitUserDetail>, signal: AbortSignal): void {
    const { toolName = '', signal: over } = detail ?? {};
    const start = performance.now();
    const id = this.add('webmcp-await-user', toolName, { state: 'waiting' });
    const end = (): void => this.update(id, { state: 'done', milliseconds: performance.now() - start });
    over?.addEventListener('abort', end, { once: true, signal });
  }

  /** Logs a call from here from its begin to its end. */
  async follow(tool: string, input: string, run: (signal: AbortSignal) => Promise<string | null>): Promise<void> {
    const start = performance.now();
    const controller = new AbortController();
    const cancel = (): void => controller.abort();
    this.#running.add(cancel);
    const id = this.add('call', tool, { state: 'running', input: kept(input), cancel });
    const change = await outcome(run, controller.signal);
    this.#running.delete(cancel);
    this.update(id, { ...change, milliseconds: performance.now() - start, cancel: undefined });
  }

  /** Gives up every call that runs. */
  cancelAll(): void {
    for (const cancel of this.#running) cancel();
  }
}

async function outcome(
  run: (signal: AbortSignal) => Promise<string | null>,
  signal: AbortSignal,
): Promise<Partial<JournalEntry>> {
  try {
    const result = await run(signal);
    return { state: 'done', result: result === null ? null : kept(result) };
  } catch (reason) {
    return { state: signal.aborted ? 'canceled' : 'failed', error: journalError(reason) };
  }
}
