import { applies } from '../../compiler/html/elements.js';
import { getter, method } from '../../platform/primordials.js';
import { withoutPrototype } from '../../platform/collections.js';
import { domTree } from '../dom/dom-tree.js';
import { references } from './references.js';

const typeOf = getter<MutationRecord, string>('MutationRecord', 'type');
const targetOf = getter<MutationRecord, Node>('MutationRecord', 'target');
const attributeOf = getter<MutationRecord, string>('MutationRecord', 'attributeName');
const oldValueOf = getter<MutationRecord, string | null>('MutationRecord', 'oldValue');
const addedTo = getter<MutationRecord, NodeList>('MutationRecord', 'addedNodes');
const removedFrom = getter<MutationRecord, NodeList>('MutationRecord', 'removedNodes');
const nodeCount = getter<NodeList, number>('NodeList', 'length');
const nodeAt = method<NodeList, [number], Node>('NodeList', 'item');
export const observe = method<MutationObserver, [Node, MutationObserverInit], void>('MutationObserver', 'observe');
export const disconnect = method<MutationObserver, [], void>('MutationObserver', 'disconnect');
export const takeRecords = method<MutationObserver, [], MutationRecord[]>('MutationObserver', 'takeRecords');
const activeElement = getter<Document, Element | null>('Document', 'activeElement');
const inputType = getter<Element, string>('HTMLInputElement', 'type');
const ownerDocument = getter<Node, Document>('Node', 'ownerDocument');

const plainAnnotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
export const annotations = plainAnnotations.flatMap((name) => [name, `data-${name}`]);

/** What is looked at everywhere: which forms are tools, and which elements name each other. */
export const everywhere: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  attributeOldValue: true,
  attributeFilter: [...annotations, ...references],
});

/** What can describe a tool. Not `class` and `style`, which pages change all the time. */
const describing = [
  ...['toolparamdescription', 'data-toolparamdescription', 'toolparamschema', 'name', 'type', 'value', 'checked'],
  ...['selected', 'disabled', 'readonly', 'required', 'min', 'max', 'step', 'minlength', 'maxlength', 'pattern'],
  ...['multiple', 'size', 'accept', 'autocomplete', 'list', 'label', 'title', 'placeholder', 'alt', 'role', 'hidden'],
  ...['aria-label', 'aria-labelledby', 'aria-description', 'aria-describedby', 'aria-hidden', 'command', 'commandfor'],
];

/** What is looked at in a form, and in what describes it from outside. */
export const inForms: MutationObserverInit = withoutPrototype({
  ...everywhere,
  characterData: true,
  attributeFilter: [...annotations, ...references, ...describing],
});
export const ofGroups: MutationObserverInit = withoutPrototype({ attributeFilter: [...references, ...describing] });

/** What a record says of a mutation. */
export interface Mutation {
  readonly target: Node;
  /** The attribute that changed; else nodes came or went, or text changed. */
  readonly attribute: string | undefined;
  readonly before: string | null;
  readonly added: readonly Node[];
  readonly removed: readonly Node[];
}

/** Reads a record; undefined for what only repeats what a person types. */
export function readMutation(record: MutationRecord): Mutation | undefined {
  const target = targetOf(record);
  const isAttribute = typeOf(record) === 'attributes';
  const attribute = isAttribute ? attributeOf(record) : undefined;
  if (attribute === 'value' && isTypedIn(target as Element)) return undefined;
  return {
    ...{ target, attribute, before: oldValueOf(record) },
    added: isAttribute ? [] : nodesIn(addedTo(record)),
    removed: isAttribute ? [] : nodesIn(removedFrom(record)),
  };
}

const nodesIn = (list: NodeList): readonly Node[] =>
  Array.from({ length: nodeCount(list) }, (_, index) => nodeAt(list, index));

/**
 * Frameworks write what a person types into the `value` attribute too: that changes no definition. Not of a number or a
 * date, where the value is the base of the steps.
 */
const isTypedIn = (control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  applies.length.has(inputType(control) as 'text') &&
  activeElement(ownerDocument(control)) === control;
