import { stemsOf } from '../../wording/words.js';
import { capitalized, identifierWords, shorten, type FoundText } from '../words/clean-text.js';
import { fieldList, fieldNoun, joined, listedFields, nameNoun, quote, withFields } from '../words/field-list.js';
import { nameWords, verbNoun } from '../words/names.js';
import { bareNoun, commonNoun, isNounPhrase, sureObject } from '../words/noun-phrase.js';
import { readPhrase, sentenceCase, sentenceOf, type Phrase } from '../words/phrase.js';
import { genericVerbOf, genericVerbs, verbs, withArticle } from '../words/verbs.js';
import { isOfRecord, type Draft, type Facts } from './draft.js';
import { choicesOf, fieldOrigins, fieldsDraft, plainDraft } from './plain.js';

/** Drafts a form in another language by quoting its labels. The name is the button's label, if a name can contain all of it. */
function foreignDraft(facts: Facts): Draft {
  const { button, titles, page, area, language } = facts;
  const title = titles[0] ?? (area === 'main' ? page.heading : undefined);
  const draft = plainDraft(facts, title);
  const text = language === 'other' ? (button?.text ?? '') : '';
  const words = /[^\p{Script=Latin}\P{L}]/u.test(text) ? [] : nameWords(text);
  const isPhrase = words.length > 1 && words.join('_').length <= 30;
  return { ...draft, ...(isPhrase && { words }), confidence: isPhrase && title ? 'medium' : 'low' };
}

/** Drafts a form without a recognized purpose in the words of its page. */
export const genericDraft = (facts: Facts): Draft =>
  facts.isEnglish
    ? (buttonDraft(facts) ?? headingDraft(facts) ?? questionDraft(facts) ?? fieldsDraft(facts))
    : foreignDraft(facts);

/** Words that are not an object, as in `Register now` and `Save changes`. */
const emptyObject =
  /^(?:changes?|form|it|all|data|details|information|now|settings|selection|item|selected|entry|record|this|that|me)?$/i;

/** Drafts a form from a button with a verb and an object, such as `Create project`. */
function buttonDraft(facts: Facts): Draft | undefined {
  const { button } = facts;
  if (!button || genericVerbOf(button.text) !== undefined) return undefined;
  const phrase = readPhrase(button.text, true);
  const { verb } = phrase;
  if (verb === undefined || phrase.isQuestion) return undefined;
  if (emptyObject.test(phrase.object)) return verbDraft(facts, button, verb);
  const draft = phraseDraft(facts, button, phrase);
  if (draft === undefined) return plainDraft(facts, usableTitle(facts));
  const isVague = genericVerbs.has(verb) && facts.titles.length === 0;
  return {
    ...draft,
    confidence: isVague ? 'medium' : 'high',
    origins: [button, facts.titles[0], ...fieldOrigins(facts)],
  };
}

/** Verbs that need no object. */
const complete = /^(?:register|enrol|enroll|reply|join|rsvp|sign (?:up|in|out)|check (?:in|out)|opt (?:in|out))$/;
/** Fields that are rarely the object of a verb: `Invite` does not apply to the email address itself. */
const noObject = /\b(?:name|e-?mail|address|phone|number|code|password)\b/;

/** Drafts a form from a button with only a verb, such as `Calculate`. The object comes from the title or the only field. */
function verbDraft(facts: Facts, button: FoundText, verb: string): Draft | undefined {
  if (complete.test(verb)) return completeDraft(facts, button, verb);
  const title = usableTitle(facts);
  const heading = title && readPhrase(title.text, false);
  const isCreating = /^(?:add|create|post)$/.test(verb);
  const listed = isCreating ? routeObject(facts) : undefined;
  if (title && heading && !heading.isQuestion) {
    const draft = phraseDraft(facts, title, heading);
    if (draft) return { ...draft, confidence: 'high', origins: [title, button, ...fieldOrigins(facts)] };
    const noun = heading.verb === undefined ? withoutStem(bareNoun(heading.object), verb) : '';
    const isOfVerb = noun !== bareNoun(heading.object);
    const isObject = isNounPhrase(noun) && (!isCreating || isOfVerb || isKind(facts, title, noun));
    if (isObject && !(listed !== undefined && /s$/.test(noun))) return nounDraft(facts, title, noun, verb);
  }
  if (listed !== undefined)
    return nounDraft(facts, { kind: 'action', text: facts.actionWords.join(' ') }, listed, verb);
  const [field, ...more] = listedFields(facts.fields);
  const only = field && more.length === 0 && !genericVerbs.has(verb) ? fieldNoun(field) : '';
  if (only !== '' && !noObject.test(only)) return nounDraft(facts, field?.label, only, verb);
  if (genericVerbs.has(verb)) return undefined;
  return { ...plainDraft(facts, title), words: isCreating ? verbNoun(verb, 'item') : verb.split(' ') };
}

