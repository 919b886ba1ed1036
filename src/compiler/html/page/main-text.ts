import { ancestors, type Tree } from '../../tree.js';
import { isChrome, isForScreenReaders, renderedTexts } from './rendered-tree.js';
import type { Survey } from './survey.js';

const contentIds = ['content', 'main', 'main-content', 'maincontent', 'page-content', 'wpbody-content'] as const;

/**
 * The rendered text of the page's main content: of `<main>`, of the usual IDs, or of the body. Menus, headers and footers
 * in it come last. List items and rows of tables are lines.
 */
export function mainText<Node, Element extends Node>(tree: Tree<Node, Element>, survey: Survey<Element>): string {
  const { body, headings } = survey;
  const root = survey.main ?? contentById(tree, survey) ?? body;
  if (!root) return '';
  const kept = new Set<Node>(headings.flatMap((heading) => [...ancestors(tree, heading)]));
  const chrome: Element[] = [];
  const skip = (element: Element, isStart: boolean): boolean => {
    if (isStart && isForScreenReaders(tree, element)) return true;
    const isSkipped = isChrome(tree, element) && !kept.has(element);
    if (isSkipped) chrome.push(element);
    return isSkipped;
  };
  const read = (element: Element): string => renderedTexts(tree, element, { skip, hasLines: true })[0]?.text ?? '';
  const texts = [read(root)];
  for (const element of chrome) texts.push(read(element));
  return texts.filter(Boolean).join('\n');
}

function contentById<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { ids, headings, controlOf, proseOf }: Survey<Element>,
): Element | undefined {
  const idOf = (node: Node): string => (tree.isElement(node) && tree.attribute(node, 'id')) || '';
  const around = headings.flatMap((heading) => [...ancestors(tree, heading)].map(idOf));
  for (const id of [...contentIds, ...around.filter((each) => /[-_]content$/.test(each))]) {
    const found = ids.get(id)?.find(({ element, isFirst }) => isFirst && !proseOf(element) && !controlOf.has(element));
    if (found) return found.element; // WordPress has a textarea#content
  }
  return undefined;
}
