import { SafeMap, SafeSet } from '../../platform/collections.js';
import { dispatch } from '../../platform/signals.js';
import { refresh, type Context, type PolyfillState } from '../state.js';
import { documentOf, isFullyActive, visitFrames, type Interfaces, type Realm } from './realm.js';

/** Creates the context at the first access. */
export function contextOf(state: PolyfillState, document: Document, realm: Realm, interfaces: Interfaces): Context {
  const { byDocument, byTarget, active } = state.contexts;
  const known = byDocument.get(document);
  if (known) return known;
  const context: Context = {
    state,
    document,
    realm,
    interfaces,
    target: Reflect.construct(realm.EventTarget, [], interfaces.ModelContext),
    tools: new SafeMap(),
    handlers: new SafeMap(),
    hasPendingChange: false,
    beforeRead: new SafeSet(),
  };
  byDocument.set(document, context);
  byTarget.set(context.target, context);
  if (isFullyActive(document)) active.add(context);
  return context;
}

/** Describes the tools of all documents, so that later changes dispatch `toolchange`. */
export const startUpdating = (state: PolyfillState): void =>
  state.withAgent(() => activeContexts(state).forEach((context) => refresh(context)));

/** The context of a window's current document. */
export function contextIn({ contexts }: PolyfillState, window: Window): Context | undefined {
  const document = documentOf(window);
  return document ? contexts.byDocument.get(document) : undefined;
}

export const isActive = ({ document }: Context): boolean => isFullyActive(document);

/** Removes the contexts of inactive documents and of a realm. */
export function removeContexts({ contexts }: PolyfillState, realm?: Realm): void {
  for (const context of contexts.active) {
    if (context.realm !== realm && isActive(context)) continue;
    contexts.active.delete(context);
    for (const tool of context.tools.values()) tool.release?.();
    context.tools.clear();
    if (context.realm === realm) contexts.byDocument.delete(context.document);
  }
}

/** The contexts of active documents, a parent before its frames. */
export function activeContexts(state: PolyfillState): readonly Context[] {
  removeContexts(state);
  const { active } = state.contexts;
  if (active.size < 2) return [...active];
  const ordered = new SafeSet<Context>();
  visitFrames(state.realm.window.top as Window, (window) => {
    const context = contextIn(state, window);
    if (context && active.has(context)) ordered.add(context);
  });
  for (const context of active) ordered.add(context); // frames in shadow trees are not in window[i]
  return [...ordered];
}

export function fire(context: Context, event: Event): void {
  if (isActive(context)) dispatch(context.target, event);
}

export const domException = ({ realm }: Context, name: string, message: string): DOMException =>
  new realm.DOMException(message, name);
