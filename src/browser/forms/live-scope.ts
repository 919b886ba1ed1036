import { Readings } from '../../compiler/describe/readings.js';
import { isCustomControl, type Scope } from '../../compiler/describe/scope.js';
import { listedElements } from '../../compiler/html/elements.js';
import type { Budget } from '../../compiler/limits.js';
import type { Tree } from '../../compiler/tree.js';
import { SafeSet } from '../../platform/collections.js';
import { getter, method } from '../../platform/primordials.js';
import { domTree, elementById, elementsOfForm, query, rootOf } from '../dom/dom-tree.js';
import type { References } from './references.js';

const labeledControl = getter<Element, Element | null>('HTMLLabelElement', 'control');
const compare = method<Node, [Node], number>('Node', 'compareDocumentPosition');
const following = 4; // Node.DOCUMENT_POSITION_FOLLOWING

/** Looks up the controls, labels and IDs of one form with the DOM's indices, and records the dependencies. */
export class LiveScope implements Scope<Element> {
  readonly base = null; // tools do not depend on it
  readonly readings: Readings<Element>;
  /** All looked-up IDs, including missing ones. */
  readonly ids = new SafeSet<string>();
  readonly read = new SafeSet<Element>();
  readonly #tree: Tree<Node, Element>;
  readonly #root: Node;
  readonly #references: References;

  constructor(tree: Tree<Node, Element>, form: Element, references: References, budget?: Budget) {
    this.readings = new Readings(budget);
    this.#tree = tree;
    this.#root = rootOf(form);
    this.#references = references;
  }

  controls(form: Element): readonly Element[] {
    const controls = elementsOfForm(form).filter(
      (element) => listedElements.has(domTree.localName(element)) || isCustomControl(this.#tree, element),
    );
    const images = this.#imageButtons(form);
    return images.length === 0 ? controls : inTreeOrder([...controls, ...images]);
  }

  labels(control: Element): readonly Element[] {
    const id = domTree.attribute(control, 'id');
    if (id) this.ids.add(id);
    const candidates = [...labelsAround(control), ...(id ? this.#references.to(id, 'for', this.#root) : [])];
    const labels = candidates.filter((label) => isLabel(label) && labeledControl(label) === control);
    for (const label of labels) this.read.add(label);
    return labels.length < 2 ? labels : inTreeOrder([...new SafeSet(labels)]);
  }

  byId(id: string): Element | null {
    this.ids.add(id);
    const element = elementById(this.#root, id);
    if (element) this.read.add(element);
    return element;
  }

  /** `form.elements` does not contain image buttons. */
  #imageButtons(form: Element): readonly Element[] {
    const id = domTree.attribute(form, 'id');
    const outside = id ? this.#references.to(id, 'form', this.#root).filter(isImageButton) : [];
    const images = [...query(form, 'input[type=image i]'), ...outside];
    return [...new SafeSet(images.filter((image) => domTree.formOwner(image) === form))];
  }
}

const isLabel = (element: Element): boolean => domTree.localName(element) === 'label';
const isImageButton = (element: Element): boolean =>
  domTree.localName(element) === 'input' && domTree.attribute(element, 'type')?.toLowerCase() === 'image';

function labelsAround(control: Element): readonly Element[] {
  const labels: Element[] = [];
  for (let up = domTree.parent(control); up !== null; up = domTree.parent(up)) {
    if (domTree.isElement(up) && isLabel(up)) labels.push(up);
  }
  return labels;
}

const inTreeOrder = (elements: readonly Element[]): readonly Element[] =>
  [...elements].sort((a, b) => (compare(a, b) & following ? -1 : 1));
