import { hasRemoval } from '../../wording/destructive.js';
import { withFields } from '../words/field-list.js';
import { verbNoun } from '../words/names.js';
import { readPhrase, sentenceOf } from '../words/phrase.js';
import { genericDraft } from './generic.js';
import { plainDraft } from './plain.js';
import { fact, labelsOf, others, titleText, type Facts, type Purpose } from './draft.js';

const payingButton =
  /\b(?:pay(?: now)?|place (?:your |the |my )?order|purchase|buy now|complete (?:order|purchase|checkout)|donate|bezahlen|kaufen|zahlungspflichtig|payer|pagar|comprar)\b/i;

/** Whether a button such as `Yes, I am sure` answers a question of the page about a deletion. */
const isConfirmation = ({ button, prose }: Facts): boolean =>
  /^(?:yes\b|confirm$|ok$|continue$|proceed$|i.?a?.?m sure)/i.test(button?.text ?? '') &&
  /\b(?:delet(?:e|ed|ing|ion)|permanently remove|remov(?:e|ing))\b/.test(prose());

export const deletion: Purpose = (facts) => {
  const { button, buttons, description, actionWords, isEnglish } = facts;
  const isByMethod = description.controls.some(
    ({ name, attributes }) => name === '_method' && /^delete$/i.test(attributes.value ?? ''),
  );
  const isByButton = hasRemoval(buttons[0] ?? '') && !/\bfilters?\b/i.test(buttons[0] ?? '');
  const isByAction = hasRemoval(actionWords.at(-1) ?? '') || /^(?:delete|destroy)$/.test(actionWords[0] ?? '');
  const isByField = description.controls.some(
    ({ type, name, attributes }) =>
      /confirm\W?delet|delet\w*\W?confirm/i.test(name) ||
      (type === 'hidden' &&
        /^(?:action|do|op|task|mode)$/i.test(name) &&
        /^(?:do)?(?:delete|remove|destroy)/i.test(attributes.value ?? '')),
  );
  const isPost = description.method === 'post';
  if (!isByButton && !isByMethod && !(isPost && (isByAction || isByField || isConfirmation(facts)))) return undefined;
  const phrase = readPhrase(button?.text ?? '', true);
  const verb = isEnglish && phrase.verb !== undefined && hasRemoval(phrase.verb) ? phrase.verb : 'delete';
  const title = titleText(facts) ?? (facts.area === 'main' ? facts.page.heading : undefined);
  const heading = title && isEnglish ? readPhrase(title.text, false) : undefined;
  const fromTitle =
    heading && !heading.isQuestion && !heading.isSpeech && heading.object.split(' ').length < 4 ? heading.object : '';
  const fromPath = actionWords.filter((word) => !hasRemoval(word)).at(-1) ?? '';
  const own = phrase.verb === verb ? phrase.object.replace(/^(?:it|this|selected|permanently)$/, '') : '';
  const object = own || fromTitle.replace(/^(?:danger zone|confirmation)$/, '') || fromPath.replace(/s$/, '') || 'item';
  const confidence = object === 'item' ? 'low' : own ? 'high' : 'medium';
  const origins = [
    button,
    object === fromTitle ? title : undefined,
    fact('action', description.action),
    isByMethod ? fact('method', 'delete') : undefined,
  ];
  const sentence = isEnglish ? sentenceOf(verb, object) : plainDraft(facts, title).sentence;
  return { words: verbNoun(verb, object), sentence, confidence, origins, sensitive: 'deletion' };
};

const cardField = /card.?num|cvv|cvc|ccnum|iban\b/;
const payingWords = /\b(?:pay|paying|payment|checkout|orders?|donat\w*|billing|purchase)\b/;

/** A form with a payment button or card data. A single card field without words for payments only sets `sensitive`. */
export const payment: Purpose = (facts) => {
  const { fields, buttons, words, description } = facts;
  const cards = fields.filter(
    ({ control, name, label }) =>
      /\bcc-(?:number|csc|exp)/.test(control.attributes.autocomplete ?? '') ||
      cardField.test(`${name} ${label?.text ?? ''}`.toLowerCase()),
  );
  const isByButton = payingButton.test(buttons[0] ?? '') && description.method !== 'get';
  if (cards.length === 0 && !isByButton) return undefined;
  if (cards.length === 1 && !isByButton && !payingWords.test(words))
    return { ...genericDraft(facts), sensitive: 'payment' };
  const { words: name, what } = paidObject(facts);
  return {
    words: name,
    sentence: `${what}${withFields(fields, '', facts.isEnglish)}. The user enters the payment data`,
    confidence: cards.length > 0 ? 'high' : 'medium',
    origins: [
      facts.button,
      titleText(facts),
      fact('autocomplete', cards[0]?.control.attributes.autocomplete),
      ...labelsOf(others(facts)),
    ],
    sensitive: 'payment',
  };
};

/** The object of a payment: the object in the button's label, or else a donation, an order or a payment. */
function paidObject({ button, words: texts, isEnglish }: Facts): { words: readonly string[]; what: string } {
  const { verb, object } = readPhrase(button?.text ?? '', true);
  const isOwn = isEnglish && verb !== undefined && /^(?:donate|add|save|update|buy|purchase)$/.test(verb);
  if (isOwn && object !== '' && object !== 'changes')
    return { words: verbNoun(verb, object), what: sentenceOf(verb, object) };
  if (/\bdonat/.test(texts)) return { words: ['make', 'donation'], what: 'Makes a donation' };
  if (/\bcheckout|order\b/.test(texts)) return { words: ['place', 'order'], what: 'Places an order' };
  return { words: ['submit', 'payment'], what: 'Submits a payment' };
}
