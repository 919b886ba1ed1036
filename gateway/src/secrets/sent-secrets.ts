import type { ControlDescription } from 'webmcp-forms/headless';
import type { FilledForm } from '../constraints/constraints.js';
import { isSecret, percentDecode } from '../submission/config.js';
import { secretsIn, secretsInCookie } from './random-values.js';

export interface SentSecrets {
  /** The secrets in the values of the form. */
  readonly values: readonly SentSecret[];
  /** The headers of the operator and the client. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names and values of all cookies of the call: `a=1`. */
  readonly cookies: ReadonlySet<string>;
}

/** Shorter secrets would also match ordinary words and numbers. */
export const minSecretLength = 4;

/** The values of a page's hidden controls beyond this length are not searched for, so that no page makes a call expensive. */
const maxPageLength = 500_000;

/** Of a longer value of a page, the beginning is searched for, and as much text is hidden as the value is long. */
const maxPageValueLength = 1_000;

export interface SecretText {
  readonly text: string;
  /** The length of the whole secret, if `text` is its beginning. */
  readonly length?: number;
}

/** The texts to hide: all configured and sensitive values, and the secrets in cookies and in hidden controls. */
export function secretTexts({ values, headers, cookies: sentCookies }: SentSecrets): readonly SecretText[] {
  const configured = [
    ...values.flatMap(({ value, isPageValue }) => (isPageValue ? [] : value)),
    ...Object.entries(headers).flatMap(([name, value]) => (isCredential(name) ? credentialsIn(name, value) : [])),
  ].filter(({ length }) => length >= minSecretLength);
  const cookies = [...sentCookies].flatMap((cookie) => {
    const [name = ''] = cookie.split('=', 1);
    const value = cookie.slice(name.length + 1);
    return [value, percentDecode(value)].flatMap((each) => secretsInCookie(name, each));
  });
  const encoded = configured.flatMap((text) => [text, ...base64Of(text), hexOf(text)]);
  return [...new Set([...encoded, ...cookies])].map((text): SecretText => ({ text })).concat(pageSecrets(values));
}

function pageSecrets(values: readonly SentSecret[]): readonly SecretText[] {
  let left = maxPageLength;
  return values.flatMap(({ value, isPageValue, secrets }) => {
    if (!isPageValue || (left -= Math.min(value.length, maxPageValueLength)) < 0) return [];
    return secrets.map((text) => ({
      text: text.slice(0, maxPageValueLength),
      ...(text.length > maxPageValueLength && { length: text.length }),
    }));
  });
}

export interface SentSecret {
  readonly name: string;
  readonly value: string;
  /** Whether the page has set the value, and not the configuration. */
  readonly isPageValue: boolean;
  /** The secrets in a value of the page. */
  readonly secrets: readonly string[];
}

/** The values of sensitive controls, configured values, and those values of hidden controls that are secrets. */
export const sentSecrets = (filled: FilledForm): readonly SentSecret[] =>
  sentValues(filled).flatMap(({ control, value, index }) => {
    const isPageValue = control.sensitive !== true && !filled.set.has(index);
    const { name } = control;
    return isPageValue ? pageSecret(name, value) : { name, value, isPageValue, secrets: [] };
  });

/** The secrets in a value that a page has set; empty if it has none. */
export function pageSecret(name: string, value: string): readonly SentSecret[] {
  const secrets = secretsIn(name, value);
  return secrets.length === 0 ? [] : [{ name, value, isPageValue: true, secrets }];
}

/** The values of hidden and sensitive controls. Those of selects are only included if they were set. */
function sentValues({ form, states, set }: FilledForm): readonly SentValue[] {
  return form.controls.flatMap((control, index) => {
    const state = states[index];
    if (!isSecret(control)) return [];
    if (state?.holds === 'value') return { control, index, value: state.value };
    if (state?.holds !== 'selected' || !set.has(index)) return [];
    return state.options.map((option) => ({ control, index, value: control.options?.[option]?.value ?? '' }));
  });
}

interface SentValue {
  readonly control: ControlDescription;
  readonly index: number;
  readonly value: string;
}

/** Headers whose values are words that every request may have. */
const isCredential = (name: string): boolean =>
  !/^(?:accept|accept-.*|user-agent|x-forwarded-(?:proto|host|port)|x-requested-with|cache-control|pragma|referer|origin|dnt)$/i.test(
    name,
  );

/** A header's value, the credentials after its scheme, and the decoded password of HTTP basic authentication. */
function credentialsIn(name: string, value: string): readonly string[] {
  if (name.toLowerCase() === 'cookie') return [value, ...cookieValues(value)];
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

const cookieValues = (header: string): readonly string[] =>
  header.split(';').flatMap((cookie) => {
    const value = cookie.slice(cookie.indexOf('=') + 1).trim();
    return [value, percentDecode(value)];
  });

const hexOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Base64 with and without padding, and base64url. */
function base64Of(text: string): readonly string[] {
  const padded = btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
  const base64 = padded.replace(/=+$/, '');
  return [padded, base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
}
