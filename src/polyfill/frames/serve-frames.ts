import { getter } from '../../platform/primordials.js';
import { accessor, define } from '../../platform/properties.js';
import { listenFirst } from '../../platform/signals.js';
import type { PolyfillState } from '../state.js';
import { registerForms, type RegisterForms } from './forms.js';
import { childrenOf, documentOf, visitFrames, type Global, type Realm } from './realm.js';

export interface ServeOptions {
  readonly install: (window: Global) => void;
  readonly forms: RegisterForms | undefined;
  readonly signal: AbortSignal;
}

const contentWindowOf = getter<HTMLIFrameElement, Window | null>('HTMLIFrameElement', 'contentWindow');

/**
 * Installs the polyfill in the existing frames of a window, in frames when they load, and in frames whose window a script
 * reads before they load. Returns functions that restore the patched attributes.
 */
export function serveFrames(
  state: PolyfillState,
  realm: Realm,
  { install, forms, signal }: ServeOptions,
): readonly (() => void)[] {
  const { observed } = state;
  const serve = (window: Window | null): void => {
    const document = window && documentOf(window);
    if (!document || observed.has(document)) return;
    install(window as Global);
    if (!observed.has(document)) observe(window, document); // already installed, for the window's previous document
  };
  const onLoad = (event: Event): void => {
    const window = frameWindow(event.target);
    serve(window);
    if (window) state.crossOrigin?.verify(window);
  };
  const observe = (window: Window, document: Document): void => {
    observed.add(document);
    listenFirst(document, 'load', onLoad, signal);
    registerForms(state, window, forms);
  };
  observe(realm.window, realm.window.document);
  for (const child of childrenOf(realm.window)) visitFrames(child, serve);
  return ['contentWindow', 'contentDocument'].map((name) => serveOnAccess(realm, name, serve));
}

/** The window of a frame element of any realm; null for any other event target. */
function frameWindow(target: unknown): Window | null {
  try {
    return contentWindowOf(target as HTMLIFrameElement);
  } catch {
    return null;
  }
}

/** A new frame has a document immediately, long before it loads. Scripts reach it only through these attributes. */
function serveOnAccess(realm: Realm, name: string, serve: (window: Window | null) => void): () => void {
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
    const current = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (Reflect.get(current, 'get') === Reflect.get(patched, 'get')) define(prototype, name, native);
  };
}
