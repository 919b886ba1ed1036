import { getter } from '../platform/primordials.js';
import type { ModelContext, ToolHost } from '../webmcp.js';
import { withoutPrototype, SafeMap, SafeWeakMap } from '../platform/collections.js';
import { activeContexts, contextOf, forget, forgetInactive, isActive, visit, type Context } from './frames/context.js';
import { endCallsOf, endOrphanedCalls } from './calls.js';
import { clientInterface } from './drafts/client.js';
import * as dictionaries from './idl/dictionaries.js';
import { toolEventInterface } from './idl/events.js';
import { accessor, define } from '../platform/properties.js';
import { toolHost } from './host.js';
import { portKey, portOf, type Port } from '../platform/port.js';
import { imperativeTool, modelContextInterface } from './idl/model-context.js';
import { defineNavigator, nativeRegistrar, navigatorAttribute, type Registrar } from './drafts/navigator.js';
import type { Connect, Connection } from './cross-origin/channel.js';
import { isAllowed } from './frames/policy.js';
import {
  captureRealm,
  childrenOf,
  documentOf,
  frameElementOf,
  isFullyActive,
  ownRealm,
  parentOf,
  viewOf,
  type Global,
  type Interfaces,
  type Realm,
} from './frames/realm.js';
import { listenFirst, onAbort } from '../platform/signals.js';
import { queueTask } from '../platform/tasks.js';
import { addTool, checkTool, removeTool } from './tools.js';
import { checkActive, checkDenial, isNotOriginKeyed } from './frames/permission.js';
import { useValidator, type Validator } from './validate.js';

export interface InstallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly validator?: Validator | undefined;
  readonly connect?: Connect | undefined;
  /** Registers the forms of a document that is served, until a signal aborts. */
  readonly forms?: RegisterForms | undefined;
}

export type RegisterForms = (document: Document, host: ToolHost, signal: AbortSignal) => void;

/** What a window that was served carries, for the scripts of its frames. */
export interface Hook extends Port {
  install(window: Global, options: InstallOptions): void;
  contextOf(document: Document): Context | undefined;
}

/** The hook of a window, if it is of this origin and has one. */
export function hookOf(window: Window): Hook | undefined {
  return documentOf(window) ? (portOf(window) as Hook | undefined) : undefined;
}

/** The hook of a window or of the nearest window above it that has one. */
export function nearestHook(window: Window): Hook | undefined {
  const parent = parentOf(window);
  return hookOf(window) ?? (parent === window ? undefined : nearestHook(parent));
}

type Undo = () => unknown;

/** What was done to a window, until it shows another document: the hook is on the window as it was then. */
interface Installed {
  readonly hook: Hook;
  readonly undo: Undo[];
  /** Ends the listeners. */
  readonly controller: AbortController;
}

const installed = new SafeMap<Realm, Installed>();
let watched = new SafeWeakMap<Document, true>();
/** The documents whose forms are registered, with what ends that. */
const formsOf = new SafeMap<Document, AbortController>();
let connection: Connection | undefined;

export const isNative = (window: Global): boolean =>
  'modelContext' in window.Document.prototype && !Object.hasOwn(window, portKey);

/**
 * Installs the polyfill in a window, and in the frames below it, unless it is there; a signal takes it back.
 *
 * @param isOwn - whether a script of the window's own asks for it: then its forms are registered as that says
 */
export function install(window: Global, { signal, ...options }: InstallOptions, isOwn = true): void {
  if (!window.isSecureContext) return;
  const isTaken = 'modelContext' in window.Document.prototype; // by the browser, or by another copy of this script
  const realm = realmServing(hookOf(window)) ?? (isTaken ? undefined : installNew(window, options));
  if (!realm) return;
  useValidator(realm, options.validator);
  if (isOwn && options.forms) endForms((document) => document === documentOf(window)); // those that the page above has registered
  serveForms(window, options.forms);
  onAbort(signal, () => takeBack(realm));
}

