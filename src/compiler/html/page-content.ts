import type { JsonValue } from '../../json-schema.js';
import { parse } from '../../json.js';
import { descendants, type Tree } from '../tree.js';
import { asciiLowercase } from './text.js';
import { TreeReader } from './tree-reader.js';

export interface PageContent {
  /** The JSON-LD blocks that are valid JSON. */
  readonly jsonLd: readonly JsonValue[];
  /** The visible text of the main element or the body, at most 50,000 characters by default. */
  readonly text: string;
}

export const maxPageTextLength = 50_000;

export function readPageContent<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  document: Node,
  maxLength = maxPageTextLength,
): PageContent {
  const reader = new TreeReader(tree);
  let main: Element | undefined;
  let body: Element | undefined;
  const jsonLd: JsonValue[] = [];
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node)) continue;
    const name = tree.localName(node);
    if (name === 'main' || tree.attribute(node, 'role') === 'main') main ??= node;
    else if (name === 'body') body ??= node;
    else if (name === 'script' && isJsonLd(tree.attribute(node, 'type'))) {
      jsonLd.push(...parseBlock(reader.descendantTextContent(node)));
    }
  }
  const root = main ?? body;
  return { jsonLd, text: root === undefined ? '' : reader.visibleText(root).slice(0, maxLength) };
}

const isJsonLd = (type: string | null): boolean => asciiLowercase(type ?? '') === 'application/ld+json';

function parseBlock(text: string): readonly JsonValue[] {
  try {
    return [parse(text) as JsonValue];
  } catch {
    return []; // invalid JSON
  }
}
