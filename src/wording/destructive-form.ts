import type { FormDescription } from '../compiler/description.js';
import { namingText } from '../compiler/parameters/description-text.js';
import { isSubmitButton } from '../compiler/parameters/submit-buttons.js';
import { destructiveVerbIn, findDestructiveVerb } from './destructive-verbs.js';
import { wordsOf } from './words.js';

const lead =
  /^(?:please|use|uses|this|the|a|an|it|tool|form|function|will|can|you|to|allows?|lets?|helps?|users?|customers?|permanently|immediately|irrevocably)$/;
const article = /^(?:an?|the|it|them|this|that|your|their|one)$/;

/**
 * Checks a description's first verb, a verb joined to it by "and", and a German infinitive that ends a short phrase.
 */
export function verbInDescription(description: string): string | undefined {
  const [sentence = ''] = description.slice(0, 1000).split(/[.!?;:](?:\s|$)/, 1);
  const words = wordsOf(sentence);
  const first = words.findIndex((word) => !lead.test(word));
  return findDestructiveVerb(
    words,
    (index) =>
      index === first ||
      (/^(?:and|then)$/.test(words[index - 1] ?? '') && article.test(words[index + 1] ?? '')) ||
      (words.length <= 4 && index === words.length - 1 && /en$/.test(words[index] ?? '')),
  );
}

/** Nouns such as "orders" are resources in a URL, not actions. */
function verbInUrl(url: string): string | undefined {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '');
  const verb = destructiveVerbIn(path);
  return verb !== undefined && /^(?:orders?|pedido|.*s|.*ments?|.*ung)$/.test(verb) ? undefined : verb;
}

/**
 * The verb of a form that deletes, cancels, orders or pays.
 *
 * @param isRead - whether the form is one of a GET request, whose title and description do not count
 */
export function destructiveVerbOf({ tool, controls, action }: FormDescription, isRead: boolean): string | undefined {
  const { name, title, description } = tool;
  const buttons = controls.filter(isSubmitButton).map(({ words, attributes }) => namingText(words) || attributes.value);
  for (const text of new Set([name, ...buttons, ...(isRead ? [] : [title])])) {
    const verb = destructiveVerbIn(text ?? '');
    if (verb) return verb;
  }
  return isRead ? verbInUrl(action ?? '') : verbInDescription(description ?? '');
}
