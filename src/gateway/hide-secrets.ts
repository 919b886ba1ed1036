import { isSecret } from './config.js';
import type { FilledForm } from './constraints.js';

/** A URL without the values of hidden and sensitive controls, which a form of the method GET puts into its query. */
export function hideSecrets(url: string, { form, states }: FilledForm): string {
  const secrets = new Map<string, Set<string>>();
  form.controls.forEach((control, index) => {
    const state = states[index];
    if (!isSecret(control) || state?.holds !== 'value' || state.value === '') return;
    secrets.set(control.name, (secrets.get(control.name) ?? new Set()).add(state.value));
  });
  const parsed = new URL(url);
  const pairs = [...parsed.searchParams];
  const isShown = ([name, value]: [string, string]): boolean => !secrets.get(name)?.has(value);
  if (pairs.every(isShown)) return url;
  const shown = pairs.map((pair): [string, string] => (isShown(pair) ? pair : [pair[0], '...']));
  parsed.search = new URLSearchParams(shown).toString();
  return parsed.href;
}
