import { htmlName } from '../../platform/dom.js';
import { apply, getter } from '../../platform/primordials.js';
import { accessor, define } from '../../platform/properties.js';
import { listenFirst } from '../../platform/signals.js';
import type { PolyfillState } from '../state.js';
import { registerForms, type RegisterForms } from './forms.js';
import { childrenOf, documentOf, visitFrames, type Global, type Realm } from './realm.js';

interface ServeOptions {
  readonly install: (window: Global) => void;
  readonly forms: RegisterForms | undefined;
  readonly signal: AbortSignal;
}

const contentWindowOf = getter<HTMLIFrameElement, Window | null>('HTMLIFrameElement', 'contentWindow');

/**
 * Installs the polyfill in the existing frames of a window, in frames when they load, and in frames whose window a script
 * reads before they load.
 */
export function serveFrames(state: PolyfillState, realm: Realm, { install, forms, signal }: ServeOptions): void {
  const { observed, installations } = state;
  const serve = (window: Window | null): void => {
    const document = window && documentOf(window);
    if (!document || observed.has(document) || !installations.has(realm)) return;
    install(window as Global);
    if (!observed.has(document)) observe(window, document); // already installed, for the window's previous document
  };
  const onLoad = (event: Event): void => {
    const window = frameWindow(event.target);
    serve(window);
    if (window) state.agent?.crossOrigin?.verify(window);
  };
  const observe = (window: Window, document: Document): void => {
    observed.set(document, true);
    listenFirst(document, 'load', onLoad, signal);
    registerForms(state, window, forms);
  };
  observe(realm.window, realm.window.document);
  for (const child of childrenOf(realm.window)) visitFrames(child, serve);
  serveOnAccess(realm, 'contentWindow', serve);
  serveOnAccess(realm, 'contentDocument', serve);
}

/** The window of a frame element of any realm; null for any other event target. */
function frameWindow(target: unknown): Window | null {
  try {
    // Without the check, each image that loads would cost an exception.
    return htmlName(target as Element) === 'iframe' ? contentWindowOf(target as HTMLIFrameElement) : null;
  } catch {
    return null;
  }
}

/** A new frame has a document long before it loads. Scripts reach it through `contentWindow` and `contentDocument`. */
function serveOnAccess(realm: Realm, name: string, serve: (window: Window | null) => void): void {
  const { prototype } = realm.window.HTMLIFrameElement;
  const native = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  const patched = accessor(name, {
    get() {
      const value = apply(Reflect.get(native, 'get') as () => unknown, this, []);
      serve(contentWindowOf(this as HTMLIFrameElement));
      return value;
    },
  });
  define(prototype, name, patched);
}
