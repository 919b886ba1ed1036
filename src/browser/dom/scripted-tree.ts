import { isCustomElementName } from '../../compiler/html/elements.js';
import type { Tree } from '../../compiler/tree.js';
import { parse } from '../../json.js';
import { SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { apply, getter } from '../../platform/primordials.js';
import { define, operation, type Method } from '../../platform/properties.js';
import { customControls } from './custom-controls.js';
import { domTree, query, type Global } from './dom-tree.js';
import { listenToPrototype } from './patched-prototypes.js';

const toolAttributes = [
  'toolname',
  'tooldescription',
  'tooltitle',
  'toolautosubmit',
  'toolparamdescription',
  'toolparamschema',
  'data-webmcp-response',
] as const;

/** An attribute that makes a form a tool, describes a part of it, or selects its response. */
export type ToolAttribute = (typeof toolAttributes)[number];

/** Returns the annotation of an element without the attribute, or null. */
export type Annotate = (element: Element, attribute: ToolAttribute) => string | null;

const annotations = new SafeSet<string>(toolAttributes);

/** Extends `domTree` with annotations, and with the declared or inferred schemas of custom elements. */
export function scriptedTree(annotate: Annotate | undefined): Tree<Node, Element> {
  return {
    ...domTree,
    attribute: (element, name) =>
      domTree.attribute(element, name) ??
      (name === 'toolparamschema' ? schemaOf(element) : null) ??
      (annotate && annotations.has(name) ? annotate(element, name as ToolAttribute) : null),
  };
}

const declaredSchemas = new SafeWeakMap<Element, string>();
const elementsByInternals = new SafeWeakMap<object, Element>();

function schemaOf(element: Element): string | null {
  if (!isCustomElementName(domTree.localName(element))) return null;
  return declaredSchemas.get(element) ?? schemaOfMembers(element);
}

/** Infers the schema of a custom element from the types of its `checked` and `value`. */
function schemaOfMembers(element: Element): string | null {
  const { value, checked } = customControls.state(element) ?? {};
  if (typeof checked === 'boolean') return '{"type":"boolean"}';
  if (Array.isArray(value)) return '{"type":"array","items":{"type":"string"},"uniqueItems":true}';
  return typeof value === 'string' || value === null ? '{"type":"string"}' : null;
}

type Notify = (element: Element) => void;

/**
 * Adds `ElementInternals.setToolParamSchema` to a window where it is missing. Until the signal aborts, `onChange` receives
 * every element whose schema may have changed.
 */
export function patchCustomElements(window: Global, onChange: Notify, signal: AbortSignal | undefined): void {
  listenToPrototype<Element>(window.ElementInternals.prototype, onChange, signal, (notify) => {
    patchInternals(window, notify);
    patchDefine(window, notify);
  });
}

function patchDefine(window: Global, notify: Notify): void {
  const { prototype } = window.CustomElementRegistry;
  const native = Reflect.get(prototype, 'define') as () => undefined;
  const patched: Method = function (...args) {
    apply(native, this, args);
    for (const element of query(window.document, String(args[0]))) notify(element);
  };
  define(prototype, 'define', operation('define', 2, patched));
}

function patchInternals(window: Global, notify: Notify): void {
  const { prototype } = window.ElementInternals;
  const native = Reflect.get(prototype, 'setToolParamSchema') as unknown;
  const { value: attachInternals } = Object.getOwnPropertyDescriptor(
    window.HTMLElement.prototype,
    'attachInternals',
  ) as { readonly value: () => ElementInternals };
  const attach: Method = function () {
    const internals = apply(attachInternals, this, []);
    elementsByInternals.set(internals, this as Element);
    notify(this as Element);
    return internals;
  };
  const setSchema: Method = function (schema) {
    const element = elementsByInternals.get(this as object) ?? hostOfInternals(this as ElementInternals);
    if (element && isObjectText(schema)) declaredSchemas.set(element, schema);
    else if (element) declaredSchemas.delete(element);
    if (element) notify(element);
    if (typeof native === 'function') apply(native as () => undefined, this, [schema]);
  };
  define(window.HTMLElement.prototype, 'attachInternals', operation('attachInternals', 0, attach));
  define(prototype, 'setToolParamSchema', operation('setToolParamSchema', 1, setSchema));
}

const shadowRootOf = getter<ElementInternals, ShadowRoot | null>('ElementInternals', 'shadowRoot');
/** The host of internals that were attached before the patch; throws for another argument. */
const hostOfInternals = (internals: ElementInternals): Element | undefined => shadowRootOf(internals)?.host;

function isObjectText(schema: unknown): schema is string {
  try {
    const value: unknown = parse(String(schema));
    return typeof schema === 'string' && typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
