import { attributeOf, rootOf } from './form.js';

const skipped = new Set(['select', 'textarea', 'button', 'output', 'meter', 'progress', 'script', 'style']);

/** The text of an element, without that of the controls in it. */
function textIn(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof Element && skipped.has(node.localName)) return '';
  return Array.from(node.childNodes, textIn).join(' ');
}

/** Without the characters that turn the direction of what follows. */
export const clean = (text: string): string => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

const tidy = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

/** A name or a title as it is shown. */
export const shortName = (text: string): string => short(tidy(text), 120);

export const short = (text: string, length: number): string => {
  const characters = Array.from(text.slice(0, length * 2 + 2));
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
};

/** What a person knows a control by. Of a box in a group, its value is better than the name that all have. */
export const labelOf = (control: HTMLElement, isMember = false): string =>
  shortName(
    tidy(labelsOf(control).map(textIn).join('; ')) ||
      ariaOf(control) ||
      (control.localName.includes('-') && tidy(control.getAttribute('label') ?? '')) ||
      (isMember ? (control.getAttribute('value') ?? '') : legendOf(control) || nameOf(control)),
  );

/** What a person knows a submit button by. */
export const buttonName = (button: HTMLElement): string => {
  const own = button instanceof HTMLInputElement ? button.alt || button.value : textIn(button);
  const named = Array.from(button.childNodes, textIn).join(' ');
  return shortName(ariaOf(button) || named || own || button.title);
};

export const nameOf = (control: Element): string => control.getAttribute('name') ?? '';

function labelsOf(control: HTMLElement): readonly Element[] {
  const labels = Reflect.get(control, 'labels') as NodeListOf<Element> | null | undefined;
  if (labels) return [...labels];
  const around = control.closest('label');
  const { id } = control;
  return [
    ...(id ? rootOf(control).querySelectorAll(`label[for="${CSS.escape(id)}"]`) : []),
    ...(around ? [around] : []),
  ];
}

function ariaOf(element: Element): string {
  const ids = (attributeOf(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  const root = rootOf(element);
  const texts = ids.map((id) => root.querySelector(`#${CSS.escape(id)}`)).map((named) => (named ? textIn(named) : ''));
  return tidy(texts.join(' ') || (attributeOf(element, 'aria-label') ?? ''));
}

/** The legend of the fieldset, or the name of the group, that a control is in with others of its name only. */
export function legendOf(control: Element): string {
  const group = control.closest('fieldset, [role=radiogroup], [role=group]');
  if (!group || !isOfOneName(group, nameOf(control))) return '';
  const legend = Array.from(group.children).find(({ localName }) => localName === 'legend');
  return shortName(legend ? textIn(legend) : ariaOf(group));
}

const isOfOneName = (group: Element, name: string): boolean =>
  Array.from(group.querySelectorAll('input:not([type=hidden]), select, textarea')).every(
    (each) => nameOf(each) === name,
  );

/** What a form is called, if it is. */
export const formName = (form: HTMLFormElement): string => shortName(ariaOf(form));