function installNew(window: Global, { connect, ...options }: InstallOptions): Realm {
  const isFirst = installed.size === 0;
  const realm = window === (globalThis as unknown) ? ownRealm() : captureRealm(window);
  const interfaces = interfacesFor(realm);
  const contextIn = (document: Document): Context => contextOf(document, realm, interfaces);
  const hostOf = (document: Document): ToolHost => toolHost(contextIn(document));
  const hook: Hook = { version: 1, install, contextOf: contextIn, hostOf };
  const controller = new AbortController();
  const { signal } = controller;
  const undo: Undo[] = [];
  installed.set(realm, { hook, undo, controller });
  undo.push(
    ...defineGlobals(window, { ...interfaces, [portKey]: hook }),
    defineDocument(realm, interfaces),
    defineNavigator(window, navigatorFor(realm, interfaces)),
    ...serveFrames(realm, options, signal),
  );
  listenFirst(window, 'pagehide', onHide, signal);
  if (isFirst && connect) meetOthers(connect);
  else connection?.answerAt(window, signal);
  return realm;
}

function meetOthers(connect: Connect): void {
  connection = connect((window) => realmServing(hookOf(window)) !== undefined);
  for (const [{ window }, { controller }] of installed) connection.answerAt(window, controller.signal);
}

function takeBack(realm: Realm): void {
  const isOwn = realm === ownRealm();
  for (const [each, { undo, controller }] of installed) {
    if (each !== realm && !isOwn) continue;
    installed.delete(each);
    for (const context of activeContexts()) if (context.realm === each) endCallsOf(context);
    endForms((document) => viewOf(document) === each.window);
    forget(each);
    controller.abort();
    for (const step of undo) step();
  }
  if (installed.size > 0) return;
  connection?.end();
  watched = new SafeWeakMap();
  connection = undefined;
}

const realmServing = (hook: Hook | undefined): Realm | undefined =>
  [...installed].find(([, each]) => each.hook === hook)?.[0];

/** A page that is kept for the way back keeps its tools. */
const onHide = (event: Event): void => void ((event as PageTransitionEvent).persisted || queueTask(prune));

/** Lets go of the windows whose documents are gone. */
function prune(): void {
  endOrphanedCalls();
  forgetInactive();
  endForms((document) => !isFullyActive(document));
  for (const [realm, { hook }] of installed) {
    const document = documentOf(realm.window);
    if (!document || !isFullyActive(document) || hookOf(realm.window) !== hook) installed.delete(realm);
  }
}

const interfacesFor = (realm: Realm): Interfaces => ({
  ModelContext: modelContextInterface(realm),
  ModelContextClient: clientInterface(realm),
  ToolActivatedEvent: toolEventInterface(realm, 'ToolActivatedEvent'),
  ToolCancelEvent: toolEventInterface(realm, 'ToolCancelEvent'),
});

function defineGlobals(window: Global, globals: object): readonly Undo[] {
  return Reflect.ownKeys(globals).map((key) => {
    const before = Object.getOwnPropertyDescriptor(window, key);
    const value = Reflect.get(globals, key) as unknown;
    // Not where a page's `var ModelContext` is.
    const isOurs = Reflect.defineProperty(window, key, withoutPrototype({ value, writable: true, configurable: true }));
    return () => isOurs && (before ? define(window, key, before) : Reflect.deleteProperty(window, key));
  });
}

function defineDocument(realm: Realm, interfaces: Interfaces): Undo {
  const { prototype } = realm.window.Document;
  const descriptor = accessor('modelContext', {
    get() {
      viewOf(this as Document); // throws unless this is a Document
      return contextOf(this as Document, realm, interfaces).target;
    },
  });
  define(prototype, 'modelContext', descriptor);
  return () => Reflect.deleteProperty(prototype, 'modelContext');
}

/** Serves the frames that are there, those that load, and those whose window a script asks for before they load. */
function serveFrames(realm: Realm, options: InstallOptions, signal: AbortSignal): readonly Undo[] {
  const serve = (window: Window | null): void => {
    const document = window && documentOf(window);
    if (!document || watched.has(document)) return;
    install(window as Global, options, false);
    if (!watched.has(document)) watch(window, document); // a window that was served may show another document
  };
  const onLoad = (event: Event): void => {
    const window = frameWindow(event.target);
    serve(window);
    if (window) connection?.checkAt(window);
  };
  const watch = (window: Window, document: Document): void => {
    watched.set(document, true);
    listenFirst(document, 'load', onLoad, signal);
    serveForms(window, options.forms);
  };
  watch(realm.window, realm.window.document);
  for (const child of childrenOf(realm.window)) visit(child, serve);
  return ['contentWindow', 'contentDocument'].map((name) => serveOnAccess(realm, name, serve));
}

