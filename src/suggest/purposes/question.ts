import { shorten, type FoundText } from '../words/clean-text.js';
import { fieldList, fieldNoun, listedFields, nameNoun, quote } from '../words/field-list.js';
import { verbNoun } from '../words/names.js';
import { bareNoun, isNounPhrase } from '../words/noun-phrase.js';
import { sentenceCase } from '../words/phrase.js';
import { commonNoun } from '../words/subject.js';
import { genericVerbOf, verbs } from '../words/verbs.js';
import type { Draft, Facts } from './draft.js';

/** Drafts a form whose only field has a question as its label or legend. */
export function questionDraft(facts: Facts): Draft | undefined {
  const [field, ...more] = listedFields(facts.fields);
  const label = field?.label;
  if (!label || more.length > 0 || !/\?$/.test(label.text)) return undefined;
  return questionOf(facts, label);
}

/** A form that a question titles. */
export function questionOf(facts: Facts, question: FoundText): Draft {
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

/** The words of the tool's name: `answer_nationality`, or `provide_more_detail` for a request such as "Can you provide more detail?". Falls back to the name of the field. */
function questionWords(question: string, name: string, restNoun: string): readonly string[] {
  const asked = /^(?:can|could|will|would) you (\w+) (.+)\?$/i.exec(question);
  const verb = asked?.[1]?.toLowerCase() ?? '';
  if (asked && verbs.has(verb) && isSure(asked[2] ?? '')) return verbNoun(verb, asked[2] ?? '');
  const subject = nounQuestions.map((each) => each.exec(question)?.[1] ?? '').find(Boolean) ?? '';
  const noun = isSure(subject) ? bareNoun(subject) : restNoun === 'date' ? '' : nameOf(name, question);
  if (noun === '' && restNoun === 'date') return ['submit', 'date'];
  return answered(noun);
}

/** The noun of a field's name, if the question has its words. */
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
