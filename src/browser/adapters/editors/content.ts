import { getAttribute, nodeType } from '../../../platform/dom.js';
import { parseUrl } from '../../../platform/urls.js';
import { childrenOf, query } from '../../dom/dom-tree.js';
import {
  attributeNames,
  baseUrl,
  bodyOf,
  innerHtml,
  matches,
  remove,
  removeAttribute,
  removeComment,
  textContent,
} from '../../dom/members.js';
import { SafeSet } from '../../../platform/collections.js';

const parseHtml = (html: string): Element => bodyOf(new DOMParser().parseFromString(`<body>${html}`, 'text/html'));

/** Whether a string contains a tag, a comment or a character reference. */
export const isMarkup = (text: string): boolean => /<[a-z/!]|&#?\w+;/i.test(text);

/** Elements that act without attributes, elements that other parsers read differently, controls, and custom elements. */
const active =
  'script,style,template,noscript,object,embed,base,meta,link,svg,math,xmp,plaintext,noembed,noframes,slot,dialog,' +
  'form,input,button,select,textarea,output,fieldset,:not(:defined)';

/**
 * The attributes of formatted text. Scripts of a page may react to any other attribute. URLs may run scripts, targets other
 * than a new tab replace the page, and unknown styles and classes, such as `fixed`, may cover the page. A URL counts as
 * relative only without a colon in its first segment, because browsers ignore control characters in schemes.
 */
const inertAttributes = [
  /^(?:align|alt|border|color|controls|dir|height|lang|open|scope|(?:col|row)?span|start|title|type|value|width|data-(?:checked|list|type))=/i,
  /^(?:rel=(?!(?:[^]*[^o])?opener)|target=_blank$|(?:src|href)=(?:(?![^/?#]*:)|(?:https?|mailto|tel):|data:image\/[a-z]+[;,]))/i,
  /^style=\s*(?:(?:(?:background-)?color|float|width|height|(?:border|font|line|list|margin|padding|text|vertical|white)(?:-[a-z]+)*)\s*:(?:rgba?\([\d,.%\s]+\)|[a-z]-|[\w#%.,"'\s])*(?:;\s*|$))*$/i,
  /^class=(?:(?:align|attachment(?!s)|hljs|image(?!-[^rs])|(?:lang(?:uage)?|marker|pen|size|text)-|ql-(?:al|b|cod|col|di|fo|in|si|sy|vi)|(?:media|table)\b(?!-)|todo-list|wp-(?:block|caption|image))[\w-]*(?:\s+|$))+$/,
];

/**
 * The URLs of the site that an image or a frame may request. A request for any other URL of the site could act with the user's
 * cookies. The host decides, not the origin: browsers upgrade `http:`, and may send cookies to a URL that has credentials.
 */
const fileUrl = /^[^?#]+\.(?:avif|gif|jpe?g|mp[34]|png|web[mp])(?:#|$)/i;

/**
 * A value as HTML that runs no script and requests nothing but files from the site, for editors that do not sanitize. The lines
 * of plain text become paragraphs and line breaks.
 *
 * @param isOwn - whether the value is the content of the editor before a call. HTML is then returned unchanged
 */
export function inertHtml(value: string, isOwn?: boolean): string {
  if (!isMarkup(value)) return paragraphs(value);
  if (isOwn) return value;
  const body = parseHtml(value);
  for (const element of [body, ...query(body, '*')]) {
    if (matches(element, active)) {
      remove(element);
      continue;
    }
    const { src = '' } = element as Partial<HTMLImageElement>;
    for (const name of attributeNames(element)) {
      const attribute = `${name}=${getAttribute(element, name)}`;
      const isRequest = name === 'src' && src.includes(location.host) && !fileUrl.test(src);
      if (isRequest || !inertAttributes.some((pattern) => pattern.test(attribute))) removeAttribute(element, name);
    }
    for (const node of childrenOf(element)) if (nodeType(node) === 8) removeComment(node);
  }
  return innerHtml(body);
}

/** A value, unchanged unless it is HTML that `inertHtml` would change. */
export function inertValue(value: string): string {
  const html = inertHtml(value);
  return isMarkup(value) && html !== innerHtml(parseHtml(value)) ? html : value;
}

const paragraphs = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .split(/(?:\r?\n[\t ]*){2,}/)
    .map((lines) => `<p>${lines.replace(/\r?\n/g, '<br>')}</p>`)
    .join('');

const plainText = (value: string): string => (isMarkup(value) ? (textContent(parseHtml(value)) ?? '') : value);

/** The text content of HTML or plain text, without white space, because editors change white space. */
const textOf = (value: string): string => plainText(value).replace(/[\s\u200b]+/g, '');

export const hasSameText = (a: string, b: string): boolean => textOf(a) === textOf(b);

/** Whether two values have the same text, and `actual` has all links and images of `wanted`. The formatting may differ. */
export function hasContentOf(actual: string, wanted: string, control: Element): boolean {
  const [actualUrls, wantedUrls] = [actual, wanted].map((value) => urlsIn(value, control)) as [string[], string[]];
  return hasSameText(actual, wanted) && wantedUrls.every((url) => actualUrls.includes(url));
}

const urlsIn = (value: string, control: Element): readonly string[] =>
  isMarkup(value)
    ? query(parseHtml(value), '[src],[href]').map((element) => {
        const url = getAttribute(element, 'src') ?? getAttribute(element, 'href') ?? '';
        return parseUrl(url, baseUrl(control))?.href ?? url;
      })
    : [];

/** Whether a string contains every word of another, in any format, such as Markdown or JSON. */
export function hasWordsOf(actual: string, wanted: string): boolean {
  const found = new SafeSet(wordsOf(actual)); // a search for each word takes quadratic time
  const words = wordsOf(plainText(wanted));
  return words.length > 0 && words.every((word) => found.has(word) || actual.includes(word));
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
