import { documentOf, domTree, query } from '../../dom/dom-tree.js';
import { attributeNames, baseUrl, bodyOf, innerHtml, remove, removeAttribute, textContent } from '../../dom/members.js';
import { SafeSet } from '../../../platform/collections.js';

const parseHtml = (html: string): Element => bodyOf(new DOMParser().parseFromString(`<body>${html}`, 'text/html'));

/** Whether a string contains a tag, a comment or a character reference. */
export const isMarkup = (text: string): boolean => /<[a-z/!]|&#?\w+;/i.test(text);

const active = 'script,style,template,noscript,object,embed,base,meta,link,svg,math,xmp,plaintext,noembed,noframes';

/**
 * A value as HTML that runs no script, for editors that do not sanitize. The lines of plain text become paragraphs and
 * line breaks.
 */
export function inertHtml(value: string): string {
  if (!isMarkup(value)) return paragraphs(value);
  const body = parseHtml(value);
  for (const element of query(body, active)) remove(element);
  for (const element of query(body, '*')) {
    for (const name of attributeNames(element)) if (isActive(element, name)) removeAttribute(element, name);
  }
  return innerHtml(body);
}

/** A value as it is, unless it is HTML that runs a script. */
export const inertValue = (value: string): string =>
  isMarkup(value) && inertHtml(value) !== innerHtml(parseHtml(value)) ? inertHtml(value) : value;

function isActive(element: Element, name: string): boolean {
  // Browsers ignore control characters and spaces in the scheme of a URL.
  const value = (domTree.attribute(element, name) ?? '').replace(/[\0-\x20]+/g, '');
  return /^(?:on|srcdoc$)/i.test(name) || /^javascript:/i.test(value);
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const paragraphs = (text: string): string =>
  text
    .replace(/[&<>]/g, (character) => escapes[character] as string)
    .split(/(?:\r?\n[\t ]*){2,}/)
    .map((lines) => `<p>${lines.replace(/\r?\n/g, '<br>')}</p>`)
    .join('');

const plainText = (value: string): string => (isMarkup(value) ? (textContent(parseHtml(value)) ?? '') : value);

/** The text content of HTML or plain text without white space, because editors reformat both. */
const textOf = (value: string): string => plainText(value).replace(/[\s\u200b]+/g, '');

export const hasSameText = (a: string, b: string): boolean => textOf(a) === textOf(b);

/** Whether a value has the text, the links and the images of another. Formatting may differ. */
export function hasContentOf(actual: string, wanted: string, control: Element): boolean {
  const [actualUrls, wantedUrls] = [actual, wanted].map((value) => urlsIn(value, control)) as [string[], string[]];
  return hasSameText(actual, wanted) && wantedUrls.every((url) => actualUrls.includes(url));
}

const urlsIn = (value: string, control: Element): readonly string[] =>
  isMarkup(value)
    ? query(parseHtml(value), '[src],[href]').map((element) =>
        absolute(domTree.attribute(element, 'src') ?? domTree.attribute(element, 'href') ?? '', control),
      )
    : [];

function absolute(url: string, control: Element): string {
  try {
    return new URL(url, baseUrl(documentOf(control))).href;
  } catch {
    return url;
  }
}

/** Whether a string contains every word of another, in any format, such as Markdown or JSON. */
export function hasWordsOf(actual: string, wanted: string): boolean {
  const found = new SafeSet(wordsOf(actual)); // a search for each word takes quadratic time
  const words = wordsOf(plainText(wanted));
  return words.length > 0 && words.every((word) => found.has(word) || actual.includes(word));
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
