import { collapseWhitespace } from '../../../compiler/html/text.js';
import { domTree, elementById, isRendered, query, rootOf } from '../../dom/dom-tree.js';
import { closest, matches, nextElement, textContent } from '../../dom/members.js';

/** The combobox of the widget that replaces a hidden select: inside the next sibling of the select, or around the select. */
export function comboboxOf(select: Element): Element | undefined {
  const next = nextElement(select);
  const isOther = next && query(next, '[name]').length > 0; // it contains other controls of the form
  const inside = next && !isOther ? query(next, '[role=combobox],.selectize-input')[0] : undefined;
  return inside ?? closest(select, '[role=combobox]') ?? undefined;
}

/** The rendered options of the popup that an element opens. https://w3c.github.io/aria/#combobox */
export function optionsOf(opener: Element): readonly Element[] {
  const owned = idsOf(opener).flatMap((id) => elementById(rootOf(opener), id) ?? []);
  const found = [...owned, opener].flatMap((place) => query(place, '[role=option]'));
  return (found.length > 0 ? found : menuItemsNear(opener)).filter(isChoice);
}

/** The IDs of the popups that an element opens. */
export const idsOf = (opener: Element): readonly string[] =>
  ['aria-controls', 'aria-owns'].flatMap((name) => domTree.attribute(opener, name)?.split(/\s+/) ?? []);

/** jQuery UI and Selectize do not connect the menu with its field; only one of the page's menus is rendered. */
const menuItemsNear = (field: Element): readonly Element[] =>
  matches(field, '.ui-autocomplete-input,.selectize-input')
    ? query(rootOf(field), '.ui-autocomplete .ui-menu-item,.selectize-dropdown [data-selectable]')
    : [];

/** Whether a field is the search field of Selectize, which has `autocomplete=new-password` against autofill. */
export const isSearchField = (field: Element): boolean => matches(field, '.selectize-input *');

/** In Choices.js, selected items also have the role `option`. */
const isChoice = (option: Element): boolean =>
  isRendered(option) &&
  domTree.attribute(option, 'aria-disabled') !== 'true' &&
  domTree.attribute(option, 'data-item') === null;

export const textOf = (element: Element): string => collapseWhitespace(textContent(element) ?? '');

/** Whether a string is the value of an option, or its label, ignoring case. */
export const isNamed = (wanted: string, text: string, value: string | null): boolean =>
  value === wanted || (text !== '' && text.toLowerCase() === collapseWhitespace(wanted).toLowerCase());

export const optionNamed = (options: readonly Element[], wanted: string): Element | undefined =>
  options.find((option) => isNamed(wanted, textOf(option), domTree.attribute(option, 'data-value')));
