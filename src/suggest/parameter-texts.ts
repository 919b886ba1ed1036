import type { LabelText } from '../compiler/description.js';
import { joinTexts, namingText } from '../compiler/parameters/description-text.js';
import { synthesizeParameters } from '../compiler/profiles/synthesize.js';
import type { SynthesizedParameter } from '../compiler/tool.js';
import type { Tree } from '../compiler/tree.js';
import { budgets, isPlaceholderLabel } from '../wording/words.js';
import type { Field } from './page/fields.js';
import type { FormFacts } from './page/form-facts.js';
import { passwords } from './purposes/draft.js';
import type { ParameterSuggestion } from './suggestion.js';
import { capitalized, foundText, identifierWords, originsOf, shorten, type FoundText } from './words/clean-text.js';
import { lastPart } from './words/field-list.js';
import { sentenceCase } from './words/phrase.js';

const maxLength = budgets.parameter;

/** The descriptions of parameters that the page does not describe. */
export function suggestParameters<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  facts: FormFacts<Element>,
): readonly ParameterSuggestion<Element>[] {
  if (facts.dates.length === 0 && facts.fields.every(isDescribed)) return [];
  const parameters = synthesizeParameters(facts.description, { profile: 'precise', sensitive: 'exclude' });
  const ignored = new Set([...facts.traps, ...passwords(facts).map(({ index }) => index)]);
  return parameters.flatMap((parameter) => {
    if (ignored.has(parameter.units[0].controls[0] ?? -1)) return [];
    const text = joinTexts(parameter.words.filter(isOfMarkup));
    const date = dateDescription(facts, parameter, text);
    const isVague = date !== undefined || text === '' || isPlaceholderLabel(text);
    const isLong =
      text.length > maxLength && !parameter.words.some(({ source }) => /^(?:toolparam|aria-desc)/.test(source));
    const control = isVague || isLong ? placeOf(tree, facts, parameter) : undefined;
    if (control === undefined || parameter.units[0].kind === 'custom' || parameter.units[0].kind === 'submitter')
      return [];
    const found = date ?? (isVague ? foundDescription(facts, parameter) : firstSentence(text));
    return found
      ? [{ control, parameter: parameter.name, description: { value: found.value, origins: originsOf(found.from) } }]
      : [];
  });
}

/** Whether markup associates a label with its control. Native WebMCP ignores text that is only near the control. */
const isOfMarkup = ({ source }: LabelText): boolean => !/^(?:nearby|question|section)$/.test(source);

/** A fast pretest, because most forms have labels. */
function isDescribed({ control, type, choices, label }: Field): boolean {
  if (control.name === '' || control.sensitive) return true;
  const legend = label?.kind === 'legend' ? label.text : '';
  const text = type === 'radio' || choices.length > 1 ? legend : namingText(control.words.filter(isOfMarkup));
  return text !== '' && text.length <= maxLength / 2 && !isPlaceholderLabel(text);
}

interface Found {
  readonly value: string;
  readonly from: readonly (FoundText | undefined)[];
}

/** A description such as `Date of birth: day`, for a field whose own label does not name the date. */
function dateDescription(
  { dates, isEnglish }: FormFacts<unknown>,
  { units: [{ controls }] }: SynthesizedParameter,
  text: string,
): Found | undefined {
  for (const { parts, label } of dates)
    for (const [field, part] of parts) {
      if (!controls.includes(field.index)) continue;
      const isNamed = text.length > label.text.length && text.includes(label.text);
      const own = field.label && field.label.text !== label.text ? field.label.text : dateCodes[part];
      const value = `${shorten(label.text, maxLength - 30)}: ${isEnglish ? part : shorten(own, 25)}`;
      return isNamed ? undefined : { value, from: [label, field.label] };
    }
  return undefined;
}

const dateCodes = { day: 'DD', month: 'MM', year: 'YYYY' } as const;

function firstSentence(text: string): Found {
  const [first = ''] = /^.{20,148}?[.!?](?=\s|$)/.exec(text) ?? [];
  return { value: first || shorten(text, maxLength), from: [foundText('label', text)] };
}

