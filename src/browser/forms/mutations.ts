import { applies } from '../../compiler/html/elements.js';
import { ignoreAttribute } from '../../compiler/ignored.js';
import { withoutPrototype } from '../../platform/collections.js';
import { documentOf, domTree } from '../dom/dom-tree.js';
import { activeElement, inputType } from '../dom/members.js';
import { idAttributes } from './references.js';

const formAnnotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];
const annotations = formAnnotations.flatMap((name) => [name, `data-${name}`]);

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

/** Whether a mutation only mirrors the user's typing. */
export const isTyping = ({ attributeName, target }: MutationRecord): boolean =>
  attributeName === 'value' && isTypedIn(target as Element);

/**
 * Frameworks mirror typed text in the `value` attribute. It affects a tool only as the step base of numbers and dates.
 */
const isTypedIn = (control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  applies.length.has(inputType(control) as 'text') &&
  activeElement(documentOf(control)) === control;
