import { documentOf, isRendered, query, rootOf, windowOf } from '../../dom/dom-tree.js';
import { elementsOfClass } from '../../dom/members.js';

/** An editor that replaces or accompanies a control. */
export interface FormEditor {
  /** The content as the control would hold it at submission, or only its text if `html` exists. */
  readonly value: string;
  /** The content as HTML, to restore the editor after a failed call. */
  readonly html?: string;
  /**
   * The comparison of values: as HTML by text, links and images; as lines of text; or only by text, if the format of the
   * control's value is unknown.
   * @default 'html'
   */
  readonly format?: 'html' | 'lines' | 'unknown';
  /**
   * Replaces the content through the editor, so that its events and its undo history are correct and no script in the value
   * runs. The content before a call (`isOwn`) is restored unchanged.
   */
  setValue(value: string, html?: string, isOwn?: boolean): void;
}

/** Returns the editor of a control; undefined if it has none, or if the editor cannot be edited. */
export type FindEditor = (control: Element) => FormEditor | undefined;

/** A member that a script has set on a window or an element. */
export const memberOf = <Value>(target: object | null, name: string): Value | undefined =>
  (target ? Reflect.get(target, name) : undefined) as Value | undefined;

export const globalOf = <Value>(control: Element, name: string): Value | undefined =>
  memberOf<Value>(windowOf(control), name);

/** Finds an element of an editor by class and condition. Returns undefined if the control is rendered: editors hide it. */
export function findElement(
  control: Element,
  className: string,
  isWanted: (element: Element) => unknown,
): Element | undefined {
  const root = rootOf(control);
  // Documents cache this collection.
  const elements = root === documentOf(control) ? [...elementsOfClass(root, className)] : query(root, `.${className}`);
  const element = elements.find(isWanted);
  return element && !isRendered(control) ? element : undefined;
}