/** The element for the description: the control, or the fieldset around choices with one name. */
function placeOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  { elements, description }: FormFacts<Element>,
  { units }: SynthesizedParameter,
): Element | undefined {
  const [{ kind, controls }] = units;
  const [first = 0] = controls;
  const control = elements[first];
  if (units.length > 1) return undefined;
  if (kind !== 'radios' && kind !== 'checkboxes') return control;
  if (control === undefined || description.controls[first]?.groups.length === 0) return undefined;
  const shared = new Set(controls.flatMap((index) => description.controls[index]?.groups[0] ?? -1));
  const isAlone =
    shared.size === 1 &&
    description.controls.every(
      ({ groups, type, name }) =>
        type === 'hidden' || !groups.includes([...shared][0] ?? -1) || name === description.controls[first]?.name,
    );
  if (!isAlone) return undefined;
  for (let up = tree.parent(control); up !== null && tree.isElement(up); up = tree.parent(up))
    if (tree.localName(up) === 'fieldset') return up;
  return undefined;
}

const autocompleteTexts: Readonly<Record<string, string>> = {
  name: 'Full name',
  'given-name': 'First name',
  'family-name': 'Last name',
  'additional-name': 'Middle name',
  'honorific-prefix': 'Title, such as Dr.',
  nickname: 'Nickname',
  email: 'Email address',
  username: 'Username',
  tel: 'Telephone number',
  'tel-national': 'Telephone number',
  url: 'Web address',
  organization: 'Company or organization',
  'organization-title': 'Job title',
  'street-address': 'Street address',
  'address-line1': 'First line of the street address',
  'address-line2': 'Second line of the street address',
  'address-level1': 'State, province or region',
  'address-level2': 'City',
  'postal-code': 'Postal code',
  country: 'Country',
  'country-name': 'Country',
  bday: 'Date of birth',
  sex: 'Gender',
  language: 'Preferred language',
};
const typeTexts: Readonly<Record<string, string>> = {
  email: 'Email address',
  tel: 'Telephone number',
  url: 'Web address',
  file: 'File to upload',
  color: 'Color',
  date: 'Date',
  time: 'Time',
  search: 'Words to search for',
};
const abbreviations: Readonly<Record<string, string>> = {
  qty: 'quantity',
  fname: 'first name',
  lname: 'last name',
  firstname: 'first name',
  lastname: 'last name',
  tel: 'telephone number',
  addr: 'address',
  msg: 'message',
  desc: 'description',
  dob: 'date of birth',
  zip: 'ZIP code',
  lang: 'language',
  num: 'number',
  username: 'username',
  pwd: 'password',
  q: 'words to search for',
  s: 'words to search for',
  min: 'minimum',
  max: 'maximum',
  qs: 'query',
};

function foundDescription(facts: FormFacts<unknown>, parameter: SynthesizedParameter): Found | undefined {
  const [index = -1] = parameter.units[0].controls;
  const field = facts.fields.find((each) => each.index === index);
  const { isEnglish } = facts;
  const label = field?.label;
  if (label && !isPlaceholderLabel(label.text)) {
    const text = label.kind === 'nearby-text' ? namingText(field.control.words) : label.text;
    return { value: shorten(text, maxLength), from: [label] };
  }
  const control = facts.description.controls[index];
  const token = isEnglish ? control?.attributes.autocomplete?.toLowerCase().split(/\s+/).at(-1) : undefined;
  const known = token !== undefined && Object.hasOwn(autocompleteTexts, token) ? autocompleteTexts[token] : undefined;
  if (known !== undefined && token !== undefined)
    return { value: known, from: [{ kind: 'autocomplete', text: token }] };
  return fromName(parameter.name, isEnglish) ?? fromType(field, isEnglish);
}

/** A description from a name: `First name` for `user[first_name]`. */
function fromName(name: string, isEnglish: boolean): Found | undefined {
  const parts = lastPart(name) ?? name;
  const words = identifierWords(parts).map((word) =>
    isEnglish && Object.hasOwn(abbreviations, word) ? (abbreviations[word] ?? word) : word,
  );
  const text = words.join(' ');
  if (!/\p{L}{3}/u.test(text) || isPlaceholderLabel(text)) return undefined;
  return { value: shorten(capitalized(sentenceCase(text)), maxLength), from: [{ kind: 'name', text: name }] };
}

function fromType(field: Field | undefined, isEnglish: boolean): Found | undefined {
  const type = field?.type ?? '';
  const text = isEnglish && Object.hasOwn(typeTexts, type) ? typeTexts[type] : undefined;
  return text === undefined ? undefined : { value: text, from: [{ kind: 'type', text: type }] };
}
