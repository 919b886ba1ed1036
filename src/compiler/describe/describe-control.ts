import type { ControlDescription, Mutable, OptionDescription } from '../description.js';
import { secretAutofill } from '../html/autofill.js';
import {
  applies,
  buttonTypes,
  controlAttributes,
  inputTypes,
  nameSet,
  type ControlAttribute,
  type ControlType,
} from '../html/elements.js';
import { enumeratedKeyword, splitOnAsciiWhitespace, stripAndCollapseAsciiWhitespace } from '../html/text.js';
import type { ReadingLimit } from '../html/tree-reader.js';
import { maxPatternLength, maxSchemaLength, maxTextLength, optionSize } from '../limits.js';
import { annotation, LabelReader } from './label-text.js';
import type { Suggestions } from './read-cache.js';

export abstract class ControlReader<Node, Element extends Node> extends LabelReader<Node, Element> {
  protected describeControl(
    control: Element,
    isInDisabledFieldset: boolean,
    groups: readonly number[],
  ): ControlDescription {
    const { tree } = this;
    const element = tree.localName(control);
    const type = this.#type(control, element);
    const attributes = this.#attributes(control, element, type);
    const has = (name: string): boolean => tree.attribute(control, name) !== null;
    const described = {
      element,
      type,
      name: tree.attribute(control, 'name') ?? '',
    } as Mutable<ControlDescription>;
    if (isInDisabledFieldset || has('disabled')) described.disabled = true;
    if (applies.readonly.has(type) && has('readonly')) described.readonly = true;
    if (this.#isSensitive(control, type, attributes)) described.sensitive = true;
    described.attributes = attributes;
    described.words = buttonTypes.has(type) ? this.#buttonTexts(control) : this.controlTexts(control);
    described.groups = groups;
    if (type.startsWith('select')) described.options = this.#options(control);
    if (applies.list.has(type) && has('list')) described.suggestions = this.#suggestions(control);
    if (type === 'textarea') described.defaultText = this.childTextContent(control);
    const location = tree.location?.(control);
    if (location) described.location = location;
    return described;
  }

  #type(control: Element, name: string): ControlType {
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

  #isSensitive(control: Element, type: ControlType, { autocomplete }: ControlAttributes): boolean {
    if (type === 'password') return true;
    const autofill = type === 'custom' ? this.tree.attribute(control, 'autocomplete') : autocomplete;
    return (
      !!autofill &&
      applies.autocomplete.has(type) &&
      splitOnAsciiWhitespace(autofill.toLowerCase()).some((token) => secretAutofill.test(token))
    );
  }

