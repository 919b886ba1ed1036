import type { ControlDescription, OptionDescription } from '../description.js';
import { annotation, describeControlWords } from './label-text.js';
import {
  applies,
  controlAttributes,
  inputTypes,
  buttonTypes,
  type ControlAttribute,
  type ControlType,
} from '../html/elements.js';
import type { Scope } from './scope.js';
import {
  asciiLowercase,
  descendantTextContent,
  splitOnAsciiWhitespace,
  stripAndCollapseAsciiWhitespace,
  visibleText,
} from '../html/text.js';
import { ancestors, descendants, type Tree } from '../tree.js';

/** Reads one listed element; what surrounds it is the caller's to know. */
export function describeControl<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  control: Element,
  scope: Scope<Element>,
  around: { readonly disabled: boolean; readonly groups: readonly number[] },
): ControlDescription {
  const type = controlType(tree, control);
  const has = (name: string): boolean => tree.attribute(control, name) !== null;
  const location = tree.location?.(control);
  return {
    element: tree.localName(control),
    type,
    name: tree.attribute(control, 'name') ?? '',
    ...((around.disabled || has('disabled')) && { disabled: true }),
    ...(has('readonly') && applies.readonly.has(type) && { readonly: true }),
    ...(isSensitive(tree, control, type) && { sensitive: true }),
    attributes: describeAttributes(tree, control, type),
    words: buttonTypes.has(type) ? buttonWords(tree, control, scope) : describeControlWords(tree, control, scope),
    groups: around.groups,
    ...(type.startsWith('select') && { options: describeOptions(tree, control) }),
    ...(applies.list.has(type) && has('list') && { suggestions: describeSuggestions(tree, control, scope) }),
    ...(type === 'textarea' && { defaultText: childTextContent(tree, control) }),
    ...(location && { location }),
  };
}

function controlType<Node, Element extends Node>(tree: Tree<Node, Element>, control: Element): ControlType {
  const name = tree.localName(control);
  if (name === 'input') return keyword(tree.attribute(control, 'type'), inputTypes) ?? 'text';
  if (name === 'button') return buttonType(tree, control);
  if (name === 'select') return tree.attribute(control, 'multiple') === null ? 'select-one' : 'select-multiple';
  if (name === 'textarea' || name === 'output' || name === 'fieldset' || name === 'object') return name;
  return 'custom';
}

/** https://html.spec.whatwg.org/#attr-button-type */
function buttonType<Node, Element extends Node>(tree: Tree<Node, Element>, button: Element): ControlType {
  const type = keyword(tree.attribute(button, 'type'), ['submit', 'reset', 'button'] as const);
  const commands = tree.attribute(button, 'command') !== null || tree.attribute(button, 'commandfor') !== null;
  return type ?? (commands ? 'button' : 'submit');
}

function keyword<Keyword extends string>(value: string | null, keywords: readonly Keyword[]): Keyword | undefined {
  const word = value === null ? '' : asciiLowercase(value);
  return keywords.find((each) => each === word);
}

/** https://html.spec.whatwg.org/#autofill-field */
const secretAutofill = /^(?:cc-.+|one-time-code|current-password|new-password)$/;

function isSensitive<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  control: Element,
  type: ControlType,
): boolean {
  if (type === 'password') return true;
  const autofill = applies.autocomplete.has(type) ? tree.attribute(control, 'autocomplete') : null;
  return (
    autofill !== null && splitOnAsciiWhitespace(autofill.toLowerCase()).some((token) => secretAutofill.test(token))
  );
}

function describeAttributes<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  control: Element,
  type: ControlType,
): ControlDescription['attributes'] {
  const attributes: Partial<Record<ControlAttribute, string>> = {};
  for (const name of attributesOf(tree.localName(control), type)) {
    const value = tree.attribute(control, name);
    if (value !== null) attributes[name] = value;
  }
  return attributes;
}

function attributesOf(name: string, type: ControlType): readonly ControlAttribute[] {
  if (name === 'input') return buttonTypes.has(type) ? controlAttributes.submitInput : controlAttributes.input;
  if (name === 'select' || name === 'textarea' || name === 'button') return controlAttributes[name];
  return type === 'custom' ? controlAttributes.custom : [];
}

