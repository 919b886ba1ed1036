import type { ToolAnswer } from 'webmcp-forms/client';
import {
  type JsonValue,
  decodeBytes,
  exceedsDepth,
  maxJsonDepth,
  parsePage,
  readPageContent,
} from 'webmcp-forms/headless';
import { textExceedsDepth } from '../http/json-text.js';
import type { UpstreamResponse } from '../upstream/upstream.js';

/** Limits the time to parse a page. */
export const parseLimits = { maxElements: 200_000, maxDepth: 512, locations: false } as const;

/** Converts a response by its type. The text is not truncated yet. */
export function readResponse({ status, url, contentType, bytes }: UpstreamResponse): ToolAnswer {
  return { status, url, contentType, ...readContent(bytes, contentType) };
}

type Content = Pick<ToolAnswer, 'messages' | 'errors' | 'json' | 'jsonLd' | 'text'>;

function readContent(bytes: Uint8Array, contentType: string): Content {
  const [type = ''] = contentType.split(';');
  if (/[/+]json\s*$/i.test(type)) return readJson(decodeBytes(bytes, `${type}; charset=utf-8`).text);
  if (/html(?:\+xml)?\s*$/i.test(type)) return readPage(decodeBytes(bytes, contentType).text);
  const isText = type.trim() === '' || /^\s*text\/|[/+]xml\s*$|javascript|urlencoded/i.test(type);
  return isText ? { text: decodeBytes(bytes, contentType).text } : {};
}

function readJson(text: string): Content {
  if (textExceedsDepth(text, maxJsonDepth)) return { text };
  try {
    return { json: JSON.parse(text) as JsonValue };
  } catch {
    return { text };
  }
}

function readPage(html: string): Content {
  try {
    const { document, tree } = parsePage(html, parseLimits);
    const { jsonLd, text, ...reports } = readPageContent(tree, document, Infinity);
    const blocks = jsonLd?.filter((block) => !exceedsDepth(block)) ?? [];
    return { ...reports, ...(blocks.length > 0 && { jsonLd: blocks }), text };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { text: html }; // the page exceeds the limits of the parser
  }
}
