import { groupBy } from '../../group-by.js';
import { isCustomElementName, labelableElements, listedElements } from '../html/elements.js';
import { isIgnored } from '../ignored.js';
import { ancestors, type Tree } from '../tree.js';
import { ReadCache } from './read-cache.js';

/** The lookups in a tree scope (a document or a shadow root) that a form's description needs. */
export interface Scope<Element> {
  /** The listed elements and declared custom controls of a form, in tree order. */
  controls(form: Element): readonly Element[];
  /** https://html.spec.whatwg.org/#dom-lfe-labels */
  labels(control: Element): readonly Element[];
  /** The labels whose `for` is `id`, in no particular order. */
  labelsFor(id: string): readonly Element[];
  /** All elements whose ID is `id`, in no particular order. */
  allById(id: string): readonly Element[];
  /** The `href` of the document's first `<base href>`. */
  readonly base: string | null;
  /** Caches the labels and groups that were read for earlier forms of the document. */
  readonly readings: ReadCache<Element>;
  /** Notes an element whose content describes the form. */
  dependOn?(element: Element): void;
}

export interface FoundForm<Element> {
  readonly form: Element;
  readonly scope: Scope<Element>;
}

/** Whether a custom element is a control. Form association is invisible in source text; `toolparamschema` is not. */
export const isCustomControl = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  isCustomElementName(tree.localName(element)) && tree.attribute(element, 'toolparamschema') !== null;

/**
 * Finds every form of a tree in shadow-including tree order, with its scope, in one walk. Elements with
 * `data-webmcp-ignore` and their content are skipped.
 */
export const readForms = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
): readonly FoundForm<Element>[] => new FormFinder(tree).find(root);

/** Reads the scope of one form, for callers that have not read its whole document. */
export function scopeOf<Node, Element extends Node>(tree: Tree<Node, Element>, form: Element): Scope<Element> {
  let root: Node = form;
  for (const up of ancestors(tree, form)) root = up;
  const found = readForms(tree, root).find((each) => each.form === form);
  return found?.scope ?? new TreeScope(tree);
}

interface Frame<Node, Element extends Node> {
  readonly nodes: readonly Node[];
  next: number;
  readonly scope: TreeScope<Node, Element>;
  readonly label: LabelSpan<Element> | undefined;
}

/** A label and the range of labelable elements inside it. */
interface LabelSpan<Element> {
  readonly label: Element;
  readonly first: number;
  last: number;
}

class FormFinder<Node, Element extends Node> {
  readonly #tree: Tree<Node, Element>;
  readonly #found: FoundForm<Element>[] = [];
  readonly #stack: Frame<Node, Element>[] = [];

  constructor(tree: Tree<Node, Element>) {
    this.#tree = tree;
  }

  find(root: Node): readonly FoundForm<Element>[] {
    this.#push([root], new TreeScope(this.#tree));
    for (let top = this.#stack.at(-1); top; top = this.#stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) {
        if (top.label) top.scope.close(top.label);
        this.#stack.pop();
      } else if (this.#tree.isElement(node)) {
        this.#enter(node, top.scope);
      } else {
        this.#push(this.#tree.children(node), top.scope);
      }
    }
    return this.#found;
  }

  /** Adds an element and pushes its children, then its shadow root, so that the shadow root is read first. */
  #enter(element: Element, scope: TreeScope<Node, Element>): void {
    if (isIgnored(this.#tree, element)) return;
    const name = this.#tree.localName(element);
    if (name === 'form') this.#found.push({ form: element, scope });
    const label = scope.add(element, name);
    const nodes = this.#tree.children(element);
    if (nodes.length > 0 || label) this.#push(nodes, scope, label);
    const shadow = this.#tree.shadowRoot(element);
    if (shadow !== null) this.#push(this.#tree.children(shadow), new TreeScope(this.#tree, scope.document));
  }

  #push(nodes: readonly Node[], scope: TreeScope<Node, Element>, label?: LabelSpan<Element>): void {
    this.#stack.push({ nodes, next: 0, scope, label });
  }
}

