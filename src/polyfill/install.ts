import { viewOf } from '../platform/dom.js';
import { withoutPrototype } from '../platform/collections.js';
import type { LazyPart } from '../platform/lazy-part.js';
import { modelContextOf } from '../platform/model-context.js';
import { portKey, portOf, type Port } from '../platform/port.js';
import { accessor, define } from '../platform/properties.js';
import { listen, listenFirst } from '../platform/signals.js';
import { queueTask } from '../platform/tasks.js';
import type { ModelContext, ToolHost } from '../webmcp.js';
import { contextOf, removeContexts } from './frames/context.js';
import { endForms, registerForms, type RegisterForms } from './frames/forms.js';
import { announce, receiveFirst } from './frames/messages.js';
import {
  captureRealm,
  documentOf,
  isFullyActive,
  parentOf,
  type Global,
  type Interfaces,
  type Realm,
} from './frames/realm.js';
import { serveFrames } from './frames/serve-frames.js';
import { DocumentToolHost } from './host.js';
import { toolEventInterface } from './idl/events.js';
import { modelContextInterface } from './idl/model-context.js';
import { navigatorAttribute } from './idl/navigator.js';
import { createState, type AgentPart, type Context, type PolyfillState } from './state.js';
import type { Removal } from './uninstall.js';
import type { Validator } from './validator.js';

interface InstallOptions {
  /** Undefined if the polyfill is never removed. */
  readonly removal?: Removal | undefined;
  readonly validator?: Validator | undefined;
  /** Registers the forms of a served document, until a signal aborts. */
  readonly forms?: RegisterForms | undefined;
}

/** The port of a served window, with a method that the scripts of its frames call. */
interface Hook extends Port {
  install(window: Global, options: InstallOptions): void;
}

const hookOf = (window: Window): Hook | undefined =>
  documentOf(window) ? (portOf(window) as Hook | undefined) : undefined;

/** The hook of the nearest inclusive ancestor that has one. */
function nearestHook(window: Window): Hook | undefined {
  const parent = parentOf(window);
  return hookOf(window) ?? (parent === window ? undefined : nearestHook(parent));
}

/** Whether the browser or another polyfill defines the model context of a window. */
export const isNative = (window: Global): boolean =>
  modelContextOf(window) !== undefined && !Object.hasOwn(window, portKey);

/** Installs the polyfill in this window. If an ancestor window runs this script, that instance installs it. */
export function start(lazyAgent: LazyPart<AgentPart>, options: InstallOptions = {}): ToolHost | undefined {
  const { window } = globalThis;
  if (isNative(window)) {
    installNavigator(lazyAgent, window, options.removal);
    return undefined;
  }
  const hook = nearestHook(window);
  if (hook) hook.install(window, options);
  else install(newState(lazyAgent, window), window, options);
  return hookOf(window)?.hostOf(window.document);
}

function newState(lazyAgent: LazyPart<AgentPart>, window: Global): PolyfillState {
  const state = createState(captureRealm(window), lazyAgent);
  lazyAgent.onLoad(({ Agent }) => {
    state.agent = new Agent(state, (each) => realmServedBy(state, hookOf(each)) !== undefined);
  });
  return state;
}

/**
 * Installs the polyfill in a window and its frames.
 *
 * @param isOwn - whether a script of that window requested it, so that its options determine how forms are registered
 */
function install(state: PolyfillState, window: Global, options: InstallOptions, isOwn = true): void {
  if (!window.isSecureContext) return;
  const served = realmServedBy(state, hookOf(window));
  const realm = served ?? (modelContextOf(window) ? undefined : installNew(state, window, options));
  const installation = realm && state.installations.get(realm);
  if (!installation) return;
  if (options.validator) installation.validator = options.validator;
  if (served && isOwn && options.forms) endForms(state, (document) => document === documentOf(window));
  registerForms(state, window, options.forms);
  if (isOwn) options.removal?.installed(realm, state);
}

