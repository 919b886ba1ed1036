import type { ReadCache } from '../../compiler/describe/read-cache.js';
import { isCustomControl, type Scope } from '../../compiler/describe/scope.js';
import { groupBy } from '../../group-by.js';
import { listedElements } from '../../compiler/html/elements.js';
import type { Tree } from '../../compiler/tree.js';
import { SafeMap, SafeSet } from '../../platform/collections.js';
import { domTree, elementById, elementsOfForm, isInIgnored, query, rootOf } from '../dom/dom-tree.js';
import { comparePosition, labeledControl } from '../dom/members.js';
import type { References } from './references.js';

const following = 4; // Node.DOCUMENT_POSITION_FOLLOWING

/** Looks up the controls, labels and IDs of one form with the DOM's indices, and records the dependencies. */
export class LiveScope implements Scope<Element> {
  readonly base = null; // tools do not depend on it
  readonly readings: ReadCache<Element>;
  /** All looked-up IDs, including missing ones. */
  readonly ids = new SafeSet<string>();
  readonly read = new SafeSet<Element>();
  readonly #tree: Tree<Node, Element>;
  readonly #root: Node;
  readonly #references: References;
  /** The labels around nodes, nearest first, with their labeled controls. */
  readonly #labelsAround = new SafeMap<Node, LabelChain | undefined>();
  readonly #labelsFor = new SafeMap<string, ReadonlyMap<Element | null, readonly Element[]>>();

  constructor(tree: Tree<Node, Element>, form: Element, references: References, readings: ReadCache<Element>) {
    this.readings = readings;
    this.#tree = tree;
    this.#root = rootOf(form);
    this.#references = references;
  }

  controls(form: Element): readonly Element[] {
    const controls = elementsOfForm(form).filter(
      (element) =>
        (listedElements.has(domTree.localName(element)) || isCustomControl(this.#tree, element)) &&
        !isInIgnored(element),
    );
    const images = this.#imageButtons(form);
    return images.length === 0 ? controls : inTreeOrder([...controls, ...images], this.#root);
  }

  labels(control: Element): readonly Element[] {
    const id = domTree.attribute(control, 'id');
    if (id) this.ids.add(id);
    const referring = id ? (this.#labelsReferring(id).get(control) ?? []) : [];
    const around: Element[] = [];
    for (let chain = this.#around(control); chain; chain = chain.outer)
      if (chain.control === control) around.push(chain.label);
    const labels = referring.length === 0 ? around : [...new SafeSet([...referring, ...around])];
    for (const label of labels) this.read.add(label);
    return labels.length < 2 ? labels : inTreeOrder(labels, this.#root);
  }

  dependOn(element: Element): void {
    this.read.add(element);
  }

  #labelsReferring(id: string): ReadonlyMap<Element | null, readonly Element[]> {
    const known = this.#labelsFor.get(id);
    if (known) return known;
    const labels = groupBy(this.labelsFor(id), (label) => {
      const control = labeledControl(label);
      return control && isInIgnored(control) ? inTreeOrder(this.allById(id), this.#root)[0] : control;
    });
    this.#labelsFor.set(id, labels);
    return labels;
  }

  labelsFor(id: string): readonly Element[] {
    const labels = this.#references.to(id, 'for', this.#root).filter(isLabel);
    for (const label of labels) this.read.add(label);
    return labels;
  }

  /** The labels around a control. Each ancestor is visited only once for all controls. */
  #around(control: Element): LabelChain | undefined {
    const path: Node[] = [];
    let up = domTree.parent(control);
    for (; up !== null && !this.#labelsAround.has(up); up = domTree.parent(up)) path.push(up);
    let chain = up === null ? undefined : this.#labelsAround.get(up);
    for (const node of path.reverse()) {
      const isAround = domTree.isElement(node) && isLabel(node);
      if (isAround) chain = { label: node, control: labeledControl(node), outer: chain };
      this.#labelsAround.set(node, chain);
    }
    return chain;
  }

  allById(id: string): readonly Element[] {
    this.ids.add(id);
    const first = elementById(this.#root, id);
    const known = this.#references.to(id, 'id', this.#root);
    const isNew = first !== null && !known.includes(first) && !isInIgnored(first);
    const elements = isNew ? [first, ...known] : known;
    for (const element of elements) this.read.add(element);
    return elements;
  }

  /** `form.elements` does not contain image buttons. */
  #imageButtons(form: Element): readonly Element[] {
    const id = domTree.attribute(form, 'id');
    const outside = id ? this.#references.to(id, 'form', this.#root).filter(isImageButton) : [];
    const images = [...query(form, 'input[type=image i]').filter((image) => !isInIgnored(image)), ...outside];
    return [...new SafeSet(images.filter((image) => domTree.formOwner(image) === form))];
  }
}

interface LabelChain {
  readonly label: Element;
  readonly control: Element | null;
  readonly outer: LabelChain | undefined;
}

const isLabel = (element: Element): boolean => domTree.localName(element) === 'label';
const isImageButton = (element: Element): boolean =>
  domTree.localName(element) === 'input' && domTree.attribute(element, 'type')?.toLowerCase() === 'image';

/** Comparing two siblings takes time in proportion to the nodes between them, so only few elements are compared. */
function inTreeOrder(elements: readonly Element[], root: Node): readonly Element[] {
  if (elements.length < 10) return [...elements].sort((a, b) => (comparePosition(a, b) & following ? -1 : 1));
  const wanted = new SafeSet(elements);
  return query(root, '*').filter((element) => wanted.has(element));
}
