import { ancestors, type Tree } from '../../tree.js';
import { nameSet } from '../elements.js';
import { asciiLowercase } from '../text.js';
import { classOf, isForScreenReaders, renderedTexts } from './rendered-tree.js';
import type { Survey } from './survey.js';

const contentIds = ['content', 'main', 'main-content', 'maincontent', 'page-content', 'wpbody-content'] as const;
const chromeNames = nameSet('nav aside header footer');
const chromeRoles = nameSet('navigation banner complementary contentinfo search menubar menu');

/** The rendered text of the page's main content: of `<main>`, of the usual IDs, or of the body without navigation. */
export function mainText<Node, Element extends Node>(tree: Tree<Node, Element>, survey: Survey<Element>): string {
  const main = survey.main ?? contentById(tree, survey);
  const { body, headings } = survey;
  const kept = new Set<Node>(headings.flatMap((heading) => [...ancestors(tree, heading)]));
  const skipHelp = (element: Element, isStart: boolean): boolean => isStart && isForScreenReaders(tree, element);
  const skipChrome = (element: Element, isStart: boolean): boolean =>
    skipHelp(element, isStart) || (isChrome(tree, element) && !kept.has(element));
  if (main) return read(tree, main, skipHelp);
  return body ? read(tree, body, skipChrome) || read(tree, body, skipHelp) : '';
}

const read = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Element,
  skip: (element: Element, isStart: boolean) => boolean,
): string => renderedTexts(tree, root, { skip })[0]?.text ?? '';

function contentById<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { ids, headings, controlOf }: Survey<Element>,
): Element | undefined {
  for (const id of contentIds) {
    const element = ids.get(id);
    if (element && !controlOf.has(element)) return element; // WordPress has a textarea#content
  }
  for (const heading of headings) {
    for (const up of ancestors(tree, heading)) {
      if (tree.isElement(up) && /[-_]content$/.test(tree.attribute(up, 'id') ?? '')) return up;
    }
  }
  return undefined;
}

function isChrome<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  const name = tree.localName(element);
  const role = asciiLowercase(tree.attribute(element, 'role') ?? '');
  return chromeNames.has(name) || chromeRoles.has(role) || (name === 'a' && /skip/i.test(classOf(tree, element)));
}
