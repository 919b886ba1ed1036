import type { ToolAnswer } from '../webtool-client/calls.js';
import { readPageContent, type AnsweredCall, type PageOptions } from '../compiler/html/page-content.js';
import { collapseWhitespace } from '../compiler/html/text.js';
import { preview } from '../compiler/preview.js';
import type { JsonValue } from '../json-schema.js';
import { exceedsDepth, maxJsonDepth, parseJson } from '../json.js';
import { PageLimitError, parseWithinLimits } from '../parse5/parse5-tree.js';
import { decodeBytes } from '../site/pages/charset.js';
import { truncate } from '../visible-text.js';
import { textExceedsDepth } from './json-text.js';

/** A response of the site, after all redirects. */
export interface SiteResponse {
  readonly status: number;
  readonly url: string;
  /** The `Content-Type`, or the empty string. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Whether the response was requested by a redirect. @default false */
  readonly isRedirected?: boolean;
  /** The header `Refresh`, if it has one. */
  readonly refresh?: string | undefined;
  /** The header `Content-Disposition`, if it has one. */
  readonly disposition?: string | undefined;
}

/** Whether a response with this `Content-Type`, or without any, can be a page. */
export const isPageType = (contentType: string): boolean =>
  /^\s*(?:$|;|text\/html|application\/xhtml\+xml)/i.test(contentType);

/** Reads a response according to its type. Does not truncate the text. @param call - the call that it answers, if any */
export function readResponse({ status, url, contentType, bytes }: SiteResponse, call?: AnsweredCall): ReadAnswer {
  const read = (html: string): Content => readPage(html, { url, status, call });
  return { status, url, contentType, ...readContent(bytes, contentType, read) };
}

/** The answer, and whether it shows the form again and nothing new. */
interface ReadAnswer extends ToolAnswer {
  readonly isUnchanged?: true;
}

type Content = Pick<ReadAnswer, 'messages' | 'errors' | 'json' | 'jsonLd' | 'text' | 'isUnchanged'>;

function readContent(bytes: Uint8Array, contentType: string, readPage: (html: string) => Content): Content {
  const [type = ''] = (contentType.trim() || sniffType(bytes)).split(';');
  if (/[/+]json\s*$/i.test(type)) return readJson(decodeBytes(bytes, `${type}; charset=utf-8`).text);
  if (/html(?:\+xml)?\s*$/i.test(type)) return readPage(decodeBytes(bytes, contentType).text);
  const isText = /^\s*text\/|[/+]xml\s*$|javascript|urlencoded/i.test(type);
  return isText ? { text: decodeBytes(bytes, contentType).text } : {};
}

function readJson(text: string): Content {
  const json = textExceedsDepth(text, maxJsonDepth) ? undefined : (parseJson(text) as JsonValue | undefined);
  return json === undefined ? { text } : { json };
}

function readPage(html: string, options: PageOptions): Content {
  const page = parseWithinLimits(html, false);
  if (page instanceof PageLimitError) return { text: html };
  const { jsonLd, text, ...reports } = readPageContent(page.tree, page.document, { ...options, maxLength: Infinity });
  const blocks = jsonLd?.filter((block) => !exceedsDepth(block)) ?? [];
  return { ...reports, ...(blocks.length > 0 && { jsonLd: blocks }), text };
}

/** The messages and errors of a response, then the rest of its text, without control characters. */
export function siteText({ messages = [], errors = [], json, text = '' }: ToolAnswer, maxLength: number): string {
  const reports = [...messages, ...errors.map(({ message }) => message)];
  const rest = json === undefined ? text.slice(0, maxLength) : preview(json, maxLength);
  const parts = [...reports.filter((each) => !rest.includes(each)), rest];
  const cleaned = collapseWhitespace(parts.join(' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' '));
  return truncate(cleaned, maxLength);
}

/** The number of bytes from which browsers determine a type. */
const maxSniffedLength = 1445;

/** The markup at the beginning of HTML. https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type */
const markup =
  /^[\t\n\f\r ]*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >])/i;
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** The type of a response without `Content-Type`, as browsers determine it: HTML, XML, text, or other bytes. */
export function sniffType(bytes: Uint8Array): 'text/html' | 'text/xml' | 'text/plain' | 'application/octet-stream' {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, maxSniffedLength));
  const isUnicode = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start);
  if (markup.test(start)) return 'text/html';
  if (/^[\t\n\f\r ]*<\?xml/.test(start)) return 'text/xml';
  return isUnicode || !binary.test(start) ? 'text/plain' : 'application/octet-stream';
}
