/* Reads the members of the interfaces, because a control named `elements` or `reset` clobbers the property of its form. */
export const isForm = (node: unknown): node is HTMLFormElement => node instanceof HTMLFormElement;

export const elementsOf = (form: Element): readonly HTMLElement[] =>
  Array.from(Reflect.get(HTMLFormElement.prototype, 'elements', form)) as HTMLElement[];

export const attributeOf = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name);

/** The value of an annotation, with or without the `data-` prefix. */
export const annotationOf = (form: Element, name: string): string | null =>
  attributeOf(form, name) ?? attributeOf(form, `data-${name}`);

/** Whether `data-webmcp-ignore` is on an element, on its slot, or on an ancestor in or outside of its shadow tree. */
export function isIgnored(element: Element): boolean {
  let node: Node | null = element;
  while (node) {
    if (node instanceof ShadowRoot) node = node.host;
    if (node instanceof Element && attributeOf(node, 'data-webmcp-ignore') !== null) return true;
    node = (node instanceof Element && assignedSlotOf(node)) || parentOf(node);
  }
  return false;
}

const assignedSlotOf = (element: Element): Element | null =>
  Reflect.get(Element.prototype, 'assignedSlot', element) as Element | null;

export const rootOf = (node: Node): Document | ShadowRoot =>
  Node.prototype.getRootNode.call(node) as Document | ShadowRoot;

export const documentOf = (node: Node): Document => Reflect.get(Node.prototype, 'ownerDocument', node) as Document;

export const documentElementOf = (document: Document): Element =>
  Reflect.get(Document.prototype, 'documentElement', document) as Element;

export const viewOf = (document: Document): Window | null =>
  Reflect.get(Document.prototype, 'defaultView', document) as Window | null;

export const parentOf = (node: Node): Node | null => Reflect.get(Node.prototype, 'parentNode', node);

export const isConnected = (node: Node): boolean => Reflect.get(Node.prototype, 'isConnected', node);

export const classesOf = (form: Element): DOMTokenList => Reflect.get(Element.prototype, 'classList', form);

export const matches = (form: Element, selector: string): boolean => Element.prototype.matches.call(form, selector);

export const listen = (target: Node, type: string, listener: (event: Event) => void, signal: AbortSignal): void =>
  EventTarget.prototype.addEventListener.call(target, type, listener, { capture: true, signal });

/** The focused element, including elements in shadow trees. */
export function focusedElement(root: Document | ShadowRoot = document): Element | null {
  const { activeElement } = root;
  return activeElement?.shadowRoot?.activeElement ? focusedElement(activeElement.shadowRoot) : activeElement;
}
