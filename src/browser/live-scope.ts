import { listed } from '../compiler/html.js';
import { isCustomControl, type Scope } from '../compiler/scope.js';
import type { Tree } from '../compiler/tree.js';
import { getter, method } from '../platform/captured.js';
import { OwnMap, OwnSet } from '../platform/collections.js';
import { domTree, elementById, elementsOf, listOf, query } from './dom-tree.js';

const labeledControl = getter<Element, Element | null>('HTMLLabelElement', 'control');
const getRootNode = method<Node, [], Node>('Node', 'getRootNode');
const compare = method<Node, [Node], number>('Node', 'compareDocumentPosition');
const following = 4;

/** What is looked for in a whole tree scope, once for all of its forms that are described at one time. */
export class ScopeReading {
  readonly root: Node;
  #labels: OwnMap<string, Element[]> | undefined;
  #images: Element[] = [];

  constructor(root: Node) {
    this.root = root;
  }

  /** The labels whose `for` is an ID. */
  labelsFor(id: string): readonly Element[] {
    return this.#read().get(id) ?? [];
  }

  /** The image buttons, which a form does not list among its elements. */
  get images(): readonly Element[] {
    this.#read();
    return this.#images;
  }

  #read(): OwnMap<string, Element[]> {
    if (this.#labels) return this.#labels;
    this.#labels = new OwnMap();
    for (const element of query(this.root, 'label[for], input[type=image i]')) {
      if (domTree.localName(element) !== 'label') {
        this.#images.push(element);
        continue;
      }
      const id = domTree.attribute(element, 'for') as string;
      const others = this.#labels.get(id);
      if (others) others.push(element);
      else this.#labels.set(id, [element]);
    }
    return this.#labels;
  }
}

/** The readings of several tree scopes. */
export class ScopeReadings {
  readonly #byRoot = new OwnMap<Node, ScopeReading>();

  of(form: Element): ScopeReading {
    const root = getRootNode(form);
    const known = this.#byRoot.get(root);
    if (known) return known;
    const reading = new ScopeReading(root);
    this.#byRoot.set(root, reading);
    return reading;
  }
}

/** The look-ups for one form, by the document's own indices, and a record of what they concerned. */
export class LiveScope implements Scope<Element> {
  /** No part of a tool. */
  readonly base = null;
  /** The IDs that what the form is described by depends on, whether there are such elements or not. */
  readonly ids = new OwnSet<string>();
  /** Elements, perhaps outside of the form, whose content describes it. */
  readonly read = new OwnSet<Element>();
  readonly #tree: Tree<Node, Element>;
  readonly #reading: ScopeReading;

  constructor(tree: Tree<Node, Element>, reading: ScopeReading) {
    this.#tree = tree;
    this.#reading = reading;
  }

  controls(form: Element): readonly Element[] {
    const images = this.#reading.images.filter((image) => domTree.formOwner(image) === form);
    const controls = listOf(elementsOf(form)).filter((element) => this.#takesPart(element));
    return images.length === 0 ? controls : inTreeOrder([...controls, ...images]);
  }

  #takesPart(element: Element): boolean {
    return listed.has(domTree.localName(element)) || isCustomControl(this.#tree, element);
  }

  labels(control: Element): readonly Element[] {
    const id = domTree.attribute(control, 'id');
    if (id) this.ids.add(id);
    const candidates = [...labelsAround(control), ...(id ? this.#reading.labelsFor(id) : [])];
    const labels = candidates.filter((label) => labeledControl(label) === control);
    for (const label of labels) this.read.add(label);
    return labels.length < 2 ? labels : inTreeOrder([...new OwnSet(labels)]);
  }

  byId(id: string): Element | null {
    this.ids.add(id);
    const element = elementById(this.#reading.root, id);
    if (element) this.read.add(element);
    return element;
  }
}

function labelsAround(control: Element): readonly Element[] {
  const labels: Element[] = [];
  for (let up = domTree.parent(control); up !== null; up = domTree.parent(up)) {
    if (domTree.isElement(up) && domTree.localName(up) === 'label') labels.push(up);
  }
  return labels;
}

const inTreeOrder = (elements: readonly Element[]): readonly Element[] =>
  [...elements].sort((a, b) => (compare(a, b) & following ? -1 : 1));
