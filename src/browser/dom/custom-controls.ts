import { isCustomElementName } from '../../compiler/html/elements.js';
import { parse, stringify } from '../../json.js';
import type { Tree } from '../../compiler/tree.js';
import type { JsonValue } from '../../json-schema.js';
import { apply, getter } from '../../platform/primordials.js';
import { SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { define, operation, type Method } from '../../platform/properties.js';
import { dispatch, onAbort } from '../../platform/signals.js';
import { domTree, query } from './dom-tree.js';
import type { CustomControls } from '../settings.js';
import type { Global } from '../submission/submit-event.js';

const { Event } = globalThis; // captured: a page may replace it

/** By element: the schema that it has declared through its internals, as JSON text. */
const declared = new SafeWeakMap<Element, string>();
const elements = new SafeWeakMap<object, Element>();

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
  const { value, checked } = customControls.state(element) ?? {};
  if (typeof checked === 'boolean') return '{"type":"boolean"}';
  if (Array.isArray(value)) return '{"type":"array","items":{"type":"string"},"uniqueItems":true}';
  return typeof value === 'string' || value === null ? '{"type":"string"}' : null;
}

type Tell = (element: Element) => void;

/** By the prototype of a window's internals, which changes with its document. */
const listeners = new SafeWeakMap<object, Set<Tell>>();

/**
 * Gives a window `ElementInternals.setToolParamSchema` where it is missing. Tells, until a signal aborts, of elements that
 * say something new of themselves.
 */
export function prepareInternals(window: Global, tell: Tell, signal: AbortSignal | undefined): void {
  const { prototype } = window.ElementInternals;
  const known = listeners.get(prototype);
  const all = known ?? new SafeSet<Tell>();
  all.add(tell);
  onAbort(signal, () => all.delete(tell));
  if (known) return;
  listeners.set(prototype, all);
  const changed = (element: Element): void => all.forEach((each) => each(element));
  patchInternals(window, changed);
  patchDefine(window, changed);
}

/** An element whose class comes later takes part from then on. */
function patchDefine(window: Global, changed: Tell): void {
  const { prototype } = window.CustomElementRegistry;
  const native = Reflect.get(prototype, 'define') as () => undefined;
  const patched: Method = function (...args) {
    apply(native, this, args);
    for (const element of query(window.document, String(args[0]))) changed(element);
  };
  define(prototype, 'define', operation('define', 2, patched));
}

function patchInternals(window: Global, changed: Tell): void {
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
    const element = elements.get(this as object) ?? hostOfInternals(this as ElementInternals);
    if (element && isSchemaText(schema)) declared.set(element, schema);
    else if (element) declared.delete(element);
    if (element) changed(element);
    if (typeof native === 'function') apply(native as () => undefined, this, [schema]);
  };
  define(window.HTMLElement.prototype, 'attachInternals', operation('attachInternals', 0, attach));
  define(prototype, 'setToolParamSchema', operation('setToolParamSchema', 1, setSchema));
}

const shadowOf = getter<ElementInternals, ShadowRoot | null>('ElementInternals', 'shadowRoot');
/** The element of internals that are older than this script, if it has a shadow tree; throws for what are no internals. */
const hostOfInternals = (internals: ElementInternals): Element | undefined => shadowOf(internals)?.host;

/** The JSON text of an object; anything else takes the control out. */
function isSchemaText(schema: unknown): schema is string {
  try {
    const value: unknown = parse(String(schema));
    return typeof schema === 'string' && typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** What elements were filled with by themselves in the call that runs, as JSON text. */
const filledBy = new SafeWeakMap<Element, string>();

/** An element with a `toolFillCallback` knows itself how it is filled; any other has a `checked` or a `value`. */
export const customControls: CustomControls = {
  has: (control, value) =>
    fillerOf(control)
      ? filledBy.get(control) === stringify(value)
      : isHeld(Reflect.get(control, memberFor(control, value)), value),
  set(control, value) {
    const fill = fillerOf(control);
    if (fill) {
      filledBy.set(control, stringify(value));
      return void apply(fill, control, [stringify(value)]);
    }
    Reflect.set(control, memberFor(control, value), value);
    tellChange(control);
  },
  state(control) {
    if (!isCustomElementName(domTree.localName(control))) return undefined;
    try {
      return { kind: 'custom', value: Reflect.get(control, 'value'), checked: Reflect.get(control, 'checked') };
    } catch {
      return undefined; // one that is not rendered yet
    }
  },
  forget: (control) => void filledBy.delete(control),
  isSame: (a, b) => isEqual(a.value, b.value) && isEqual(a.checked, b.checked),
  restore(control, { value, checked }) {
    const now = customControls.state(control);
    if (!isEqual(now?.value, value)) Reflect.set(control, 'value', value);
    if (!isEqual(now?.checked, checked)) Reflect.set(control, 'checked', checked);
    tellChange(control);
  },
};

function tellChange(control: Element): void {
  dispatch(control, new Event('input', { bubbles: true, composed: true }));
  dispatch(control, new Event('change', { bubbles: true }));
}

const fillerOf = (control: Element): (() => unknown) | undefined => {
  const fill = Reflect.get(control, 'toolFillCallback') as unknown;
  return typeof fill === 'function' ? (fill as () => unknown) : undefined;
};

/** A truth is the `checked` of an element that has one; all else is its `value`. */
const memberFor = (control: Element, value: JsonValue): string =>
  typeof value === 'boolean' && typeof Reflect.get(control, 'checked') === 'boolean' ? 'checked' : 'value';

/** An element may keep a number as text. */
const isHeld = (held: unknown, value: JsonValue): boolean =>
  isEqual(held, value) || (typeof value === 'number' && held === String(value));

const isEqual = (a: unknown, b: unknown): boolean => stringify(a) === stringify(b);
