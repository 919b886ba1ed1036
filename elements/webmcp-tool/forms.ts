/** Reads forms by the platform's own members: a control named `elements` or `getAttribute` clobbers that of its form. */
const attribute = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);

const annotated = (form: Element, name: string): string | null =>
  attribute(form, name) ?? attribute(form, `data-${name}`);

/** Whether a form is a tool by its own annotations. */
export const isAnnotated = (form: Element): boolean =>
  !!annotated(form, 'toolname') && annotated(form, 'tooldescription') !== null;

export const isForm = (element: Element | null): element is HTMLFormElement => element instanceof HTMLFormElement;

export function formById(root: Node, id: string): Element | null {
  const scope = root as Partial<Document>; // a document, a shadow root, or an element that is in neither
  return root instanceof Document
    ? Document.prototype.getElementById.call(root, id)
    : (scope.getElementById?.(id) ?? null);
}

function controlsOf(form: Element): readonly Element[] {
  return [...(Reflect.get(HTMLFormElement.prototype, 'elements', form) as Iterable<Element>)];
}

/** The controls of a form that have a name. */
export const controlsNamed = (form: Element, name: string): readonly Element[] =>
  controlsOf(form).filter((control) => control.localName !== 'fieldset' && attribute(control, 'name') === name);

const isChoice = (control: Element): boolean =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox');

const groups = 'fieldset, [role=group], [role=radiogroup]';

/** The nearest group around all controls, if it holds no control of another name. */
function groupOf(form: Element, controls: readonly Element[]): Element | undefined {
  const group = controls[0]?.closest(groups);
  const inside = group ? controlsOf(form).filter((control) => control !== group && group.contains(control)) : [];
  return group && inside.length === controls.length && inside.every((control) => controls.includes(control))
    ? group
    : undefined;
}

/** The element that says what the controls of a name stand for: a control, or the group of several that are one choice. */
export function describedBy(form: Element, name: string): readonly Element[] {
  const controls = controlsNamed(form, name);
  const areChoice = controls.every(isChoice);
  const group = areChoice ? groupOf(form, controls) : undefined;
  if (controls.length > 1 && areChoice) return group ? [group] : [];
  return controls;
}
