import { isMutable } from '../../compiler/parameters/parameters.js';
import { destructiveVerbIn, destructiveVerbOf, verbInDescription } from '../../wording/destructive.js';
import { attributeOf, spellings } from '../page/place.js';
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

/** Whether a form has an explicit `method=get`. Scripts often send forms without a `method`. */
const isRead = ({ form, element, formElement = element }: LintedTool): boolean =>
  form.method === 'get' && attributeOf(formElement, 'method') !== undefined;

const destructiveVerb = (tool: LintedTool): string | undefined => destructiveVerbOf(tool.form, isRead(tool));

function isSearch(tool: LintedTool): boolean {
  const { form, element, formElement = element } = tool;
  const isPersonal = form.controls.some(({ type, sensitive }) => sensitive === true || type === 'file');
  if (form.method !== 'get' || form.tool.name === null || isPersonal) return false;
  const isMarked = attributeOf(formElement, 'role') === 'search' || form.controls.some(({ type }) => type === 'search');
  const { title, description } = form.tool;
  const verb = destructiveVerbIn(title ?? '') ?? verbInDescription(description ?? '') ?? destructiveVerb(tool);
  return (isRead(tool) || isMarked) && verb === undefined;
}
