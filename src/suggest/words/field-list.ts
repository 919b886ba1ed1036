import { identifierWords, shorten } from './clean-text.js';
import type { Field } from '../page/fields.js';
import { bareNoun, isNounPhrase, withoutOwner } from './noun-phrase.js';
import { sentenceCase } from './phrase.js';

const maxListed = 6;
const maxQuoted = 60;

/**
 * The fields that a description lists. Omits passwords, which agents do not fill, and single checkboxes beside other fields,
 * because their labels are consents and statements.
 */
export const listedFields = (fields: readonly Field[]): readonly Field[] => {
  const open = fields.filter(({ control }) => !control.sensitive || control.evidence !== undefined);
  const main = open.filter((field) => !isStatement(field));
  return main.length > 0 ? main : open;
};

const isStatement = ({ type, choices }: Field): boolean => type === 'checkbox' && choices.length === 1;

/**
 * The noun of a field's label. Without a label, or if text nearby contains no noun, the noun of its name, or `file` for a
 * file input. Empty unless it is certainly a noun.
 */
export function fieldNoun(field: Field): string {
  const { label, name, type } = field;
  if (isStatement(field)) return '';
  if (label === undefined || label.kind === 'nearby-text') {
    const noun = sentenceCase(bareNoun(label?.text ?? ''));
    return noun !== '' && isNounPhrase(noun) ? noun : nameNoun(name) || (type === 'file' ? 'file' : '');
  }
  const noun = withoutOwner(sentenceCase(bareNoun(label.text)));
  return isNounPhrase(noun) ? noun : '';
}

/** Names that do not describe a value, such as names in examples. */
const emptyName =
  /\b(?:field|input|txt|form|options?|check|checkbox|checkboxes|radios?|select|group|ctl|data|values?|val|flex|example|examples|test|demo|sample|foo|with|without|on|off|default|file)\b/;

/** The last part of `user[first_name]` and `User.FirstName`. */
export const lastPart = (name: string): string | undefined =>
  /\[([^\]]+)\](?:\[\])?$/.exec(name)?.[1] ?? /\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(name)?.[1];

/** The noun of a name such as `user[first_name]`. */
export function nameNoun(name: string): string {
  const parts = identifierWords(lastPart(name) ?? name.replace(/\[.*$/, ''));
  const text = parts
    .map((word) => word.replace(/\d+$/, ''))
    .join(' ')
    .trim();
  return /\p{L}{3}/u.test(text) && text.split(' ').length < 4 && !emptyName.test(text) && isNounPhrase(text)
    ? text
    : '';
}

/** The fields as a description names them. */
interface FieldList {
  /**
   * A list such as `name and email address`, or `"Name" and "With classes"`; empty if no field has a meaningful label or
   * name.
   */
  readonly list: string;
  /** Whether the labels are quoted, because one of them may not be a noun. */
  readonly isQuoted: boolean;
  readonly count: number;
}

export function fieldList(fields: readonly Field[], isEnglish: boolean): FieldList {
  const listed = listedFields(fields);
  const nouns = listed.map((field) => (isEnglish ? fieldNoun(field) : ''));
  const labels = listed.map(({ label }) => (label === undefined || label.kind === 'nearby-text' ? '' : label.text));
  const isQuoted = listed.some((_, index) => nouns[index] === '' && labels[index] !== '');
  const texts = isQuoted ? labels.map(quote) : nouns;
  const distinct = [...new Set(texts)].filter((text) => text !== '' && text !== '""');
  return { list: joined(distinct), isQuoted, count: distinct.length };
}

export const quote = (text: string): string => `"${shorten(text, maxQuoted).replaceAll('"', "'")}"`;

/** A list such as `name, email address and message`. */
export function joined(texts: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const rest = texts.length - maxListed;
  const all = rest > 0 ? [...texts.slice(0, maxListed), `${rest} more ${rest === 1 ? 'field' : 'fields'}`] : texts;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${conjunction} ${all.at(-1)}`;
}

/**
 * A phrase such as ` with the name, email address and message`; empty without fields, or if the object names the only
 * field.
 */
export function withFields(fields: readonly Field[], object = '', isEnglish = true): string {
  const { list, isQuoted, count } = fieldList(fields, isEnglish);
  const isSame = list !== '' && ` ${object.toLowerCase()} `.includes(` ${list.toLowerCase()} `);
  if (list === '' || isSame) return '';
  return isQuoted ? ` with the ${count > 1 ? 'fields' : 'field'} ${list}` : ` with the ${list}`;
}