  #attributes(control: Element, element: string, type: ControlType): ControlAttributes {
    const attributes: Partial<Record<ControlAttribute, string>> = {};
    for (const name of attributesOf(element, type)) {
      const value = this.tree.attribute(control, name);
      if (value !== null) attributes[name] = value;
    }
    this.#omitExcessive(control, attributes);
    return attributes;
  }

  /** Omits attributes that are too expensive to process. Equal patterns are counted once. */
  #omitExcessive(control: Element, attributes: Mutable<ControlAttributes>): void {
    const { pattern, toolparamschema } = attributes;
    if (toolparamschema !== undefined && toolparamschema.length > maxSchemaLength) {
      this.noteLimit('schema', control);
      delete attributes.toolparamschema;
    }
    if (pattern !== undefined && !this.#mayCompile(pattern)) {
      this.noteLimit('pattern', control);
      delete attributes.pattern;
    }
  }

  #mayCompile(pattern: string): boolean {
    const { patterns, extras } = this.scope.readings;
    if (pattern.length > maxPatternLength || (!patterns.has(pattern) && !extras.spend(patternCost(pattern))))
      return false;
    patterns.add(pattern);
    return true;
  }

  /** The labels of a button, with its content or, for an input, its alternative text. */
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

  /**
   * The options with their nearest option groups. For a select, excludes options in nested selects, datalists, options
   * and option groups.
   */
  #optionsBelow(root: Element, isSelect: boolean): readonly FoundOption<Element>[] {
    const { tree } = this;
    const { extras, size } = this.scope.readings;
    const found: FoundOption<Element>[] = [];
    const stack = [{ nodes: tree.children(root), next: 0, optgroup: undefined as Element | undefined }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) stack.pop();
      else if (tree.isElement(node)) {
        const name = tree.localName(node);
        const isOutside = (top.optgroup && name === 'optgroup') || endsOptionList.has(name);
        if (isSelect && isOutside) continue;
        if (!isSelect && !extras.spend(5)) break;
        const { optgroup } = top;
        const isOption = name === 'option';
        if (isOption && isSelect && !size.spend(optionSize)) break;
        if (isOption) found.push({ option: node, optgroup });
        if (isOption && isSelect) continue;
        stack.push({ nodes: tree.children(node), next: 0, optgroup: name === 'optgroup' ? node : optgroup });
      }
    }
    return found;
  }

  #option(select: Element, option: Element, optgroup: Element | undefined, index: number): OptionDescription {
    const { tree } = this;
    const group = optgroup && tree.attribute(optgroup, 'label');
    const label = tree.attribute(option, 'label');
    const description = annotation(tree, option, 'toolparamdescription');
    const described: Mutable<OptionDescription> = {
      value: this.#optionValue(option) as string, // never undefined without a limit
      text: this.descendantTextContent(option),
    };
    if (label) described.label = label;
    if (group) described.group = group;
    if (this.#isDisabledOption(option, optgroup)) described.disabled = true;
    if (tree.attribute(option, 'selected') !== null) described.selected = true;
    if (index === 0 && tree.parent(option) === select) described.first = true;
    if (description) described.description = description;
    return described;
  }

  /** https://html.spec.whatwg.org/#concept-option-disabled */
  #isDisabledOption(option: Element, optgroup: Element | undefined): boolean {
    const isDisabled = (element: Element): boolean => this.tree.attribute(element, 'disabled') !== null;
    return isDisabled(option) || (optgroup !== undefined && isDisabled(optgroup));
  }

  /** https://html.spec.whatwg.org/#dom-option-value */
  #optionValue(option: Element, limit?: ReadingLimit): string | undefined {
    const { tree } = this;
    const value = tree.attribute(option, 'value');
    if (value !== null) return value;
    const isScript = (node: Node): boolean => tree.isElement(node) && /^:?script$/.test(tree.localName(node));
    const text = this.limitedText(option, isScript, limit);
    return text === undefined ? undefined : stripAndCollapseAsciiWhitespace(text);
  }

  /** https://html.spec.whatwg.org/#the-datalist-element */
  #suggestions(control: Element): readonly string[] {
    const datalist = this.referenced(this.tree.attribute(control, 'list') ?? '');
    if (datalist === undefined || !this.isNamed(datalist, 'datalist')) return [];
    const { suggestions, extras } = this.scope.readings;
    const known = suggestions.get(datalist) ?? this.#readDatalist(datalist);
    if (known) suggestions.set(datalist, known); // not cached if the work is exhausted: another form may have work left
    if (known && extras.spend(known.cost)) return known.values;
    this.noteLimit('suggestions', control);
    return [];
  }

  /**
   * Reads a datalist; null if the budget is exhausted. Options in a datalist can contain other options, so reading is
   * limited.
   */
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
    return extras.isSpent ? null : { values, cost };
  }
}

interface FoundOption<Element> {
  readonly option: Element;
  readonly optgroup: Element | undefined;
}

type ControlAttributes = ControlDescription['attributes'];

const endsOptionList = nameSet('select datalist hr');
/** The cost of compiling a pattern. Properties such as `\p{L}` have hundreds of ranges. */
const patternCost = (pattern: string): number => 100 + pattern.length + 10_000 * (pattern.split(/\\p/i).length - 1);

function attributesOf(name: string, type: ControlType): readonly ControlAttribute[] {
  if (name === 'input') return buttonTypes.has(type) ? controlAttributes.submitInput : controlAttributes.input;
  if (name === 'select' || name === 'textarea' || name === 'button') return controlAttributes[name];
  return type === 'custom' ? controlAttributes.custom : [];
}
