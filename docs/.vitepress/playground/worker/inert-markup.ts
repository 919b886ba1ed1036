import { escapeAttribute } from '../../../../src/compiler/html/text.js';
import { descendants } from '../../../../src/compiler/tree.js';
import { applyInsertions, type Insertion } from '../../../../src/annotate/tags/insertion.js';
import { attributeOf } from '../../../../src/lint/page/place.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../../../src/parse5/parse5-tree.js';
import { createMarker, patternAttribute, withInertTags } from '../inert-tags.js';
import { limits } from '../limits.js';
import type { PageReading } from '../reading.js';
import { matchingTime } from './matching-time.js';

/**
 * Changes the markup of a page for the frame, in which browsers match patterns however long that takes, and connect to
 * servers.
 */
export function inertMarkup(source: string, page: Parse5Page): Pick<PageReading, 'markup' | 'hasClosedRoot' | 'notes'> {
  const elements = [...elementsOf(page)];
  if (elements.length > limits.elements)
    return { markup: null, hasClosedRoot: false, notes: [largeNote(elements.length)] };
  const marker = createMarker();
  const budget = { steps: maxSteps };
  const replaced = elements.flatMap((element) => slowPattern(element, patternAttribute(marker), budget) ?? []);
  const note =
    replaced.length === 1
      ? 'A pattern that may take very long to match is not checked in the rendered form.'
      : `${replaced.length} patterns that may take very long to match are not checked in the rendered form.`;
  return {
    markup: withInertTags(applyInsertions(source, replaced), marker),
    hasClosedRoot: elements.some(declaresClosedRoot),
    notes: replaced.length > 0 ? [note] : [],
  };
}

const largeNote = (count: number): string =>
  `The page has ${count.toLocaleString('en')} elements. Pages with more than ${limits.elements.toLocaleString('en')} are not rendered, and not compared with the DOM.`;

function* elementsOf({ document, tree }: Parse5Page): Generator<Parse5Element> {
  const roots: Parse5Node[] = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const node of descendants(tree, root)) {
      if (!tree.isElement(node)) continue;
      const shadow = tree.shadowRoot(node);
      if (shadow !== null) roots.push(shadow);
      yield node;
    }
  }
}

const declaresClosedRoot = ({ childNodes }: Parse5Element): boolean =>
  childNodes.some(
    (child) => child.nodeName === 'template' && /^closed$/i.test(attributeOf(child, 'shadowrootmode') ?? ''),
  );

/** The length of a value that a pattern of cubic time matches at once. */
const maxValueLength = 300;
/** The steps of matching values with patterns of cubic time. */
const maxSteps = 10 ** 8;

/** Adds a pattern that any value matches, and the own one as another attribute, which the reader of the frame knows. */
function slowPattern(element: Parse5Element, name: string, budget: { steps: number }): Insertion | undefined {
  const pattern = element.tagName === 'input' ? attributeOf(element, 'pattern') : undefined;
  const start = element.sourceCodeLocation?.startOffset;
  if (pattern === undefined || start === undefined) return undefined;
  const value = attributeOf(element, 'value') ?? '';
  const time = matchingTime(pattern);
  if (time === 'long') budget.steps -= value.length ** 3;
  const isSlow = time === 'endless' || value.length > maxValueLength || budget.steps < 0;
  if (!isSlow) return undefined;
  return { at: start + '<input'.length, text: ` pattern="[^]*" ${name}="${escapeAttribute(pattern)}"` };
}
