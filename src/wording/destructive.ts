import type { FormDescription } from '../compiler/description.js';
import { namingText } from '../compiler/parameters/description-text.js';
import { isSubmitButton } from '../compiler/parameters/parameters.js';
import { wordsOf } from './words.js';

/** Beginnings of verbs for a removal, in English, German, French, Spanish, Portuguese, Dutch, Polish and Russian. */
const removal =
  /^(?:delet(?:e|es|ing|ion)$|remov(?:e|es|ing|al)$|eras|destroy|lösch|loesch|entfern|vernicht|supprim|effac|elimin|borr(?:ar|a|e)$|apagar$|excluir$|verwijder|usuń|удали)/;

/** Beginnings of verbs for other actions that are hard to undo. */
const verbs = {
  en: /^(?:cancel|terminat|deactivat|unsubscrib|pay(?:s|ing|ment|ments)?$|purchas|buy(?:s|ing)?$|checkout|orders?$|ordering$|transfer|withdraw|donat|refund|wip(?:e|es|ing)$|revok)/,
  de: /^(?:stornier|kündig|bezahl|zahl(?:en|t|ung|ungen)$|bestell|kauf|überweis|abbestell|abmeld|widerruf|spende)/,
  fr: /^(?:annul|résili|pay(?:er|ez|e)$|paie|achet|achat|command(?:er|ez|e)$|vire(?:r|ment|z)$|désabonn|désinscri|rembours)/,
  es: /^(?:cancel|anul|pag(?:ar|a|o|ue|os)$|compr(?:ar|a|as|e)$|pedir$|pedido|transferi|reembols|desuscri)/,
} as const;
const anyVerb = new RegExp([removal, ...Object.values(verbs)].map(({ source }) => source).join('|'));

/** Verbs that are nouns beside a word of `notOrdering`, as in "order status". */
const orders = /^orders?$|^commande$|^pedido$/;
const notOrdering =
  /^(?:in|sort|by|status|history|track|tracks|number|check|checks|shows?|lists?|find|finds|search|searches|alphabetical|suivre|estado|número)$/;
const harmless = /^(?:filters?|facets?|sorting|highlights?|selection)$/;
const negations = /^(?:how|nothing|never|not|no|without|nichts|nicht|ohne|sans|rien|ne|sin|nada)$/;

/** The first destructive verb among candidates, taking neighboring words into account. */
function findDestructiveVerb(
  words: readonly string[],
  isCandidate = (_index: number): boolean => true,
): string | undefined {
  return words.find((word, index) => {
    if (!anyVerb.test(word) || !isCandidate(index)) return false;
    const around = words.slice(Math.max(0, index - 3), index + 3);
    if (around.some((other) => negations.test(other) || harmless.test(other))) return false;
    return !(orders.test(word) && around.some((other) => notOrdering.test(other)));
  });
}

/** The first destructive verb in a string. */
export const destructiveVerbIn = (text: string): string | undefined =>
  findDestructiveVerb(wordsOf(text.slice(0, 5000)));

/** Whether a string contains a verb for a removal. */
export const hasRemoval = (text: string): boolean => wordsOf(text).some((word) => removal.test(word));

const lead =
  /^(?:please|use|uses|this|the|a|an|it|tool|form|function|will|can|you|to|allows?|lets?|helps?|users?|customers?|permanently|immediately|irrevocably)$/;
const article = /^(?:an?|the|it|them|this|that|your|their|one)$/;

/**
 * Finds a destructive verb in a description: the first verb, a verb after "and" or "then", or a German infinitive that ends
 * a short phrase.
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

/** The first destructive verb in a URL. Ignores nouns such as "orders", which are resources instead of actions. */
function verbInUrl(url: string): string | undefined {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '');
  const verb = destructiveVerbIn(path);
  return verb !== undefined && /^(?:orders?|pedido|.*s|.*ments?|.*ung)$/.test(verb) ? undefined : verb;
}

/**
 * The verb of a form that deletes, cancels, orders or pays.
 *
 * @param isRead - whether the form sends a GET request. If so, its action is checked instead of its title and description
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
