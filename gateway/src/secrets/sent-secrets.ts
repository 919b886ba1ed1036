import { type ControlDescription, collapseWhitespace } from 'webmcp-forms/headless';
import type { FilledForm } from '../constraints/constraints.js';
import { isSecret, percentDecode } from '../submission/config.js';

export interface SentSecrets {
  readonly filled: FilledForm;
  /** The headers of the operator and the client. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Iterable<string>;
}

/** Shorter secrets would also match ordinary words and numbers. */
export const minSecretLength = 4;
const minTokenLength = 12;

/** The texts to hide: secrets, then the tokens of cookies and hidden controls. */
export function secretTexts({ filled, headers, cookies }: SentSecrets): readonly string[] {
  const values = sentValues(filled);
  const secrets = [
    ...values.filter(({ control }) => control.sensitive).map(({ value }) => value),
    ...Object.values(headers).flatMap(credentialsIn),
  ].filter(({ length }) => length >= minSecretLength);
  const tokens = [
    ...[...cookies].flatMap((value) => [value, percentDecode(value)]),
    ...values.filter(({ control }) => !control.sensitive).map(({ value }) => value),
  ].filter(({ length }) => length >= minTokenLength);
  return [...secrets.flatMap((text) => [text, ...base64Of(text)]), ...tokens].flatMap(variantsOf);
}

/** The text with the line breaks of forms, with collapsed white space, and as digits without separators. */
function variantsOf(text: string): readonly string[] {
  const variants = [text, text.replace(/\r\n?|\n/g, '\r\n'), collapseWhitespace(text)];
  if (/^[\d -]+$/.test(text)) variants.push(text.replace(/[ -]/g, ''));
  return variants.filter(({ length }) => length >= minSecretLength);
}

/** The values of hidden and sensitive controls. Those of selects are only included if they were set. */
export const sentValues = ({
  form,
  states,
  set,
}: FilledForm): readonly { readonly control: ControlDescription; readonly value: string }[] =>
  form.controls.filter(isSecret).flatMap((control) => {
    const index = form.controls.indexOf(control);
    const state = states[index];
    if (state?.holds === 'value') return { control, value: state.value };
    if (state?.holds !== 'selected' || !set.has(index)) return [];
    return state.options.map((option) => ({ control, value: control.options?.[option]?.value ?? '' }));
  });

/** A header's value, the credentials after its scheme, and the decoded password of HTTP basic authentication. */
function credentialsIn(value: string): readonly string[] {
  const [scheme = '', ...rest] = value.split(' ');
  const credentials = rest.join(' ');
  if (scheme.toLowerCase() !== 'basic') return [value, credentials];
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(credentials), (byte) => byte.charCodeAt(0)));
    return [value, credentials, text, text.slice(text.indexOf(':') + 1)];
  } catch {
    return [value, credentials];
  }
}

/** Base64 with and without padding, and base64url. */
function base64Of(text: string): readonly string[] {
  const padded = btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
  const base64 = padded.replace(/=+$/, '');
  return [padded, base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
}
