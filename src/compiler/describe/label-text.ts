import type { LabelText, Mutable, TextSource } from '../description.js';
import { labelableElements } from '../html/elements.js';
import { collapseWhitespace, splitOnAsciiWhitespace } from '../html/text.js';
import { isHidden, TreeReader, type ReadingLimit } from '../html/tree-reader.js';
import { isIgnored } from '../ignored.js';
import { maxSize, maxTextLength, type Budget, type LimitReached } from '../limits.js';
import { ancestors, type Tree } from '../tree.js';
import type { SharedSource } from './read-cache.js';
import type { Scope } from './scope.js';

/** The value of an annotation attribute, with or without the `data-` prefix. */
export const annotation = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  name: string,
): string | null => tree.attribute(element, name) ?? tree.attribute(element, `data-${name}`);

/** Reads the labels and descriptions of the controls and groups of a form, the most specific first. */
export abstract class LabelReader<Node, Element extends Node> extends TreeReader<Node, Element> {
  protected readonly form: Element;
  protected readonly scope: Scope<Element>;
  readonly #limits = new Map<string, LimitReached>();

  constructor(tree: Tree<Node, Element>, form: Element, scope: Scope<Element>) {
    super(tree);
    this.form = form;
    this.scope = scope;
  }

  protected abstract isInForm(element: Element): boolean;

  controlTexts(control: Element): readonly LabelText[] {
    const texts: LabelText[] = [];
    this.#addAttribute(texts, control, 'toolparamdescription');
    this.#addLabels(texts, control);
    this.#addAttribute(texts, control, 'aria-label');
    this.#addReferenced(texts, control, 'aria-labelledby');
    this.#addAttribute(texts, control, 'title');
    this.#addAttribute(texts, control, 'placeholder');
    this.#addAttribute(texts, control, 'aria-description');
    this.#addReferenced(texts, control, 'aria-describedby');
    return texts;
  }

  groupTexts(group: Element): readonly LabelText[] {
    const legend = this.tree.localName(group) === 'fieldset' ? this.firstLegend(group) : undefined;
    const texts: LabelText[] = [];
    this.#addAttribute(texts, group, 'toolparamdescription');
    if (legend) this.#addShared(texts, legend, 'legend', group);
    this.#addAttribute(texts, group, 'aria-label');
    this.#addReferenced(texts, group, 'aria-labelledby');
    this.#addAttribute(texts, group, 'aria-description');
    this.#addReferenced(texts, group, 'aria-describedby');
    return texts;
  }

  firstLegend(fieldset: Node): Element | undefined {
    const { firstLegends } = this.scope.readings;
    if (!firstLegends.has(fieldset)) {
      const legend = this.tree.children(fieldset).find((child): child is Element => this.isNamed(child, 'legend'));
      firstLegends.set(fieldset, legend);
    }
    return firstLegends.get(fieldset);
  }

  /** The limits that were reached, each with its first place. */
  protected get limits(): readonly LimitReached[] {
    return [...this.#limits.values()];
  }

  /** Records that a part of an element is not read, because it or the work for the page exceeds a limit. */
  protected noteLimit(what: LimitReached['what'], element: Element): void {
    const { budget, size, extras, layout } = this.scope.readings;
    const work: Partial<Record<typeof what, Budget>> = { text: budget, layout, suggestions: extras, pattern: extras };
    const isTotal = what === 'size' ? size.total === maxSize : !!work[what]?.isSpent;
    const key = `${what} ${isTotal}`;
    if (this.#limits.has(key)) return;
    const parameter = this.tree.attribute(element, 'name');
    const location = this.tree.location?.(element);
    this.#limits.set(key, { what, isTotal, ...(parameter && { parameter }), ...(location && { location }) });
  }

  /** The only element with an ID or, if several elements have it, the only one in the form. */
  protected referenced(id: string): Element | undefined {
    const elements = this.scope.allById(id);
    if (elements.length < 2) return elements[0];
    const [own, ...others] = elements.length > maxRepeats ? [] : elements.filter((each) => this.isInForm(each));
    return others.length === 0 ? own : undefined;
  }

  #addLabels(texts: LabelText[], control: Element): void {
    const id = this.tree.attribute(control, 'id') ?? '';
    const labels = this.scope.labels(control);
    for (const label of labels) {
      const source = this.isInForm(label) || this.#isBeside(label, control, id) ? 'label' : 'outside-label';
      this.#addShared(texts, label, source, control);
    }
    const name = this.tree.attribute(control, 'name') ?? '';
    if (labels.length === 0 && name !== '' && this.scope.allById(name).length === 0) {
      // Some pages write the control's name instead of its ID in `for`.
      for (const label of this.scope.labelsFor(name)) {
        if (this.isInForm(label)) this.#addShared(texts, label, 'nearby', control);
      }
    }
    if (this.scope.allById(id).length < 2 || this.referenced(id) !== control) return;
    for (const label of this.scope.labelsFor(id)) {
      if (this.isInForm(label) && !labels.includes(label)) this.#addShared(texts, label, 'form-label', control);
    }
  }

  /**
   * Whether a label outside of the form belongs to a control outside of the form, such as in a table whose controls
   * have `form` attributes. This is true if the label contains the control, or if a near ancestor of both is the
   * label's parent or does not contain the form.
   */
  #isBeside(label: Element, control: Element, id: string): boolean {
    const { tree } = this;
    if (this.isInForm(control) || this.scope.allById(id).length > 1) return false;
    const around = nearest(tree, control);
    if (around.includes(label)) return true;
    const [parent, ...others] = nearest(tree, label);
    if (parent !== undefined && around.includes(parent)) return true;
    const shared = others.find((each) => around.includes(each));
    return shared !== undefined && ![...ancestors(tree, this.form)].includes(shared);
  }

