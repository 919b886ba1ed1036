import type { LabelText, TextSource } from '../description.js';
import type { Scope } from './scope.js';
import {
  collapseWhitespace,
  descendantTextContent,
  isHidden,
  labelText,
  splitOnAsciiWhitespace,
  visibleText,
} from '../html/text.js';
import type { Tree } from '../tree.js';

/** An annotation of ours, in its plain or its `data-` spelling. */
export const annotation = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  name: string,
): string | null => tree.attribute(element, name) ?? tree.attribute(element, `data-${name}`);

/** Every text that can describe a control, the most telling first. */
export function describeControlWords<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  control: Element,
  scope: Scope<Element>,
): readonly LabelText[] {
  return [
    ...annotated(tree, control),
    ...scope.labels(control).map((label) => labelWords(tree, label)),
    ...attributeWords(tree, control, 'aria-label'),
    ...referenced(tree, control, scope, 'aria-labelledby'),
    ...attributeWords(tree, control, 'title'),
    ...attributeWords(tree, control, 'placeholder'),
    ...attributeWords(tree, control, 'aria-description'),
    ...referenced(tree, control, scope, 'aria-describedby'),
  ];
}

/** Every text that can describe a fieldset or another group. */
export function describeGroupWords<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  group: Element,
  scope: Scope<Element>,
): readonly LabelText[] {
  const legend = tree.localName(group) === 'fieldset' ? firstLegend(tree, group) : undefined;
  return [
    ...annotated(tree, group),
    ...(legend ? [textWords(tree, legend, 'legend', descendantTextContent(tree, legend))] : []),
    ...attributeWords(tree, group, 'aria-label'),
    ...referenced(tree, group, scope, 'aria-labelledby'),
    ...attributeWords(tree, group, 'aria-description'),
    ...referenced(tree, group, scope, 'aria-describedby'),
  ];
}

/** The fieldset's first child that is a legend. */
export function firstLegend<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  fieldset: Element,
): Element | undefined {
  for (const child of tree.children(fieldset)) {
    if (tree.isElement(child) && tree.localName(child) === 'legend') return child;
  }
  return undefined;
}

function annotated<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): readonly LabelText[] {
  const text = annotation(tree, element, 'toolparamdescription');
  return text ? [located(tree, element, { source: 'toolparamdescription', text })] : [];
}

function attributeWords<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  source: TextSource,
): readonly LabelText[] {
  const text = tree.attribute(element, source);
  return text ? [located(tree, element, { source, text })] : [];
}

const labelWords = <Node, Element extends Node>(tree: Tree<Node, Element>, label: Element): LabelText =>
  textWords(tree, label, 'label', labelText(tree, label));

function textWords<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  source: TextSource,
  text: string,
): LabelText {
  const visible = isHidden(tree, element) ? '' : visibleText(tree, element);
  return located(tree, element, { source, text, ...(visible !== collapseWhitespace(text) && { visible }) });
}

/** The elements that an attribute names by their IDs; a hidden one may be named on purpose. */
function referenced<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  scope: Scope<Element>,
  source: 'aria-labelledby' | 'aria-describedby',
): readonly LabelText[] {
  const ids = tree.attribute(element, source);
  if (ids === null) return [];
  return [...new Set(splitOnAsciiWhitespace(ids))]
    .map((id) => scope.byId(id))
    .filter((target) => target !== null)
    .map((target) => located(tree, target, { source, text: visibleText(tree, target) }));
}

function located<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element, words: LabelText): LabelText {
  const location = tree.location?.(element);
  return location ? { ...words, location } : words;
}
