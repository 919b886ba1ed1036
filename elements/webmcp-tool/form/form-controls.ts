import { matchesSelector, type FormSelector } from '../../../src/compiler/tool-element/form-selector.js';
import { annotationOf, attributeOf, elementsOf, isIgnored, rootOf } from '../../form-access.js';

/** Whether a form is a tool by its own annotations. */
export const isAnnotated = (form: Element): boolean =>
  !!annotationOf(form, 'toolname') && annotationOf(form, 'tooldescription') !== null;

function query(root: Node, selector: string): readonly Element[] {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  const { prototype } = root instanceof Document ? Document : DocumentFragment;
  return Array.from(prototype.querySelectorAll.call(root, selector));
}

/** The selected elements, without those in ignored content. With an ID, they may be other elements than forms. */
export function selectedElements(root: Node, selector: FormSelector): readonly Element[] {
  const [[name, value] = ['for', '']] = selector;
  return query(root, name === 'for' && value !== '' ? `#${CSS.escape(value)}` : 'form').filter(
    (each) => matchesSelector(selector, (attribute) => attributeOf(each, attribute)) && !isIgnored(each),
  );
}

/** The position of an element among those of its name in its document or shadow root. */
export function placeOf(element: Element): string {
  const name = Reflect.get(Element.prototype, 'localName', element);
  return `${name} ${query(rootOf(element), CSS.escape(name)).indexOf(element) + 1}`;
}

/** The controls of a form, without those in ignored content. */
const controlsOf = (form: Element): readonly Element[] => elementsOf(form).filter((control) => !isIgnored(control));

export const controlsNamed = (form: Element, name: string): readonly Element[] =>
  controlsOf(form).filter((control) => control.localName !== 'fieldset' && attributeOf(control, 'name') === name);

const isChoice = (control: Element): boolean =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox');

/** The nearest group around all controls, unless it contains controls of other names. */
function groupOf(form: Element, controls: readonly Element[]): Element | undefined {
  const group = controls[0]?.closest('fieldset, [role=group], [role=radiogroup]');
  const inside = group ? controlsOf(form).filter((control) => control !== group && group.contains(control)) : [];
  return group && inside.length === controls.length && inside.every((control) => controls.includes(control))
    ? group
    : undefined;
}

/** The elements to annotate with a parameter's description: the control, or the group of several checkboxes. */
export function describedElements(form: Element, name: string): readonly Element[] {
  const controls = controlsNamed(form, name);
  if (controls.length < 2 || !controls.every(isChoice)) return controls;
  const group = groupOf(form, controls);
  return group ? [group] : [];
}
