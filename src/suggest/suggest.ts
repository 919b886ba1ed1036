import type { DescribedForm } from '../compiler/describe/describe-form.js';
import { annotation } from '../compiler/describe/label-text.js';
import { scopeOf } from '../compiler/describe/scope.js';
import { asciiLowercase } from '../compiler/html/text.js';
import { isTooLarge } from '../compiler/limits.js';
import type { Tree } from '../compiler/tree.js';
import { destructiveVerbIn } from '../wording/destructive.js';
import { minComparedStems, repeats, stemsOf } from '../wording/words.js';
import { readFacts, type FormFacts } from './page/form-facts.js';
import { suggestParameters } from './parameter-texts.js';
import { forgotten, logout, unseenLogin, unseenSignUp } from './purposes/account-requests.js';
import { oneTimeCode, passwordForms } from './purposes/accounts.js';
import { deletion, payment } from './purposes/consequences.js';
import { isOfRecord, type Draft, type Purpose } from './purposes/draft.js';
import { cookies, filter, languageSwitch, search } from './purposes/finding.js';
import { genericDraft } from './purposes/generic.js';
import { cart, comment, contact, line, newsletter, unsubscribe, upload } from './purposes/messages.js';
import type { FormSuggestion, SuggestOptions } from './suggestion.js';
import { capitalized, cleanText, originsOf, shorten } from './words/clean-text.js';
import { quote } from './words/field-list.js';
import { toName, uniqueName } from './words/names.js';
import { bareNoun, isNounPhrase } from './words/noun-phrase.js';
import { sentenceCase } from './words/phrase.js';
import { genericVerbOf } from './words/verbs.js';

/** The purposes. The purposes with the most serious consequences are first. */
const purposes: readonly Purpose[] = [
  deletion,
  oneTimeCode,
  payment,
  passwordForms,
  forgotten,
  unseenLogin,
  unseenSignUp,
  logout,
  languageSwitch,
  cookies,
  unsubscribe,
  search,
  filter,
  cart,
  newsletter,
  comment,
  contact,
  line,
  upload,
];

/**
 * Suggests the annotations of a form from the strings of its page. The result depends only on the arguments.
 *
 * @returns null if the form has annotations or `method=dialog`, is too large, or has no usable field or submit button
 * @example
 * suggestAnnotations(tree, form)?.toolName.value; // 'search_products'
 */
export const suggestAnnotations = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  options: SuggestOptions<Element> = {},
): FormSuggestion<Element> | null => describeSuggestion(tree, form, options)?.suggestion ?? null;

/** A suggestion, with the description of its form. */
export interface DescribedSuggestion<Element> {
  readonly suggestion: FormSuggestion<Element>;
  /** Suggests again with other taken names. */
  readonly rename: (takenNames: ReadonlySet<string>) => FormSuggestion<Element>;
  readonly described: DescribedForm<Element>;
}

/** Suggests annotations for callers that also need the description of the form. */
export function describeSuggestion<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  { takenNames = new Set(), scope = scopeOf(tree, form) }: SuggestOptions<Element> = {},
): DescribedSuggestion<Element> | null {
  if (!maySuggest(tree, form)) return null;
  const facts = readFacts(tree, form, scope);
  const { description, elements: controls } = facts;
  if (isTooLarge(description) || !isUsable(facts)) return null;
  const draft = draftOf(facts);
  const rename = (names: ReadonlySet<string>): FormSuggestion<Element> => suggestionOf(tree, form, facts, draft, names);
  return { suggestion: rename(takenNames), rename, described: { description, controls } };
}

function suggestionOf<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  facts: FormFacts<Element>,
  draft: Draft,
  takenNames: ReadonlySet<string>,
): FormSuggestion<Element> {
  const sensitive =
    draft.sensitive ?? (setsPassword(draft) ? 'password-change' : hasPassword(facts) ? 'password' : undefined);
  const name = uniqueName(toName(draft.words) || 'submit_form', takenNames, () => contextOf(facts));
  const origins = originsOf(draft.origins);
  const title = titleOf(draft, facts, name);
  return {
    form,
    confidence: draft.confidence,
    toolName: { value: name, origins },
    ...(title && { toolTitle: { value: title, origins } }),
    toolDescription: { value: descriptionOf(draft, facts, name), origins },
    autosubmit: mayAutosubmit(draft, facts, name),
    parameters: suggestParameters(tree, facts),
    ...(sensitive && { sensitive }),
  };
}

/** The title of a tool, in the language of the page. */
function titleOf({ title, words }: Draft, { isEnglish, titles }: FormFacts<unknown>, name: string): string {
  const text = isEnglish ? (title ?? (toName(words) || name).replace(/_/g, ' ')) : (titles[0]?.text ?? '');
  return shorten(cleanText(capitalized(text)), maxTitle);
}

const maxTitle = 60;
const annotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];

const maySuggest = <Node, Element extends Node>(tree: Tree<Node, Element>, form: Element): boolean =>
  annotations.every((name) => annotation(tree, form, name) === null) &&
  asciiLowercase(tree.attribute(form, 'method') ?? '') !== 'dialog';

