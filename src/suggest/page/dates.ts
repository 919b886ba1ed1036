import type { GroupDescription } from '../../compiler/description.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import { foundText, identifierWords, type FoundText } from '../words/clean-text.js';
import type { Field } from './fields.js';

export type DatePart = 'day' | 'month' | 'year';

/** A date of three fields, such as selects for the day, the month and the year. */
export interface DateFields {
  readonly parts: ReadonlyMap<Field, DatePart>;
  /** The text that names the date. */
  readonly label: FoundText;
}

/** The words of labels and names for each part, in the languages of the other tables. */
const partWords: Readonly<Record<DatePart, RegExp>> = {
  day: /^(?:d|dd|day|tag|jour|d[ií]a|giorno|dag|den|deň|dzie[nń]|nap|zi|gün|день|число|ден|日|일)\d*$/iu,
  month:
    /^(?:m|mm|mon|month|monat|mois|m[eê]s|mese|maand|m[aå]ned|m[aå]nad|m[eě]s[ií]c|mesiac|miesi[aą]c|h[oó]nap|lun[aă]|ay|месяц|місяць|месец|月|월)\d*$/iu,
  year: /^(?:y|yy|yyyy|year|jahr|ann[eé]e|a[nñ]o|anno|jaar|[aå]r|rok|[eé]v|an|yıl|год|рік|година|年|년)\d*$/iu,
};

/** Finds the dates of three fields in sequence, each with the text that names the date. */
export function readDates(fields: readonly Field[], groups: readonly GroupDescription[]): readonly DateFields[] {
  if (fields.length < 3) return [];
  const parts = fields.map(partOf);
  const dates: DateFields[] = [];
  for (let at = 0; at + 2 < fields.length; at++) {
    const found = parts.slice(at, at + 3).filter((part) => part !== undefined);
    if (new Set(found).size < 3) continue;
    const three = fields.slice(at, at + 3);
    const label = legendOf(three, fields, groups) ?? labelOfFirst(three);
    if (label) dates.push({ parts: new Map(three.map((field, index) => [field, found[index] ?? 'day'])), label });
    at += 2;
  }
  return dates;
}

/** The part of a field: of its label, or else of the last word of its name. */
function partOf({ name, label, type, control }: Field): DatePart | undefined {
  if (!/^(?:text|tel|number|select-one)$/.test(type)) return undefined;
  const own = control.words.find(({ source }) => source !== 'placeholder')?.text ?? '';
  return partIn(own) ?? partIn(label?.text ?? '') ?? partIn(identifierWords(name).at(-1) ?? '');
}

/** The longest word of a part has nine letters. */
const partIn = (text: string): DatePart | undefined =>
  text.length > 12 ? undefined : dateParts.find((part) => partWords[part].test(text.trim()));

const dateParts = ['day', 'month', 'year'] as const;

const isPart = (text: string): boolean =>
  dateParts.some((part) => partWords[part].test(text)) || /^[dmyjat./ -]+$/i.test(text);

/** The legend of the nearest group that has these fields and no others. */
function legendOf(
  three: readonly Field[],
  fields: readonly Field[],
  groups: readonly GroupDescription[],
): FoundText | undefined {
  const [first] = three;
  const shared = first?.control.groups.find((group) => three.every(({ control }) => control.groups.includes(group)));
  if (shared === undefined) return undefined;
  const isOnly = fields.every((field) => three.includes(field) || !field.control.groups.includes(shared));
  return isOnly ? foundText('legend', namingText(groups[shared]?.words ?? [])) : undefined;
}

/** The label of the first field, if it names the date and not the part. */
function labelOfFirst([first]: readonly Field[]): FoundText | undefined {
  const label = first?.label;
  return label && !isPart(label.text) ? label : undefined;
}
