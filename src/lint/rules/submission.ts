import { isSubmitButton } from '../../compiler/parameters/submit-buttons.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import { isMutable } from '../../compiler/parameters/parameters.js';
import { attributeOf, spellings } from '../page/place.js';
import { destructiveVerbIn, findDestructiveVerb } from '../../wording/destructive-verbs.js';
import { wordsOf } from '../../wording/words.js';
import { defineRules, type LintedTool } from './rule.js';

/** Rules about `toolautosubmit`. */
export const submissionRules = defineRules({
  'destructive-autosubmit': {
    level: 'warning',
    summary: 'A form that deletes, cancels, orders or pays has toolautosubmit.',
    *check(tool) {
      const { form, element } = tool;
      const verb = form.tool.autosubmit && form.method !== 'dialog' ? destructiveVerb(tool) : undefined;
      if (verb === undefined) return;
      const message = `The form contains "${verb}", and toolautosubmit submits it without the user. Remove toolautosubmit.`;
      yield { message, element, attributes: spellings('toolautosubmit') };
    },
  },
  'sensitive-autosubmit': {
    level: 'warning',
    summary: 'A form with a password, payment data or a one-time code has toolautosubmit.',
    *check({ form, element }) {
      const control = form.controls.find((each) => each.sensitive && isMutable(each));
      if (!form.tool.autosubmit || !control) return;
      const message =
        'The form has a control that only the user should fill, and toolautosubmit submits it without the user. Remove toolautosubmit.';
      yield { message, element, attributes: spellings('toolautosubmit'), parameter: control.name };
    },
  },
  'autosubmit-value': {
    level: 'warning',
    summary: 'toolautosubmit has a value such as false, which does not disable it.',
    *check({ form, element }) {
      for (const spelling of form.tool.autosubmit ? spellings('toolautosubmit') : []) {
        if (!negative.test(attributeOf(element, spelling) ?? '')) continue;
        const message = `${spelling} is a boolean attribute, so every value enables it. Remove it, or leave its value empty.`;
        yield { message, element, attributes: [spelling] };
      }
    },
  },
  'search-without-autosubmit': {
    level: 'info',
    summary: 'A form that only reads data waits for the user to submit it.',
    *check(tool) {
      if (!tool.formElement || tool.form.tool.autosubmit || !isSearch(tool)) return;
      const message =
        'The form only reads data, but its calls wait for the user to submit it. Add toolautosubmit, unless the user should check the form first.';
      yield { message, element: tool.element, attributes: spellings('toolname') };
    },
  },
});

const negative = /^\s*(?:false|no|off|0|never|none|null|undefined)\s*$/i;

const lead =
  /^(?:please|use|uses|this|the|a|an|it|tool|form|function|will|can|you|to|allows?|lets?|helps?|users?|customers?|permanently|immediately|irrevocably)$/;
const article = /^(?:an?|the|it|them|this|that|your|their|one)$/;

/**
 * Checks a description's first verb, a verb joined to it by "and", and a German infinitive that ends a short phrase.
 */
function verbInDescription(description: string): string | undefined {
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

/** Whether a form has `method=get`; scripts often send forms without a `method`. */
const isRead = ({ form, element, formElement = element }: LintedTool): boolean =>
  form.method === 'get' && attributeOf(formElement, 'method') !== undefined;

/** The destructive verb of a form; for a GET request, the tool's title and description do not count. */
function destructiveVerb(tool: LintedTool): string | undefined {
  const { form } = tool;
  const { name, title, description } = form.tool;
  const buttons = form.controls
    .filter(isSubmitButton)
    .map(({ words, attributes }) => namingText(words) || attributes.value);
  for (const text of new Set([name, ...buttons, ...(isRead(tool) ? [] : [title])])) {
    const verb = destructiveVerbIn(text ?? '');
    if (verb) return verb;
  }
  return isRead(tool) ? verbInUrl(form.action ?? '') : verbInDescription(description ?? '');
}

function isSearch(tool: LintedTool): boolean {
  const { form, element, formElement = element } = tool;
  const isPersonal = form.controls.some(({ type, sensitive }) => sensitive === true || type === 'file');
  if (form.method !== 'get' || form.tool.name === null || isPersonal) return false;
  const isMarked = attributeOf(formElement, 'role') === 'search' || form.controls.some(({ type }) => type === 'search');
  const { title, description } = form.tool;
  const verb = destructiveVerbIn(title ?? '') ?? verbInDescription(description ?? '') ?? destructiveVerb(tool);
  return (isRead(tool) || isMarked) && verb === undefined;
}
