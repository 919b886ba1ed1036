import { repeats } from '../wording/placeholders.js';
import { minComparedStems, stemsOf } from '../wording/words.js';
import type { FormFacts } from './page/form-facts.js';
import { isOfRecord, type Draft } from './purposes/draft.js';
import { capitalized, cleanText, shorten } from './words/clean-text.js';
import { quote } from './words/field-list.js';
import { genericVerbOf } from './words/verbs.js';

const maxDescription = 400;
const unknown = '. The page does not say what the form is for.';

/** The description of a tool, which quotes the page or says that it is silent if the purpose is unknown. */
export function descriptionOf(
  { sentence, words, confidence, sensitive }: Draft,
  facts: FormFacts<unknown>,
  name: string,
): string {
  const { button, isEnglish } = facts;
  const text = shorten(cleanText(capitalized(sentence)) || 'Submits the form', maxDescription);
  const end = /[.!?。…]$/.test(text) ? '' : '.';
  const isUnknown = confidence === 'low' && sensitive !== 'deletion' && !isTelling(text, facts);
  if (isUnknown && (isOfPage(text + unknown, facts) || (repeats(name, text) && !button)))
    return text.replace(/\.$/, '') + (contextOf(facts) ?? (isNamed(words, facts) ? '.' : unknown));
  const isWeak = repeats(name, text) || (isEnglish && !isOfPage(text, facts));
  const isQuoted = button === undefined || text.includes(quote(button.text));
  return `${text}${isWeak && !isQuoted && end !== '' ? ` with the button ${quote(button.text)}` : ''}${end}`;
}

/** The nearest title, which may say what the form is for. */
function contextOf(facts: FormFacts<unknown>): string | undefined {
  const { titles, page, area } = facts;
  const ofPage = area === 'main' ? [page.heading, page.title] : [];
  const title = [...titles, ...ofPage].find((each) => each !== undefined && !isOfRecord(each.text, facts));
  return title && ` ${titles.includes(title) ? 'in the form' : 'on the page'} ${quote(title.text)}.`;
}

/** Whether the button, the path or the id name the purpose of a form, in the words of its name. */
function isNamed(words: readonly string[], { button, actionWords, idWords }: FormFacts<unknown>): boolean {
  const verb = button && genericVerbOf(button.text);
  const route = new Set([...actionWords, ...idWords]);
  const nouns = words.slice(1);
  return (button !== undefined && verb !== 'submit') || (nouns.length > 0 && nouns.every((word) => route.has(word)));
}

/** Whether a string quotes the title or the button, the only hints of the page at the purpose of the form. */
const isTelling = (text: string, { titles, button }: FormFacts<unknown>): boolean =>
  [...titles, button].some((each) => each !== undefined && text.includes(quote(each.text)));

/** Whether a string has a word in common with the page, as lint requires. */
const isOfPage = (text: string, { words, fields }: FormFacts<unknown>): boolean => {
  const stems = stemsOf(text);
  if (stems.length < minComparedStems) return true;
  const page = `${words} ${fields.map(({ name, label }) => `${name} ${label?.text ?? ''}`).join(' ')}`.toLowerCase();
  return stems.some((stem) => page.includes(stem));
};