/** A submit button says what it does by its face: its text, its value or its image's alternative. */
function buttonWords<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  button: Element,
  scope: Scope<Element>,
): ControlDescription['words'] {
  const face = tree.localName(button) === 'button' ? visibleText(tree, button) : tree.attribute(button, 'alt');
  const words = describeControlWords(tree, button, scope);
  return face ? [...words, { source: 'text', text: face }] : words;
}

function describeOptions<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  select: Element,
): readonly OptionDescription[] {
  return [...optionsOf(tree, select)].map((option, index) => describeOption(tree, select, option, index));
}

/** https://html.spec.whatwg.org/#concept-select-option-list */
const optionsOf = <Node, Element extends Node>(tree: Tree<Node, Element>, select: Element): Iterable<Element> =>
  optionsBelow(tree, select, (node) => tree.isElement(node) && holdsNoOptions(tree, select, node));

function* optionsBelow<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Element,
  skip?: (node: Node) => boolean,
): Generator<Element> {
  for (const node of descendants(tree, root, skip)) {
    if (tree.isElement(node) && tree.localName(node) === 'option') yield node;
  }
}

function holdsNoOptions<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  select: Element,
  element: Element,
): boolean {
  const name = tree.localName(element);
  if (name === 'optgroup') return optgroupOf(tree, select, element) !== undefined;
  return ['select', 'datalist', 'hr'].includes(name) || isNestedOption(tree, element);
}

function isNestedOption<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  const parent = tree.parent(element);
  return parent !== null && tree.isElement(parent) && tree.localName(parent) === 'option';
}

function describeOption<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  select: Element,
  option: Element,
  index: number,
): OptionDescription {
  const attribute = (name: string): string | null => tree.attribute(option, name);
  const optgroup = optgroupOf(tree, select, option);
  const group = optgroup && tree.attribute(optgroup, 'label');
  const label = attribute('label');
  const description = annotation(tree, option, 'toolparamdescription');
  const disabled = isDisabledOption(tree, option, optgroup);
  return {
    value: optionValue(tree, option),
    text: descendantTextContent(tree, option),
    ...(label && { label }),
    ...(group && { group }),
    ...(disabled && { disabled: true }),
    ...(attribute('selected') !== null && { selected: true }),
    ...(index === 0 && tree.parent(option) === select && { first: true }),
    ...(description && { description }),
  };
}

/** https://html.spec.whatwg.org/#concept-option-disabled */
const isDisabledOption = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  option: Element,
  optgroup: Element | undefined,
): boolean =>
  tree.attribute(option, 'disabled') !== null ||
  (optgroup !== undefined && tree.attribute(optgroup, 'disabled') !== null);

/** https://html.spec.whatwg.org/#dom-option-value */
const optionValue = <Node, Element extends Node>(tree: Tree<Node, Element>, option: Element): string =>
  tree.attribute(option, 'value') ??
  stripAndCollapseAsciiWhitespace(
    descendantTextContent(tree, option, (node) => tree.isElement(node) && /^:?script$/.test(tree.localName(node))),
  );

/** The nearest optgroup around an element of a select or datalist. */
function optgroupOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Element,
  element: Element,
): Element | undefined {
  for (const up of ancestors(tree, element)) {
    if (up === root) return undefined;
    if (tree.isElement(up) && tree.localName(up) === 'optgroup') return up;
  }
  return undefined;
}

/** https://html.spec.whatwg.org/#the-datalist-element */
function describeSuggestions<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  control: Element,
  scope: Scope<Element>,
): readonly string[] {
  const datalist = scope.byId(tree.attribute(control, 'list') ?? '');
  if (datalist === null || tree.localName(datalist) !== 'datalist') return [];
  return [...optionsBelow(tree, datalist)]
    .filter((option) => !isDisabledOption(tree, option, optgroupOf(tree, datalist, option)))
    .map((option) => optionValue(tree, option))
    .filter(Boolean);
}

/** https://dom.spec.whatwg.org/#concept-child-text-content */
function childTextContent<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): string {
  let text = '';
  for (const child of tree.children(element)) text += tree.text(child) ?? '';
  return text;
}
