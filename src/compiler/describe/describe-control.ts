import type { ControlDescription, OptionDescription } from '../description.js';
import {
  applies,
  buttonTypes,
  controlAttributes,
  inputTypes,
  type ControlAttribute,
  type ControlType,
} from '../html/elements.js';
import { enumeratedKeyword, splitOnAsciiWhitespace, stripAndCollapseAsciiWhitespace } from '../html/text.js';
import { descendants } from '../tree.js';
import { annotation, LabelReader } from './label-text.js';

export class ControlReader<Node, Element extends Node> extends LabelReader<Node, Element> {
  protected describeControl(
    control: Element,
    isInDisabledFieldset: boolean,
    groups: readonly number[],
  ): ControlDescription {
    const { tree } = this;
    const type = this.#type(control);
    const has = (name: string): boolean => tree.attribute(control, name) !== null;
    const location = tree.location?.(control);
    return {
      element: tree.localName(control),
      type,
      name: tree.attribute(control, 'name') ?? '',
      ...((isInDisabledFieldset || has('disabled')) && { disabled: true }),
      ...(has('readonly') && applies.readonly.has(type) && { readonly: true }),
      ...(this.#isSensitive(control, type) && { sensitive: true }),
      attributes: this.#attributes(control, type),
      words: buttonTypes.has(type) ? this.#buttonTexts(control) : this.controlTexts(control),
      groups,
      ...(type.startsWith('select') && { options: this.#options(control) }),
      ...(applies.list.has(type) && has('list') && { suggestions: this.#suggestions(control) }),
      ...(type === 'textarea' && { defaultText: this.childTextContent(control) }),
      ...(location && { location }),
    };
  }

  #type(control: Element): ControlType {
    const name = this.tree.localName(control);
    if (name === 'input') return enumeratedKeyword(this.tree.attribute(control, 'type'), inputTypes) ?? 'text';
    if (name === 'button') return this.#buttonType(control);
    if (name === 'select') return this.tree.attribute(control, 'multiple') === null ? 'select-one' : 'select-multiple';
    if (name === 'textarea' || name === 'output' || name === 'fieldset' || name === 'object') return name;
    return 'custom';
  }

  /** https://html.spec.whatwg.org/#attr-button-type */
  #buttonType(button: Element): ControlType {
    const type = enumeratedKeyword(this.tree.attribute(button, 'type'), ['submit', 'reset', 'button']);
    const isCommand = ['command', 'commandfor'].some((name) => this.tree.attribute(button, name) !== null);
    return type ?? (isCommand ? 'button' : 'submit');
  }

  #isSensitive(control: Element, type: ControlType): boolean {
    if (type === 'password') return true;
    const autofill = applies.autocomplete.has(type) ? this.tree.attribute(control, 'autocomplete') : null;
    return autofill !== null && splitOnAsciiWhitespace(autofill.toLowerCase()).some((token) => secret.test(token));
  }

  #attributes(control: Element, type: ControlType): ControlDescription['attributes'] {
    const attributes: Partial<Record<ControlAttribute, string>> = {};
    for (const name of attributesOf(this.tree.localName(control), type)) {
      const value = this.tree.attribute(control, name);
      if (value !== null) attributes[name] = value;
    }
    return attributes;
  }

  /** The content of a button, or the alternative text of an image button. */
  #buttonTexts(button: Element): ControlDescription['words'] {
    const isElement = this.tree.localName(button) === 'button';
    const text = isElement ? this.visibleText(button) : this.tree.attribute(button, 'alt');
    const texts = this.controlTexts(button);
    return text ? [...texts, { source: 'text', text }] : texts;
  }

  /** https://html.spec.whatwg.org/#concept-select-option-list */
  #options(select: Element): readonly OptionDescription[] {
    const { tree } = this;
    const skip = (node: Node): boolean => tree.isElement(node) && this.#isOutsideOptionList(select, node);
    return this.#optionsBelow(select, skip).map((option, index) => this.#option(select, option, index));
  }

  #optionsBelow(root: Element, skip?: (node: Node) => boolean): readonly Element[] {
    const options: Element[] = [];
    for (const node of descendants(this.tree, root, skip)) if (this.isNamed(node, 'option')) options.push(node);
    return options;
  }

  #isOutsideOptionList(select: Element, element: Element): boolean {
    const name = this.tree.localName(element);
    if (name === 'optgroup') return this.closest(element, 'optgroup', select) !== undefined;
    if (name === 'select' || name === 'datalist' || name === 'hr') return true;
    const parent = this.tree.parent(element);
    return parent !== null && this.isNamed(parent, 'option');
  }

  #option(select: Element, option: Element, index: number): OptionDescription {
    const { tree } = this;
    const optgroup = this.closest(option, 'optgroup', select);
    const group = optgroup && tree.attribute(optgroup, 'label');
    const label = tree.attribute(option, 'label');
    const description = annotation(tree, option, 'toolparamdescription');
    return {
      value: this.#optionValue(option),
      text: this.descendantTextContent(option),
      ...(label && { label }),
      ...(group && { group }),
      ...(this.#isDisabledOption(option, optgroup) && { disabled: true }),
      ...(tree.attribute(option, 'selected') !== null && { selected: true }),
      ...(index === 0 && tree.parent(option) === select && { first: true }),
      ...(description && { description }),
    };
  }

  /** https://html.spec.whatwg.org/#concept-option-disabled */
  #isDisabledOption(option: Element, optgroup: Element | undefined): boolean {
    const isDisabled = (element: Element): boolean => this.tree.attribute(element, 'disabled') !== null;
    return isDisabled(option) || (optgroup !== undefined && isDisabled(optgroup));
  }

  /** https://html.spec.whatwg.org/#dom-option-value */
  #optionValue(option: Element): string {
    const { tree } = this;
    const isScript = (node: Node): boolean => tree.isElement(node) && /^:?script$/.test(tree.localName(node));
    const value = tree.attribute(option, 'value');
    return value ?? stripAndCollapseAsciiWhitespace(this.descendantTextContent(option, isScript));
  }

  /** https://html.spec.whatwg.org/#the-datalist-element */
  #suggestions(control: Element): readonly string[] {
    const datalist = this.scope.byId(this.tree.attribute(control, 'list') ?? '');
    if (datalist === null || !this.isNamed(datalist, 'datalist')) return [];
    return this.#optionsBelow(datalist)
      .filter((option) => !this.#isDisabledOption(option, this.closest(option, 'optgroup', datalist)))
      .map((option) => this.#optionValue(option))
      .filter(Boolean);
  }
}

/** The autofill fields with secret values. https://html.spec.whatwg.org/#autofill-field */
const secret = /^(?:cc-.+|one-time-code|current-password|new-password)$/;

function attributesOf(name: string, type: ControlType): readonly ControlAttribute[] {
  if (name === 'input') return buttonTypes.has(type) ? controlAttributes.submitInput : controlAttributes.input;
  if (name === 'select' || name === 'textarea' || name === 'button') return controlAttributes[name];
  return type === 'custom' ? controlAttributes.custom : [];
}
