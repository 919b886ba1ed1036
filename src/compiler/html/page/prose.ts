import { ancestors, type Tree } from '../../tree.js';
import { nameSet } from '../elements.js';
import { classOf } from './rendered-tree.js';

const proseNames = nameSet('article blockquote pre code');
const wholePage = nameSet('html body main');
/** Classes, IDs, roles and `itemprop` values of comments, reviews, articles and wiki pages. */
const proseWords =
  /(?:^|\s)(?:article|(?:comment|review|testimonial)s?|(?:comment|review|post|entry|article|message|user|wiki)[-_]?(?:body|content|text)|mw-parser-output|markdown(?:-body)?|wiki|prose|ugc|itemprop-(?:text|description))(?!\S)/i;

/**
 * Whether an element is prose: content that visitors or authors write, such as a comment, an article or the text in an
 * editor.
 */
export function isProse<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  const name = tree.localName(element);
  const attribute = (attribute: string): string => tree.attribute(element, attribute) ?? '';
  const property = attribute('itemprop').replace(/^(?=text|desc)/, 'itemprop-');
  const words = [classOf(tree, element), attribute('id'), attribute('role'), property].join(' ');
  const editable = tree.attribute(element, 'contenteditable') ?? 'false';
  return !wholePage.has(name) && (proseNames.has(name) || editable !== 'false' || proseWords.test(words));
}

/** An element with prose, and the next such element around it. */
export interface Prose {
  readonly outer: Prose | undefined;
  /** The name and classes of the element. */
  readonly kind: string;
}

const maxNesting = 20;
const maxKindLength = 200;

/**
 * The kinds of nested prose elements as lines; undefined if there are too many. They distinguish an article from the
 * comments in it.
 */
export function proseText(innermost: Prose | undefined): string | undefined {
  const kinds: string[] = [];
  for (let prose = innermost; prose; prose = prose.outer) if (kinds.push(prose.kind) > maxNesting) return undefined;
  return kinds.join('\n');
}

/** Returns a function that finds the innermost prose element that is or contains an element. */
export function createProseReader<Node, Element extends Node>(
  tree: Tree<Node, Element>,
): (element: Element) => Prose | undefined {
  const known = new Map<Node, Prose | undefined>();
  return (element) => {
    const path: Node[] = [];
    let up: Node | null = element;
    for (; up !== null && !known.has(up); up = tree.parent(up)) path.push(up);
    let prose = up === null ? undefined : known.get(up);
    for (const node of path.reverse()) {
      if (tree.isElement(node) && isProse(tree, node)) {
        const kind = `${tree.localName(node)} ${classOf(tree, node).slice(0, maxKindLength)}`;
        prose = { outer: prose, kind };
      }
      known.set(node, prose);
    }
    return prose;
  };
}

/** Items of lists, cells, headings, links, buttons, captions, and elements that have captions. */
const partNames = nameSet('li dd dt td th h1 h2 h3 h4 h5 h6 a button caption details fieldset figure label legend');
/** An element at a greater depth below the layout counts as in a paragraph. */
const maxLevels = 30;

/** Layout classes. Sites repeat them around any content. */
const layoutClass = /(?:^|\s)(?:row|col|container|grid|section|wrap)/i;

/**
 * Whether an element is in a list, a heading, a paragraph or an entry. This is true if an element around it, below the
 * layout of the page, is one of `partNames`, has other content, or has a sibling of the same kind.
 *
 * @param contentsOf - returns the children of an element that are running text, or name an author
 * @param textsOf - returns the children of an element that have any text
 */
export function isInText<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  isLayout: (node: Node) => boolean,
  contentsOf: (element: Element) => readonly Node[],
  textsOf = contentsOf,
): boolean {
  let inner: Element = element;
  let left = maxLevels;
  for (const up of ancestors(tree, element)) {
    if (!tree.isElement(up)) return false;
    if (inner !== element && textsOf(up).some((each) => each !== inner && isAlike(tree, each, inner))) return true;
    if (isLayout(up)) return false;
    if (left-- === 0 || partNames.has(tree.localName(up)) || contentsOf(up).some((each) => each !== inner)) return true;
    inner = up;
  }
  return false;
}

const isAlike = <Node, Element extends Node>(tree: Tree<Node, Element>, node: Node, entry: Element): boolean =>
  tree.isElement(node) && kindOf(tree, node) === kindOf(tree, entry) && !layoutClass.test(classOf(tree, entry));

const kindOf = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): string =>
  `${tree.localName(element)} ${classOf(tree, element)
    .replace(/\d+|\b(?:odd|even)\b/g, '')
    .trim()}`;
