import { applies } from '../../compiler/html/elements.js';
import { ignoreAttribute } from '../../compiler/ignored.js';
import { withoutPrototype } from '../../platform/collections.js';
import { getter } from '../../platform/primordials.js';
import { activeElement, documentOf, domTree, inputType } from '../dom/dom-tree.js';
import { addedBy, recordType, removedBy, targetOf } from '../discovery/records.js';
import { idAttributes } from './references.js';

const attributeOf = getter<MutationRecord, string>('MutationRecord', 'attributeName');
const oldValueOf = getter<MutationRecord, string | null>('MutationRecord', 'oldValue');

const formAnnotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
export const annotations = formAnnotations.flatMap((name) => [name, `data-${name}`]);

/** Observed everywhere: the attributes that make a form a tool, and references between elements. */
export const everywhere: MutationObserverInit = withoutPrototype({
  subtree: true,
  childList: true,
  attributeOldValue: true,
  attributeFilter: [ignoreAttribute, ...annotations, ...idAttributes],
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
  attributeFilter: [ignoreAttribute, ...annotations, ...idAttributes, ...describingAttributes],
});
export const onGroups: MutationObserverInit = withoutPrototype({
  attributeFilter: [...idAttributes, ...describingAttributes],
});

export type Mutation = NonNullable<ReturnType<typeof readMutation>>;

/** Returns undefined for a mutation that only mirrors the user's typing. */
export function readMutation(record: MutationRecord) {
  const target = targetOf(record);
  const isAttribute = recordType(record) === 'attributes';
  const attribute = isAttribute ? attributeOf(record) : undefined;
  if (attribute === 'value' && isTypedIn(target as Element)) return undefined;
  return {
    target,
    attribute,
    oldValue: oldValueOf(record),
    added: isAttribute ? [] : addedBy(record),
    removed: isAttribute ? [] : removedBy(record),
  };
}

/**
 * Frameworks mirror typed text in the `value` attribute. It affects a tool only as the step base of numbers and dates.
 */
const isTypedIn = (control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  applies.length.has(inputType(control) as 'text') &&
  activeElement(documentOf(control)) === control;
