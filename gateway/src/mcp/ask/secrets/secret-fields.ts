import {
  configurableControls,
  type ControlDescription,
  isRequiredSecret,
  missingSecrets,
  namingText,
} from 'webmcp-forms/headless';
import type { Settings } from '../../../settings.js';
import type { Action } from '../../../webtools/actions.js';

/** A sensitive control whose value a person types on a page of the gateway. */
export interface SecretField {
  readonly name: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly control: ControlDescription;
}

/** The values that a person has typed, by the names of their controls. */
export type SecretValues = Readonly<Record<string, string | readonly string[]>>;

/**
 * The sensitive controls that a person can fill in before a call, except configured ones. Empty if all required ones
 * and the only password are configured, and for actions that read or continue a form.
 */
export function secretFields(
  { name, form, reads, continues }: Action,
  { config }: Pick<Settings, 'config'>,
): readonly SecretField[] {
  const configured = config.values?.[name] ?? {};
  if (reads !== undefined || continues) return [];
  if (missingSecrets(form, configured).length === 0 && !lacksOnlyPassword(form, configured)) return [];
  return [...configurableControls(form)].flatMap(([each, group]) =>
    Object.hasOwn(configured, each)
      ? []
      : group
          .filter(({ control }) => control.sensitive && control.type !== 'hidden')
          .map(({ control }) => ({
            name: each,
            label: namingText(control.words) || each,
            isRequired: isRequiredSecret(control),
            control,
          })),
  );
}

/**
 * Whether the form has a single password field, and no configured value for it. Many logins do not mark it as required.
 * Several password fields, such as in a profile, change the password.
 */
function lacksOnlyPassword({ controls }: Action['form'], configured: object): boolean {
  const [password, ...others] = controls.filter(({ type, disabled }) => type === 'password' && !disabled);
  return password !== undefined && others.length === 0 && !Object.hasOwn(configured, password.name);
}

/**
 * The typed values by name, in the order of the fields. A name is omitted if all its values are empty, so that the
 * values of the site's page are sent.
 */
export function valuesOf(fields: readonly SecretField[], typed: readonly string[]): SecretValues {
  const values = new Map<string, readonly string[]>();
  for (const [index, { name }] of fields.entries()) values.set(name, [...(values.get(name) ?? []), typed[index] ?? '']);
  return Object.fromEntries(
    [...values]
      .filter(([, texts]) => texts.some((text) => text !== ''))
      .map(([name, texts]) => [name, texts.length === 1 ? (texts[0] as string) : texts]),
  );
}
