import { annotationOf, attributeOf, elementsOf, isIgnored } from '../../form-access.js';

/** Whether a form is a tool by its own annotations. */
export const isAnnotated = (form: Element): boolean =>
  !!annotationOf(form, 'toolname') && annotationOf(form, 'tooldescription') !== null;

/** The elements of an ID, without those in ignored content. */
export function elementsById(root: Node, id: string): readonly Element[] {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  const { prototype } = root instanceof Document ? Document : DocumentFragment;
  const elements: Iterable<Element> = prototype.querySelectorAll.call(root, `#${CSS.escape(id)}`);
  return [...elements].filter((each) => !isIgnored(each));
}

export const controlsNamed = (form: Element, name: string): readonly Element[] =>
  elementsOf(form).filter((control) => control.localName !== 'fieldset' && attributeOf(control, 'name') === name);

const isChoice = (control: Element): boolean =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox');

/** The nearest group around all controls, unless it contains controls of other names. */
function groupOf(form: Element, controls: readonly Element[]): Element | undefined {
  const group = controls[0]?.closest('fieldset, [role=group], [role=radiogroup]');
  const inside = group ? elementsOf(form).filter((control) => control !== group && group.contains(control)) : [];
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
