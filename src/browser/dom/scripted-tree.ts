import { isCustomElementName } from '../../compiler/html/elements.js';
import type { Tree } from '../../compiler/tree.js';
import { isRecord, parse } from '../../json.js';
import { SafeSet } from '../../platform/collections.js';
import { apply } from '../../platform/primordials.js';
import { define, operation, type Method } from '../../platform/properties.js';
import { declaredSchemaOf, observeInternals } from '../discovery/internals.js';
import { customState } from './custom-controls.js';
import { domTree, query, type Global } from './dom-tree.js';
import { listenToPrototype } from '../../platform/patched-prototypes.js';

const toolAttributes = [
  'toolname',
  'tooldescription',
  'tooltitle',
  'toolautosubmit',
  'toolparamdescription',
  'toolparamschema',
  'data-webmcp-response',
  'data-webmcp-submitter',
] as const;

/** An attribute that makes a form a tool, describes a part of it, or selects its response or its submit button. */
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

function schemaOf(element: Element): string | null {
  if (!isCustomElementName(domTree.localName(element))) return null;
  const declared = declaredSchemaOf(element);
  return isObjectText(declared) ? declared : schemaOfMembers(element);
}

/** Infers the schema of a custom element from the types of its `checked` and `value`. */
function schemaOfMembers(element: Element): string | null {
  const { value, checked } = customState(element) ?? {};
  if (typeof checked === 'boolean') return '{"type":"boolean"}';
  if (Array.isArray(value)) return '{"type":"array","items":{"type":"string"},"uniqueItems":true}';
  return typeof value === 'string' || value === null ? '{"type":"string"}' : null;
}

type Notify = (element: Element) => void;

/** Until the signal aborts, `onChange` receives every element whose schema may have changed. */
export function patchCustomElements(window: Global, onChange: Notify, signal: AbortSignal | undefined): void {
  observeInternals(window, onChange, signal);
  listenToPrototype<Element>(window.CustomElementRegistry.prototype, onChange, signal, (notify) =>
    patchDefine(window, notify),
  );
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

function isObjectText(schema: unknown): schema is string {
  try {
    return typeof schema === 'string' && isRecord(parse(schema));
  } catch {
    return false;
  }
}