  #addAttribute(texts: LabelText[], element: Element, source: TextSource): void {
    const isAnnotation = source === 'toolparamdescription';
    const text = isAnnotation ? annotation(this.tree, element, source) : this.tree.attribute(element, source);
    const own = text && source === 'title' ? this.#withoutAccessKey(element, text) : text;
    if (own) texts.push(this.#located(element, source, own));
  }

  /** Removes the access key from the end of a title. Wikis write titles such as `Search [alt-shift-f]`. */
  #withoutAccessKey(element: Element, title: string): string {
    const key = this.tree.attribute(element, 'accesskey')?.toLowerCase();
    const start = title.lastIndexOf('[');
    if (!key || start < 0) return title;
    const hint = title
      .slice(start + 1)
      .trimEnd()
      .toLowerCase();
    return hint === `${key}]` || hint.endsWith(`-${key}]`) || hint.endsWith(`+${key}]`)
      ? title.slice(0, start).trimEnd()
      : title;
  }

  /** Adds the visible text of the elements whose IDs an attribute lists. These elements can be hidden themselves. */
  #addReferenced(texts: LabelText[], element: Element, source: 'aria-labelledby' | 'aria-describedby'): void {
    const ids = this.tree.attribute(element, source);
    if (ids === null) return;
    for (const id of new Set(splitOnAsciiWhitespace(ids))) {
      const target = this.referenced(id);
      if (target === undefined) continue;
      this.#addShared(texts, target, source, element);
      if (this.scope.readings.budget.isSpent) break;
    }
  }

  /** The visible text of a heading; empty if it is too long. */
  protected headingText(heading: Element): string {
    return this.#ownText(heading, { maxLength: maxHeadingLength, budget: this.scope.readings.layout }) ?? '';
  }

  /** The visible text of a heading or legend without its `<label>` elements, or with them if it has no other text. */
  #ownText(heading: Element, limit: ReadingLimit): string | undefined {
    return this.visibleText(heading, limit, 'label') || this.visibleText(heading, limit);
  }

  /**
   * Adds the text of an element that describes several elements. The text is read once, but its length is counted for each
   * use.
   */
  #addShared(texts: LabelText[], target: Element, source: SharedSource, described: Element): void {
    const { texts: known, budget } = this.scope.readings;
    const text = known[source].get(target) ?? this.#read(target, source); // not cached if the work was exhausted
    if (text) known[source].set(target, text);
    if (text && budget.spend(useCost + text.text.length)) texts.push(text);
    else this.noteLimit('text', described);
  }

  #read(element: Element, source: SharedSource): LabelText | undefined {
    const { tree } = this;
    const limit = { maxLength: maxTextLength, budget: this.scope.readings.budget };
    const visible = (): string | undefined =>
      source === 'legend' ? this.#ownText(element, limit) : this.visibleText(element, limit);
    if (source.startsWith('aria')) {
      const text = visible();
      return text === undefined ? undefined : this.#located(element, source, text);
    }
    const skip = (node: Node): boolean =>
      tree.isElement(node) &&
      (isIgnored(tree, node) || (source !== 'legend' && labelableElements.has(tree.localName(node))));
    const text = this.limitedText(element, skip, limit);
    const shown = isHidden(tree, element) ? '' : visible();
    if (text === undefined || shown === undefined) return undefined;
    return this.#located(element, source, text, shown === collapseWhitespace(text) ? undefined : shown);
  }

  #located(element: Element, source: TextSource, text: string, visible?: string): LabelText {
    const located: Mutable<LabelText> = { source, text };
    if (source === 'nearby') located.origin = 'name';
    if (visible !== undefined) located.visible = visible;
    const location = this.tree.location?.(element);
    if (location) located.location = location;
    return located;
  }
}

/** A longer heading is not the name of a section. */
const maxHeadingLength = 200;

/** The maximum number of elements with one ID that are compared. */
const maxRepeats = 20;

const maxLevels = 6;

/** The elements around an element, nearest first. */
function nearest<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): readonly Node[] {
  const found: Node[] = [];
  for (const up of ancestors(tree, element)) if (found.push(up) === maxLevels) break;
  return found;
}

/** The cost of reusing a label that has been read, in addition to its length. */
const useCost = 30;
