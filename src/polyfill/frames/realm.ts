import { apply, getter } from '../../platform/primordials.js';
import type { ModelContext, ToolEvent } from '../../webmcp.js';

export type Global = Window & typeof globalThis;

/** What the polyfill takes from one window, captured when it is installed there: a page may patch its globals later. */
export interface Realm {
  readonly window: Global;
  /** Serialised; "null" if opaque. */
  readonly origin: string;
  readonly AbortController: typeof AbortController;
  readonly Array: typeof Array;
  readonly DOMException: typeof DOMException;
  readonly Event: typeof Event;
  readonly EventTarget: typeof EventTarget;
  readonly Object: typeof Object;
  readonly Promise: typeof Promise;
  readonly TypeError: typeof TypeError;
  readonly parse: (text: string) => unknown;
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
  parse: window.JSON.parse as (text: string) => unknown,
  stringify: window.JSON.stringify as (value: unknown) => string | undefined,
});

/** The realm that this script runs in. */
let own: Realm | undefined;
export const ownRealm = (): Realm => (own ??= captureRealm(globalThis as unknown as Global));

/** A fresh object, as one of a realm. */
export function inRealm<Value extends object>(realm: Realm, value: Value): Value {
  if (realm !== own) Object.setPrototypeOf(value, realm.Object.prototype);
  return value;
}

export interface Interfaces {
  readonly ModelContext: new () => ModelContext;
  readonly ModelContextClient: { readonly prototype: object };
  readonly ToolActivatedEvent: new (type: string, init: { readonly toolName: string }) => ToolEvent;
  readonly ToolCancelEvent: new (type: string, init: { readonly toolName: string }) => ToolEvent;
}

export const viewOf: (document: Document) => Window | null = getter('Document', 'defaultView');

/** https://html.spec.whatwg.org/multipage/document-sequences.html#fully-active */
export function isFullyActive(document: Document): boolean {
  const view = viewOf(document);
  return view !== null && documentOf(view) === document; // Firefox leaves a view to a document that is gone
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
 * Unlike other attributes, a window's stand on the window itself. They answer for windows of other origins too, and a page
 * may replace them, even before this script runs: `var parent` does.
 */
function windowGetter<Value>(attribute: string, replaced: (window: Window) => Value): (window: Window) => Value {
  const get = Reflect.get(Object.getOwnPropertyDescriptor(globalThis, attribute) ?? {}, 'get') as
    (() => Value) | undefined;
  return (window) => (get ? apply(get, window, []) : replaced(window));
}

const closed = windowGetter('closed', () => false);
export const parentOf: (window: Window) => Window = windowGetter('parent', (window) => window.top ?? window);
export const originOfWindow: (window: Window) => string = windowGetter('origin', (window) => window.location.origin);
export const frameElementOf: (window: Window) => Element | null = windowGetter('frameElement', () => null);

/** The windows of the frames of a window, but for those in shadow trees. */
export function childrenOf(window: Window): readonly Window[] {
  const children: Window[] = [];
  try {
    while (isWindow(window[children.length])) children.push(window[children.length] as Window);
  } catch {
    // The end of the list of a window of another origin.
  }
  return children;
}

/** Whether the value is a Window, of whatever origin. */
export function isWindow(value: unknown): value is Window {
  if (typeof value !== 'object' || value === null) return false;
  try {
    closed(value as Window);
    return true;
  } catch {
    return false;
  }
}

/** Whether a window's frame was removed, or its tab closed. */
export const isClosed = (window: Window): boolean => closed(window);
