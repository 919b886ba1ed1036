import type { ModelContext } from '../webmcp.js';
import type { Global } from './dom.js';
import { apply } from './primordials.js';

/**
 * The model context of a window in a secure context: of the browser or a polyfill, on the prototype, or of a polyfill that
 * defines it on the document itself. A form, an image or a frame named `modelContext`, which shadows the attribute, is not
 * one.
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

/** Whether a value is an element, a collection of elements or a window, which documents and collections have by name. */
const isNamed = (value: unknown): boolean =>
  ['Node', 'HTMLCollection', 'Window'].some((name) => value instanceof (Reflect.get(globalThis, name) as () => void));
