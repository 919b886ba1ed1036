import { getter } from '../platform.js';
import type { Context } from './context.js';
import { contextOf, forget, visit, activeContexts } from './context.js';
import { endCallsOf, endOrphanedCalls } from './calls.js';
import { clientInterface } from './client.js';
import { toolEventInterface } from './events.js';
import { accessor, define } from './interface.js';
import { checkActive, checkPolicy, imperativeTool, modelContextInterface, schemaText } from './model-context.js';
import { defineNavigator, nativeRegistrar, navigatorAttribute, type Registrar } from './navigator.js';
import { startPeers } from './peers.js';
import { isAllowed } from './policy.js';
import { captureRealm, documentOf, ownRealm, viewOf, type Global, type Interfaces, type Realm } from './realm.js';
import { listen, onAbort, unlisten } from './signals.js';
import { queueTask } from './tasks.js';
import { addTool, checkTool, removeTool } from './tools.js';
import { useValidator, type Validator } from './validate.js';

export interface InstallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly validator?: Validator | undefined;
}

/** What a window that was served carries, for the scripts of its frames. */
export interface Hook {
  readonly version: 1;
  install(window: Global, options: InstallOptions): void;
  contextOf(document: Document): Context | undefined;
}

const hookKey = Symbol.for('webmcp-forms');

/** The hook of a window, if it is of this origin and has one. */
export function hookOf(window: Window): Hook | undefined {
  const hook = documentOf(window) ? (Object.getOwnPropertyDescriptor(window, hookKey)?.value as Hook) : undefined;
  return hook?.version === 1 ? hook : undefined;
}

/** The hook of a window or of the nearest window above it that has one. */
export function nearestHook(window: Window): Hook | undefined {
  return hookOf(window) ?? (window.parent === window ? undefined : nearestHook(window.parent));
}

type Undo = () => void;
const undoBy = new Map<Realm, readonly Undo[]>();
const watched = new WeakSet<Document>();
let stopPeers: Undo = () => undefined;

export const isNative = (window: Global): boolean =>
  'modelContext' in window.Document.prototype && !Object.hasOwn(window, hookKey);

/** Installs the polyfill in a window, and in the frames below it; a signal takes it back. */
export function install(window: Global, { signal, validator }: InstallOptions): void {
  if (Object.hasOwn(window, hookKey) || !window.isSecureContext) return;
  const isFirst = undoBy.size === 0;
  const realm = window === (globalThis as unknown) ? ownRealm() : captureRealm(window);
  useValidator(realm, validator);
  const interfaces = interfacesFor(realm);
  undoBy.set(realm, [
    ...globalsOf(realm, interfaces),
    defineDocument(realm, interfaces),
    defineNavigator(window, navigatorAttribute(realm, interfaces.ModelContext, ownRegistrar(realm, interfaces))),
    ...serveFrames(realm, validator),
    watchEnd(realm),
  ]);
  if (isFirst) stopPeers = startPeers();
  onAbort(signal, () => takeBack(realm));
}

function takeBack(realm: Realm): void {
  const isOwn = realm === ownRealm();
  for (const [each, undo] of undoBy) {
    if (each !== realm && !isOwn) continue;
    undoBy.delete(each);
    for (const context of activeContexts()) if (context.realm === each) endCallsOf(context);
    forget(each);
    for (const step of undo) step();
  }
  if (undoBy.size === 0) stopPeers();
}

const interfacesFor = (realm: Realm): Interfaces => ({
  ModelContext: modelContextInterface(realm),
  ModelContextClient: clientInterface(realm),
  ToolActivatedEvent: toolEventInterface(realm, 'ToolActivatedEvent'),
  ToolCancelEvent: toolEventInterface(realm, 'ToolCancelEvent'),
});

/** The interface objects on the window, and the hook. */
function globalsOf(realm: Realm, interfaces: Interfaces): readonly Undo[] {
  const hook: Hook = {
    version: 1,
    install: (window, options) => install(window, options),
    contextOf: (document) => contextOf(document, realm, interfaces),
  };
  const globals: readonly [PropertyKey, unknown][] = [...Object.entries(interfaces), [hookKey, hook]];
  return globals.map(([key, value]) => {
    define(realm.window, key, { value, writable: true, configurable: true });
    return () => Reflect.deleteProperty(realm.window, key);
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
function serveFrames(realm: Realm, validator: Validator | undefined): readonly Undo[] {
  const serve = (window: Window | null): void => {
    const document = window && documentOf(window);
    if (!document || watched.has(document)) return;
    install(window as Global, { validator });
    watch(document);
  };
  const onLoad = (event: Event): void => {
    if (event.target instanceof realm.window.HTMLIFrameElement) serve(contentWindowOf(event.target));
  };
  const watch = (document: Document): void => {
    watched.add(document);
    listen(document, 'load', onLoad, { capture: true });
  };
  watch(realm.window.document);
  for (let index = 0; index < realm.window.length; index++) visit(realm.window[index] as Window, serve);
  return [
    ...['contentWindow', 'contentDocument'].map((name) => serveOnAccess(realm, name, serve)),
    () => unlisten(realm.window.document, 'load', onLoad, { capture: true }),
  ];
}

const contentWindowOf = getter<HTMLIFrameElement, Window | null>('HTMLIFrameElement', 'contentWindow');

/** A new frame has a document at once, long before it loads: a script gets to it only through these two attributes. */
function serveOnAccess(realm: Realm, name: string, serve: (window: Window | null) => void): Undo {
  const { prototype } = realm.window.HTMLIFrameElement;
  const native = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  const patched = accessor(name, {
    get() {
      const value = Reflect.apply(native.get as () => unknown, this, []);
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

function watchEnd({ window }: Realm): Undo {
  const onHide = (): void => queueTask(endOrphanedCalls);
  listen(window, 'pagehide', onHide, { capture: true });
  return () => unlisten(window, 'pagehide', onHide, { capture: true });
}

function ownRegistrar(realm: Realm, interfaces: Interfaces): Registrar {
  const here = (): Context => contextOf(realm.window.document, realm, interfaces);
  return {
    checkUse() {
      checkActive(here());
      if (isAllowed(here()) === false) checkPolicy(here(), false);
    },
    check(conversion, tool, isTaken) {
      checkTool(here(), tool, isTaken);
      return schemaText(conversion, tool);
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
  const registrar = nativeRegistrar(realm, clientInterface(realm), (conversion, tool, isTaken) => {
    checkTool({ realm } as Context, tool, isTaken);
    return schemaText(conversion, tool);
  });
  const parent = Reflect.get(window, 'ModelContext') as Interfaces['ModelContext'];
  onAbort(signal, defineNavigator(window, navigatorAttribute(realm, parent, registrar)));
}
