import {
  defaultTreeAdapter,
  html,
  parse,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type TreeAdapter,
} from 'parse5';
import { isCustomElementName, listedElements } from '../compiler/html/elements.js';
import { ancestors, descendants, type Tree } from '../compiler/tree.js';

export type Parse5Node = DefaultTreeAdapterTypes.Node;
export type Parse5Element = DefaultTreeAdapterTypes.Element;
type Template = DefaultTreeAdapterTypes.Template;

/** What the parser knows beyond the tree. */
interface ParserFacts {
  readonly owners: Map<Parse5Element, Parse5Element>;
  readonly shadowRoots: Map<Parse5Node, Template>;
}

/** A parsed page and the front end that answers about it. */
export interface Parse5Page {
  readonly document: DefaultTreeAdapterTypes.Document;
  readonly tree: Tree<Parse5Node, Parse5Element>;
  /** Whether there may be a `<webmcp-tool>`. */
  readonly mayHaveToolElements: boolean;
}

export interface ParseOptions {
  /**
   * How many elements a page can have.
   * @default Infinity
   */
  readonly maxElements?: number;
  /**
   * How deep they can be nested.
   * @default Infinity
   */
  readonly maxDepth?: number;
  /**
   * Whether the tree knows where its elements are in the source, which takes the parser twice as long.
   * @default true
   */
  readonly locations?: boolean;
}

/** Parses a page as a browser with scripting does. Throws a RangeError where the page is beyond the limits. */
export function parsePage(source: string, options: ParseOptions = {}): Parse5Page {
  const facts: ParserFacts = { owners: new Map(), shadowRoots: new Map() };
  const adapter = attentiveAdapter(facts);
  const { maxElements, maxDepth, locations = true } = options;
  const treeAdapter = (maxElements ?? maxDepth) ? limitedAdapter(adapter, options) : adapter;
  const document = parse(source, { sourceCodeLocationInfo: locations, treeAdapter });
  return { document, tree: parse5Tree(facts), mayHaveToolElements: /<webmcp-tool/i.test(source) };
}

type Adapter = TreeAdapter<DefaultTreeAdapterMap>;

/** The parser takes the product of a page's elements and their depth, so that both are counted as they are made. */
function limitedAdapter(adapter: Adapter, { maxElements = Infinity, maxDepth = Infinity }: ParseOptions): Adapter {
  let [elements, depth] = [0, 0];
  return {
    ...adapter,
    createElement(...element) {
      if (++elements > maxElements) throw new RangeError(`The page has more than ${maxElements} elements.`);
      return adapter.createElement(...element);
    },
    onItemPush() {
      if (++depth > maxDepth) throw new RangeError(`The page is nested more than ${maxDepth} deep.`);
    },
    onItemPop() {
      depth--;
    },
  };
}

/** https://html.spec.whatwg.org/#create-an-element-for-the-token */
function attentiveAdapter({ owners, shadowRoots }: ParserFacts): TreeAdapter<DefaultTreeAdapterMap> {
  return {
    ...defaultTreeAdapter,
    onElementCreated(element, { formElement, intendedParent, isInTemplate }) {
      if (element.namespaceURI !== html.NS.HTML) return;
      if (isShadowTemplate(element)) attachShadow(shadowRoots, intendedParent, element);
      if (formElement === null || isInTemplate || !listedElements.has(element.tagName)) return;
      if (attribute(element, 'form') === null) owners.set(element, formElement);
    },
  };
}

/** parse5 keeps a declarative shadow root, open or closed, as a template; the first one of a host counts. */
function attachShadow(shadowRoots: Map<Parse5Node, Template>, host: Parse5Node, template: Template): void {
  if (isElement(host) && isShadowHost(host) && !shadowRoots.has(host)) shadowRoots.set(host, template);
}

function parse5Tree({ owners, shadowRoots }: ParserFacts): Tree<Parse5Node, Parse5Element> {
  const ids = new Map<Parse5Node, ReadonlyMap<string, Parse5Element>>();
  const byId = (root: Parse5Node, id: string): Parse5Element | null => {
    const known = ids.get(root) ?? readIds(tree, root);
    ids.set(root, known);
    return known.get(id) ?? null;
  };
  const tree: Tree<Parse5Node, Parse5Element> = {
    isElement,
    localName: (element) => (element.namespaceURI === html.NS.HTML ? element.tagName : `:${element.tagName}`),
    attribute,
    parent: (node) => ('parentNode' in node ? node.parentNode : null),
    children: (node) => ('childNodes' in node ? node.childNodes : []),
    text: (node) => (defaultTreeAdapter.isTextNode(node) ? node.value : null),
    formOwner: (control) => owners.get(control) ?? resetFormOwner(tree, control, byId),
    shadowRoot: (element) => shadowRoots.get(element)?.content ?? null,
    location: (element) => {
      const at = element.sourceCodeLocation;
      return at ? { line: at.startLine, column: at.startCol } : undefined;
    },
  };
  return tree;
}

/** The names of other nodes begin with a number sign; asking for `tagName` is slow over nodes of so many shapes. */
const isElement = (node: Parse5Node): node is Parse5Element => node.nodeName.charCodeAt(0) !== 0x23;

const attribute = (element: Parse5Element, name: string): string | null => {
  for (const each of element.attrs) if (each.name === name) return each.value;
  return null;
};

/** https://html.spec.whatwg.org/#reset-the-form-owner */
function resetFormOwner(
  tree: Tree<Parse5Node, Parse5Element>,
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

const isForm = (tree: Tree<Parse5Node, Parse5Element>, node: Parse5Node): node is Parse5Element =>
  isElement(node) && tree.localName(node) === 'form';

function readIds(tree: Tree<Parse5Node, Parse5Element>, root: Parse5Node): ReadonlyMap<string, Parse5Element> {
  const ids = new Map<string, Parse5Element>();
  for (const node of descendants(tree, root)) {
    const id = isElement(node) ? attribute(node, 'id') : null;
    if (id && !ids.has(id)) ids.set(id, node as Parse5Element);
  }
  return ids;
}

/** https://html.spec.whatwg.org/#valid-shadow-host-name */
const shadowHosts = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'main',
  'nav',
  'p',
  'section',
  'span',
]);

const isShadowHost = (element: Parse5Element): boolean =>
  element.namespaceURI === html.NS.HTML && (shadowHosts.has(element.tagName) || isCustomElementName(element.tagName));

const isShadowTemplate = (element: Parse5Element): element is Template =>
  element.tagName === 'template' && /^(?:open|closed)$/i.test(attribute(element, 'shadowrootmode') ?? '');
