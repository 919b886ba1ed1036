import type { LabelText, TextSource } from '../description.js';
import { labelableElements } from '../html/elements.js';
import { collapseWhitespace, splitOnAsciiWhitespace } from '../html/text.js';
import { isHidden, TreeReader } from '../html/tree-reader.js';
import type { Tree } from '../tree.js';
import type { Scope } from './scope.js';

/** The value of an annotation attribute, with or without the `data-` prefix. */
export const annotation = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  name: string,
): string | null => tree.attribute(element, name) ?? tree.attribute(element, `data-${name}`);

/** Reads the texts that can describe the controls and groups of a scope, the most specific first. */
export class LabelReader<Node, Element extends Node> extends TreeReader<Node, Element> {
  protected readonly scope: Scope<Element>;

  constructor(tree: Tree<Node, Element>, scope: Scope<Element>) {
    super(tree);
    this.scope = scope;
  }

  controlTexts(control: Element): readonly LabelText[] {
    return [
      ...this.#attribute(control, 'toolparamdescription'),
      ...this.scope.labels(control).map((label) => this.#elementText(label, 'label', this.#labelText(label))),
      ...this.#attribute(control, 'aria-label'),
      ...this.#referenced(control, 'aria-labelledby'),
      ...this.#attribute(control, 'title'),
      ...this.#attribute(control, 'placeholder'),
      ...this.#attribute(control, 'aria-description'),
      ...this.#referenced(control, 'aria-describedby'),
    ];
  }

  groupTexts(group: Element): readonly LabelText[] {
    const legend = this.tree.localName(group) === 'fieldset' ? this.firstLegend(group) : undefined;
    return [
      ...this.#attribute(group, 'toolparamdescription'),
      ...(legend ? [this.#elementText(legend, 'legend', this.descendantTextContent(legend))] : []),
      ...this.#attribute(group, 'aria-label'),
      ...this.#referenced(group, 'aria-labelledby'),
      ...this.#attribute(group, 'aria-description'),
      ...this.#referenced(group, 'aria-describedby'),
    ];
  }

  firstLegend(fieldset: Node): Element | undefined {
    return this.tree.children(fieldset).find((child): child is Element => this.isNamed(child, 'legend'));
  }

  #attribute(element: Element, source: TextSource): readonly LabelText[] {
    const isAnnotation = source === 'toolparamdescription';
    const text = isAnnotation ? annotation(this.tree, element, source) : this.tree.attribute(element, source);
    const own = source === 'title' ? this.#withoutAccessKey(element, text ?? '') : text;
    return own ? [this.#located(element, { source, text: own })] : [];
  }

  /** Wikis end their titles with the access key: `Search [alt-shift-f]`. */
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

  #labelText(label: Element): string {
    const { tree } = this;
    return this.descendantTextContent(
      label,
      (node) => tree.isElement(node) && labelableElements.has(tree.localName(node)),
    );
  }

  #elementText(element: Element, source: TextSource, text: string): LabelText {
    const visible = isHidden(this.tree, element) ? '' : this.visibleText(element);
    return this.#located(element, { source, text, ...(visible !== collapseWhitespace(text) && { visible }) });
  }

  /** The texts of the elements whose IDs an attribute lists, including hidden elements. */
  #referenced(element: Element, source: 'aria-labelledby' | 'aria-describedby'): readonly LabelText[] {
    const ids = this.tree.attribute(element, source);
    if (ids === null) return [];
    return [...new Set(splitOnAsciiWhitespace(ids))]
      .map((id) => this.scope.byId(id))
      .filter((target) => target !== null)
      .map((target) => this.#located(target, { source, text: this.visibleText(target) }));
  }

  #located(element: Element, text: LabelText): LabelText {
    const location = this.tree.location?.(element);
    return location ? { ...text, location } : text;
  }
}
