import { attributeOf, rootOf } from '../../form-access.js';

const skipped = new Set(['select', 'textarea', 'button', 'output', 'meter', 'progress', 'script', 'style']);

/** The text of an element, excluding its controls. */
function textIn(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof Element && skipped.has(node.localName)) return '';
  return Array.from(node.childNodes, textIn).join(' ');
}

/** Removes bidirectional formatting characters. */
export const withoutBidi = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

const collapse = (text: string): string => withoutBidi(text).replace(/\s+/g, ' ').trim();

export function truncate(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2));
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}

/** Formats a name or a title on one line. */
export const displayName = (text: string): string => truncate(collapse(text), 120);

/**
 * The label of a control. Without a label, a checkbox or radio button in the row of its group is named by its value,
 * and any other control by the legend of its group or by its own name.
 */
export const labelOf = (control: HTMLElement, isInGroup = false): string =>
  displayName(
    collapse(labelsOf(control).map(textIn).join('; ')) ||
      ariaLabelOf(control) ||
      (control.localName.includes('-') && collapse(control.getAttribute('label') ?? '')) ||
      (isInGroup ? (control.getAttribute('value') ?? '') : legendOf(control) || nameOf(control)),
  );

export function buttonLabel(button: HTMLElement): string {
  const content = Array.from(button.childNodes, textIn).join(' ');
  const own = button instanceof HTMLInputElement ? button.alt || button.value : textIn(button);
  return displayName(ariaLabelOf(button) || content || own || button.title);
}

export const nameOf = (control: Element): string => control.getAttribute('name') ?? '';

function labelsOf(control: HTMLElement): readonly Element[] {
  const labels = Reflect.get(control, 'labels') as NodeListOf<Element> | null | undefined;
  if (labels) return [...labels];
  const ancestor = control.closest('label');
  const { id } = control;
  return [
    ...(id ? rootOf(control).querySelectorAll(`label[for="${CSS.escape(id)}"]`) : []),
    ...(ancestor ? [ancestor] : []),
  ];
}

function ariaLabelOf(element: Element): string {
  const ids = (attributeOf(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  const root = rootOf(element);
  const texts = ids.map((id) => root.querySelector(`#${CSS.escape(id)}`)).map((named) => (named ? textIn(named) : ''));
  return collapse(texts.join(' ') || (attributeOf(element, 'aria-label') ?? ''));
}

/** The legend of the group of a control, if all controls of the group have the same name. */
export function legendOf(control: Element): string {
  const group = control.closest('fieldset, [role=radiogroup], [role=group]');
  const name = nameOf(control);
  const controls = group?.querySelectorAll('input:not([type=hidden]), select, textarea') ?? [];
  if (!group || Array.from(controls).some((each) => nameOf(each) !== name)) return '';
  const legend = Array.from(group.children).find(({ localName }) => localName === 'legend');
  return displayName(legend ? textIn(legend) : ariaLabelOf(group));
}

export const formName = (form: HTMLFormElement): string => displayName(ariaLabelOf(form));
