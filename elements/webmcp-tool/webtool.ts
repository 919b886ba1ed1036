import type { ElementDiagnostic } from '../diagnostic.js';
import type { Diagnostics } from './diagnostics.js';
import type { answerOf, ToolRegistration } from './tool-registration.js';

type Client = typeof import('../../src/webtool-client/index.js');
type ActionContext = import('../../src/webtool-client/index.js').ActionContext;
type ConnectOptions = import('../../src/webtool-client/index.js').ConnectOptions;
type Action = import('../../src/webtool-client/index.js').RegisteredAction;
export type ConnectedWebtool = import('../../src/webtool-client/index.js').ConnectedWebtool;

/** Passed in rather than imported, so that this chunk shares no code with the chunk of the element. */
export interface Dependencies {
  readonly client: Client;
  readonly ToolRegistration: typeof ToolRegistration;
  readonly answerOf: typeof answerOf;
}

/** The connection used by the tools of one webtool. A new configuration replaces `current`. */
interface Connection {
  current: Promise<ConnectedWebtool>;
}

/** The received actions of a webtool, and its changes since it was first trusted. */
interface Received {
  readonly actions: Action[];
  readonly changes: ElementDiagnostic[];
}

/** The actions of the current webtool of a `<webmcp-tool src>`, registered as tools. */
export class WebtoolTools {
  readonly #element: HTMLElement;
  readonly #diagnostics: Diagnostics;
  readonly #dependencies: Dependencies;
  readonly #tools = new Map<string, ToolRegistration>();
  #target: WebtoolTarget | undefined;
  #connection: Connection | undefined;
  #controller: AbortController | undefined;
  #webtool: ConnectedWebtool | undefined;

  constructor(element: HTMLElement, diagnostics: Diagnostics, dependencies: Dependencies) {
    this.#element = element;
    this.#diagnostics = diagnostics;
    this.#dependencies = dependencies;
  }

  get webtool(): ConnectedWebtool | undefined {
    return this.#webtool;
  }

  /**
   * Connects to the webtool of the element. A failed connection is retried.
   *
   * @param spec - undefined if the element has no webtool
   */
  set(spec: WebtoolSpec | undefined): void {
    const target = spec && readTarget(this.#element, spec);
    this.#diagnostics.set('ignored', spec ? ignoredBeside(this.#element, spec) : []);
    if (!target || 'code' in target) {
      this.#target = undefined;
      return this.#disconnect(target);
    }
    const known = this.#target;
    const isSame = isSameWebtool(known, target);
    if (isSame && this.#connection && known?.config === target.config) return;
    if (!isSame) this.#disconnect();
    this.#target = target;
    void this.#connect(target);
  }

  /** Tools of the same webtool stay registered, and their calls wait for the new connection. */
  async #connect(target: WebtoolTarget): Promise<void> {
    this.#controller?.abort();
    const { signal } = (this.#controller = new AbortController());
    const received: Received = { actions: [], changes: [] };
    this.#webtool = undefined;
    const current = this.#request(target, received, signal);
    const connection = (this.#connection = Object.assign(this.#connection ?? {}, { current }));
    try {
      const webtool = await current;
      if (signal.aborted) return;
      this.#webtool = webtool;
    } catch (cause) {
      if (!signal.aborted) this.#disconnect(diagnosticOf(cause));
      return;
    }
    this.#diagnostics.set('webtool', received.changes);
    this.#register(received.actions, connection, target.document);
    this.#element.dispatchEvent(new Event('webmcp-ready', { bubbles: true, composed: true }));
  }

  #request(target: WebtoolTarget, { actions, changes }: Received, signal: AbortSignal): Promise<ConnectedWebtool> {
    const { url, pins, config } = target;
    const modelContext: ActionContext = { registerTool: (action) => Promise.resolve(actions.push(action)) };
    const onWarning = ({ code, message }: { readonly code: string; readonly message: string }): void => {
      const isOfConnection = this.#webtool === undefined && codes.has(code); // calls also report warnings
      if (isOfConnection) changes.push({ code: codes.get(code) ?? code, severity: 'warning', message });
    };
    const parsed = config === undefined ? {} : { config: JSON.parse(config) as Readonly<Record<string, unknown>> };
    const options = { ...pins, ...parsed, ...trustOf(target), onWarning, signal, modelContext };
    return this.#dependencies.client.connectWebtool(url, options);
  }

  #register(actions: readonly Action[], connection: Connection, document: Document): void {
    const names = new Set(actions.map(({ name }) => name));
    for (const name of this.#tools.keys()) if (!names.has(name)) this.#unregister(name);
    for (const action of actions) {
      const call = async (input: object, signal?: AbortSignal): Promise<unknown> =>
        (await latest(connection)).call(action.name, input, { signal });
      const execute: Action['execute'] = (input, options) =>
        this.#dependencies.answerOf(document, options?.signal, call(input, options?.signal));
      this.#registrationOf(action.name).set({ ...action, execute }, document);
    }
  }

  #registrationOf(name: string): ToolRegistration {
    const known = this.#tools.get(name);
    if (known) return known;
    const registration = new this.#dependencies.ToolRegistration((diagnostic) =>
      this.#diagnostics.set(`tool ${name}`, diagnostic ? [withWebtoolMessage(diagnostic)] : []),
    );
    this.#tools.set(name, registration);
    return registration;
  }

