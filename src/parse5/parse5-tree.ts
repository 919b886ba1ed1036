import {
  defaultTreeAdapter,
  html,
  Parser,
  Tokenizer,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type ElementCreationContext,
  type Token,
  type TreeAdapter,
} from 'parse5';
import { isCustomElementName, listedElements, nameSet } from '../compiler/html/elements.js';
import { ignoreAttribute } from '../compiler/ignored.js';
import { ancestors, descendants, type Tree } from '../compiler/tree.js';

export type Parse5Node = DefaultTreeAdapterTypes.Node;
export type Parse5Element = DefaultTreeAdapterTypes.Element;
type Template = DefaultTreeAdapterTypes.Template;
type PageTree = Tree<Parse5Node, Parse5Element>;
type Adapter = TreeAdapter<DefaultTreeAdapterMap>;
type Creation = ElementCreationContext<DefaultTreeAdapterMap>;

/** An element with information that only the parser has. */
interface PageElement extends Parse5Element {
  /** The form that the parser associates with a listed element by the form element pointer. */
  formOwner: Parse5Element | null;
  /** The first declarative shadow root among the children. */
  shadowTemplate: Template | null;
}

export interface Parse5Page {
  readonly document: DefaultTreeAdapterTypes.Document;
  readonly tree: PageTree;
  /** Whether the page may contain a `<webmcp-tool>`. */
  readonly mayHaveToolElements: boolean;
}

interface ParseOptions {
  /**
   * The maximum number of elements.
   * @default Infinity
   */
  readonly maxElements?: number;
  /**
   * The maximum nesting depth of elements.
   * @default Infinity
   */
  readonly maxDepth?: number;
  /**
   * Whether the tree has source locations, which double the parser's time and memory. `elements` records only the locations of
   * start tags, which is fast.
   * @default true
   */
  readonly locations?: boolean | 'elements' | undefined;
}

/** The limits of a page. Browsers nest elements at most 512 deep. The memory of a parsed page grows with its elements. */
export const pageLimits = { maxElements: 200_000, maxDepth: 512 } as const;

/** A page that exceeds the limits of the parser. */
export class PageLimitError extends RangeError {}

/**
 * Parses a page as a browser with scripting does.
 * @throws {PageLimitError} if the page exceeds the limits
 */
export function parsePage(source: string, options: ParseOptions = {}): Parse5Page {
  const { locations = true } = options;
  const treeAdapter = new PageAdapter(options) as PageAdapter & Adapter;
  const parserOptions = { treeAdapter, sourceCodeLocationInfo: locations === true };
  const parser = locations === 'elements' ? new LocatingParser(parserOptions) : new Parser(parserOptions);
  parser.tokenizer.write(source, true);
  treeAdapter.markIgnored();
  return { document: parser.document, tree, mayHaveToolElements: /<webmcp-tool/i.test(source) };
}

/** Parses a page within `pageLimits`. Returns the error if the page exceeds them. */
export function parseWithinLimits(
  html: string,
  locations: ParseOptions['locations'] = true,
): Parse5Page | PageLimitError {
  try {
    return parsePage(html, { ...pageLimits, locations });
  } catch (error) {
    if (error instanceof PageLimitError) return error;
    throw error;
  }
}

/** Records only the locations of start tags, because recording all locations doubles parse5's time. */
class LocatingParser extends Parser<DefaultTreeAdapterMap> {
  override tokenizer = new LocatingTokenizer(this.options, this);

  override _attachElementToTree(...args: Parameters<Parser<DefaultTreeAdapterMap>['_attachElementToTree']>): void {
    const [element, location] = args;
    if (location) element.sourceCodeLocation = location;
    super._attachElementToTree(...args);
  }
}

class LocatingTokenizer extends Tokenizer {
  protected override _createStartTagToken(): void {
    super._createStartTagToken();
    const { line, col, offset } = this.preprocessor;
    const token = this.currentToken as Token.TagToken;
    token.location = {
      startLine: line,
      startCol: col - 1,
      startOffset: offset - 1,
      endLine: -1,
      endCol: -1,
      endOffset: -1,
    };
  }
}

/** The default tree of parse5, with limits, because parsing takes time proportional to elements times depth. */
class PageAdapter {
  readonly #maxElements: number;
  readonly #maxDepth: number;
  /** The elements with a declarative shadow root, in the order of their shadow roots. */
  readonly #hosts: PageElement[] = [];
  #elements = 0;
  #depth = 0;

  constructor({ maxElements = Infinity, maxDepth = Infinity }: ParseOptions) {
    this.#maxElements = maxElements;
    this.#maxDepth = maxDepth;
  }

