import { withoutPrototype } from '../platform/collections.js';
import { modelContextOf } from '../platform/model-context.js';
import { portKey, portOf, type Port } from '../platform/port.js';
import { accessor, define } from '../platform/properties.js';
import { listenFirst, onAbort } from '../platform/signals.js';
import { queueTask } from '../platform/tasks.js';
import type { ModelContext, ToolHost } from '../webmcp.js';
import { endCalls, endOrphanedCalls, stopWatching } from './calls.js';
import { clientInterface } from './drafts/client.js';
import { defineNavigator, nativeRegistrar, navigatorAttribute, type Registrar } from './drafts/navigator.js';
import { contextOf, removeContexts } from './frames/context.js';
import { endForms, registerForms, type RegisterForms } from './frames/forms.js';
import { checkActive, checkNotDenied } from './frames/permission.js';
import { isAllowed } from './frames/policy.js';
import {
  captureRealm,
  documentOf,
  isFullyActive,
  parentOf,
  viewOf,
  type Global,
  type Interfaces,
  type Realm,
} from './frames/realm.js';
import { serveFrames } from './frames/serve-frames.js';
import { DocumentToolHost } from './host.js';
import { answerDevtools } from './idl/devtools.js';
import { toolEventInterface } from './idl/events.js';
import { modelContextInterface } from './idl/model-context.js';
import { imperativeTool } from './imperative.js';
import { createState, type Connect, type Context, type PolyfillState } from './state.js';
import { addTool, removeTool } from './tools.js';
import type { Validator } from './validator.js';

export interface InstallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly validator?: Validator | undefined;
  readonly connect?: Connect | undefined;
  /** Registers the forms of a served document, until a signal aborts. */
  readonly forms?: RegisterForms | undefined;
}

/** The port of a served window, with the method for the scripts of its frames. */
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

/** Installs the polyfill in this window. If an ancestor has a copy of this script, that copy does it. */
export function start(options: InstallOptions = {}): ToolHost | undefined {
  const { signal } = options;
  if (typeof Document === 'undefined' || signal?.aborted) return undefined;
  const { window } = globalThis;
  if (isNative(window)) {
    installNavigator(window, signal);
    return undefined;
  }
  const hook = nearestHook(window);
  if (hook) hook.install(window, options);
  else install(createState(captureRealm(window)), window, options);
  return hookOf(window)?.hostOf(window.document);
}

/**
 * Installs the polyfill in a window and its frames until the signal aborts.
 *
 * @param isOwn - whether a script of that window requested it, so that its options determine how forms are registered
 */
function install(state: PolyfillState, window: Global, { signal, ...options }: InstallOptions, isOwn = true): void {
  if (!window.isSecureContext) return;
  const realm =
    realmServedBy(state, hookOf(window)) ?? (modelContextOf(window) ? undefined : installNew(state, window, options));
  const installation = realm && state.installations.get(realm);
  if (!installation) return;
  if (options.validator) installation.validator = options.validator;
  if (isOwn && options.forms) endForms(state, (document) => document === documentOf(window));
  registerForms(state, window, options.forms);
  installation.undo.push(onAbort(signal, () => uninstall(state, realm)));
}

function installNew(state: PolyfillState, window: Global, { connect, ...options }: InstallOptions): Realm {
  const { installations } = state;
  const isFirst = installations.size === 0;
  const realm = window === state.realm.window ? state.realm : captureRealm(window);
  const interfaces: Interfaces = {
    ModelContext: modelContextInterface(state, realm),
    ...clientInterface(realm),
    ToolActivatedEvent: toolEventInterface(realm, 'ToolActivatedEvent'),
    ToolCancelEvent: toolEventInterface(realm, 'ToolCancelEvent'),
  };
  const contextFor = (document: Document): Context => contextOf(state, document, realm, interfaces);
  const port: Hook = {
    version: 1,
    install: (frame, frameOptions) => install(state, frame, frameOptions),
    hostOf: (document) => new DocumentToolHost(contextFor(document)),
  };
  const controller = new AbortController();
  const undo: (() => unknown)[] = [];
  installations.set(realm, { port, undo, controller, validator: undefined });
  const { createClient: _, ...globals } = interfaces;
  undo.push(
    ...defineGlobals(window, { ...globals, [portKey]: port }),
    defineDocument(window, contextFor),
    defineNavigator(window, navigatorAttribute(polyfillRegistrar(realm, contextFor), interfaces.ModelContext)),
    ...serveFrames(state, realm, {
      install: (frame) => install(state, frame, options, false),
      forms: options.forms,
      signal: controller.signal,
    }),
  );
  answerDevtools(realm, contextFor, controller.signal);
  listenFirst(window, 'pagehide', (event) => onHide(state, event as PageTransitionEvent), controller.signal);
  if (isFirst && connect) startConnection(state, connect);
  else state.crossOrigin?.serve(window, controller.signal);
  return realm;
}

