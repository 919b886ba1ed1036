import { toBase64 } from '@exodus/bytes/base64.js';
import { toHex } from '@exodus/bytes/hex.js';
import type { IndexedControl } from '../../compiler/parameters/parameters.js';
import type { FilledForm } from '../constraints/constraints.js';
import { urlencodedText } from '../encodings.js';
import { isSecret } from '../../compiler/profiles/redact.js';
import { concatBytes } from '../../http/body.js';
import { cookiePairs } from '../../http/cookies.js';
import { percentDecode } from '../../site/pages/page-path.js';
import { numberNotations } from './number-notations.js';
import { secretsIn, secretsInCookie } from './random-values.js';

export interface SentSecrets {
  readonly values: readonly SentSecret[];
  readonly headers: Readonly<Record<string, string>>;
  /** The names and values of all cookies of the call: `a=1`. */
  readonly cookies: ReadonlySet<string>;
  /** The encoding of the request, unless it is UTF-8. URLs can repeat the values in this encoding. */
  readonly charset?: string | undefined;
}

/** The minimum length of a secret. Shorter secrets would also match ordinary words and numbers. */
export const minSecretLength = 4;

/** The maximum total length of searched values of hidden controls, so that a page cannot make a call expensive. */
const maxPageLength = 500_000;

/**
 * The maximum searched length. Only the beginning of a longer secret must match, and its whole length is hidden.
 */
export const maxSearchedLength = 1_000;

export interface SecretText {
  readonly text: string;
  /** The length of the whole secret, if `text` is its beginning. */
  readonly length?: number;
  /** Whether `text` is a secret in base64 or hexadecimal, which is often broken into lines. */
  readonly isEncoded?: boolean;
  /** Whether `text` is another notation of a secret number. */
  readonly isNotation?: boolean;
}

/** The strings to hide: all configured and sensitive values, and the secrets in cookies and hidden controls. */
export function secretTexts({ values, headers, cookies: sentCookies, charset }: SentSecrets): readonly SecretText[] {
  const configured = [
    ...values.flatMap(({ value, isPageValue }) => (isPageValue ? [] : value)),
    ...Object.entries(headers).flatMap((header) => credentialsOf(...header)),
  ];
  const cookies = [...sentCookies]
    .flatMap(cookiePairs)
    .flatMap(({ name, value }) => cookieTexts(value).flatMap((each) => secretsInCookie(name, each)));
  const texts = [...givenTexts(configured, cookies), ...pageSecrets(values)];
  return charset === undefined ? texts : [...texts, ...texts.flatMap((each) => percentEncoded(each, charset))];
}

/** A non-ASCII secret as it is percent-encoded in a URL in another encoding than UTF-8. */
function percentEncoded({ text, length }: SecretText, charset: string): readonly SecretText[] {
  if (!/[^\0-\x7f]/.test(text)) return [];
  const encoded = urlencodedText(text, charset);
  const start = encoded.slice(0, maxSearchedLength).replace(/%[\dA-F]?$/, ''); // without an incomplete escape
  return [{ text: start, length: encoded.length + (length ?? text.length) - text.length }];
}

/** The strings to hide: `given`, the secrets of the user or operator, also in other encodings and notations, and `others`. */
export function givenTexts(given: readonly string[], others: readonly string[] = []): readonly SecretText[] {
  const long = given.filter(({ length }) => length >= minSecretLength);
  const encoded = new Set(long.flatMap((text) => [...base64Of(text), toHex(utf8.encode(text))]));
  const plain = new Set([...long, ...others]);
  const notations = new Set(long.flatMap(numberNotations));
  return [
    ...[...plain].map(searchedText),
    ...[...encoded].map((text) => ({ ...searchedText(text), isEncoded: true })),
    ...[...notations].map((text) => ({ text, isNotation: true })),
  ];
}

const searchedText = (text: string): SecretText =>
  text.length > maxSearchedLength ? { text: text.slice(0, maxSearchedLength), length: text.length } : { text };

export const cookieTexts = (value: string): readonly string[] => [value, percentDecode(value.replace(/^"|"$/g, ''))];

function pageSecrets(values: readonly SentSecret[]): readonly SecretText[] {
  let left = maxPageLength;
  return values.flatMap(({ value, isPageValue, secrets }) => {
    const isSearched = isPageValue && (left -= Math.min(value.length, maxSearchedLength)) >= 0;
    return isSearched ? secrets.map(searchedText) : [];
  });
}

export interface SentSecret {
  readonly name: string;
  readonly value: string;
  /** Whether the value comes from the page. False for sensitive controls, because their whole value is a secret. */
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

export function pageSecret(name: string, value: string): readonly SentSecret[] {
  const secrets = secretsIn(name, value);
  return secrets.length === 0 ? [] : [{ name, value, isPageValue: true, secrets }];
}

/** The values of hidden and sensitive controls. Those of selects are only included if they were set. */
function sentValues({ form, states, set }: FilledForm) {
  return form.controls.flatMap((control, index): readonly (IndexedControl & { readonly value: string })[] => {
    const state = states[index];
    if (!isSecret(control)) return [];
    if (state?.holds === 'value') return [{ control, index, value: state.value }];
    if (state?.holds !== 'selected' || !set.has(index)) return [];
    return state.options.map((option) => ({ control, index, value: control.options?.[option]?.value ?? '' }));
  });
}

/** Whether a header can contain credentials. */
const isCredential = (name: string): boolean =>
  !/^(?:accept|accept-.*|user-agent|x-forwarded-(?:proto|host|port)|x-requested-with|cache-control|pragma|referer|origin|dnt)$/i.test(
    name,
  );

/**
 * The credentials in a header: its value, the part after a scheme, the decoded credentials and password of HTTP basic
 * authentication, and the values of cookies.
 */
export function credentialsOf(name: string, value: string): readonly string[] {
  if (!isCredential(name)) return [];
  if (name.toLowerCase() === 'cookie') return [value, ...cookiePairs(value).flatMap((pair) => cookieTexts(pair.value))];
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

const utf8 = new TextEncoder();

/** The minimum length of a part of base64. Shorter parts would also match ordinary words. */
const minPartLength = 8;

/** The string in base64 with and without padding, and as a part of longer base64 data, also as base64url. */
function base64Of(text: string): readonly string[] {
  const bytes = utf8.encode(text);
  const padded = toBase64(bytes);
  const parts = [0, 1, 2].map((offset) => {
    const shifted = toBase64(concatBytes([new Uint8Array(offset), bytes]));
    return shifted.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const forms = [padded, padded.replace(/=+$/, ''), ...parts.filter(({ length }) => length >= minPartLength)];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
