import { applies } from '../../compiler/html/elements.js';
import { withoutPrototype } from '../../platform/collections.js';
import { apply, getter, method } from '../../platform/primordials.js';
import { define, operation } from '../../platform/properties.js';
import { activeElement, documentOf, domTree, inputType, nodesIn, windowOf } from '../dom/dom-tree.js';
import { listenToPrototype } from '../dom/patched-prototypes.js';
import { idAttributes } from './references.js';

const typeOf = getter<MutationRecord, string>('MutationRecord', 'type');
const targetOf = getter<MutationRecord, Node>('MutationRecord', 'target');
const attributeOf = getter<MutationRecord, string>('MutationRecord', 'attributeName');
const oldValueOf = getter<MutationRecord, string | null>('MutationRecord', 'oldValue');
const addedNodes = getter<MutationRecord, NodeList>('MutationRecord', 'addedNodes');
const removedNodes = getter<MutationRecord, NodeList>('MutationRecord', 'removedNodes');
export const observe = method<MutationObserver, [Node, MutationObserverInit], void>('MutationObserver', 'observe');
export const disconnect = method<MutationObserver, [], void>('MutationObserver', 'disconnect');
export const takeRecords = method<MutationObserver, [], MutationRecord[]>('MutationObserver', 'takeRecords');

const formAnnotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
export const annotations = formAnnotations.flatMap((name) => [name, `data-${name}`]);

/** Observed everywhere: the attributes that make a form a tool, and references between elements. */
export const everywhere: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  attributeOldValue: true,
  attributeFilter: [...annotations, ...idAttributes],
});

/** The attributes that can describe a tool. Pages change `class` and `style` too often to observe them. */
const describingAttributes = [
  ...['toolparamdescription', 'data-toolparamdescription', 'toolparamschema', 'name', 'type', 'value', 'checked'],
  ...['selected', 'disabled', 'readonly', 'required', 'min', 'max', 'step', 'minlength', 'maxlength', 'pattern'],
  ...['multiple', 'size', 'accept', 'autocomplete', 'list', 'label', 'title', 'placeholder', 'alt', 'role', 'hidden'],
  ...['aria-label', 'aria-labelledby', 'aria-description', 'aria-describedby', 'aria-hidden', 'command', 'commandfor'],
];

/** Observed in forms and in the subtrees that describe them. */
export const inForms: MutationObserverInit = withoutPrototype({
  ...everywhere,
  characterData: true,
  attributeFilter: [...annotations, ...idAttributes, ...describingAttributes],
});
export const onGroups: MutationObserverInit = withoutPrototype({
  attributeFilter: [...idAttributes, ...describingAttributes],
});

export type Mutation = NonNullable<ReturnType<typeof readMutation>>;

/** Returns undefined for a mutation that only mirrors the user's typing. */
export function readMutation(record: MutationRecord) {
  const target = targetOf(record);
  const isAttribute = typeOf(record) === 'attributes';
  const attribute = isAttribute ? attributeOf(record) : undefined;
  if (attribute === 'value' && isTypedIn(target as Element)) return undefined;
  return {
    target,
    attribute,
    oldValue: oldValueOf(record),
    added: isAttribute ? [] : nodesIn(addedNodes(record)),
    removed: isAttribute ? [] : nodesIn(removedNodes(record)),
  };
}

/**
 * Frameworks mirror typed text in the `value` attribute. It affects a tool only as the step base of numbers and dates.
 */
const isTypedIn = (control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  applies.length.has(inputType(control) as 'text') &&
  activeElement(documentOf(control)) === control;

/** Reports open shadow roots that scripts attach, because MutationObserver does not, until a signal aborts. */
export function onShadowRoot(
  document: Document,
  signal: AbortSignal | undefined,
  listener: (shadow: ShadowRoot) => void,
): void {
  const prototype = windowOf(document)?.Element.prototype;
  if (!prototype) return;
  listenToPrototype(prototype, listener, signal, (notify) => {
    const attachShadow = Reflect.get(prototype, 'attachShadow') as () => ShadowRoot;
    const patched = operation('attachShadow', 1, function (this: unknown, ...args) {
      const shadow = apply(attachShadow, this, args);
      if (shadow.mode === 'open') notify(shadow);
      return shadow;
    });
    define(prototype, 'attachShadow', patched);
  });
}
