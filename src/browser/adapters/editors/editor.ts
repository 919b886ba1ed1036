import { getter, method, setter } from '../../../platform/primordials.js';
import { documentOf, domTree, elementsIn, isRendered, query, rootOf, windowOf } from '../../dom/dom-tree.js';

/** An editor that replaces or accompanies a control. */
export interface FormEditor {
  /** The content as the control would hold it at submission, or only its text if `html` exists. */
  readonly value: string;
  /** The content as HTML, to restore the editor after a failed call. */
  readonly html?: string;
  /**
   * How values are compared: as HTML by their text, links and images, as lines of text, or only by their text, if the format
   * of the control's value is unknown.
   * @default 'html'
   */
  readonly format?: 'html' | 'lines' | 'unknown';
  /**
   * Replaces the content through the editor, so that its events and its undo history are correct and no script in the value
   * runs.
   */
  setValue(value: string, html?: string): void;
}

/** Returns the editor of a control; undefined if it has none, or if the editor cannot be edited. */
export type FindEditor = (control: Element) => FormEditor | undefined;

const textareaValue = getter<Element, string>('HTMLTextAreaElement', 'value');
const inputValue = getter<Element, string>('HTMLInputElement', 'value');
const setTextareaValue = setter<Element, string>('HTMLTextAreaElement', 'value');
const setInputValue = setter<Element, string>('HTMLInputElement', 'value');
const ofClass = method<Node, [string], HTMLCollection>('Document', 'getElementsByClassName');

export const isTextarea = (control: Element): boolean => domTree.localName(control) === 'textarea';

export const valueOf = (control: Element): string => (isTextarea(control) ? textareaValue : inputValue)(control);

/** Sets the value of a control without events. */
export const setValueOf = (control: Element, value: string): void =>
  (isTextarea(control) ? setTextareaValue : setInputValue)(control, value);

/** A member that a script has set on a window or an element. */
export const memberOf = <Value>(target: object | null, name: string): Value | undefined =>
  (target ? Reflect.get(target, name) : undefined) as Value | undefined;

export const globalOf = <Value>(control: Element, name: string): Value | undefined =>
  memberOf<Value>(windowOf(control), name);

/** The first element of a class that satisfies a condition, for a control without a box: editors remove it. */
export function findElement(
  control: Element,
  className: string,
  isWanted: (element: Element) => unknown,
): Element | undefined {
  const root = rootOf(control);
  // Documents cache this collection.
  const elements = root === documentOf(control) ? elementsIn(ofClass(root, className)) : query(root, `.${className}`);
  const element = elements.find(isWanted);
  return element && !isRendered(control) ? element : undefined;
}
