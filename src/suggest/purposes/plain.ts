import { namingText } from '../../compiler/parameters/description-text.js';
import type { Field } from '../page/fields.js';
import { cleanText, shorten, type FoundText } from '../words/clean-text.js';
import { fieldList, fieldNoun, joined, listedFields, nameNoun, quote, withFields } from '../words/field-list.js';
import { nameWords, verbNoun } from '../words/names.js';
import { commonNoun, isNounPhrase } from '../words/noun-phrase.js';
import { genericVerbOf, thirdPerson } from '../words/verbs.js';
import { fact, labelsOf, type Draft, type Facts } from './draft.js';

export const fieldOrigins = ({ fields }: Facts): readonly (FoundText | undefined)[] =>
  labelsOf(listedFields(fields).slice(0, 4));

const routeVerb = /^(?:add|create|edit|update|import|export|invite|assign|rename|move|copy)$/;

/**
 * The words of a name such as `submit_address`. A path or ID that begins with a verb is used first. Otherwise, English fields
 * are used before the path or ID, and other fields after it. The default is `submit_form`.
 */
function submitWords({ fields, isEnglish, actionWords, idWords }: Facts): readonly string[] {
  const nouns = listedFields(fields).map((field) => (isEnglish ? fieldNoun(field) : nameNoun(field.name)));
  const common = verbNoun('submit', commonNoun([...new Set(nouns)]));
  const route =
    actionWords.length > 0 ? actionWords.slice(-2).flatMap(nameWords) : idWords.slice(0, 3).flatMap(nameWords);
  if (routeVerb.test(route[0] ?? '') && route.length > 1) return route;
  const ofRoute = isNounPhrase(route.join(' ')) ? verbNoun('submit', route.join(' ')) : ['submit', 'form'];
  const [first, second] = isEnglish ? [common, ofRoute] : [ofRoute, common];
  return first.at(-1) === 'form' ? second : first;
}

/**
 * Drafts a description that quotes the labels of the form, for labels in other languages or of unknown grammar. Quotations are
 * always correct.
 */
export function plainDraft(facts: Facts, title?: FoundText): Draft {
  const { button, fields } = facts;
  const about = title ? ` ${quote(title.text)}` : '';
  const others = fields.filter(({ label }) => label === undefined || label.text !== title?.text);
  const list = withFields(others, '', facts.isEnglish);
  const isTelling = button !== undefined && (genericVerbOf(button.text) === undefined || (list === '' && about === ''));
  const press = isTelling ? `${list === '' ? ' with' : ' and'} the button ${quote(button.text)}` : '';
  const text = fields.find(({ label }) => label?.kind === 'nearby-text')?.label?.text;
  const hint = text !== undefined && about + list + press === '' ? ` with the text ${quote(text)}` : '';
  return {
    words: submitWords(facts),
    sentence: `Submits the form${about}${list}${press}${hint}`,
    ...(title && { title: shorten(title.text, 60) }),
    confidence: 'low',
    origins: [title, button, fact('action', facts.description.action), ...labelsOf(fields).slice(0, 4)],
  };
}

/** Drafts a form from its fields alone. The purpose of the data is unknown. */
export function fieldsDraft(facts: Facts): Draft {
  const { button, fields, isEnglish } = facts;
  const { list, isQuoted } = fieldList(fields, isEnglish);
  const isOther = button !== undefined && genericVerbOf(button.text) === undefined;
  if (list === '') return choiceDraft(facts) ?? plainDraft(facts);
  if (isQuoted) return plainDraft(facts);
  const verb = genericVerbOf(button?.text ?? '');
  if (verb === 'save' || verb === 'update') return changeDraft(facts, verb, list);
  return {
    words: submitWords(facts),
    sentence: `Submits the ${list}${isOther ? ` with the button ${quote(button.text)}` : ''}`,
    confidence: 'low',
    origins: [...fieldOrigins(facts), button, fact('action', facts.description.action)],
  };
}

/** Drafts a form whose button has only a verb for saving or updating. The fields are the objects of the verb. */
const changeDraft = (facts: Facts, verb: string, list: string): Draft => ({
  words: [verb, ...submitWords(facts).slice(1)],
  sentence: `${thirdPerson(verb)} the ${list}`,
  confidence: 'low',
  origins: [facts.button, ...fieldOrigins(facts), fact('action', facts.description.action)],
});

/** The first choices of a field, in quotes. */
export const choicesOf = ({ choices }: Field): readonly string[] =>
  choices
    .slice(0, 5)
    .map(({ words }) => cleanText(namingText(words)))
    .filter(Boolean)
    .map(quote);

/** Drafts a form whose only field is a group of choices without a legend. */
function choiceDraft(facts: Facts): Draft | undefined {
  const [field, ...more] = listedFields(facts.fields);
  if (!field || !/^(?:radio|checkbox)$/.test(field.type) || field.label || more.length > 0) return undefined;
  const options = choicesOf(field);
  if (options.length === 0) return undefined;
  return {
    words: ['submit', 'choice'],
    sentence: `Submits a choice of ${joined(options)}`,
    confidence: 'low',
    origins: [fact('name', field.name), facts.button],
  };
}
