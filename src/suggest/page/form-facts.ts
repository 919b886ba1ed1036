import { describeForm } from '../../compiler/describe/describe-form.js';
import type { Scope } from '../../compiler/describe/scope.js';
import type { ControlDescription, FormDescription, GroupDescription } from '../../compiler/description.js';
import { nameSet } from '../../compiler/html/elements.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import type { Tree } from '../../compiler/tree.js';
import { foundText, identifierWords, type FoundText } from '../words/clean-text.js';
import { readButtons } from './buttons.js';
import { readFields, type Field } from './fields.js';
import { LazyPageTexts, NearbyReader, type Area, type PageTexts } from './nearby.js';

/** English words of forms that are rare in other languages. */
const english =
  /\b(?:the|your|you|and|of|for|with|our|my|please|is|are|what|which|how|this|all|an?|to|email address|first name|last name|search|submit|save|log ?in|sign (?:in|up)|send|subscribe|password|username|message|address|phone|add|create|update|delete|continue|next|cancel|upload|select|choose|city|date|title|number|amount|full|job|weight|height|day|month|year|birth|postcode|zip|state|country|company|website|comments?|feedback|subject|colou?rs?|size|price|quantity|category|details|date|time|start|end|street|town|account|file|photo|image|yes|by|per|only|other|item|label|button|option|accept|cookies|agree|terms)\b/i;
const other =
  /(?<!\p{L})(?:der|das|und|ihre?|für|bitte|absenden|senden|speichern|anmelden|abonnieren|suchen?|weiter|kontakt|nachricht|passwort|vorname|nachname|el|los|las|para|su|tu|enviar|buscar|guardar|correo|contraseña|nombre|mensaje|siguiente|une?|le|les|des|votre|vous|pour|rechercher|envoyer|enregistrer|courriel|nom|prénom|suivant|gli|per|cerca|invia|salva|nome|het|een|voor|zoeken|verzenden|opslaan|naam|och|sök|skicka|spara|jest|szukaj|wyślij|zapisz|hasło|não|você|seu|sua|salvar|pesquisar|senha|ara|gönder|kaydet)(?!\p{L})/iu;

type Language = 'English' | 'other' | 'unknown';

/** Determines the language from the script of the words, or else the declared language, or else the words. */
function languageOf(declared: string, texts: readonly string[]): Language {
  const text = texts.join(' ').slice(0, 1500);
  if (!/\p{L}/u.test(text)) return 'English';
  const foreign = text.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0;
  if (foreign > (text.match(/\p{Script=Latin}/gu)?.length ?? 0)) return 'other';
  if (declared !== '') return /^en\b/.test(declared) ? 'English' : 'other';
  if (other.test(text)) return 'other';
  return english.test(text) ? 'English' : 'unknown';
}

/** The strings and attributes of a page that describe a form. */
export interface FormFacts<Element> {
  readonly description: FormDescription;
  readonly elements: readonly Element[];
  /** The fields, except honeypots. */
  readonly fields: readonly Field[];
  /** The dates of three fields each. In `fields`, their first field may replace the three, with the label of the date. */
  readonly dates: readonly DateFields[];
  /** The indices of honeypots: controls for detecting programs that fill in all fields. */
  readonly traps: ReadonlySet<number>;
  readonly button: FoundText | undefined;
  readonly buttons: readonly string[];
  readonly hasSubmit: boolean;
  /** The titles of the form, nearest first. */
  readonly titles: readonly FoundText[];
  readonly page: PageTexts;
  readonly area: Area;
  /** Reads the text in the form and before it. */
  readonly prose: () => string;
  readonly hasMethod: boolean;
  readonly role: string;
  readonly actionWords: readonly string[];
  readonly idWords: readonly string[];
  readonly language: Language;
  /** Whether the labels are certainly English, so that sentences can be built from them. */
  readonly isEnglish: boolean;
  /** All words that can indicate the purpose, in lower case. */
  readonly words: string;
}

/** Caches the strings of the last page. A WeakMap would retain pages until a full garbage collection. */
let last: { readonly scope: object; readonly texts: PageTexts } | undefined;

function textsOfPage<Node, Element extends Node>(tree: Tree<Node, Element>, form: Element, scope: object): PageTexts {
  if (last?.scope !== scope) last = { scope, texts: new LazyPageTexts(tree, form) };
  return last.texts;
}

export function readFacts<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  scope: Scope<Element>,
): FormFacts<Element> {
  const { description, controls } = describeForm(tree, form, scope);
  const reader = new NearbyReader(tree);
  const all = readFields(description);
  const trapFields = all.filter(({ control }) => control.trap);
  const open = trapFields.length > 0 ? all.filter((field) => !trapFields.includes(field)) : all;
  const dates = readDates(open, description.groups);
  const attribute = (name: string): string | null => tree.attribute(form, name);
  const { button, texts: buttons, submits } = readButtons(tree, form, description, controls, reader);
  const titles = readTitles(description, open, reader, form, (id) => scope.allById(id)[0] ?? null);
  const actionWords = routeWords(description.action, submits);
  const idWords = [attribute('id'), attribute('name')]
    .flatMap(identifierWords)
    .filter((word) => !idFillers.has(word.replace(/\d+$/, '')));
  const fields = withDates(open, dates, titles);
  const texts = [...buttons, button?.text ?? '', ...titles.map(({ text }) => text)];
  const labels = fields.map(({ label }) => label?.text ?? '');
  const language = languageOf(reader.language(form), [...texts, ...labels]);
  return {
    description,
    elements: controls,
    fields,
    dates,
    traps: new Set(trapFields.map(({ index }) => index)),
    button,
    buttons,
    hasSubmit: submits.length > 0,
    titles,
    page: textsOfPage(tree, form, scope),
    area: reader.area(form),
    prose: () => `${reader.text(form)} ${reader.textsBefore(form)}`.toLowerCase(),
    hasMethod: attribute('method') !== null,
    role: attribute('role')?.toLowerCase() ?? '',
    actionWords,
    idWords,
    language,
    isEnglish: language === 'English',
    words: [...texts, ...actionWords, ...idWords].join(' ').toLowerCase(),
  };
}

