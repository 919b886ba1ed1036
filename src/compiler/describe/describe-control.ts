import type { ControlDescription, OptionDescription } from '../description.js';
import {
  applies,
  buttonTypes,
  controlAttributes,
  inputTypes,
  nameSet,
  temporalTypes,
  type ControlAttribute,
  type ControlType,
} from '../html/elements.js';
import { enumeratedKeyword, splitOnAsciiWhitespace, stripAndCollapseAsciiWhitespace } from '../html/text.js';
import type { ReadingLimit } from '../html/tree-reader.js';
import { maxPatternLength, maxSchemaLength, maxTextLength, optionSize } from '../limits.js';
import { annotation, LabelReader } from './label-text.js';
import type { Suggestions } from './readings.js';

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

  #attributes(control: Element, type: ControlType): ControlAttributes {
    const attributes: Partial<Record<ControlAttribute, string>> = {};
    for (const name of attributesOf(this.tree.localName(control), type)) {
      const value = this.tree.attribute(control, name);
      if (value !== null) attributes[name] = value;
    }
    for (const name of this.#excessive(control, type, attributes)) delete attributes[name];
    return attributes;
  }

  /** The attributes that take too much work. That for patterns and ranges of dates is counted once for equal ones. */
  #excessive(control: Element, type: ControlType, attributes: ControlAttributes): readonly ControlAttribute[] {
    const { pattern, toolparamschema, min = '', max = '', step = '' } = attributes;
    const range = `${min} ${max} ${step}`;
    const isLongSchema = (toolparamschema?.length ?? 0) > maxSchemaLength;
    const hasRange = temporalTypes.has(type) && range.length > 2;
    return [
      ...(isLongSchema ? this.#omit('schema', control) : []),
      ...(pattern !== undefined && !this.#mayCompile(pattern, patternCost(pattern))
        ? this.#omit('pattern', control)
        : []),
      ...(hasRange && !this.#mayCompile(`${type} ${range}`, rangeCost(type)) ? this.#omit('range', control) : []),
    ];
  }

  #mayCompile(source: string, cost: number): boolean {
    const { compiled, extras } = this.scope.readings;
    if (source.length > maxPatternLength || (!compiled.has(source) && !extras.spend(cost))) return false;
    compiled.add(source);
    return true;
  }

  #omit(what: 'schema' | 'pattern' | 'range', control: Element): readonly ControlAttribute[] {
    this.noteLimit(what, control);
    return ({ schema: ['toolparamschema'], pattern: ['pattern'], range: ['min', 'max', 'step'] } as const)[what];
  }

  /** The content of a button, or the alternative text of an image button. */
  #buttonTexts(button: Element): ControlDescription['words'] {
    const texts = this.controlTexts(button);
    const text = this.tree.localName(button) === 'button' ? this.#content(button) : this.tree.attribute(button, 'alt');
    return text ? [...texts, { source: 'text', text }] : texts;
  }

  #content(button: Element): string {
    const text = this.visibleText(button, this.#textLimit);
    if (text === undefined) this.noteLimit('text', button);
    return text ?? '';
  }

  get #textLimit(): ReadingLimit {
    return { maxLength: maxTextLength, budget: this.scope.readings.budget };
  }

  /** https://html.spec.whatwg.org/#concept-select-option-list */
  #options(select: Element): readonly OptionDescription[] {
    return this.#optionsBelow(select, true).map(({ option, optgroup }, index) =>
      this.#option(select, option, optgroup, index),
    );
  }

  /** The options with their nearest option groups. A select excludes those in other selects, options and nested groups. */
  #optionsBelow(root: Element, isSelect: boolean): readonly FoundOption<Element>[] {
    const { tree } = this;
    const { extras, size } = this.scope.readings;
    const found: FoundOption<Element>[] = [];
    const stack = [
      { nodes: tree.children(root), next: 0, optgroup: undefined as Element | undefined, isOption: false },
    ];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) stack.pop();
      else if (tree.isElement(node)) {
        const name = tree.localName(node);
        const isOutside = top.isOption || (top.optgroup && name === 'optgroup') || endsOptionList.has(name);
        if (isSelect && isOutside) continue;
        if (!isSelect && !extras.spend(5)) break;
        const { optgroup } = top;
        const isOption = name === 'option';
        if (isOption && isSelect && !size.spend(optionSize)) break;
        if (isOption) found.push({ option: node, optgroup });
        stack.push({ nodes: tree.children(node), next: 0, optgroup: name === 'optgroup' ? node : optgroup, isOption });
      }
    }
    return found;
  }

  #option(select: Element, option: Element, optgroup: Element | undefined, index: number): OptionDescription {
    const { tree } = this;
    const group = optgroup && tree.attribute(optgroup, 'label');
    const label = tree.attribute(option, 'label');
    const description = annotation(tree, option, 'toolparamdescription');
    return {
      value: this.#optionValue(option) as string, // without a limit
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
  #optionValue(option: Element, limit?: ReadingLimit): string | undefined {
    const { tree } = this;
    const isScript = (node: Node): boolean => tree.isElement(node) && /^:?script$/.test(tree.localName(node));
    const value = tree.attribute(option, 'value');
    if (value !== null) return value;
    const text = this.limitedText(option, isScript, limit);
    return text === undefined ? undefined : stripAndCollapseAsciiWhitespace(text);
  }

  /** https://html.spec.whatwg.org/#the-datalist-element */
  #suggestions(control: Element): readonly string[] {
    const datalist = this.scope.byId(this.tree.attribute(control, 'list') ?? '');
    if (datalist === null || !this.isNamed(datalist, 'datalist')) return [];
    const { suggestions, extras } = this.scope.readings;
    let known = suggestions.get(datalist);
    if (known === undefined) suggestions.set(datalist, (known = this.#readDatalist(datalist)));
    if (known && extras.spend(known.cost)) return known.values;
    this.noteLimit('suggestions', control);
    return [];
  }

  /** Options in a datalist can contain others, so that reading them has a limit. */
  #readDatalist(datalist: Element): Suggestions | null {
    const { extras } = this.scope.readings;
    const limit = { maxLength: Infinity, budget: extras };
    const values: string[] = [];
    let cost = 1;
    for (const { option, optgroup } of this.#optionsBelow(datalist, false)) {
      if (this.#isDisabledOption(option, optgroup)) continue;
      const value = this.#optionValue(option, limit);
      if (value) values.push(value);
      cost += 10 + (value?.length ?? 0);
    }
    return extras.left === 0 ? null : { values, cost };
  }
}

interface FoundOption<Element> {
  readonly option: Element;
  readonly optgroup: Element | undefined;
}

type ControlAttributes = ControlDescription['attributes'];

const endsOptionList = nameSet('select datalist hr');
/** Patterns for a range of dates are long unions. */
const rangeCost = (type: ControlType): number => (type === 'datetime-local' ? 60_000 : 25_000);
/** Properties such as `\\p{L}` have hundreds of ranges. */
const patternCost = (pattern: string): number => 100 + pattern.length + 10_000 * (pattern.split(/\\p/i).length - 1);

/** The autofill fields with secret values. https://html.spec.whatwg.org/#autofill-field */
const secret = /^(?:cc-.+|one-time-code|current-password|new-password)$/;

function attributesOf(name: string, type: ControlType): readonly ControlAttribute[] {
  if (name === 'input') return buttonTypes.has(type) ? controlAttributes.submitInput : controlAttributes.input;
  if (name === 'select' || name === 'textarea' || name === 'button') return controlAttributes[name];
  return type === 'custom' ? controlAttributes.custom : [];
}
