import { defaultTreeAdapter as tree, parse, parseFragment, serialize, type DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type Page = DefaultTreeAdapterTypes.Document;
type Parent = DefaultTreeAdapterTypes.ParentNode;

export const readPage = (html: string): Page => parse(html);
export const writePage = (page: Page): string => serialize(page);

export function* elementsOf(parent: Parent): Generator<Element> {
  for (const node of parent.childNodes) {
    if (!('tagName' in node)) continue;
    yield node;
    yield* elementsOf(node);
  }
}

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

export function setAttribute(element: Element, name: string, value: string | undefined): void {
  element.attrs = element.attrs.filter((each) => each.name !== name);
  if (value !== undefined) element.attrs.push({ name, value });
}

export function find(parent: Parent, test: (element: Element) => boolean, what: string): Element {
  for (const element of elementsOf(parent)) if (test(element)) return element;
  throw new Error(`The page has no ${what}.`);
}

export const byId = (parent: Parent, id: string): Element =>
  find(parent, (element) => attribute(element, 'id') === id, `element with the id ${id}`);

export const byTag = (parent: Parent, name: string): Element =>
  find(parent, ({ tagName }) => tagName === name, `element ${name}`);

function insert(parent: Parent, html: string, before?: DefaultTreeAdapterTypes.ChildNode): void {
  for (const node of [...parseFragment(parent as Element, html, {}).childNodes]) {
    tree.detachNode(node);
    if (before) tree.insertBefore(parent, node, before);
    else tree.appendChild(parent, node);
  }
}

export function setContent(element: Element, html: string): void {
  element.childNodes = [];
  insert(element, html);
}

export function setText(element: Element, text: string): void {
  element.childNodes = [];
  tree.insertText(element, text);
}

export const append = (element: Element, html: string): void => insert(element, html);

export const prepend = (element: Element, html: string): void => insert(element, html, element.childNodes[0]);
