import { isSubmitButton } from '../../compiler/parameters/choices.js';
import { isMutable } from '../../compiler/parameters/parameters.js';
import { ownText } from '../../compiler/parameters/description-text.js';
import type { Found, ToolRule } from '../page/context.js';
import { attributeOf, spellings } from '../page/place.js';
import type { ToolReading } from '../../site/tools/read-tools.js';
import { wordsOf } from '../page/words.js';

/** Who submits a form, and whether that is wise. */
export const submissionRules: ToolRule = function* (tool) {
  const { form, element } = tool;
  if (form.tool.autosubmit) {
    yield* destructive(tool);
    yield* sensitive(tool);
    yield* deceptive(tool);
  } else if (isSearch(tool)) {
    yield {
      code: 'search-without-autosubmit',
      message:
        'The form only reads, and its calls wait for a person to submit it: add toolautosubmit, unless a person should look first.',
      element,
      attributes: spellings('toolname'),
    };
  }
};

/** Beginnings of verbs of deeds that are hard to undo. */
const deeds = {
  en: /^(?:delet(?:e|es|ing|ion)$|remov(?:e|es|ing|al)$|eras|destroy|cancel|terminat|deactivat|unsubscrib|pay(?:s|ing|ment|ments)?$|purchas|buy(?:s|ing)?$|checkout|orders?$|ordering$|transfer|withdraw|donat|refund|wip(?:e|es|ing)$|revok)/,
  de: /^(?:lösch|entfern|stornier|kündig|bezahl|zahl(?:en|t|ung|ungen)$|bestell|kauf|überweis|abbestell|abmeld|widerruf|vernicht|spende)/,
  fr: /^(?:supprim|effac|annul|résili|pay(?:er|ez|e)$|paie|achet|achat|command(?:er|ez|e)$|vire(?:r|ment|z)$|désabonn|désinscri|rembours)/,
  es: /^(?:elimin|borr(?:ar|a|e)$|cancel|anul|pag(?:ar|a|o|ue|os)$|compr(?:ar|a|as|e)$|pedir$|pedido|transferi|reembols|desuscri)/,
} as const;
const anyDeed = new RegExp(
  Object.values(deeds)
    .map(({ source }) => source)
    .join('|'),
);

/** Words beside which an order is none. */
const orders = /^orders?$|^commande$|^pedido$/;
const notOrdering =
  /^(?:in|sort|by|status|history|track|tracks|number|check|checks|shows?|lists?|find|finds|search|searches|alphabetical|suivre|estado|número)$/;
/** What is taken away and comes back with a click. */
const harmless = /^(?:filters?|facets?|sorting|highlights?|selection)$/;
const negations = /^(?:how|nothing|never|not|no|without|nichts|nicht|ohne|sans|rien|ne|sin|nada)$/;

/** The word of a text that says a deed. */
function deedIn(text: string): string | undefined {
  const words = wordsOf(text.slice(0, 5000));
  return words.find(
    (word, index) => anyDeed.test(word) && isDone(word, words.slice(Math.max(0, index - 3), index + 3)),
  );
}

const isDone = (word: string, around: readonly string[]): boolean =>
  !around.some((other) => negations.test(other) || harmless.test(other)) &&
  !(orders.test(word) && around.some((other) => notOrdering.test(other)));

/** What stands before the verb of a description. */
const lead =
  /^(?:please|use|uses|this|the|a|an|it|tool|form|function|will|can|you|to|allows?|lets?|helps?|users?|customers?|permanently|immediately|irrevocably)$/;
const article = /^(?:an?|the|it|them|this|that|your|their|one)$/;

/** The deed that a description says by its first verb, by one that "and" joins to it, or by one that ends a short phrase. */
function deedOfDescription(description: string): string | undefined {
  const [sentence = ''] = description.slice(0, 1000).split(/[.!?;:](?:\s|$)/, 1);
  const words = wordsOf(sentence);
  const first = words.findIndex((word) => !lead.test(word));
  return words.find((word, index) => {
    const isVerb =
      index === first ||
      (/^(?:and|then)$/.test(words[index - 1] ?? '') && article.test(words[index + 1] ?? '')) ||
      (words.length <= 4 && index === words.length - 1 && /en$/.test(word));
    return isVerb && anyDeed.test(word) && isDone(word, words.slice(Math.max(0, index - 3), index + 3));
  });
}

/** The word of a form's address that says a deed: things alone, such as orders, are no deed there. */
function deedOfAction(action: string): string | undefined {
  const path = action.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '');
  const deed = deedIn(path);
  return deed !== undefined && /^(?:orders?|pedido|.*s|.*ments?|.*ung)$/.test(deed) ? undefined : deed;
}

/** A form that says nothing of its method is often sent by a script. */
const isRead = ({ form, element, formElement = element }: ToolReading): boolean =>
  form.method === 'get' && attributeOf(formElement, 'method') !== undefined;

/** What is sent by GET should be a deed by more than what is said to agents: by its name, its button or its address. */
function deedOf(tool: ToolReading): string | undefined {
  const { form } = tool;
  const { name, title, description } = form.tool;
  const buttons = form.controls
    .filter(isSubmitButton)
    .map(({ words, attributes }) => ownText(words) || attributes.value);
  for (const text of [name, ...buttons, ...(isRead(tool) ? [] : [title])]) {
    const deed = text && deedIn(text);
    if (deed) return deed;
  }
  if (isRead(tool)) return deedOfAction(form.action ?? '');
  return deedOfDescription(description ?? '');
}

function* destructive(tool: ToolReading): Generator<Found> {
  const deed = tool.form.method === 'dialog' ? undefined : deedOf(tool);
  if (deed === undefined) return;
  yield {
    code: 'destructive-autosubmit',
    message: `The form says "${deed}", and toolautosubmit submits it without a person: take toolautosubmit away.`,
    element: tool.element,
    attributes: spellings('toolautosubmit'),
  };
}

function* sensitive({ form, element }: ToolReading): Generator<Found> {
  const control = form.controls.find((each) => each.sensitive && isMutable(each));
  if (!control) return;
  yield {
    code: 'sensitive-autosubmit',
    message:
      'The form has a control that only a person should fill, and toolautosubmit submits it without one: take toolautosubmit away.',
    element,
    attributes: spellings('toolautosubmit'),
    ...(control.name && { parameter: control.name }),
  };
}

function* deceptive({ element }: ToolReading): Generator<Found> {
  for (const spelling of spellings('toolautosubmit')) {
    if (!/^\s*(?:false|no|off|0|never|none|null|undefined)\s*$/i.test(attributeOf(element, spelling) ?? '')) continue;
    yield {
      code: 'autosubmit-value',
      message: `${spelling} counts whatever its value, as a boolean attribute: take it away, or leave its value empty.`,
      element,
      attributes: [spelling],
    };
  }
}

/** A form that says that it is a search or a filter, and of no deed. */
function isSearch(tool: ToolReading): boolean {
  const { form, element, formElement = element } = tool;
  if (form.method !== 'get' || form.tool.name === null || form.controls.some(isPersonal)) return false;
  const isGet = attributeOf(formElement, 'method') !== undefined;
  const saysSearch =
    attributeOf(formElement, 'role') === 'search' || form.controls.some(({ type }) => type === 'search');
  const { title, description } = form.tool;
  const said = deedIn(title ?? '') ?? deedOfDescription(description ?? '');
  return (isGet || saysSearch) && (said ?? deedOf(tool)) === undefined;
}

const isPersonal = ({ type, sensitive: secret }: { readonly type: string; readonly sensitive?: true }): boolean =>
  secret === true || type === 'file';
