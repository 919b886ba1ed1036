import { isCustomElementName } from '../compiler/html.js';
import type { Tree } from '../compiler/tree.js';
import type { JsonValue } from '../json-schema.js';
import { apply } from '../platform/captured.js';
import { OwnSet, OwnWeakMap } from '../platform/collections.js';
import { define, operation, type Method } from '../platform/properties.js';
import { dispatch } from '../platform/signals.js';
import { domTree } from './dom-tree.js';
import type { CustomControls } from './settings.js';
import type { Global } from './submit-event.js';

/** By element: the schema that it has declared through its internals, as JSON text. */
const declared = new OwnWeakMap<Element, string>();
const elements = new OwnWeakMap<object, Element>();

/** The front end over the live DOM, in which custom elements say by script too what they take. */
export const customTree: Tree<Node, Element> = {
  ...domTree,
  attribute: (element, name) => {
    const value = domTree.attribute(element, name);
    return value === null && name === 'toolparamschema' ? schemaOf(element) : value;
  },
};

function schemaOf(element: Element): string | null {
  if (!isCustomElementName(domTree.localName(element))) return null;
  return declared.get(element) ?? schemaByMembers(element);
}

/** A custom element that says nothing takes what its `checked` or its `value` holds. */
function schemaByMembers(element: Element): string | null {
  const value: unknown = Reflect.get(element, 'value');
  if (typeof Reflect.get(element, 'checked') === 'boolean') return '{"type":"boolean"}';
  if (Array.isArray(value)) return '{"type":"array","items":{"type":"string"},"uniqueItems":true}';
  return typeof value === 'string' ? '{"type":"string"}' : null;
}

const listeners = new OwnWeakMap<Window, Set<(element: Element) => void>>();

/** Gives a window `ElementInternals.setToolParamSchema` where it is missing, and tells when an element uses it. */
export function prepareInternals(window: Global, listener: (element: Element) => void): void {
  const known = listeners.get(window);
  if (known) return void known.add(listener);
  const all = new OwnSet<(element: Element) => void>([listener]);
  listeners.set(window, all);
  patchInternals(window, (element) => all.forEach((tell) => tell(element)));
}

function patchInternals(window: Global, changed: (element: Element) => void): void {
  const { prototype } = window.ElementInternals;
  const native = Reflect.get(prototype, 'setToolParamSchema') as unknown;
  const { value: attachInternals } = Object.getOwnPropertyDescriptor(
    window.HTMLElement.prototype,
    'attachInternals',
  ) as { readonly value: () => ElementInternals };
  const attach: Method = function () {
    const internals = apply(attachInternals, this, []);
    elements.set(internals, this as Element);
    changed(this as Element);
    return internals;
  };
  const setSchema: Method = function (schema) {
    const element = elements.get(this as object);
    if (!element) throw new window.TypeError('Illegal invocation: this is no ElementInternals.');
    if (isSchemaText(schema)) declared.set(element, schema);
    else declared.delete(element);
    changed(element);
    if (typeof native === 'function') apply(native as () => undefined, this, [schema]);
  };
  define(window.HTMLElement.prototype, 'attachInternals', operation('attachInternals', 0, attach));
  define(prototype, 'setToolParamSchema', operation('setToolParamSchema', 1, setSchema));
}

/** The JSON text of an object; anything else takes the control out. */
function isSchemaText(schema: unknown): schema is string {
  try {
    const value: unknown = JSON.parse(String(schema));
    return typeof schema === 'string' && typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** What elements were filled with by themselves in the call that runs, as JSON text. */
const filledBy = new OwnWeakMap<Element, string>();

/** An element with a `toolFillCallback` knows itself how it is filled; any other has a `checked` or a `value`. */
export const customControls: CustomControls = {
  has: (control, value) =>
    fillerOf(control)
      ? filledBy.get(control) === JSON.stringify(value)
      : isSame(Reflect.get(control, memberFor(value)), value),
  set(control, value) {
    const fill = fillerOf(control);
    if (fill) {
      filledBy.set(control, JSON.stringify(value));
      return void apply(fill, control, [JSON.stringify(value)]);
    }
    Reflect.set(control, memberFor(value), value);
    dispatch(control, new Event('input', { bubbles: true, composed: true }));
    dispatch(control, new Event('change', { bubbles: true }));
  },
  keep(control) {
    filledBy.delete(control);
    const members = ['value', 'checked'].filter((name) => Reflect.has(control, name));
    const before = members.map((name) => Reflect.get(control, name) as unknown);
    return () => {
      for (const [index, name] of members.entries()) Reflect.set(control, name, before[index]);
    };
  },
};

const fillerOf = (control: Element): (() => unknown) | undefined => {
  const fill = Reflect.get(control, 'toolFillCallback') as unknown;
  return typeof fill === 'function' ? (fill as () => unknown) : undefined;
};

/** A truth is an element's `checked`, all else its `value`. */
const memberFor = (value: JsonValue): string => (typeof value === 'boolean' ? 'checked' : 'value');

const isSame = (held: unknown, value: JsonValue): boolean => JSON.stringify(held) === JSON.stringify(value);