function draftOf(facts: FormFacts<unknown>): Draft {
  for (const purpose of purposes) {
    const draft = purpose(facts);
    if (draft) return draft;
  }
  return genericDraft(facts);
}

/** Whether a draft sets a password. The form may have no password field, because templates may compute the controls. */
const setsPassword = ({ words }: Draft): boolean =>
  words.includes('password') &&
  words[0] !== 'request' &&
  /^(?:change|reset|set|update|save|submit)$/.test(words[0] ?? '');

const hasPassword = ({ fields }: FormFacts<unknown>): boolean => fields.some(({ type }) => type === 'password');

/** Whether an agent could fill or submit the form. Buttons that only run a script do not count. */
const isUsable = ({ fields, button, hasSubmit }: FormFacts<unknown>): boolean =>
  fields.length === 0
    ? hasSubmit && button !== undefined
    : hasSubmit || fields.some(({ name, label }) => name !== '' || label !== undefined);

/** A noun that distinguishes a form from other forms with the same name on the page. */
const contextOf = ({ titles, idWords, area }: FormFacts<unknown>): string => {
  const nouns = titles.map(({ text }) => sentenceCase(bareNoun(text))).filter(isNounPhrase);
  return nouns[0] ?? [...idWords, ...(area === 'main' ? [] : [area])].join(' ');
};

/**
 * Whether a form may be submitted without the user: only a GET form that reads, without destructive verbs and without
 * sensitive, file or password fields.
 */
function mayAutosubmit({ reads = false, sensitive }: Draft, facts: FormFacts<unknown>, name: string): boolean {
  const { description, fields, role, buttons, actionWords, hasMethod } = facts;
  if (!reads || sensitive || description.method !== 'get') return false;
  const isMarked = role === 'search' || fields.some(({ type }) => type === 'search');
  const isPersonal = fields.some(
    ({ type, control }) => control.sensitive === true || type === 'file' || type === 'password',
  );
  const texts = [name.replace(/_/g, ' '), actionWords.join(' '), ...buttons].join(' ');
  return (
    (hasMethod || isMarked || description.action !== null) && !isPersonal && destructiveVerbIn(texts) === undefined
  );
}

const maxDescription = 400;
const unknown = '. The page does not say what the form is for.';

/**
 * The description of a tool. If the purpose is unknown, it quotes the page, or states that the page does not describe the
 * form.
 */
function descriptionOf(
  { sentence, words, confidence, sensitive }: Draft,
  facts: FormFacts<unknown>,
  name: string,
): string {
  const { button, isEnglish } = facts;
  const text = shorten(cleanText(capitalized(sentence)) || 'Submits the form', maxDescription);
  const end = /[.!?。…]$/.test(text) ? '' : '.';
  const isUnknown = confidence === 'low' && sensitive !== 'deletion' && !isTelling(text, facts);
  if (isUnknown && (isOfPage(text + unknown, facts) || (repeats(name, text) && !button)))
    return text.replace(/\.$/, '') + (placeOf(facts) ?? (isNamed(words, facts) ? '.' : unknown));
  const isWeak = repeats(name, text) || (isEnglish && !isOfPage(text, facts));
  const isQuoted = button === undefined || text.includes(quote(button.text));
  return `${text}${isWeak && !isQuoted && end !== '' ? ` with the button ${quote(button.text)}` : ''}${end}`;
}

/** A phrase that quotes the nearest title, which may name the purpose of the form. */
function placeOf(facts: FormFacts<unknown>): string | undefined {
  const { titles, page, area } = facts;
  const ofPage = area === 'main' ? [page.heading, page.title] : [];
  const title = [...titles, ...ofPage].find((each) => each !== undefined && !isOfRecord(each.text, facts));
  return title && ` ${titles.includes(title) ? 'in the form' : 'on the page'} ${quote(title.text)}.`;
}

/** Whether the button's label means more than `submit`, or all nouns of the name are in the path or the ID. */
function isNamed(words: readonly string[], { button, actionWords, idWords }: FormFacts<unknown>): boolean {
  const verb = button && genericVerbOf(button.text);
  const route = new Set([...actionWords, ...idWords]);
  const nouns = words.slice(1);
  return (button !== undefined && verb !== 'submit') || (nouns.length > 0 && nouns.every((word) => route.has(word)));
}

/** Whether a string quotes a title or the button, and so indicates the purpose. */
const isTelling = (text: string, { titles, button }: FormFacts<unknown>): boolean =>
  [...titles, button].some((each) => each !== undefined && text.includes(quote(each.text)));

/** Whether a string shares a word with the page, as lint requires of all but the shortest strings. */
const isOfPage = (text: string, { words, fields }: FormFacts<unknown>): boolean => {
  const stems = stemsOf(text);
  if (stems.length < minComparedStems) return true;
  const page = `${words} ${fields.map(({ name, label }) => `${name} ${label?.text ?? ''}`).join(' ')}`.toLowerCase();
  return stems.some((stem) => page.includes(stem));
};
