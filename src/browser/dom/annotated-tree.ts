import type { Tree } from '../../compiler/tree.js';
import { SafeSet } from '../../platform/collections.js';

const names = [
  'toolname',
  'tooldescription',
  'tooltitle',
  'toolautosubmit',
  'toolparamdescription',
  'toolparamschema',
] as const;

/** An attribute that makes a tool of a form, or describes a part of it. */
export type ToolAttribute = (typeof names)[number];

/** Gives the value that an attribute of an element has for us though it is not there; null if it has none. */
export type Annotate = (element: Element, attribute: ToolAttribute) => string | null;

const annotations = new SafeSet<string>(names);

/** A front end in which elements have annotations that they do not carry. */
export const annotatedTree = (tree: Tree<Node, Element>, annotate: Annotate | undefined): Tree<Node, Element> =>
  annotate
    ? {
        ...tree,
        attribute: (element, name) =>
          tree.attribute(element, name) ?? (annotations.has(name) ? annotate(element, name as ToolAttribute) : null),
      }
    : tree;
