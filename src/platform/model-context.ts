import type { ModelContext } from '../webmcp.js';
import { apply } from './primordials.js';

type Global = Window & typeof globalThis;

/**
 * The model context of a window's document: of the browser or a polyfill, on the prototype, or of a polyfill that defines
 * it on the document itself. A form or a frame named `modelContext`, which shadows the attribute, is not one.
 */
export function modelContextOf({ document, Document }: Global): ModelContext | undefined {
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
