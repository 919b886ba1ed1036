import { SafeMap } from '../../platform/collections.js';
import { wait } from '../../platform/timers.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import {
  attributeNames,
  inputType,
  removeAttribute,
  replaceChildren,
  setAttribute,
  setData,
  textContent,
} from '../dom/members.js';

interface ElementState {
  readonly attributes: ReadonlyMap<string, string>;
  /** The nodes of a button, with the data of Text nodes. */
  readonly nodes: ReadonlyMap<Node, string | null>;
  readonly text: string | null;
}

const lateMs = 200;

/**
 * The attributes of a form and its controls and the content of its buttons before a submission. Pages disable buttons, mark the
 * form as sent and show progress in a button, because a navigation would end that. A request of ours ends it, too.
 */
export class BusyState {
  readonly #form: Element;
  readonly #states = new SafeMap<Element, ElementState>();

  constructor(form: Element) {
    this.#form = form;
    for (const element of [form, ...elementsOfForm(form)]) this.#states.set(element, stateOf(element));
  }

  /** Undoes the changes of the page since the submission. */
  undo(): void {
    for (const [element, state] of this.#states) restore(element, state);
  }

  /** Enables the buttons that the page disables a moment later, as it does in a timer. */
  async undoLate(): Promise<void> {
    const enabled = elementsOfForm(this.#form).filter((element) => isButton(element) && !isDisabled(element));
    await wait(lateMs);
    for (const element of enabled) if (isDisabled(element)) removeAttribute(element, 'disabled');
  }
}

const isDisabled = (element: Element): boolean => domTree.attribute(element, 'disabled') !== null;

function isButton(element: Element): boolean {
  const name = domTree.localName(element);
  return name === 'button' || (name === 'input' && /^(?:button|image|reset|submit)$/.test(inputType(element)));
}

/** The names of the attributes that do not contain a value of the user. */
const restoredNames = (element: Element): readonly string[] =>
  attributeNames(element).filter((name) => !/^(?:value|checked)$/.test(name) || isButton(element));

function stateOf(element: Element): ElementState {
  const names = restoredNames(element);
  const nodes = domTree.localName(element) === 'button' ? domTree.children(element) : [];
  return {
    attributes: new SafeMap(names.map((name) => [name, domTree.attribute(element, name) ?? ''] as const)),
    nodes: new SafeMap(nodes.map((node) => [node, domTree.text(node)] as const)),
    text: nodes.length > 0 ? textContent(element) : null,
  };
}

function restore(element: Element, { attributes, nodes, text }: ElementState): void {
  for (const name of restoredNames(element)) if (!attributes.has(name)) removeAttribute(element, name);
  for (const [name, value] of attributes)
    if (domTree.attribute(element, name) !== value) setAttribute(element, name, value);
  if (text === null || textContent(element) === text) return;
  replaceChildren(element, ...nodes.keys());
  for (const [node, data] of nodes) if (data !== null && domTree.text(node) !== data) setData(node, data);
}