function installNew(state: PolyfillState, window: Global, options: InstallOptions): Realm {
  const { installations } = state;
  const isFirst = installations.size === 0;
  const realm = window === state.realm.window ? state.realm : captureRealm(window);
  const interfaces: Interfaces = {
    ModelContext: modelContextInterface(state, realm),
    ToolActivatedEvent: toolEventInterface(realm, 'ToolActivatedEvent'),
    ToolCancelEvent: toolEventInterface(realm, 'ToolCancelEvent'),
  };
  const contextFor = (document: Document): Context => contextOf(state, document, realm, interfaces);
  const context = (): Context => contextFor(window.document);
  const port: Hook = {
    version: 2,
    install: (frame, frameOptions) => install(state, frame, frameOptions),
    hostOf: (document) => new DocumentToolHost(contextFor(document)),
  };
  const controller = new AbortController();
  const { signal } = controller;
  installations.set(realm, { port, controller, validator: undefined });
  const source = { realm, target: () => context().target, context };
  const afterInstall = options.removal?.installing(window);
  defineGlobals(window, { ...interfaces, [portKey]: port });
  defineDocument(window, contextFor);
  defineNavigator(window, navigatorAttribute(state.lazyAgent, source, interfaces.ModelContext));
  serveFrames(state, realm, {
    install: (frame) => install(state, frame, options, false),
    forms: options.forms,
    signal,
  });
  afterInstall?.();
  const discover = (event: Event): void => state.withAgent((agent) => agent.discover(event, context()));
  listen(window, 'devtoolstooldiscovery', discover, withoutPrototype({ signal }));
  listenFirst(window, 'pagehide', (event) => onHide(state, event as PageTransitionEvent), signal);
  listenFirst(window, 'message', (event) => receiveFirst(state, event as MessageEvent), signal);
  state.agent?.crossOrigin?.serve(window);
  if (isFirst) announce(state);
  return realm;
}

const realmServedBy = ({ installations }: PolyfillState, port: Port | undefined): Realm | undefined =>
  [...installations].find(([, each]) => each.port === port)?.[0];

/** Pages in the back/forward cache keep their tools. */
function onHide(state: PolyfillState, { persisted }: PageTransitionEvent): void {
  if (!persisted) queueTask(() => removeInactive(state));
}

function removeInactive(state: PolyfillState): void {
  state.agent?.endOrphanedCalls();
  removeContexts(state);
  endForms(state, (document) => !isFullyActive(document));
  for (const [realm, { port }] of state.installations) {
    const document = documentOf(realm.window);
    if (!document || !isFullyActive(document) || hookOf(realm.window) !== port) state.installations.delete(realm);
  }
}

function defineGlobals(window: Global, globals: object): void {
  for (const key of Reflect.ownKeys(globals)) {
    const value = Reflect.get(globals, key) as unknown;
    // Fails if the page has declared `var ModelContext`.
    Reflect.defineProperty(window, key, withoutPrototype({ value, writable: true, configurable: true }));
  }
}

function defineDocument({ Document: { prototype } }: Global, contextFor: (document: Document) => Context): void {
  const descriptor = accessor('modelContext', {
    get() {
      viewOf(this as Document); // throws unless this is a Document
      return contextFor(this as Document).target;
    },
  });
  define(prototype, 'modelContext', descriptor);
}

/** Defines the attribute unless the browser defines it. */
function defineNavigator({ Navigator: { prototype } }: Global, descriptor: PropertyDescriptor): void {
  if (!('modelContext' in prototype)) define(prototype, 'modelContext', descriptor);
}

/** Adds `navigator.modelContext` of the older drafts to a page whose `document.modelContext` is not of this script. */
function installNavigator(lazyAgent: LazyPart<AgentPart>, window: Global, removal: Removal | undefined): void {
  if ('modelContext' in window.navigator || !window.isSecureContext) return;
  const realm = captureRealm(window);
  const target = (): ModelContext => modelContextOf(window) as ModelContext;
  const { ModelContext: parent = realm.EventTarget } = window as Partial<Pick<Global, 'ModelContext'>>;
  const afterInstall = removal?.installing(window);
  defineNavigator(window, navigatorAttribute(lazyAgent, { realm, target, context: undefined }, parent));
  afterInstall?.();
  removal?.installed(realm);
}
