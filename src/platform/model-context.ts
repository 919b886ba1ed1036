import type { ModelContext } from '../webmcp.js';
import type { Global } from './dom.js';
import { apply } from './primordials.js';

/**
 * The model context of a window in a secure context. Browsers and some polyfills define it on `Document.prototype`, other
 * polyfills on the document itself. An element named `modelContext`, which shadows the attribute, is ignored.
 */
export function modelContextOf(window: Global | null): ModelContext | undefined {
  if (!window?.isSecureContext) return undefined;
  const { document, Document } = window;
  const descriptor = Object.getOwnPropertyDescriptor(Document.prototype, 'modelContext') ?? {};
  const get = Reflect.get(descriptor, 'get') as (() => ModelContext) | undefined;
  return get ? apply(get, document, []) : ownModelContext(document);
}

function ownModelContext(document: Document): ModelContext | undefined {
  try {
    if (!Object.hasOwn(document, 'modelContext')) return undefined;
    const value: unknown = Reflect.get(document, 'modelContext');
    const registerTool: unknown = Reflect.get(value as object, 'registerTool');
    if (typeof registerTool !== 'function' || isNamed(value) || isNamed(registerTool)) return undefined;
    return value as ModelContext;
  } catch {
    return undefined; // a frame of another origin, or a getter that throws
  }
}

/** Whether a value is an element, a collection of elements or a window: a named property of a document. */
const isNamed = (value: unknown): boolean =>
  ['Node', 'HTMLCollection', 'Window'].some((name) => value instanceof (Reflect.get(globalThis, name) as () => void));