  #unregister(name: string): void {
    this.#tools.get(name)?.stop();
    this.#tools.delete(name);
  }

  #disconnect(diagnostic?: ElementDiagnostic): void {
    this.#controller?.abort();
    this.#controller = this.#connection = this.#webtool = undefined;
    for (const name of this.#tools.keys()) this.#unregister(name);
    this.#diagnostics.set('webtool', diagnostic ? [diagnostic] : []);
  }
}

/** Resolves with the webtool once no connection is pending. */
async function latest(connection: Connection): Promise<ConnectedWebtool> {
  const { current } = connection;
  await Promise.allSettled([current]);
  return current === connection.current ? current : latest(connection);
}

const codes = new Map([
  ['WEBTOOL_UNREACHABLE', 'webtool-unreachable'],
  ['WEBTOOL_CHANGED', 'webtool-changed'],
  ['WRONG_HASH', 'webtool-changed'],
  ['NOT_SECURE', 'not-secure'],
  ['TRUST_UNAVAILABLE', 'trust-unavailable'],
]);

/** The page's own webtool and a pinned one need no trust on first use. */
function trustOf({ document, url, trust, pins }: WebtoolTarget): Pick<ConnectOptions, 'trust' | 'refuseChanges'> {
  const view = document.defaultView;
  if (trust === 'off' || pins.hash !== undefined || !view || new URL(url).origin === view.origin) return {};
  const store = {
    getItem: (key: string) => view.localStorage.getItem(key),
    setItem: (key: string, value: string) => view.localStorage.setItem(key, value),
  };
  return { trust: store, refuseChanges: trust === 'refuse' };
}

const instructions = new Map([
  ['webtool-unreachable', ' Correct src, or start the webtool and allow the origin of this page (CORS).'],
  ['webtool-failed', ' Correct src or version, or repair the webtool.'],
  ['invalid-src', ' Correct src.'],
]);

/** Adapts the advice, because a page cannot rename the actions of a webtool. */
const withWebtoolMessage = (diagnostic: ElementDiagnostic): ElementDiagnostic =>
  diagnostic.code === 'duplicate-tool-name'
    ? { ...diagnostic, message: 'Another tool of the page has the name of this action. Remove one of them.' }
    : diagnostic;

/** Error messages of the client never quote the configuration. */
function diagnosticOf(cause: unknown): ElementDiagnostic {
  const { name, message, code: reason = '' } = cause as Error & { readonly code?: string };
  const code = name === 'TypeError' ? 'invalid-src' : (codes.get(reason) ?? 'webtool-failed');
  return { code, severity: 'error', message: message + (instructions.get(code) ?? '') };
}

