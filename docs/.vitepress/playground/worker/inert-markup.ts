import { descendants } from '../../../../src/compiler/tree.js';
import { applyInsertions, type Insertion } from '../../../../src/annotate/tags/insertion.js';
import { attributeOf } from '../../../../src/lint/page/place.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../../../src/parse5/parse5-tree.js';
import { mayBacktrack } from './may-backtrack.js';

/**
 * Changes the markup of a page for the frame: browsers match patterns on the thread of the frame, and connect to the
 * servers of `<link>` elements whatever the policy of the frame is.
 */
export function inertMarkup(
  source: string,
  page: Parse5Page,
): { readonly markup: string; readonly notes: readonly string[] } {
  const replaced = [...slowPatterns(page)];
  const text = applyInsertions(source, replaced);
  const note =
    replaced.length === 1
      ? 'A pattern that may take very long to match is not checked in the rendered form.'
      : `${replaced.length} patterns that may take very long to match are not checked in the rendered form.`;
  return { markup: withoutLinks(text), notes: replaced.length > 0 ? [note] : [] };
}

/** A start tag contains its name as it is written here. Of attributes with the same name, the first one counts. */
const withoutLinks = (source: string): string =>
  source.replace(/<(?:meta|link)(?=[\t\n\f\r /])/gi, '<meta http-equiv="" ');

/** Of inputs with a pattern. */
function* slowPatterns({ document, tree }: Parse5Page): Generator<Insertion> {
  const roots: Parse5Node[] = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const node of descendants(tree, root)) {
      if (!tree.isElement(node)) continue;
      const shadow = tree.shadowRoot(node);
      if (shadow !== null) roots.push(shadow);
      yield* slowPattern(node);
    }
  }
}

/** The length of a value that a pattern of cubic time matches at once. */
const maxValueLength = 300;

/** Adds a pattern that any value matches, and the own one as another attribute, which the reader of the frame knows. */
function* slowPattern(element: Parse5Element): Generator<Insertion> {
  const pattern = element.tagName === 'input' ? attributeOf(element, 'pattern') : undefined;
  const start = element.sourceCodeLocation?.startOffset;
  if (pattern === undefined || start === undefined) return;
  const value = attributeOf(element, 'value') ?? '';
  if (!mayBacktrack(pattern) && value.length <= maxValueLength) return;
  yield { at: start + '<input'.length, text: ` pattern="[^]*" data-inert-pattern="${escapeValue(pattern)}"` };
}

const escapeValue = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
