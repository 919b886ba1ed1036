import { namedParams as named, type ElementReader } from '../../src/compiler/declared-tool.js';
import type { Tell } from './problems.js';

/** The elements of a page, for the rules that are the same in its source text. */
export const reader: ElementReader<Element> = {
  children: ({ children }) => [...children],
  localName: ({ localName }) => localName,
  attribute: (element, name) => element.getAttribute(name),
  text: ({ textContent }) => textContent,
};

/** The parameters that have a name of their own. */
export const namedParams = (tool: Element, tell: Tell): ReadonlyMap<string, Element> => named(reader, tool, tell);
