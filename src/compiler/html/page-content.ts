import type { JsonValue } from '../../json-schema.js';
import { parse } from '../../json.js';
import { asciiLowercase, descendantTextContent, visibleText } from './text.js';
import { descendants, type Tree } from '../tree.js';

/** What a page says to an agent. */
export interface PageContent {
  /** Every block of JSON-LD that can be parsed. */
  readonly jsonLd: readonly JsonValue[];
  /** The visible text of its main part, at most 50,000 characters. */
  readonly text: string;
}

export const maxPageTextLength = 50_000;

/** Reads a document, shown or only parsed. */
export function readPageContent<Node, Element extends Node>(tree: Tree<Node, Element>, document: Node): PageContent {
  let main: Element | undefined;
  let body: Element | undefined;
  const jsonLd: JsonValue[] = [];
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node)) continue;
    const name = tree.localName(node);
    if (name === 'main' || tree.attribute(node, 'role') === 'main') main ??= node;
    else if (name === 'body') body ??= node;
    else if (name === 'script') jsonLd.push(...jsonLdOf(tree, node));
  }
  const shown = main ?? body;
  return { jsonLd, text: shown === undefined ? '' : visibleText(tree, shown).slice(0, maxPageTextLength) };
}

function jsonLdOf<Node, Element extends Node>(tree: Tree<Node, Element>, script: Element): readonly JsonValue[] {
  if (asciiLowercase(tree.attribute(script, 'type') ?? '') !== 'application/ld+json') return [];
  try {
    return [parse(descendantTextContent(tree, script)) as JsonValue];
  } catch {
    return []; // not JSON
  }
}
