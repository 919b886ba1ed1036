import {
  defaultTreeAdapter,
  html,
  parse,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type TreeAdapter,
} from 'parse5';
import { isCustomElementName, listedElements, nameSet } from '../compiler/html/elements.js';
import { ancestors, descendants, type Tree } from '../compiler/tree.js';

export type Parse5Node = DefaultTreeAdapterTypes.Node;
export type Parse5Element = DefaultTreeAdapterTypes.Element;
type Template = DefaultTreeAdapterTypes.Template;
type PageTree = Tree<Parse5Node, Parse5Element>;
type Adapter = TreeAdapter<DefaultTreeAdapterMap>;

interface ParserFacts {
  readonly owners: Map<Parse5Element, Parse5Element>;
  readonly shadowRoots: Map<Parse5Node, Template>;
}

export interface Parse5Page {
  readonly document: DefaultTreeAdapterTypes.Document;
  readonly tree: PageTree;
  /** Whether the page may contain a `<webmcp-tool>`. */
  readonly mayHaveToolElements: boolean;
}

interface ParseOptions {
  /**
   * The greatest number of elements.
   * @default Infinity
   */
  readonly maxElements?: number;
  /**
   * The greatest nesting depth of elements.
   * @default Infinity
   */
  readonly maxDepth?: number;
  /**
   * Whether the tree has source locations, which double the parser's time. Those of start tags take less memory than
   * those of attributes.
   * @default true
   */
  readonly locations?: boolean | 'elements';
}

/** Browsers nest elements at most 512 deep. The memory of a parsed page grows with its elements. */
export const pageLimits = { maxElements: 200_000, maxDepth: 512 } as const;

/** A page that exceeds the limits of the parser. */
export class PageLimitError extends RangeError {}

/**
 * Parses a page as a browser with scripting does.
 * @throws {PageLimitError} if the page exceeds the limits
 */
export function parsePage(source: string, options: ParseOptions = {}): Parse5Page {
  const facts: ParserFacts = { owners: new Map(), shadowRoots: new Map() };
  const { maxElements = Infinity, maxDepth = Infinity, locations = true } = options;
  const recording = recordingAdapter(facts);
  const adapter = locations === 'elements' ? { ...recording, ...elementLocations } : recording;
  const isLimited = maxElements < Infinity || maxDepth < Infinity;
  const treeAdapter = isLimited ? limitedAdapter(adapter, maxElements, maxDepth) : adapter;
  const document = parse(source, { sourceCodeLocationInfo: locations !== false, treeAdapter });
  return { document, tree: parse5Tree(facts), mayHaveToolElements: /<webmcp-tool/i.test(source) };
}

/** Parsing takes time proportional to elements times depth, so both are limited during parsing. */
function limitedAdapter(adapter: Adapter, maxElements: number, maxDepth: number): Adapter {
  let [elements, depth] = [0, 0];
  return {
    ...adapter,
    createElement(...element) {
      if (++elements > maxElements) throw new PageLimitError(`The page has more than ${maxElements} elements.`);
      return adapter.createElement(...element);
    },
    onItemPush() {
      if (++depth > maxDepth) throw new PageLimitError(`The page is nested more than ${maxDepth} deep.`);
    },
    onItemPop() {
      depth--;
    },
  };
}

/** Records where elements start, and drops the locations of their attributes, their ends and other nodes. */
const elementLocations: Pick<Adapter, 'setNodeSourceCodeLocation' | 'updateNodeSourceCodeLocation'> = {
  setNodeSourceCodeLocation(node, location) {
    if (location === null || !isElement(node)) return;
    const { startLine, startCol, startOffset, endLine, endCol, endOffset } = location;
    node.sourceCodeLocation = { startLine, startCol, startOffset, endLine, endCol, endOffset };
  },
  updateNodeSourceCodeLocation: () => {},
};

