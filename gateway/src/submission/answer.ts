import type { ToolAnswer } from 'webmcp-forms/client';
import { type JsonValue, exceedsDepth, maxJsonDepth, parsePage, readPageContent } from 'webmcp-forms/headless';
import { decode } from './charset.js';
import { textExceedsDepth } from '../http/json-text.js';
import type { Answer } from '../upstream/upstream.js';

/** How pages are parsed: in no more time than a call may take. */
export const parsing = { maxElements: 200_000, maxDepth: 512, locations: false } as const;

/** Reads an answer by its type. */
export function readAnswer({ status, url, contentType, bytes }: Answer): ToolAnswer {
  return { status, url, contentType, ...contentIn(bytes, contentType) };
}

type Content = Pick<ToolAnswer, 'json' | 'jsonLd' | 'text'>;

function contentIn(bytes: Uint8Array, contentType: string): Content {
  const [type = ''] = contentType.split(';');
  if (/[/+]json\s*$/i.test(type)) return jsonIn(decode(bytes, `${type}; charset=utf-8`).text);
  if (/html(?:\+xml)?\s*$/i.test(type)) return pageIn(decode(bytes, contentType).text);
  const isText = type.trim() === '' || /^\s*text\/|[/+]xml\s*$|javascript|urlencoded/i.test(type);
  return isText ? { text: decode(bytes, contentType).text } : {};
}

function jsonIn(text: string): Content {
  if (textExceedsDepth(text, maxJsonDepth)) return { text };
  try {
    return { json: JSON.parse(text) as JsonValue };
  } catch {
    return { text };
  }
}

function pageIn(html: string): Content {
  try {
    const { document, tree } = parsePage(html, parsing);
    const { jsonLd, text } = readPageContent(tree, document, Infinity);
    const shallow = jsonLd.filter((block) => !exceedsDepth(block));
    return { ...(shallow.length > 0 && { jsonLd: shallow }), text };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { text: html }; // beyond the limits of the parser: as it is
  }
}