/** Replaces the three fields of a date by the first field, labelled as the date, unless the label is a title of the form. */
function withDates(
  fields: readonly Field[],
  dates: readonly DateFields[],
  titles: readonly FoundText[],
): readonly Field[] {
  const inner = dates.filter(({ label }) => titles.every(({ text }) => text !== label.text));
  if (inner.length === 0) return fields;
  return fields.flatMap((field) => {
    const date = inner.find(({ parts }) => parts.has(field));
    if (date === undefined) return field;
    return [...date.parts.keys()][0] === field ? { ...field, label: { ...date.label, kind: 'legend' as const } } : [];
  });
}

const idFillers = nameSet('form frm forms id js ajax wrapper container main my the usa govuk');
const pathFillers = nameSet(
  'html htm php asp aspx jsp cgi bin index main default home http https www com org net api v action do id handler form submit javascript void page pages process',
);

/** The words of the path of a form's action. The words of the host are ignored. */
function routeWords(action: string | null, buttons: readonly ControlDescription[]): readonly string[] {
  const url = action || buttons[0]?.attributes.formaction || '';
  const path = url
    .slice(0, 500)
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*/s, '');
  return identifierWords(path).filter((word) => !pathFillers.has(word) && !/^.?\d*$/.test(word));
}

function readTitles<Node, Element extends Node>(
  { groups, controls }: FormDescription,
  fields: readonly Field[],
  reader: NearbyReader<Node, Element>,
  form: Element,
  byId: (id: string) => Element | null,
): readonly FoundText[] {
  const own = [reader.label(form, byId), reader.headingInside(form)];
  const outer = commonGroup(controls, fields);
  const words = outer === undefined ? [] : (groups[outer]?.words ?? []);
  const legend = foundText('legend', namingText(words));
  const before = reader.headingBefore(form);
  return [...own, legend, before].filter((each) => each !== undefined);
}

/** The outermost group that contains all fields. */
function commonGroup(controls: readonly ControlDescription[], fields: readonly Field[]): number | undefined {
  const [first = [], ...others] = new Set(fields.map(({ index }) => controls[index]?.groups ?? [])); // siblings share a list
  return [...first].reverse().find((group) => others.every((list) => list.includes(group)));
}

type DatePart = 'day' | 'month' | 'year';

/** A date with three fields, such as selects for the day, the month and the year. */
interface DateFields {
  readonly parts: ReadonlyMap<Field, DatePart>;
  /** The label of the date. */
  readonly label: FoundText;
}

/** The words for each part of a date in labels and names, in several languages. */
const partWords: Readonly<Record<DatePart, RegExp>> = {
  day: /^(?:d|dd|day|tag|jour|d[ií]a|giorno|dag|den|deň|dzie[nń]|nap|zi|gün|день|число|ден|日|일)\d*$/iu,
  month:
    /^(?:m|mm|mon|month|monat|mois|m[eê]s|mese|maand|m[aå]ned|m[aå]nad|m[eě]s[ií]c|mesiac|miesi[aą]c|h[oó]nap|lun[aă]|ay|месяц|місяць|месец|月|월)\d*$/iu,
  year: /^(?:y|yy|yyyy|year|jahr|ann[eé]e|a[nñ]o|anno|jaar|[aå]r|rok|[eé]v|an|yıl|год|рік|година|年|년)\d*$/iu,
};

/** Finds dates with three consecutive fields and a label for the date. */
function readDates(fields: readonly Field[], groups: readonly GroupDescription[]): readonly DateFields[] {
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

/** The part of a date in a field's label, or else in the last word of its name. */
function partOf({ name, label, type, control }: Field): DatePart | undefined {
  if (!/^(?:text|tel|number|select-one)$/.test(type)) return undefined;
  const own = control.words.find(({ source }) => source !== 'placeholder')?.text ?? '';
  return partIn(own) ?? partIn(label?.text ?? '') ?? partIn(identifierWords(name).at(-1) ?? '');
}

/** The part of a date that a word names. The longest such word has nine letters. */
const partIn = (text: string): DatePart | undefined =>
  text.length > 12 ? undefined : dateParts.find((part) => partWords[part].test(text.trim()));

const dateParts = ['day', 'month', 'year'] as const;

const isPart = (text: string): boolean =>
  dateParts.some((part) => partWords[part].test(text)) || /^[dmyjat./ -]+$/i.test(text);

/** The legend of the nearest group that contains exactly these fields. */
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

/** The label of the first field, if it names the date instead of a part. */
function labelOfFirst([first]: readonly Field[]): FoundText | undefined {
  const label = first?.label;
  return label && !isPart(label.text) ? label : undefined;
}
