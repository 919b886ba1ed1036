import { nameWords } from '../words/names.js';
import type { Draft, Facts } from './draft.js';
import { plainDraft } from './plain.js';

/** Quotes the texts of a page in another language. The name is that of the button, if the whole text fits. */
export function foreignDraft(facts: Facts): Draft {
  const { button, titles, page, area, language } = facts;
  const title = titles[0] ?? (area === 'main' ? page.heading : undefined);
  const draft = plainDraft(facts, title);
  const text = language === 'other' ? (button?.text ?? '') : '';
  const words = /[^\p{Script=Latin}\P{L}]/u.test(text) ? [] : nameWords(text);
  const isPhrase = words.length > 1 && words.join('_').length <= 30;
  return { ...draft, ...(isPhrase && { words }), confidence: isPhrase && title ? 'medium' : 'low' };
}
