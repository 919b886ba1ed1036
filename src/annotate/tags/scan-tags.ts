import { nameSet } from '../../compiler/html/elements.js';

/** A start or end tag. Offsets refer to the scanned text. */
export interface Tag {
  /** As written. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly isSelfClosing: boolean;
  readonly start: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly attributes: readonly TagAttribute[];
}

interface TagAttribute {
  /** As written. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly quote: '"' | "'" | '';
}

/** Elements whose content is parsed as text if scripting is enabled. */
const rawText = nameSet('script style textarea title noscript xmp iframe noembed noframes plaintext');

/** https://html.spec.whatwg.org/#void-elements, and the obsolete `param`. */
export const voidElements = nameSet('area base br col embed hr img input link meta param source track wbr');

/** https://html.spec.whatwg.org/#tokenization Deviates from the spec: foreign content is tokenized as HTML. */
export function* scanTags(text: string): Generator<Tag> {
  for (let at = text.indexOf('<'); at >= 0;) {
    const tag = /[a-z]/i.test(text.charAt(at + (text.charAt(at + 1) === '/' ? 2 : 1))) ? scanTag(text, at) : undefined;
    if (tag === null) return;
    if (tag) yield tag;
    const end = tag ? afterContent(text, tag) : afterMarkup(text, at);
    if (end < 0) return;
    at = text.indexOf('<', end);
  }
}

/** The offset after a tag and any raw text in its element; -1 if the raw text has no end tag. */
function afterContent(text: string, { name, isEnd, end }: Tag): number {
  const lower = name.toLowerCase();
  if (isEnd || !rawText.has(lower)) return end;
  const close = new RegExp(`</${lower}(?=[\\s/>])`, 'gi');
  close.lastIndex = end;
  return close.exec(text)?.index ?? -1;
}

function afterMarkup(text: string, at: number): number {
  if (text.startsWith('<!--', at)) {
    if (/^<!---?>/.test(text.slice(at, at + 6))) return at + 4;
    const end = /--!?>/g;
    end.lastIndex = at + 4;
    return end.exec(text) ? end.lastIndex : -1;
  }
  return /[!?/]/.test(text.charAt(at + 1)) ? endOf(text, '>', at + 1) : at + 1;
}

const endOf = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
};

const beforeAttribute = /[\t\n\f\r /]*/y;
const attributeName = /=?[^\t\n\f\r />=]*/y;
const beforeValue = /[\t\n\f\r ]*(=?)[\t\n\f\r ]*/y;
const unquoted = /[^\t\n\f\r >]*/y;
const tagName = /[^\t\n\f\r />\uFDD0]*/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Returns null if the tag does not end. */
export function scanTag(text: string, start: number): Tag | null {
  const isEnd = text.charAt(start + 1) === '/';
  const nameStart = start + (isEnd ? 2 : 1);
  const nameEnd = skip(tagName, text, nameStart);
  const attributes: TagAttribute[] = [];
  for (let at = nameEnd; ;) {
    at = skip(beforeAttribute, text, at);
    if (at >= text.length) return null;
    if (text.charAt(at) === '>') {
      const name = text.slice(nameStart, nameEnd);
      return { name, isEnd, isSelfClosing: text.charAt(at - 1) === '/', start, nameEnd, end: at + 1, attributes };
    }
    const attribute = scanAttribute(text, at);
    if (attribute === null) return null;
    attributes.push(attribute);
    at = attribute.end;
  }
}

function scanAttribute(text: string, start: number): TagAttribute | null {
  const nameEnd = skip(attributeName, text, start);
  const name = text.slice(start, nameEnd);
  const valueStart = skip(beforeValue, text, nameEnd);
  if (!text.slice(nameEnd, valueStart).includes('=')) return { name, start, end: nameEnd, quote: '' };
  const quote = text.charAt(valueStart);
  if (quote !== '"' && quote !== "'") return { name, start, end: skip(unquoted, text, valueStart), quote: '' };
  const end = endOf(text, quote, valueStart + 1);
  return end < 0 ? null : { name, start, end, quote };
}
