import { groupBy } from '../group-by.js';
import { isCustomElementName, labelableElements, listedElements } from '../html/elements.js';
import type { Tree } from '../tree.js';

/** The look-ups in a tree scope (a document or a shadow root) that a form's description needs. */
export interface Scope<Element> {
  /** The listed elements and declared custom controls of a form, in tree order. */
  controls(form: Element): readonly Element[];
  /** https://html.spec.whatwg.org/#dom-lfe-labels */
  labels(control: Element): readonly Element[];
  /** The first element in tree order with that ID. */
  byId(id: string): Element | null;
  /** The `href` of the document's first `<base>` that has one. */
  readonly base: string | null;
}

/** A form with the scope that it was found in. */
export interface FoundForm<Element> {
  readonly form: Element;
  readonly scope: Scope<Element>;
}

/** A custom element takes part by its `toolparamschema`, which both front ends can see. */
export const isCustomControl = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  isCustomElementName(tree.localName(element)) && tree.attribute(element, 'toolparamschema') !== null;

/**
 * Every form of a tree in shadow-including tree order, each with its scope: one walk for all.
 */
export function readForms<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
): readonly FoundForm<Element>[] {
  const found: FoundForm<Element>[] = [];
  const scope = new TreeScope(tree);
  const stack: Frame<Node, Element>[] = [{ nodes: [root], next: 0, scope, label: undefined }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      if (top.label) top.scope.close(top.label);
      stack.pop();
    } else if (tree.isElement(node)) {
      enter(tree, node, top.scope, found, stack);
    } else {
      stack.push({ nodes: tree.children(node), next: 0, scope: top.scope, label: undefined });
    }
  }
  return found;
}

/** The scope of one form alone, for callers that have not read its whole document. */
export function scopeOf<Node, Element extends Node>(tree: Tree<Node, Element>, form: Element): Scope<Element> {
  let root: Node = form;
  for (let up = tree.parent(root); up !== null; up = tree.parent(up)) root = up;
  const found = readForms(tree, root).find((each) => each.form === form);
  return found?.scope ?? new TreeScope(tree);
}

interface Frame<Node, Element extends Node> {
  readonly nodes: readonly Node[];
  next: number;
  readonly scope: TreeScope<Node, Element>;
  /** The label to close when all nodes below it are taken. */
  readonly label: LabelSpan<Element> | undefined;
}

/** A label and the range of the scope's labelable elements that are its descendants. */
interface LabelSpan<Element> {
  readonly label: Element;
  readonly first: number;
  last: number;
}

/** Takes an element and stacks what is to be read of it, its shadow root on top. */
function enter<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  scope: TreeScope<Node, Element>,
  found: FoundForm<Element>[],
  stack: Frame<Node, Element>[],
): void {
  const name = tree.localName(element);
  if (name === 'form') found.push({ form: element, scope });
  const label = scope.add(element, name);
  const nodes = tree.children(element);
  if (nodes.length > 0 || label) stack.push({ nodes, next: 0, scope, label });
  const shadow = tree.shadowRoot(element);
  if (shadow === null) return;
  stack.push({ nodes: tree.children(shadow), next: 0, scope: new TreeScope(tree, scope.document), label: undefined });
}

const deepestLabel = 100;

/** The elements that a scope takes for more than their IDs. */
const relevant: ReadonlySet<string> = new Set([...listedElements, ...labelableElements, 'label', 'base']);

class TreeScope<Node, Element extends Node> implements Scope<Element> {
  readonly #tree: Tree<Node, Element>;
  /** The scope of the whole tree, which has the `<base>`. */
  readonly document: TreeScope<Node, Element>;
  readonly #elements: Element[] = [];
  readonly #controls = new Map<Element, Element[]>();
  readonly #labelables: Element[] = [];
  readonly #labelSpans: LabelSpan<Element>[] = [];
  #ids: Map<string, Element> | undefined;
  #labels: Map<Element, LabelSpan<Element>[]> | undefined;
  #base: string | null = null;
  #openLabels = 0;

  constructor(tree: Tree<Node, Element>, document?: TreeScope<Node, Element>) {
    this.#tree = tree;
    this.document = document ?? this;
  }

  get base(): string | null {
    return this.document.#base;
  }

  /** Takes the next element in tree order; returns the span to close when the element was a label. */
  add(element: Element, name: string): LabelSpan<Element> | undefined {
    this.#elements.push(element);
    if (!relevant.has(name) && !isCustomElementName(name)) return undefined;
    if (name === 'label') return this.#addLabel(element);
    if (name === 'base') this.#base ??= this.#tree.attribute(element, 'href');
    const custom = isCustomControl(this.#tree, element);
    if (custom || listedElements.has(name)) this.#addControl(element);
    if (custom || (labelableElements.has(name) && !this.#isHidden(element, name))) this.#labelables.push(element);
    return undefined;
  }

  /** Ends a label's span: its last descendant is taken. */
  close(span: LabelSpan<Element>): void {
    span.last = this.#labelables.length;
    this.#openLabels--;
  }

  controls(form: Element): readonly Element[] {
    return this.#controls.get(form) ?? [];
  }

  labels(control: Element): readonly Element[] {
    this.#labels ??= groupBy(this.#labelSpans, (span) => this.#labeledControl(span));
    return (this.#labels.get(control) ?? []).map(({ label }) => label);
  }

  byId(id: string): Element | null {
    this.#ids ??= this.#readIds();
    return this.#ids.get(id) ?? null;
  }

  /** Deviates from the spec: a label in a hundred others is none, because they would cost the square of their number. */
  #addLabel(label: Element): LabelSpan<Element> | undefined {
    if (this.#openLabels === deepestLabel) return undefined;
    this.#openLabels++;
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

  #isHidden(element: Element, name: string): boolean {
    return name === 'input' && this.#tree.attribute(element, 'type')?.toLowerCase() === 'hidden';
  }

  /** https://html.spec.whatwg.org/#labeled-control */
  #labeledControl({ label, first, last }: LabelSpan<Element>): Element | undefined {
    const id = this.#tree.attribute(label, 'for');
    if (id === null) return first < last ? this.#labelables[first] : undefined;
    const target = this.byId(id);
    return target !== null && this.#isLabelable(target) ? target : undefined;
  }

  #isLabelable(element: Element): boolean {
    const name = this.#tree.localName(element);
    return isCustomControl(this.#tree, element) || (labelableElements.has(name) && !this.#isHidden(element, name));
  }

  #readIds(): Map<string, Element> {
    const ids = new Map<string, Element>();
    for (const element of this.#elements) {
      const id = this.#tree.attribute(element, 'id');
      if (id !== null && id !== '' && !ids.has(id)) ids.set(id, element);
    }
    return ids;
  }
}
