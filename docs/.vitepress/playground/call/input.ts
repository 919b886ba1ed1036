import { enteredIn, type Entered, type Field } from '../../../../elements/webmcp-inspector/run/fields.js';
import { formatJson, parseJson } from '../../../../elements/webmcp-inspector/view/json-text.js';

/** Messages by the names of parameters; the empty name is that of the JSON text. */
export type InputErrors = ReadonlyMap<string, string>;

export interface CallInput {
  /** JSON text. */
  readonly text: string;
  readonly formatted: string;
  readonly errors: InputErrors;
}

/** Reads the input of a call: from the JSON text if there is one, otherwise from the fields. Empty fields are left out. */
export function inputOf(form: HTMLFormElement, fields: readonly Field[], json?: string): CallInput {
  const errors = new Map<string, string>();
  if (json !== undefined) {
    const parsed = parseJson(json);
    if (!('value' in parsed)) errors.set('', messageOf(parsed));
    return { text: json, formatted: json, errors };
  }
  const members: string[] = [];
  fields.forEach((field, index) => {
    const entered = enteredIn(form, field, index);
    if (entered && 'json' in entered) members.push(`${JSON.stringify(field.name)}:${entered.json}`);
    else if (entered) errors.set(field.name, messageOf(entered));
  });
  const text = `{${members.join(',')}}`;
  return { text, formatted: formatJson(text) ?? text, errors };
}

function messageOf(error: Exclude<Entered, { readonly json: string }>): string {
  if ('fault' in error) return `The JSON is invalid at line ${error.fault.line}, column ${error.fault.column}.`;
  const { number, other } = error.inexact;
  return `${number.slice(0, 60)} would become ${other}. Enter it as a string.`;
}
