import { describeForm } from '../../compiler/describe/describe-form.js';
import type { Scope } from '../../compiler/describe/scope.js';
import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import type { Tree } from '../../compiler/tree.js';
import { foundText, identifierWords, type FoundText } from '../words/clean-text.js';
import { readButtons } from './buttons.js';
import { readFields, type Field } from './fields.js';
import { languageOf, type Language } from './language.js';
import { LazyPageTexts, NearbyReader, type Area, type PageTexts } from './nearby.js';

/** The texts and attributes of a page that describe a form. */
export interface FormFacts<Element> {
  readonly description: FormDescription;
  readonly elements: readonly Element[];
  readonly fields: readonly Field[];
  readonly button: FoundText | undefined;
  readonly buttons: readonly string[];
  readonly hasSubmit: boolean;
  /** The texts that title the form, the nearest first. */
  readonly titles: readonly FoundText[];
  readonly page: PageTexts;
  readonly area: Area;
  /** The text in the form and before it, read when it is called. */
  readonly prose: () => string;
  readonly hasMethod: boolean;
  readonly role: string;
  readonly actionWords: readonly string[];
  readonly idWords: readonly string[];
  readonly language: Language;
  /** Whether the texts are surely English, so that sentences can be made of them. */
  readonly isEnglish: boolean;
  /** All words that can tell the purpose, in lower case. */
  readonly words: string;
}

/** The texts of the last page. A WeakMap would keep pages until a full garbage collection. */
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
  const fields = readFields(description, controls, reader);
  const attribute = (name: string): string | null => tree.attribute(form, name);
  const { button, texts: buttons, submits } = readButtons(tree, form, description, controls, reader);
  const titles = readTitles(description, fields, reader, form, (id) => scope.byId(id));
  const actionWords = routeWords(description.action, submits);
  const idWords = [attribute('id'), attribute('name')]
    .flatMap(identifierWords)
    .filter((word) => !idFillers.has(word.replace(/\d+$/, '')));
  const texts = [...buttons, button?.text ?? '', ...titles.map(({ text }) => text)];
  const labels = fields.map(({ label }) => label?.text ?? '');
  const language = languageOf(reader.language(form), [...texts, ...labels]);
  return {
    description,
    elements: controls,
    fields,
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

const idFillers = new Set('form frm forms id js ajax wrapper container main my the usa govuk'.split(' '));
const pathFillers = new Set(
  'html htm php asp aspx jsp cgi index http https www com org net api v action do id handler form submit javascript void page pages process'.split(
    ' ',
  ),
);

/** The words of a form's path; those of its host say nothing. */
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