  createElement(tagName: string, namespaceURI: html.NS, attrs: Token.Attribute[]): PageElement {
    if (++this.#elements > this.#maxElements)
      throw new PageLimitError(`The page has more than ${this.#maxElements} elements.`);
    return {
      nodeName: tagName,
      tagName,
      attrs,
      namespaceURI,
      childNodes: [],
      parentNode: null,
      sourceCodeLocation: null,
      formOwner: null,
      shadowTemplate: null,
    };
  }

  /** https://html.spec.whatwg.org/#create-an-element-for-the-token */
  onElementCreated(element: PageElement, { formElement, intendedParent, isInTemplate }: Creation): void {
    if (element.namespaceURI !== html.NS.HTML) return;
    // Only the first shadow root of a host counts.
    if (isShadowTemplate(element) && isShadowHost(intendedParent) && !intendedParent.shadowTemplate) {
      intendedParent.shadowTemplate = element;
      this.#hosts.push(intendedParent);
    }
    if (formElement === null || isInTemplate || !listedElements.has(element.tagName)) return;
    if (attribute(element, 'form') === null) element.formOwner = formElement;
  }

  onItemPush(): void {
    if (++this.#depth > this.#maxDepth)
      throw new PageLimitError(`The page is nested more than ${this.#maxDepth} deep.`);
  }

  onItemPop(): void {
    this.#depth--;
  }

  /** Adds the ignore attribute to elements in ignored slots. In a live page, their assigned slots exclude them. */
  markIgnored(): void {
    // Starts with the last shadow root: it may be nested, and slots of an earlier shadow root may be assigned to its slots.
    for (const { childNodes, shadowTemplate } of this.#hosts.reverse()) {
      const slots = shadowTemplate ? slotsIn(shadowTemplate.content) : new Map<string, boolean>();
      for (const child of childNodes)
        if (isElement(child) && slots.get(attribute(child, 'slot') ?? ''))
          child.attrs.push({ name: ignoreAttribute, value: '' });
    }
  }
}

Object.setPrototypeOf(PageAdapter.prototype, defaultTreeAdapter);

/** The names of all other nodes begin with "#". Checking for `tagName` is slow, because node shapes differ. */
const isElement = (node: Parse5Node): node is Parse5Element => node.nodeName.charCodeAt(0) !== 0x23;

const attribute = (element: Parse5Element, name: string): string | null => {
  for (const each of element.attrs) if (each.name === name) return each.value;
  return null;
};

const tree: PageTree = {
  isElement,
  localName: (element) => (element.namespaceURI === html.NS.HTML ? element.tagName : `:${element.tagName}`),
  attribute,
  parent: (node) => ('parentNode' in node ? node.parentNode : null),
  children: (node) => ('childNodes' in node ? node.childNodes : []),
  text: (node) => (defaultTreeAdapter.isTextNode(node) ? node.value : null),
  formOwner: (control) => (control as PageElement).formOwner ?? resetFormOwner(control),
  shadowRoot: (element) => (element as PageElement).shadowTemplate?.content ?? null,
  location: (element) => {
    const position = element.sourceCodeLocation;
    return position ? { line: position.startLine, column: position.startCol } : undefined;
  },
};

/** Maps each slot name to whether its first slot is in an ignored part of the shadow tree. */
function slotsIn(root: Parse5Node): ReadonlyMap<string, boolean> {
  const slots = new Map<string, boolean>();
  const stack = [...tree.children(root)].reverse().map((node) => ({ node, isIn: false }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node } = next;
    if (!isElement(node)) continue;
    const isIn = next.isIn || attribute(node, ignoreAttribute) !== null;
    const name = tree.localName(node) === 'slot' ? (attribute(node, 'name') ?? '') : undefined;
    if (name !== undefined && !slots.has(name)) slots.set(name, isIn);
    for (const child of [...node.childNodes].reverse()) stack.push({ node: child, isIn });
  }
  return slots;
}

/** https://html.spec.whatwg.org/#reset-the-form-owner */
function resetFormOwner(control: Parse5Element): Parse5Element | null {
  const id = attribute(control, 'form');
  let root: Parse5Node = control;
  for (const up of ancestors(tree, control)) {
    if (id === null && isForm(up)) return up;
    root = up;
  }
  const named = id === null ? undefined : idsBelow(root).get(id);
  return named && isForm(named) ? named : null;
}

const isForm = (node: Parse5Node): node is Parse5Element => isElement(node) && tree.localName(node) === 'form';

const idsByRoot = new WeakMap<Parse5Node, ReadonlyMap<string, Parse5Element>>();

function idsBelow(root: Parse5Node): ReadonlyMap<string, Parse5Element> {
  const known = idsByRoot.get(root);
  if (known) return known;
  const ids = new Map<string, Parse5Element>();
  for (const node of descendants(tree, root)) {
    const id = isElement(node) ? attribute(node, 'id') : null;
    if (id && !ids.has(id)) ids.set(id, node as Parse5Element);
  }
  idsByRoot.set(root, ids);
  return ids;
}

/** https://html.spec.whatwg.org/#valid-shadow-host-name */
const shadowHosts = nameSet(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span',
);

const isShadowHost = (node: Parse5Node): node is PageElement =>
  isElement(node) &&
  node.namespaceURI === html.NS.HTML &&
  (shadowHosts.has(node.tagName) || isCustomElementName(node.tagName));

/** parse5 parses a declarative shadow root, open or closed, as a template. */
const isShadowTemplate = (element: Parse5Element): element is Template =>
  element.tagName === 'template' && /^(?:open|closed)$/i.test(attribute(element, 'shadowrootmode') ?? '');