/** Has the forms of a window's document registered, once. */
function serveForms(window: Window, forms: RegisterForms | undefined): void {
  endForms((document) => !isFullyActive(document));
  const document = documentOf(window);
  const context = document && hookOf(window)?.contextOf(document);
  if (!forms || !context || !isActive(context) || formsOf.has(document) || !mayHaveForms(context)) return;
  const controller = new AbortController();
  formsOf.set(document, controller);
  forms(document, toolHost(context), controller.signal);
}

/** Ends the forms of documents. */
function endForms(isOver: (document: Document) => boolean): void {
  for (const [document, controller] of formsOf) {
    if (!isOver(document)) continue;
    formsOf.delete(document);
    controller.abort();
  }
}

/** Not in a frame whose sandbox forbids scripts, and not where no tool can be used. */
function mayHaveForms({ realm: { window } }: Context): boolean {
  const sandbox = frameElementOf(window)?.getAttribute('sandbox') ?? null;
  return (sandbox === null || /\ballow-scripts\b/i.test(sandbox)) && !isNotOriginKeyed(window);
}

/** The window of a frame element, also of one of another realm; null for what is none. */
function frameWindow(target: unknown): Window | null {
  try {
    return contentWindowOf(target as HTMLIFrameElement);
  } catch {
    return null;
  }
}

const contentWindowOf = getter<HTMLIFrameElement, Window | null>('HTMLIFrameElement', 'contentWindow');

/** A new frame has a document at once, long before it loads: a script gets to it only through these two attributes. */
function serveOnAccess(realm: Realm, name: string, serve: (window: Window | null) => void): Undo {
  const { prototype } = realm.window.HTMLIFrameElement;
  const native = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  const patched = accessor(name, {
    get() {
      const value = Reflect.apply(Reflect.get(native, 'get') as () => unknown, this, []);
      serve(contentWindowOf(this as HTMLIFrameElement));
      return value;
    },
  });
  define(prototype, name, patched);
  return () => {
    const current = Object.getOwnPropertyDescriptor(prototype, name);
    if (Reflect.get(current ?? {}, 'get') === Reflect.get(patched, 'get')) define(prototype, name, native);
  };
}

function navigatorFor(realm: Realm, interfaces: Interfaces): PropertyDescriptor {
  const here = (): Context => contextOf(realm.window.document, realm, interfaces);
  return navigatorAttribute(realm, interfaces.ModelContext, () => here().target as ModelContext, registrarFor(here));
}

function registrarFor(here: () => Context): Registrar {
  return {
    checkUse() {
      checkActive(here());
      checkDenial(here(), isAllowed(here()));
    },
    check(conversion, tool, isTaken) {
      checkTool(here().realm, tool, isTaken);
      return dictionaries.schemaText(conversion, tool);
    },
    isForeign: (name) => here().tools.has(name),
    add(init, inputSchema) {
      const context = here();
      const tool = imperativeTool(context, init, inputSchema, []);
      addTool(context, tool);
      return () => removeTool(context, tool);
    },
  };
}

/** Gives a browser that has `document.modelContext` the older drafts' `navigator.modelContext`. */
export function installNavigator(window: Global, signal: AbortSignal | undefined): void {
  if ('modelContext' in window.Navigator.prototype || !window.isSecureContext) return;
  const realm = captureRealm(window);
  const parent = Reflect.get(window, 'ModelContext') as Interfaces['ModelContext'];
  const native = Object.getOwnPropertyDescriptor(window.Document.prototype, 'modelContext') as PropertyDescriptor;
  const target = (): ModelContext =>
    Reflect.apply(Reflect.get(native, 'get') as () => ModelContext, window.document, []);
  onAbort(signal, defineNavigator(window, navigatorAttribute(realm, parent, target, nativeRegistrar(realm, target))));
}