function completeDraft(facts: Facts, button: FoundText, verb: string): Draft {
  return {
    words: verb.split(' '),
    sentence: `${sentenceOf(verb, '')}${withFields(facts.fields)}`,
    title: capitalized(verb),
    confidence: facts.titles.some(({ text }) => text !== button.text) ? 'medium' : 'low',
    origins: [button, ...fieldOrigins(facts)],
  };
}

/**
 * Whether a noun is the kind of record that a form creates, not the title of a record or a box. A legend, an `aria-label` and
 * a noun after "new" are kinds. Any other noun must share a word with the identifiers or labels of the form.
 */
function isKind({ actionWords, idWords, description, fields }: Facts, { kind }: FoundText, noun: string): boolean {
  if (kind === 'legend' || kind === 'aria-label' || /^(?:new|another) /i.test(noun)) return true;
  const names = description.controls.flatMap(({ name }) => identifierWords(name));
  const words = [...actionWords, ...idWords, ...names, ...fields.map(({ label }) => label?.text.toLowerCase() ?? '')];
  const known = new Set(words.flatMap(stemsOf));
  return stemsOf(noun).some((each) => known.has(each));
}

/** The singular of the list at the end of a path: `todo` for `/todos`; undefined for `/todos/7`. */
function routeObject({ actionWords, description: { action } }: Facts): string | undefined {
  if (/\/\d+\/?(?:[?#]|$)/.test(action ?? '')) return undefined;
  const last = actionWords.filter((word) => !/^(?:new|create|add)$/.test(word)).at(-1) ?? '';
  return /[^s]s$/.test(last) ? last.replace(/ies$/, 'y').replace(/s$/, '') : undefined;
}

/** Removes words with the stem of the verb: `mortgage` for `mortgage calculator` and the verb `calculate`. */
const withoutStem = (noun: string, verb: string): string =>
  noun
    .split(' ')
    .filter((word) => !word.toLowerCase().startsWith(verb.slice(0, 5)))
    .join(' ');

/** Meaningless titles such as `Form`. */
const emptyTitle =
  /^(?:(?:the|a|basic|simple|default|sample|example|inline|horizontal|vertical|this|your|html|main|input|custom|form|title|heading|card|modal|untitled|quick|preview|types?|forms|radio|checkbox|checkboxes|select|selects|inputs|controls?|element|elements|layout|layouts|component|examples?|section|step \d+|details|information|welcome|danger zone|settings|home|dashboard|question|validation|javascript|(?:browser|server|client)[ -]?(?:side|defaults?)|tooltips)\s*)+$/i;

function usableTitle(facts: Facts): FoundText | undefined {
  const { titles, page, area, button } = facts;
  const isUsable = ({ text }: FoundText): boolean =>
    !emptyTitle.test(bareNoun(text)) && text.length <= 150 && !isOfRecord(text, facts);
  const near = titles.filter(isUsable);
  const own = near.find(({ text }) => text !== button?.text);
  if (own !== undefined || area !== 'main') return own ?? near[0];
  const { heading } = page;
  return heading !== undefined && isUsable(heading) ? heading : near[0];
}

/** Drafts a form from its title, if the button is generic. */
function headingDraft(facts: Facts): Draft | undefined {
  const title = usableTitle(facts);
  if (!title) return undefined;
  const phrase = readPhrase(title.text, false);
  if (phrase.isQuestion) return questionOf(facts, title);
  if (phrase.object === '' && /^(?:filter|sort|refine)$/.test(phrase.verb ?? ''))
    return resultsDraft(facts, title, phrase.verb ?? '');
  if (phrase.verb !== undefined)
    return phraseDraft(facts, title, phrase) ?? (phrase.object === '' ? undefined : plainDraft(facts, title));
  const verb = genericVerbOf(facts.button?.text ?? '') ?? 'submit';
  const noun = bareNoun(phrase.object).replace(/\s+(?:form|page|section)$/i, '');
  const [field, ...more] = listedFields(facts.fields);
  const isOfField = field !== undefined && more.length === 0 && /^(?:submit|confirm|apply)$/.test(verb);
  if (isOfField && fieldNoun(field) !== '') return undefined;
  if (isOfField || !isNounPhrase(noun)) return plainDraft(facts, title);
  return nounDraft(facts, title, noun, verb === 'confirm' || verb === 'apply' ? 'submit' : verb);
}

/** Drafts a form with a title such as `Sort by`. */
function resultsDraft(facts: Facts, title: FoundText, verb: string): Draft {
  const draft = nounDraft(facts, title, 'results', verb);
  const [field, ...more] = listedFields(facts.fields);
  const choices = field && more.length === 0 ? joined(choicesOf(field), 'or') : '';
  return choices === '' ? draft : { ...draft, sentence: `${draft.sentence} by ${choices}` };
}

/** Drafts a form from a phrase with a verb and an object. */
function phraseDraft(facts: Facts, from: FoundText, { verb, object }: Phrase): Draft | undefined {
  const sure = verb === undefined ? undefined : sureObject(object);
  if (verb === undefined || sure === undefined) return undefined;
  return {
    words: verbNoun(verb, sure),
    sentence: `${sentenceOf(verb, sure)}${withFields(facts.fields, sure)}`,
    title: capitalized(sentenceCase(from.text)),
    confidence: facts.button && facts.titles.includes(from) ? 'high' : 'medium',
    origins: [from, facts.button, ...fieldOrigins(facts)],
  };
}

/** Drafts a form from a noun and a verb of different strings. */
function nounDraft(facts: Facts, from: FoundText | undefined, noun: string, verb: string): Draft {
  const object = /^(?:add|create|post)$/.test(verb) ? withArticle(verb, noun) : `the ${noun}`;
  const fields = facts.fields.filter(({ label }) => label === undefined || label.text !== from?.text);
  const { list, isQuoted } = fieldList(fields, true);
  const isPart = /^(?:save|update)$/.test(verb) && /\b(?:account|profile)$/i.test(noun) && list !== '' && !isQuoted;
  return {
    words: verbNoun(isPart ? 'update' : verb, noun),
    sentence: isPart ? `Updates the ${list} of the ${noun}` : `${sentenceOf(verb, object)}${withFields(fields, noun)}`,
    title: capitalized(`${isPart ? 'update' : verb} ${noun}`),
    confidence: from && facts.titles.includes(from) && facts.button ? 'high' : 'medium',
    origins: [from, facts.button, ...fieldOrigins(facts)],
  };
}

/** Drafts a form whose only field has a question as its label or legend. */
function questionDraft(facts: Facts): Draft | undefined {
  const [field, ...more] = listedFields(facts.fields);
  const label = field?.label;
  if (!label || more.length > 0 || !/\?$/.test(label.text)) return undefined;
  return questionOf(facts, label);
}

/** Drafts a form with a question as its title. */
function questionOf(facts: Facts, question: FoundText): Draft {
  const { fields, button, isEnglish } = facts;
  const own = listedFields(fields).filter(({ label }) => label?.text === question.text);
  const rest = listedFields(fields).filter((field) => !own.includes(field));
  const { list, isQuoted, count } = fieldList(rest, isEnglish);
  const fieldsText = list === '' ? '' : isQuoted ? `the ${count > 1 ? 'fields' : 'field'} ${list}` : `the ${list}`;
  const isOther = list === '' && own.length === 0 && button !== undefined && genericVerbOf(button.text) === undefined;
  const more = isOther
    ? ` with the button ${quote(button.text)}`
    : list === ''
      ? ''
      : own.length > 0
        ? `, with ${fieldsText} if applicable`
        : ` with ${fieldsText}`;
  return {
    words: questionWords(question.text, own[0]?.name ?? '', commonNoun(rest.map(fieldNoun))),
    sentence: `Answers the question ${quote(question.text)}${more}`,
    title: shorten(question.text, 60),
    confidence: button ? 'high' : 'medium',
    origins: [question, button],
  };
}

/** Questions whose subject is a noun between known words. */
const nounQuestions: readonly RegExp[] = [
  /^(?:what|which) (?:is|are|was|were) (.+)\?$/i,
  /^(?:what|which) (.+?) (?:do|does|did|would|will|can|could|should|is|are|was|were|has|have) .*\?$/i,
  /^(?:what|which) (.+)\?$/i,
  /^do you have (?:any )?(.+)\?$/i,
];

/** The words of a name: `answer_nationality`, or `provide_more_detail` for "Can you provide more detail?". */
function questionWords(question: string, name: string, restNoun: string): readonly string[] {
  const asked = /^(?:can|could|will|would) you (\w+) (.+)\?$/i.exec(question);
  const verb = asked?.[1]?.toLowerCase() ?? '';
  if (asked && verbs.has(verb) && isSure(asked[2] ?? '')) return verbNoun(verb, asked[2] ?? '');
  const subject = nounQuestions.map((each) => each.exec(question)?.[1] ?? '').find(Boolean) ?? '';
  const noun = isSure(subject) ? bareNoun(subject) : restNoun === 'date' ? '' : nameOf(name, question);
  if (noun === '' && restNoun === 'date') return ['submit', 'date'];
  return answered(noun);
}

/** The noun of a field's name, if the question contains its words. */
function nameOf(name: string, question: string): string {
  const noun = nameNoun(name);
  const words = question.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return noun.split(' ').every((word) => words.includes(word)) ? noun : '';
}

const answered = (noun: string): readonly string[] => {
  const words = noun === '' ? [] : verbNoun('answer', noun);
  return words.length > 1 && words[1] !== 'form' ? words : ['answer', 'question'];
};

const isSure = (text: string): boolean =>
  isNounPhrase(sentenceCase(bareNoun(text))) && !/^(?:option|answer|choice|one)s?$/i.test(bareNoun(text));
