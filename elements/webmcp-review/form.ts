/** A form is read through its interface: a control named `elements` or `reset` takes the place of the form's own. */
export const isForm = (node: unknown): node is HTMLFormElement => node instanceof HTMLFormElement;

export const call = (owner: object, name: string, form: Node, ...args: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(owner, name) as () => unknown, form, args);

export const elementsIn = (form: HTMLFormElement): readonly HTMLElement[] =>
  Array.from(Reflect.get(HTMLFormElement.prototype, 'elements', form)) as HTMLElement[];

export const attributeOf = (form: Element, name: string): string | null =>
  call(Element.prototype, 'getAttribute', form, name) as string | null;

export const matches = (form: Element, selector: string): boolean =>
  call(Element.prototype, 'matches', form, selector) as boolean;

export const isOnPage = (form: Element): boolean => Reflect.get(Node.prototype, 'isConnected', form);

export const rootOf = (node: Node): Document | ShadowRoot =>
  call(Node.prototype, 'getRootNode', node) as Document | ShadowRoot;

export const parentOf = (node: Node): Node | null => Reflect.get(Node.prototype, 'parentNode', node);

export const classesOf = (form: Element): DOMTokenList => Reflect.get(Element.prototype, 'classList', form);

export const listen = (target: Node, type: string, listener: (event: Event) => void, signal: AbortSignal): void =>
  void call(EventTarget.prototype, 'addEventListener', target, type, listener, { capture: true, signal });
