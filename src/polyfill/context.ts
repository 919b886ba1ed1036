import type { ToolAnnotations, ToolCall } from '../webmcp.js';
import { documentOf, isFullyActive, type Interfaces, type Realm } from './realm.js';
import { dispatch } from './signals.js';

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
}

const byDocument = new WeakMap<Document, Context>();
const byTarget = new WeakMap<object, Context>();
const all = new Set<Context>();

/** The context of a document, made when it is asked for first. */
export function contextOf(document: Document, realm: Realm, interfaces: Interfaces): Context {
  const known = byDocument.get(document);
  if (known) return known;
  const target = Reflect.construct(realm.EventTarget, [], interfaces.ModelContext);
  const context = { document, realm, interfaces, target, tools: new Map(), handlers: new Map(), changing: false };
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

export const isActive = ({ document }: Context): boolean => isFullyActive(document);

/** The contexts of active documents, a parent before its frames. */
export function activeContexts(): readonly Context[] {
  for (const context of all) if (!isActive(context)) all.delete(context);
  if (all.size < 2) return [...all];
  const [{ realm }] = all as unknown as [Context];
  const ordered = new Set<Context>();
  visit(realm.window.top ?? realm.window, (window) => {
    const context = contextIn(window);
    if (context && all.has(context)) ordered.add(context);
  });
  for (const context of all) ordered.add(context); // frames in shadow trees are nobody's window[i]
  return [...ordered];
}

/** Visits a window and the frames below it, in tree order. */
export function visit(window: Window, use: (window: Window) => void): void {
  use(window);
  for (let index = 0; index < window.length; index++) visit(window[index] as Window, use);
}

/** Forgets the contexts of a window's documents. */
export function forget(realm: Realm): void {
  for (const context of all) {
    if (context.realm !== realm) continue;
    all.delete(context);
    byDocument.delete(context.document);
    context.tools.clear();
  }
}

export function fire(context: Context, event: Event): void {
  if (isActive(context)) dispatch(context.target, event);
}

export const domException = ({ realm }: Context, name: string, message: string): DOMException =>
  new realm.DOMException(message, name);
