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

/** Elements that act without attributes, that another parser reads as other elements, controls, and custom elements. */
const active =
  'script,style,template,noscript,object,embed,base,meta,link,svg,math,xmp,plaintext,noembed,noframes,slot,dialog,' +
  'form,input,button,select,textarea,output,fieldset,:not(:defined)';

/**
 * The attributes of formatted text. Scripts of a page may react to any other attribute, URLs may run scripts, other targets than a
 * new tab replace the page, and other styles and classes than those of editors and highlighters, such as `fixed`, may put a box
 * over it. A relative URL has no colon in its first segment: browsers ignore control characters in the scheme of a URL.
 */
const inertAttributes = [
  /^(?:align|alt|border|color|controls|dir|height|lang|open|scope|(?:col|row)?span|start|title|type|value|width|data-(?:checked|list|type))=/i,
  /^(?:rel=(?!(?:[^]*[^o])?opener)|target=_blank$|(?:src|href)=(?:(?![^/?#]*:)|(?:https?|mailto|tel):|data:image\/[a-z]+[;,]))/i,
  /^style=\s*(?:(?:(?:background-)?color|float|width|height|(?:border|font|line|list|margin|padding|text|vertical|white)(?:-[a-z]+)*)\s*:(?:rgba?\([\d,.%\s]+\)|[a-z]-|[\w#%.,"'\s])*(?:;\s*|$))*$/i,
  /^class=(?:(?:align|attachment(?!s)|hljs|image(?!-[^rs])|(?:lang(?:uage)?|marker|pen|size|text)-|ql-(?:al|b|cod|col|di|fo|in|si|sy|vi)|(?:media|table)\b(?!-)|todo-list|wp-(?:block|caption|image))[\w-]*(?:\s+|$))+$/,
];

/**
 * When a site shows another URL of its own in an image or a frame, it may do something with the cookies of the user. Its host is
 * enough: browsers request `http:` over TLS, and may send cookies with a URL that has credentials.
 */
const fileUrl = /^[^?#]+\.(?:avif|gif|jpe?g|mp[34]|png|web[mp])(?:#|$)/i;

/**
 * A value as HTML that runs no script and requests nothing but files from the site, for editors that do not sanitize. The lines
 * of plain text become paragraphs and line breaks.
 *
 * @param isOwn - whether it is the content of the editor before a call
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

/** A value as it is, unless it is HTML that runs a script. */
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
