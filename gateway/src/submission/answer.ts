import type { ToolAnswer } from 'webmcp-forms/client';
import { type JsonValue, contentOf, mostText, parsePage } from 'webmcp-forms/headless';
import { decode } from './charset.js';
import { isDeepText } from '../http/json-text.js';
import type { Answer } from '../upstream/upstream.js';

/** How pages are parsed: in no more time than a call may take. */
export const parsing = { mostElements: 200_000, deepest: 512, locations: false } as const;

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
  return isText ? { text: decode(bytes, contentType).text.slice(0, mostText) } : {};
}

function jsonIn(text: string): Content {
  if (isDeepText(text, deepestJson)) return { text: text.slice(0, mostText) };
  try {
    return { json: JSON.parse(text) as JsonValue };
  } catch {
    return { text: text.slice(0, mostText) };
  }
}

const deepestJson = 200;

function isDeepValue(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; depth <= deepestJson; depth++) {
    if (level.length === 0) return false;
    level = level.flatMap((each): readonly JsonValue[] =>
      typeof each === 'object' && each !== null ? Object.values(each as Readonly<Record<string, JsonValue>>) : [],
    );
  }
  return true;
}

function pageIn(html: string): Content {
  try {
    const { document, tree } = parsePage(html, parsing);
    const { jsonLd, text } = contentOf(tree, document);
    const shallow = jsonLd.filter((block) => !isDeepValue(block));
    return { ...(shallow.length > 0 && { jsonLd: shallow }), text };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { text: html.slice(0, mostText) }; // beyond the limits of the parser: as it is
  }
}
