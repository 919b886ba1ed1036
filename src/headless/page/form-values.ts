import type { FormDescription } from '../../compiler/description.js';
import { defaultOf } from '../../compiler/parameters/defaults.js';
import type { ControlGroup, Parameter } from '../../compiler/parameters/parameters.js';
import { isSecret } from '../../compiler/profiles/redact.js';
import { resolveSynthesis, type ProfileName } from '../../compiler/profiles/synthesize.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import type { ToolAnswer } from '../../webtool-client/calls.js';
import { hideInData } from '../secrets/hide-secrets.js';
import { findPageForm, type PageSearch } from './page-form.js';

/** The values that a form of a page has now, and what the page says. */
export interface FormValues extends ToolAnswer {
  /** By parameter of the form's tool. Null for an empty value. */
  readonly values: Readonly<Record<string, JsonValue>>;
}

export interface ReadTask extends PageSearch {
  readonly profile: ProfileName;
}

/** Reads the response with the page of a form. Secrets of the page and of the session are hidden. */
export function readForm(task: ReadTask): FormValues {
  const { form, answer, secrets } = findPageForm(task);
  const synthesis = resolveSynthesis({ profile: task.profile, sensitive: 'exclude' });
  const values = parametersOf(form, synthesis).flatMap((parameter) => {
    const value = valueOf(form, parameter);
    return value === undefined ? [] : [[parameter.name, value] as const];
  });
  return { ...answer(), values: hideInData(Object.fromEntries(values), secrets()) };
}

/** The value of a parameter; undefined for files, custom elements, buttons, hidden and secret controls. */
function valueOf(form: FormDescription, { units }: Parameter): JsonValue | undefined {
  const values = units.map((unit) => unitValue(form, unit));
  if (values.includes(undefined)) return undefined;
  return values.length === 1 ? values[0] : (values as JsonValue[]);
}

function unitValue(form: FormDescription, unit: ControlGroup): JsonValue | undefined {
  if (/^(?:file|custom|submitter)$/.test(unit.kind)) return undefined;
  if (unit.controls.some((index) => isSecret(form.controls[index] as FormDescription['controls'][number])))
    return undefined;
  const empty = unit.kind === 'boolean' ? false : /^(?:checkboxes|select-multiple)$/.test(unit.kind) ? [] : null;
  return defaultOf(form, unit) ?? empty;
}