function startConnection(state: PolyfillState, connect: Connect): void {
  state.crossOrigin = connect(state, (window) => realmServedBy(state, hookOf(window)) !== undefined);
  for (const [{ window }, { controller }] of state.installations) state.crossOrigin.serve(window, controller.signal);
}

/** Removes the polyfill from a window, or from all windows if it is the script's own window. */
function uninstall(state: PolyfillState, realm: Realm): void {
  const { installations } = state;
  const isOwn = realm === state.realm;
  for (const [each, { undo, controller }] of installations) {
    if (each !== realm && !isOwn) continue;
    installations.delete(each);
    endCalls(state, ({ target }) => target.realm === each);
    endForms(state, (document) => viewOf(document) === each.window);
    removeContexts(state, each);
    controller.abort();
    for (const step of undo) step();
  }
  if (installations.size === 0) endState(state);
}

function endState(state: PolyfillState): void {
  endCalls(state, () => true);
  endForms(state, () => true);
  stopWatching(state);
  state.crossOrigin?.end();
  state.crossOrigin = undefined;
  for (const { finish } of [...state.policyRequests.values()]) finish();
}

const realmServedBy = ({ installations }: PolyfillState, port: Port | undefined): Realm | undefined =>
  [...installations].find(([, each]) => each.port === port)?.[0];

/** Pages in the back/forward cache keep their tools. */
function onHide(state: PolyfillState, { persisted }: PageTransitionEvent): void {
  if (!persisted) queueTask(() => removeInactive(state));
}

function removeInactive(state: PolyfillState): void {
  endOrphanedCalls(state);
  removeContexts(state);
  endForms(state, (document) => !isFullyActive(document));
  for (const [realm, { port }] of state.installations) {
    const document = documentOf(realm.window);
    if (!document || !isFullyActive(document) || hookOf(realm.window) !== port) state.installations.delete(realm);
  }
}

function defineGlobals(window: Global, globals: object): readonly (() => unknown)[] {
  return Reflect.ownKeys(globals).map((key) => {
    const before = Object.getOwnPropertyDescriptor(window, key);
    const value = Reflect.get(globals, key) as unknown;
    // Fails if the page has declared `var ModelContext`.
    const isDefined = Reflect.defineProperty(
      window,
      key,
      withoutPrototype({ value, writable: true, configurable: true }),
    );
    return () => isDefined && (before ? define(window, key, before) : Reflect.deleteProperty(window, key));
  });
}

function defineDocument(window: Global, contextFor: (document: Document) => Context): () => unknown {
  const { prototype } = window.Document;
  const descriptor = accessor('modelContext', {
    get() {
      viewOf(this as Document); // throws unless this is a Document
      return contextFor(this as Document).target;
    },
  });
  define(prototype, 'modelContext', descriptor);
  return () => Reflect.deleteProperty(prototype, 'modelContext');
}

/** Registers the tools of `navigator.modelContext` with the polyfill. */
function polyfillRegistrar(realm: Realm, contextFor: (document: Document) => Context): Registrar {
  const current = (): Context => contextFor(realm.window.document);
  return {
    realm,
    target: () => current().target as ModelContext,
    checkAllowed() {
      const context = current();
      checkActive(context);
      checkNotDenied(context, isAllowed(context.state, context.document));
    },
    hasOther: (name) => current().tools.has(name),
    add(init, inputSchema) {
      const context = current();
      const tool = imperativeTool(context, init, inputSchema, []);
      addTool(context, tool);
      return () => removeTool(context, tool);
    },
  };
}

/** Adds `navigator.modelContext` of the older drafts to a page whose `document.modelContext` is not of this script. */
function installNavigator(window: Global, signal: AbortSignal | undefined): void {
  if ('modelContext' in window.navigator || !window.isSecureContext) return;
  const realm = captureRealm(window);
  const target = (): ModelContext => modelContextOf(window) as ModelContext;
  const { ModelContext = realm.EventTarget } = window as Partial<Pick<Global, 'ModelContext'>>;
  onAbort(signal, defineNavigator(window, navigatorAttribute(nativeRegistrar(realm, target), ModelContext)));
}
