import type { ToolAnnotations, ToolCall } from '../../webmcp.js';
import { SafeMap, SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { childrenOf, documentOf, isFullyActive, type Interfaces, type Realm } from './realm.js';
import { dispatch } from '../../platform/signals.js';

/** A tool as a document keeps it. https://webmachinelearning.github.io/webmcp/#tool-definition */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON text; empty if there is none. */
  readonly inputSchema: string;
  readonly annotations: ToolAnnotations | undefined;
  /** Serialised origins, besides its own. */
  readonly exposedTo: readonly string[];
  readonly run: (input: object, call: ToolCall) => Promise<string | null>;
  /** Lets go of what the tool is held by: its signal. */
  release?: () => void;
}

/** What one document has. https://webmachinelearning.github.io/webmcp/#model-context */
export interface Context {
  readonly document: Document;
  readonly realm: Realm;
  readonly interfaces: Interfaces;
  /** The ModelContext object. */
  readonly target: EventTarget;
  readonly tools: Map<string, Tool>;
  readonly handlers: Map<string, { handler: object; readonly listener: (event: Event) => void }>;
  /** Whether a task is going to dispatch toolchange. */
  changing: boolean;
  /** Bring the tools up to date; `called` is the name of the one that is being called. */
  readonly onBeforeRead: Set<(called?: string) => void>;
}

const byDocument = new SafeWeakMap<Document, Context>();
const byTarget = new SafeWeakMap<object, Context>();
const all = new SafeSet<Context>();

/** The context of a document, made when it is asked for first. */
export function contextOf(document: Document, realm: Realm, interfaces: Interfaces): Context {
  const known = byDocument.get(document);
  if (known) return known;
  const target = Reflect.construct(realm.EventTarget, [], interfaces.ModelContext);
  const context: Context = {
    tools: new SafeMap(),
    handlers: new SafeMap(),
    document,
    realm,
    interfaces,
    target,
    changing: false,
    onBeforeRead: new SafeSet(),
  };
  byDocument.set(document, context);
  byTarget.set(target, context);
  if (isFullyActive(document)) all.add(context);
  return context;
}

/** The context behind a ModelContext object. */
export const contextBehind = (target: unknown): Context | undefined => byTarget.get(target as object);

/** The context of the document that a window shows now. */
export function contextIn(window: Window): Context | undefined {
  const document = documentOf(window);
  return document ? byDocument.get(document) : undefined;
}

/** Lets those that know better bring the tools of a document up to date. */
export function refresh({ onBeforeRead }: Context, called?: string): void {
  for (const steps of onBeforeRead) steps(called);
}

export const isActive = ({ document }: Context): boolean => isFullyActive(document);

export function forgetInactive(): void {
  for (const context of all) if (!isActive(context)) drop(context);
}

function drop(context: Context): void {
  all.delete(context);
  for (const tool of context.tools.values()) tool.release?.();
  context.tools.clear();
}

/** Whether there is a context that is not going to dispatch toolchange anyway. */
export const isAnyUntold = (): boolean => [...all].some(({ changing }) => !changing);

/** The contexts of active documents, a parent before its frames. */
export function activeContexts(): readonly Context[] {
  forgetInactive();
  const [first, ...others] = all;
  if (!first || others.length === 0) return first ? [first] : [];
  const { window } = first.realm;
  const ordered = new SafeSet<Context>();
  visit(window.top ?? window, (each) => {
    const context = contextIn(each);
    if (context && all.has(context)) ordered.add(context);
  });
  for (const context of all) ordered.add(context); // frames in shadow trees are nobody's window[i]
  return [...ordered];
}

/** Visits a window and the frames below it, in tree order. */
export function visit(window: Window, use: (window: Window) => void): void {
  use(window);
  for (const child of childrenOf(window)) visit(child, use);
}

/** Forgets the contexts of a window's documents. */
export function forget(realm: Realm): void {
  for (const context of all) {
    if (context.realm !== realm) continue;
    drop(context);
    byDocument.delete(context.document);
  }
}

export function fire(context: Context, event: Event): void {
  if (isActive(context)) dispatch(context.target, event);
}

export const domException = ({ realm }: Context, name: string, message: string): DOMException =>
  new realm.DOMException(message, name);
