import type { Tree } from './tree.js';

/** Excludes an element and its content from the tools of a page, such as the comments of visitors. */
export const ignoreAttribute = 'data-webmcp-ignore';

export const isIgnored = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  tree.attribute(element, ignoreAttribute) !== null;
