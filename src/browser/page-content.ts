import { visibleText } from '../compiler/text.js';
import { parse } from '../json.js';
import { domTree, query } from './dom-tree.js';

/** What a page says to an agent. */
export interface PageContent {
  /** Every block of JSON-LD that can be parsed. */
  readonly jsonLd: readonly unknown[];
  /** The visible text of its main part, at most 50,000 characters. */
  readonly text: string;
}

export const mostText = 50_000;

/** Reads a document, shown or only parsed. */
export function contentOf(document: Document): PageContent {
  const [main = document.body] = query(document, 'main, [role=main]');
  return {
    jsonLd: query(document, 'script[type="application/ld+json"]').flatMap(parsed),
    text: visibleText(domTree, main).slice(0, mostText),
  };
}

function parsed(script: Element): readonly unknown[] {
  try {
    return [parse(script.textContent) as unknown];
  } catch {
    return []; // not JSON
  }
}
