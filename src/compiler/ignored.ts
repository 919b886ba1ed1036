import type { Tree } from './tree.js';

/** The attribute that excludes an element with its content, such as the comments of visitors, from the tools of a page. */
export const ignoreAttribute = 'data-webmcp-ignore';

export const isIgnored = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  tree.attribute(element, ignoreAttribute) !== null;
