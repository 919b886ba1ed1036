import type { FormDescription } from '../description.js';
import { stringify } from '../../json.js';
import type { Parameter } from './parameters.js';

/** The parameter by which an agent chooses among several enabled submit buttons that have names. */
export function submitterParameter(form: FormDescription, taken: ReadonlySet<string>): readonly Parameter[] {
  const named = form.controls.flatMap(({ type, name, disabled }, index) =>
    type === 'submit' && name !== '' && !disabled ? { name, index, value: form.controls[index]?.attributes.value } : [],
  );
  if (new Set(named.map(({ name, value }) => stringify([name, value ?? '']))).size < 2) return [];
  const names = new Set(named.map(({ name }) => name));
  const [shared = ''] = names;
  const name = names.size === 1 && !taken.has(shared) ? shared : unique('submitter', taken);
  return [{ name, units: [{ kind: 'submitter', controls: named.map(({ index }) => index) }] }];
}

/** `name`, or `name` with the lowest number from 2 that is not taken. */
export function unique(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}_${count}`;
  return candidate;
}