/** https://html.spec.whatwg.org/#create-an-element-for-the-token */
function recordingAdapter({ owners, shadowRoots }: ParserFacts): Adapter {
  return {
    ...defaultTreeAdapter,
    onElementCreated(element, { formElement, intendedParent, isInTemplate }) {
      if (element.namespaceURI !== html.NS.HTML) return;
      if (isShadowTemplate(element) && isShadowHost(intendedParent) && !shadowRoots.has(intendedParent)) {
        shadowRoots.set(intendedParent, element); // only the first shadow root of a host counts
      }
      if (formElement === null || isInTemplate || !listedElements.has(element.tagName)) return;
      if (attribute(element, 'form') === null) owners.set(element, formElement);
    },
  };
}

function parse5Tree({ owners, shadowRoots }: ParserFacts): PageTree {
  const ids = new Map<Parse5Node, ReadonlyMap<string, Parse5Element>>();
  const byId = (root: Parse5Node, id: string): Parse5Element | null => {
    const known = ids.get(root) ?? readIds(tree, root);
    ids.set(root, known);
    return known.get(id) ?? null;
  };
  const tree: PageTree = {
    isElement,
    localName: (element) => (element.namespaceURI === html.NS.HTML ? element.tagName : `:${element.tagName}`),
    attribute,
    parent: (node) => ('parentNode' in node ? node.parentNode : null),
    children: (node) => ('childNodes' in node ? node.childNodes : []),
    text: (node) => (defaultTreeAdapter.isTextNode(node) ? node.value : null),
    formOwner: (control) => owners.get(control) ?? resetFormOwner(tree, control, byId),
    shadowRoot: (element) => shadowRoots.get(element)?.content ?? null,
    location: (element) => {
      const position = element.sourceCodeLocation;
      return position ? { line: position.startLine, column: position.startCol } : undefined;
    },
  };
  return tree;
}

/** The names of all other nodes begin with "#". Checking for `tagName` is slow, because node shapes differ. */
const isElement = (node: Parse5Node): node is Parse5Element => node.nodeName.charCodeAt(0) !== 0x23;

const attribute = (element: Parse5Element, name: string): string | null => {
  for (const each of element.attrs) if (each.name === name) return each.value;
  return null;
};

/** https://html.spec.whatwg.org/#reset-the-form-owner */
function resetFormOwner(
  tree: PageTree,
  control: Parse5Element,
  byId: (root: Parse5Node, id: string) => Parse5Element | null,
): Parse5Element | null {
  const id = attribute(control, 'form');
  let root: Parse5Node = control;
  for (const up of ancestors(tree, control)) {
    if (id === null && isForm(tree, up)) return up;
    root = up;
  }
  const named = id === null ? null : byId(root, id);
  return named !== null && isForm(tree, named) ? named : null;
}

const isForm = (tree: PageTree, node: Parse5Node): node is Parse5Element =>
  isElement(node) && tree.localName(node) === 'form';

function readIds(tree: PageTree, root: Parse5Node): ReadonlyMap<string, Parse5Element> {
  const ids = new Map<string, Parse5Element>();
  for (const node of descendants(tree, root)) {
    const id = isElement(node) ? attribute(node, 'id') : null;
    if (id && !ids.has(id)) ids.set(id, node as Parse5Element);
  }
  return ids;
}

/** https://html.spec.whatwg.org/#valid-shadow-host-name */
const shadowHosts = nameSet(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span',
);

const isShadowHost = (node: Parse5Node): boolean =>
  isElement(node) &&
  node.namespaceURI === html.NS.HTML &&
  (shadowHosts.has(node.tagName) || isCustomElementName(node.tagName));

/** parse5 parses a declarative shadow root, open or closed, as a template. */
const isShadowTemplate = (element: Parse5Element): element is Template =>
  element.tagName === 'template' && /^(?:open|closed)$/i.test(attribute(element, 'shadowrootmode') ?? '');
