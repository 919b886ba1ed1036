import type { ControlDescription, LabelText } from '../../description.js';
import { collapseWhitespace, stripEnds } from '../../html/text.js';
import { isAnySubmitButton, takesValue } from '../../parameters/parameters.js';
import { namingText } from '../../parameters/description-text.js';
import { exampleWords, generic, type NearbyLabel, type NearbyOrigin } from './nearby-text.js';

type ReadAttribute = (name: string) => string | null;

/** The attributes from which scripts show a placeholder, and `alt`, which old pages use instead. */
const promptAttributes = ['data-placeholder', 'data-prompt', 'data-label', 'data-watermark', 'alt'];
const textTypes = /^(?:text|search|email|tel|url|textarea)$/;
/** Event handlers and classes of fields whose value is their label until they are focused. */
const clearingScript = /value|clear|reset|label|default|placeholder|hint/i;
const clearedClass = /default|placeholder|watermark|hint|label|fading/i;
/** The value with which such an event handler compares the current value. */
const comparedValue = /value\s*[!=]==?\s*(['"])([^'"]{3,60})\1/;
const search = 'search|recherche|suche|busca|cerca|szukaj|zoek|поиск|найти';
/** Values that prompt for input. */
const promptText = new RegExp(
  String.raw`^\P{L}*(?:(?:enter|type|your|what|please|votre|ihre?|введите|ваш|zadejte)\s.{3}|(?:${search})r?(?:\P{L}|$)` +
    String.raw`|(?:user ?name|log-?in|(?:first |last )?name|логин|usuario)\P{L}*$|(?:\p{L}+ ){0,3}e-?mail(?:[- ]\p{L}+){0,3}\P{L}*$)`,
  'iu',
);
const maxLength = 60;
const maxRead = 1000;

/**
 * The label in a control: the prompt of a select, a placeholder in another attribute, or the value that a text field
 * loses when it is focused.
 *
 * @param read - reads an attribute of the control
 */
export function promptLabel(control: ControlDescription, read: ReadAttribute): NearbyLabel | undefined {
  if (control.type === 'select-one') return selectPrompt(control);
  if (!textTypes.test(control.type)) return undefined;
  const attribute = (name: string): string => (read(name) ?? '').slice(0, maxRead);
  const prompt = promptAttributes.map(attribute).find(Boolean);
  if (prompt) return labelOf(prompt, 'value');
  const scripts = ['onfocus', 'onclick', 'onblur'].map(attribute).join(' ');
  const value = (control.attributes.value ?? control.defaultText) || comparedValue.exec(scripts)?.[2] || '';
  const isCleared =
    promptText.test(value.slice(0, maxRead)) ||
    clearingScript.test(scripts) ||
    scripts.includes(value) ||
    clearedClass.test(attribute('class')) ||
    (control.type === 'email' && !value.includes('@'));
  return isCleared ? labelOf(value, 'value') : undefined;
}

/** The label of the group of all options, else of the first option if it is a prompt. */
function selectPrompt({ options = [] }: ControlDescription): NearbyLabel | undefined {
  const [first] = options;
  const [group, ...otherGroups] = new Set(options.map((option) => option.group));
  if (group && otherGroups.length === 0) return labelOf(group, 'option');
  if (!first) return undefined;
  const text = first.label ?? (first.text.trim() || group || '');
  const isPrompt = first.value === '' || first.disabled || /^(?:0|-1|-+)$/.test(first.value) || everything.test(text);
  return isPrompt ? labelOf(text, 'option') : undefined;
}

/** Options that stand for all other options and name their kind, such as `All categories`. */
const everything = /^(?:all|any|alle|toutes|todas|todos|все) \p{L}/iu;

/**
 * The names of search fields: `searchName` in any form, `shortName` in a form without POST, and `wordName` in a form
 * that is marked as a search.
 */
const searchName = new RegExp(`(?<!re)search|query|keyword|${search}`, 'i');
const shortName = /^[qs]$/i;
const wordName = /^[qs]$|text|word|term|find/i;

/**
 * Finds the search field of a form: its only text field, or its only field of the type `search`. The label is that of
 * the form's only button if the field is the only text field, else `Search`.
 *
 * @param read - reads an attribute of the form
 */
export function searchLabel(
  all: readonly ControlDescription[],
  read: ReadAttribute,
): { readonly field: ControlDescription; readonly label: NearbyLabel } | undefined {
  const fields = all.filter((each) => takesValue(each) && !/^(?:checkbox|radio|select.*)$/.test(each.type));
  const [field, ...others] = fields.length === 1 ? fields : fields.filter(({ type }) => type === 'search');
  if (!field || others.length > 0 || !isSearch(field, read)) return undefined;
  const [button, ...otherButtons] = all.filter(isAnySubmitButton);
  const isOnly = button && !otherButtons.length && fields.length === 1;
  const text = isOnly ? namingText(button.words) || button.attributes.value : '';
  return { field, label: labelOf(text ?? '', 'button') ?? { text: 'Search', origin: 'search' } };
}

function isSearch({ type, name }: ControlDescription, read: ReadAttribute): boolean {
  const says = (pattern: RegExp, ...attributes: readonly string[]): boolean =>
    attributes.some((attribute) => pattern.test((read(attribute) ?? '').slice(0, maxRead)));
  if (type !== 'text') return type === 'search';
  if (searchName.test(name) || (shortName.test(name) && !says(/post/i, 'method'))) return true;
  return wordName.test(name) && says(searchName, 'role', 'action', 'id', 'class');
}

function labelOf(text: string, origin: NearbyOrigin): NearbyLabel | undefined {
  const label = stripEnds(collapseWhitespace(text.slice(0, maxRead)), /[\s:*\-–—.…=<>«»|]/);
  const isLabel = /\p{L}{2}|\p{Lo}/u.test(label) && label.length <= maxLength && !generic.test(label);
  return isLabel ? { text: label, origin } : undefined;
}

/** Whether a label is a placeholder with the format of a part of a value, such as `DD`. */
export const isPart = ({ source, text }: LabelText): boolean =>
  source === 'placeholder' && part.test(text.slice(0, maxLength));
const part = /^\P{L}*([dmyjatгмд])\1{0,3}\P{L}*$/iu;
const example = /^(?:[^\p{L}]+|.*@.*\..*|\d.*|[dmy]{1,4}[\W\d].*)$/iu;
/**
 * Whether a placeholder or title is an example of a value, or a generic phrase, and therefore not the name of the control.
 */
export function isExample(hint: string): boolean {
  const text = hint.trim().slice(0, 200);
  return example.test(text) || part.test(text) || exampleWords.test(text) || generic.test(text);
}