/** Elements that a scope indexes by more than their IDs. */
const indexedElements: ReadonlySet<string> = new Set([...listedElements, ...labelableElements, 'label', 'base']);

class TreeScope<Node, Element extends Node> implements Scope<Element> {
  readonly #tree: Tree<Node, Element>;
  /** The scope of the document, which contains the `<base>`. */
  readonly document: TreeScope<Node, Element>;
  readonly readings: ReadCache<Element>;
  readonly #elements: Element[] = [];
  readonly #controls = new Map<Element, Element[]>();
  readonly #labelables: Element[] = [];
  readonly #labelSpans: LabelSpan<Element>[] = [];
  #ids: ReadonlyMap<string, readonly Element[]> | undefined;
  #labels: ReadonlyMap<Element, readonly LabelSpan<Element>[]> | undefined;
  #labelsFor: ReadonlyMap<string, readonly Element[]> | undefined;
  #base: string | null = null;

  constructor(tree: Tree<Node, Element>, document?: TreeScope<Node, Element>) {
    this.#tree = tree;
    this.document = document ?? this;
    this.readings = document?.readings ?? new ReadCache();
  }

  get base(): string | null {
    return this.document.#base;
  }

  /** Adds the next element in tree order. Returns the span to close if the element is a label. */
  add(element: Element, name: string): LabelSpan<Element> | undefined {
    this.#elements.push(element);
    if (!indexedElements.has(name) && !isCustomElementName(name)) return undefined;
    if (name === 'label') return this.#addLabel(element);
    if (name === 'base') this.#base ??= this.#tree.attribute(element, 'href');
    if (listedElements.has(name) || isCustomControl(this.#tree, element)) this.#addControl(element);
    if (this.#isLabelable(element, name)) this.#labelables.push(element);
    return undefined;
  }

  close(span: LabelSpan<Element>): void {
    span.last = this.#labelables.length;
  }

  controls(form: Element): readonly Element[] {
    return this.#controls.get(form) ?? [];
  }

  labels(control: Element): readonly Element[] {
    this.#labels ??= groupBy(this.#labelSpans, (span) => this.#labeledControl(span));
    return (this.#labels.get(control) ?? []).map(({ label }) => label);
  }

  labelsFor(id: string): readonly Element[] {
    this.#labelsFor ??= groupBy(
      this.#labelSpans.map(({ label }) => label),
      (label) => this.#tree.attribute(label, 'for') || undefined,
    );
    return this.#labelsFor.get(id) ?? [];
  }

  allById(id: string): readonly Element[] {
    this.#ids ??= groupBy(this.#elements, (element) => this.#tree.attribute(element, 'id') || undefined);
    return this.#ids.get(id) ?? [];
  }

  #addLabel(label: Element): LabelSpan<Element> {
    const span = { label, first: this.#labelables.length, last: 0 };
    this.#labelSpans.push(span);
    return span;
  }

  #addControl(element: Element): void {
    const owner = this.#tree.formOwner(element);
    if (owner === null) return;
    const controls = this.#controls.get(owner);
    if (controls) controls.push(element);
    else this.#controls.set(owner, [element]);
  }

  /** https://html.spec.whatwg.org/#labeled-control */
  #labeledControl({ label, first, last }: LabelSpan<Element>): Element | undefined {
    const id = this.#tree.attribute(label, 'for');
    if (id === null) return first < last ? this.#labelables[first] : undefined;
    const [target] = this.allById(id); // in tree order
    return target !== undefined && this.#isLabelable(target, this.#tree.localName(target)) ? target : undefined;
  }

  /** https://html.spec.whatwg.org/#category-label */
  #isLabelable(element: Element, name: string): boolean {
    if (!labelableElements.has(name)) return isCustomControl(this.#tree, element);
    return name !== 'input' || this.#tree.attribute(element, 'type')?.toLowerCase() !== 'hidden';
  }
}
