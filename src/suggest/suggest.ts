import type { DescribedForm } from '../compiler/describe/describe-form.js';
import { annotation } from '../compiler/describe/label-text.js';
import { scopeOf } from '../compiler/describe/scope.js';
import { asciiLowercase } from '../compiler/html/text.js';
import { isTooLarge } from '../compiler/limits.js';
import type { Tree } from '../compiler/tree.js';
import { destructiveVerbIn } from '../wording/destructive.js';
import { capitalized, cleanText, originsOf, shorten } from './words/clean-text.js';
import { descriptionOf } from './description.js';
import { readFacts, type FormFacts } from './page/form-facts.js';
import { genericDraft } from './purposes/generic.js';
import { toName, uniqueName } from './words/names.js';
import { bareNoun, isNounPhrase } from './words/noun-phrase.js';
import { sentenceCase } from './words/phrase.js';
import { suggestParameters } from './parameter-texts.js';
import type { Draft, Purpose } from './purposes/draft.js';
import type { FormSuggestion, SuggestOptions } from './suggestion.js';
import { forgotten, logout, unseenLogin, unseenSignUp } from './purposes/account-requests.js';
import { oneTimeCode, passwordForms } from './purposes/accounts.js';
import { deletion, payment } from './purposes/consequences.js';
import { cookies, filter, languageSwitch, search } from './purposes/finding.js';
import { cart, comment, contact, line, newsletter, unsubscribe, upload } from './purposes/messages.js';

/** Those with the greatest consequences first. */
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
 * Suggests the annotations of a form from the strings of its page. Depends only on the tree.
 *
 * @returns null if the form has annotations, is a dialog's, or has neither a field nor a button that submits it
 * @example
 * suggestAnnotations(tree, form)?.toolName.value; // 'search_products'
 */
export const suggestAnnotations = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  form: Element,
  options: SuggestOptions<Element> = {},
): FormSuggestion<Element> | null => describeSuggestion(tree, form, options)?.suggestion ?? null;

/** A suggestion with the description of the form that it was made from. */
export interface DescribedSuggestion<Element> {
  readonly suggestion: FormSuggestion<Element>;
  /** Suggests again, for other taken names. */
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

/** In the language of the page. */
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

/** Templates compute the controls of such forms. */
const setsPassword = ({ words }: Draft): boolean =>
  words.includes('password') &&
  words[0] !== 'request' &&
  /^(?:change|reset|set|update|save|submit)$/.test(words[0] ?? '');

const hasPassword = ({ fields }: FormFacts<unknown>): boolean => fields.some(({ type }) => type === 'password');

/** Whether an agent could fill or submit the form. Buttons that only run a script submit nothing. */
const isUsable = ({ fields, button, hasSubmit }: FormFacts<unknown>): boolean =>
  fields.length === 0
    ? hasSubmit && button !== undefined
    : hasSubmit || fields.some(({ name, label }) => name !== '' || label !== undefined);

/** A noun that distinguishes a form from others of the same name on the page. */
const contextOf = ({ titles, idWords, area }: FormFacts<unknown>): string => {
  const nouns = titles.map(({ text }) => sentenceCase(bareNoun(text))).filter(isNounPhrase);
  return nouns[0] ?? [...idWords, ...(area === 'main' ? [] : [area])].join(' ');
};

/** Whether a form may be submitted without the user: a search or a filter with the method GET, or a form that is marked as a search. */
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
