import { ancestors, descendants, type Tree } from '../tree.js';
import { nameSet } from './elements.js';

/** The language and the direction of the strings of an element. */
export interface TextLanguage {
  /** A BCP 47 language tag, as written. Absent if it is unknown. */
  readonly lang?: string;
  /** Absent if no `dir` attribute applies: the direction is then `ltr`. */
  readonly dir?: 'ltr' | 'rtl';
}

/**
 * Returns a function that reads the language and the direction of an element. The page must not change between calls,
 * because values that elements share are read once.
 *
 * Deviates from the spec: the language and direction of the host of a shadow tree are not read.
 *
 * @param contentLanguage - the `Content-Language` of the response, which applies if the page declares no language
 */
export function languageReader<Node extends object, Element extends Node>(
  tree: Tree<Node, Element>,
  contentLanguage?: string,
): (element: Element) => TextLanguage {
  const pragmas = new WeakMap<Node, { readonly lang: string | undefined }>();
  const automatic = new WeakMap<Element, 'ltr' | 'rtl'>();
  const pragmaOf = (root: Node): string | undefined => {
    const pragma = pragmas.get(root) ?? { lang: pragmaLanguage(tree, root) };
    pragmas.set(root, pragma);
    return pragma.lang;
  };
  const autoOf = (element: Element): 'ltr' | 'rtl' => {
    const dir = automatic.get(element) ?? textDirection(textOf(tree, element));
    automatic.set(element, dir);
    return dir;
  };
  return (element) => {
    const above = [element, ...ancestors(tree, element)];
    const elements = above.filter((node): node is Element => tree.isElement(node));
    const written = elements.map((each) => tree.attribute(each, 'lang')).find((lang) => lang !== null);
    const lang = written ?? pragmaOf(above.at(-1) ?? element) ?? singleLanguage(contentLanguage);
    const dir = directionOf(tree, elements, autoOf);
    return { ...(isLanguageTag.test(lang) && { lang }), ...(dir && { dir }) };
  };
}

/** https://www.rfc-editor.org/rfc/rfc5646#section-2.1, except that every subtag may have 1 to 8 characters */
const isLanguageTag = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;

/** https://html.spec.whatwg.org/#pragma-set-default-language */
function pragmaLanguage<Node, Element extends Node>(tree: Tree<Node, Element>, root: Node): string | undefined {
  let found: string | undefined;
  for (const node of descendants(tree, root)) {
    if (!tree.isElement(node) || tree.localName(node) !== 'meta') continue;
    if (tree.attribute(node, 'http-equiv')?.toLowerCase() !== 'content-language') continue;
    const content = tree.attribute(node, 'content') ?? '';
    found = (content.includes(',') ? undefined : /[^\t\n\f\r ]+/.exec(content)?.[0]) ?? found;
  }
  return found;
}

/** Several languages in the header are those of the audience, not of the content. https://html.spec.whatwg.org/#language */
const singleLanguage = (header = ''): string => (header.includes(',') ? '' : header.trim());

/** https://html.spec.whatwg.org/#the-directionality */
function directionOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  elements: readonly Element[],
  autoOf: (element: Element) => 'ltr' | 'rtl',
): 'ltr' | 'rtl' | undefined {
  for (const element of elements) {
    const dir = tree.attribute(element, 'dir')?.toLowerCase();
    if (dir === 'ltr' || dir === 'rtl') return dir;
    if (dir === 'auto') return autoOf(element);
  }
  return undefined;
}

const isolated = nameSet('bdi script style textarea');

/**
 * The first text with a letter in an element. It determines the direction of the element if `dir` is `auto`.
 * https://html.spec.whatwg.org/#contained-text-auto-directionality
 */
function textOf<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): string {
  const skip = (node: Node): boolean =>
    tree.isElement(node) &&
    (isolated.has(tree.localName(node)) || /^(?:ltr|rtl|auto)$/i.test(tree.attribute(node, 'dir') ?? ''));
  for (const node of descendants(tree, element, skip)) {
    const text = tree.text(node) ?? '';
    if (letter.test(text)) return text;
  }
  return '';
}

const letter = /[\p{L}\p{Mc}\p{Nl}]/u;

/** The blocks of the bidirectional types R and AL. https://www.unicode.org/reports/tr44/#Bidi_Class_Values */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of the first letter. */
export const textDirection = (text: string): 'ltr' | 'rtl' =>
  rightToLeft.test(letter.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
