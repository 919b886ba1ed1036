import type { ElementDiagnostic } from '../diagnostic.js';
import type { answerOf } from './failure.js';
import type { Problems } from './problems.js';
import type { ToolRegistration } from './tool-registration.js';
import { ignoredBeside, isSameWebtool, wantedBy, type Wanted, type WebtoolSpec } from './webtool-spec.js';

type Client = typeof import('../../src/webtool-client/index.js');
type ActionContext = import('../../src/webtool-client/index.js').ActionContext;
type JsonRecord = Readonly<Record<string, unknown>>;
type Action = import('../../src/webtool-client/index.js').RegisteredAction;

/** What it is given, so that what loads it shares nothing else with it. */
export interface Given {
  readonly client: Client;
  readonly ToolRegistration: typeof ToolRegistration;
  readonly answerOf: typeof answerOf;
}

/** A webtool whose metadata was checked. */
export type ConnectedWebtool = import('../../src/webtool-client/index.js').ConnectedWebtool;

/** What the tools of one webtool call, whatever its configuration is by then. */
interface Source {
  connected: Promise<ConnectedWebtool>;
}

/** The webtool of a `<webmcp-tool src>`, whichever it is now: its actions are registered as tools. */
export class WebtoolTools {
  readonly #element: HTMLElement;
  readonly #problems: Problems;
  readonly #given: Given;
  readonly #tools = new Map<string, ToolRegistration>();
  #wanted: Wanted | undefined;
  /** Undefined while there is none to call. */
  #source: Source | undefined;
  #controller: AbortController | undefined;
  #webtool: ConnectedWebtool | undefined;

  constructor(element: HTMLElement, problems: Problems, given: Given) {
    this.#element = element;
    this.#problems = problems;
    this.#given = given;
  }

  /** Undefined while it is not connected. */
  get webtool(): ConnectedWebtool | undefined {
    return this.#webtool;
  }

  /** Takes what the element says now; undefined if it has no webtool. A connection that failed is tried again. */
  set(spec: WebtoolSpec | undefined): void {
    const wanted = spec && wantedBy(this.#element, spec);
    this.#problems.set('ignored', spec ? ignoredBeside(this.#element, spec) : []);
    if (wanted && !('code' in wanted)) return this.#want(wanted);
    this.#wanted = undefined;
    this.#letGo(wanted);
  }

  #want(wanted: Wanted): void {
    const known = this.#wanted;
    const isSame = isSameWebtool(known, wanted);
    if (isSame && this.#source && known?.config === wanted.config) return;
    if (!isSame) this.#letGo();
    this.#wanted = wanted;
    void this.#connect(wanted);
  }

  /** Tools of the same webtool stay meanwhile: their calls wait, so that none is made with what was replaced. */
  async #connect(wanted: Wanted): Promise<void> {
    this.#controller?.abort();
    const { signal } = (this.#controller = new AbortController());
    const actions: Action[] = [];
    const connected = this.#ask(wanted, actions, signal);
    const source = (this.#source = Object.assign(this.#source ?? {}, { connected }));
    this.#webtool = undefined;
    try {
      const webtool = await connected;
      if (signal.aborted) return;
      this.#webtool = webtool;
    } catch (cause) {
      if (!signal.aborted) this.#letGo(problemOf(cause));
      return;
    }
    this.#problems.set('webtool', []);
    this.#register(actions, source, wanted.document);
    this.#element.dispatchEvent(new Event('webmcp-ready', { bubbles: true, composed: true }));
  }

  #ask({ url, pins, config }: Wanted, actions: Action[], signal: AbortSignal): Promise<ConnectedWebtool> {
    const modelContext: ActionContext = { registerTool: (action) => Promise.resolve(actions.push(action)) };
    const given = config === undefined ? {} : { config: JSON.parse(config) as JsonRecord };
    return this.#given.client.connectWebtool(url, { ...pins, ...given, signal, modelContext });
  }

  #register(actions: readonly Action[], source: Source, document: Document): void {
    const names = new Set(actions.map(({ name }) => name));
    for (const name of this.#tools.keys()) if (!names.has(name)) this.#unregister(name);
    for (const action of actions) {
      const call = async (input: object, signal?: AbortSignal): Promise<unknown> =>
        (await latest(source)).call(action.name, input, { signal });
      const execute: Action['execute'] = (input, options) =>
        this.#given.answerOf(document, options?.signal, call(input, options?.signal));
      this.#registration(action.name).set({ ...action, execute }, document);
    }
  }

  #registration(name: string): ToolRegistration {
    const known = this.#tools.get(name);
    if (known) return known;
    const tell = (problem?: ElementDiagnostic): void =>
      this.#problems.set(`tool ${name}`, problem ? [withWayOut(problem)] : []);
    const made = new this.#given.ToolRegistration(tell);
    this.#tools.set(name, made);
    return made;
  }

  #unregister(name: string): void {
    this.#tools.get(name)?.stop();
    this.#tools.delete(name);
  }

  #letGo(problem?: ElementDiagnostic): void {
    this.#controller?.abort();
    this.#controller = this.#source = this.#webtool = undefined;
    for (const name of this.#tools.keys()) this.#unregister(name);
    this.#problems.set('webtool', problem ? [problem] : []);
  }
}

/** The webtool, when no connection is under way. */
async function latest(source: Source): Promise<ConnectedWebtool> {
  const { connected } = source;
  await Promise.allSettled([connected]);
  return connected === source.connected ? connected : latest(source);
}

const codes = new Map([
  ['WEBTOOL_UNREACHABLE', 'webtool-unreachable'],
  ['WEBTOOL_CHANGED', 'webtool-changed'],
  ['WRONG_HASH', 'webtool-changed'],
  ['NOT_SECURE', 'not-secure'],
]);

const waysOut = new Map([
  ['webtool-unreachable', ' Correct src, or let the webtool run, and allow the origin of this page (CORS).'],
  ['webtool-failed', ' Correct src or version, or mend the webtool.'],
  ['invalid-src', ' There are no tools until src is corrected.'],
]);

/** Nobody here can rename the actions of a webtool. */
const withWayOut = (problem: ElementDiagnostic): ElementDiagnostic =>
  problem.code === 'duplicate-tool-name' ? { ...problem, message: taken } : problem;

const taken =
  'Another tool of the page has the name of this action, so it is none until that goes: remove one of them.';

/** What the client says has nothing of the configuration in it. */
function problemOf(cause: unknown): ElementDiagnostic {
  const { name, message, code: reason = '' } = cause as Error & { readonly code?: string };
  const code = name === 'TypeError' ? 'invalid-src' : (codes.get(reason) ?? 'webtool-failed');
  return { code, severity: 'error', message: message + (waysOut.get(code) ?? '') };
}
