import { viewOf } from '../../platform/dom.js';
import { apply } from '../../platform/primordials.js';
import type { ModelContext, ToolEvent } from '../../webmcp.js';

export type Global = Window & typeof globalThis;

/** The globals of a window, captured when the polyfill is installed there, before the page can patch them. */
export interface Realm {
  readonly window: Global;
  /** Serialized; "null" if opaque. */
  readonly origin: string;
  readonly AbortController: typeof AbortController;
  readonly Array: typeof Array;
  readonly DOMException: typeof DOMException;
  readonly Event: typeof Event;
  readonly EventTarget: typeof EventTarget;
  readonly Object: typeof Object;
  readonly Promise: typeof Promise;
  readonly TypeError: typeof TypeError;
  readonly parse: (text: string, reviver?: (key: string, value: unknown) => unknown) => unknown;
  readonly stringify: (value: unknown) => string | undefined;
}

export const captureRealm = (window: Global): Realm => ({
  window,
  origin: originOfWindow(window),
  AbortController: window.AbortController,
  Array: window.Array,
  DOMException: window.DOMException,
  Event: window.Event,
  EventTarget: window.EventTarget,
  Object: window.Object,
  Promise: window.Promise,
  TypeError: window.TypeError,
  parse: window.JSON.parse as Realm['parse'],
  stringify: window.JSON.stringify as (value: unknown) => string | undefined,
});

export interface Interfaces {
  readonly ModelContext: new () => ModelContext;
  readonly ToolActivatedEvent: new (type: string, init: { readonly toolName: string }) => ToolEvent;
  readonly ToolCancelEvent: new (type: string, init: { readonly toolName: string }) => ToolEvent;
}

/** https://html.spec.whatwg.org/multipage/document-sequences.html#fully-active */
export function isFullyActive(document: Document): boolean {
  const view = viewOf(document);
  return view !== null && documentOf(view) === document; // in Firefox, an unloaded document may still have a view
}

/** The document of a window, or null if it is of another origin. */
export function documentOf(window: Window): Document | null {
  try {
    return window.document;
  } catch {
    return null;
  }
}

/**
 * Window attributes are own properties of the window. Their getters also work for windows of other origins. A page may
 * have replaced one before this script runs, for example by `var parent`.
 */
function windowGetter<Value>(attribute: string, fallback: (window: Window) => Value): (window: Window) => Value {
  const get = Reflect.get(Object.getOwnPropertyDescriptor(globalThis, attribute) ?? {}, 'get') as
    | (() => Value)
    | undefined;
  return (window) => (get ? apply(get, window, []) : fallback(window));
}

/** Whether a window's frame was removed, or its tab closed. */
export const isClosed: (window: Window) => boolean = windowGetter('closed', () => false);
export const parentOf: (window: Window) => Window = windowGetter('parent', (window) => window.top ?? window);
export const originOfWindow: (window: Window) => string = windowGetter('origin', (window) => window.location.origin);
export const frameElementOf: (window: Window) => Element | null = windowGetter('frameElement', () => null);

/** The child windows of a window, except those in shadow trees. */
export function childrenOf(window: Window): readonly Window[] {
  const children: Window[] = [];
  try {
    while (isWindow(window[children.length])) children.push(window[children.length] as Window);
  } catch {
    // In a window of another origin, reading past the end of the list throws.
  }
  return children;
}

export function visitFrames(window: Window, visit: (window: Window) => void): void {
  visit(window);
  for (const child of childrenOf(window)) visitFrames(child, visit);
}

/** Whether a value is a Window, of any origin. */
export function isWindow(value: unknown): value is Window {
  if (typeof value !== 'object' || value === null) return false;
  try {
    isClosed(value as Window);
    return true;
  } catch {
    return false;
  }
}
