/* The modules that `registerForms` loads: they describe forms, report their diagnostics and run their tools. */
import { diagnose } from '../../compiler/diagnostics.js';
import type { SynthesizeOptions } from '../../compiler/profiles/synthesize.js';
import { differentForms } from '../../compiler/form-identity.js';
import { stringify } from '../../json.js';
import { getAttribute, hostOf, query, rootOf } from '../../platform/dom.js';
import type { FormsPart } from '../discovery/discover-forms.js';
import type { RegisterFormsOptions } from '../options.js';
import { settingsOf, type Settings } from '../settings.js';
import * as forms from './start-forms.js';

export const startForms: FormsPart['startForms'] = (discovered) =>
  forms.startForms(discovered, settingsOf(discovered.options, reportTo));

type OnDiagnostic = NonNullable<RegisterFormsOptions['onDiagnostic']>;

/** The settings that report each diagnostic of each form once. */
export function reportTo(
  onDiagnostic: OnDiagnostic,
  options: SynthesizeOptions,
): Pick<Settings, 'diagnose' | 'onNameTaken'> {
  const report = onceFor(onDiagnostic);
  return {
    diagnose: (description, form) => diagnose(description, options).forEach((each) => report(each, form)),
    onNameTaken: (tool, form, other) =>
      report(
        {
          code: 'duplicate-tool-name',
          severity: 'error',
          message: other ? differentForms(placeOf(other)) : nameTaken,
          tool,
        },
        form,
      ),
  };
}

const nameTaken = 'Another tool of the page has this name, so this form is not registered. Rename one of them.';

/** The position of a form among the forms of its document or shadow root, and its ID. */
function placeOf(form: Element): string {
  const root = rootOf(form);
  const host = hostOf(root);
  const id = getAttribute(form, 'id');
  const where = host ? `shadow tree of <${host.localName}>` : 'page';
  return `form ${query(root, 'form').indexOf(form) + 1}${id ? ` (#${id})` : ''} of the ${where}`;
}

function onceFor(onDiagnostic: OnDiagnostic): OnDiagnostic {
  const reported = new WeakMap<Element, Set<string>>();
  return (diagnostic, form) => {
    const texts = reported.get(form) ?? new Set();
    const text = stringify(diagnostic);
    if (!texts.has(text)) onDiagnostic(diagnostic, form);
    reported.set(form, texts.add(text));
  };
}