/** The properties of a `<webmcp-tool src>`. Its attributes are read when they are needed. */
export interface WebtoolSpec {
  /** Sent with every call, but not part of any schema. */
  readonly config: unknown;
  /** Ignored with `src`. */
  readonly inputSchema: unknown;
}

/** A webtool to connect to, with its configuration. */
interface WebtoolTarget {
  readonly document: Document;
  readonly url: string;
  readonly pins: Pick<ConnectOptions, 'version' | 'hash'>;
  /** Whether changes of a webtool that is not pinned are reported, refused or ignored. */
  readonly trust: 'report' | 'refuse' | 'off';
  /** JSON text, so that later changes of the object have no effect. */
  readonly config: string | undefined;
}

/** Reads the webtool of an element, or returns a diagnostic. */
function readTarget(element: HTMLElement, { config }: WebtoolSpec): WebtoolTarget | ElementDiagnostic {
  const { ownerDocument: document } = element;
  const [src = '', version, hash] = ['src', 'version', 'hash'].map((name) => element.getAttribute(name) ?? undefined);
  if (src.trim() === '' || !URL.canParse(src, document.baseURI))
    return { code: 'invalid-src', severity: 'error', message: messages.src };
  const text = config === undefined ? undefined : jsonOf(config);
  if (text === null) return { code: 'invalid-config', severity: 'error', message: messages.config };
  const trust = element.getAttribute('trust') ?? 'report';
  if (!isTrust(trust)) return { code: 'unknown-trust', severity: 'error', message: messages.trust(trust) };
  const pins = { ...(version !== undefined && { version }), ...(hash !== undefined && { hash }) };
  return { document, url: new URL(src, document.baseURI).href, pins, trust, config: text };
}

const isTrust = (value: string): value is WebtoolTarget['trust'] => /^(?:report|refuse|off)$/.test(value);

/** Whether two targets are the same webtool, regardless of the configuration. */
const isSameWebtool = (one: WebtoolTarget | undefined, other: WebtoolTarget): boolean =>
  one?.document === other.document &&
  one.url === other.url &&
  one.trust === other.trust &&
  one.pins.version === other.pins.version &&
  one.pins.hash === other.pins.hash;

/** The JSON text of an object; null for anything else. The error is discarded, because it could quote a secret. */
function jsonOf(value: unknown): string | null {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text?.startsWith('{') ? text : null;
  } catch {
    return null;
  }
}

const ignoredAttributes =
  'name description tooltitle autosubmit for optional profile sensitive response readonly-hint consequential-hint untrusted-content-hint';

const ignoredChildren = {
  '<webmcp-param>': ':scope > webmcp-param',
  '<script>': ':scope > script[type="application/schema+json"]',
  '<form>': 'form',
};

/** Reports the parts of a definition that `src` overrides. */
function ignoredBeside(element: HTMLElement, { inputSchema }: WebtoolSpec): readonly ElementDiagnostic[] {
  const found = [
    ...ignoredAttributes.split(' ').filter((name) => element.hasAttribute(name)),
    ...(inputSchema === undefined ? [] : ['inputSchema']),
    ...Object.entries(ignoredChildren).flatMap(([name, selector]) => (element.querySelector(selector) ? [name] : [])),
  ];
  if (found.length === 0) return [];
  return [{ code: 'ignored-with-src', severity: 'warning', message: messages.ignored(found) }];
}

const messages = {
  src: 'The src is not a valid URL. Set it to the URL of a webtool.',
  config:
    'The property config is not an object that JSON can represent. Set such an object, or undefined to remove it.',
  trust: (value: string) => `The trust "${value}" is unknown. Use report, refuse or off.`,
  ignored: (found: readonly string[]) =>
    `A <webmcp-tool> with src takes its tools from the webtool and ignores: ${found.join(', ')}. Remove them, or remove src.`,
};
