import { collapse } from 'webmcp-forms/headless';
import { isSecret } from '../submission/config.js';
import type { FilledForm } from '../constraints/constraints.js';

/** What a call has sent or been given and no answer may tell. */
export interface SentSecrets {
  readonly filled: FilledForm;
  /** What the operator and the client had every request carry. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of the cookies that went either way. */
  readonly cookies: Iterable<string>;
}

/** What to look for in an answer. */
export interface SecretWords {
  readonly words: readonly string[];
  /** Those that are long and of digits alone, which are written in groups as well. */
  readonly digits: readonly string[];
  readonly numbers: ReadonlySet<number>;
}

/** Shorter ones are words and numbers as well: taking them out would spoil an answer. */
export const shortest = { secret: 4, token: 12, digits: 12 };

/** How many characters of a page's tokens are looked for: no page makes a call cost more. */
const mostOfTokens = 500_000;

export function secretWords({ filled, headers, cookies }: SentSecrets): SecretWords {
  const values = sentValues(filled);
  const secrets = [
    ...values.filter(({ control }) => control.sensitive).map(({ value }) => value),
    ...Object.values(headers).flatMap(credentialsIn),
  ].filter(({ length }) => length >= shortest.secret);
  const hidden = values.filter(({ control }) => !control.sensitive).map(({ value }) => value);
  const found = [...cookies].flatMap((value) => [value, ...percentDecoded(value)]);
  const tokens = fitting([...found, ...hidden].filter(({ length }) => length >= shortest.token));
  const plain = [...secrets, ...tokens];
  const digits = plain.flatMap(digitsOf);
  return {
    words: [...new Set([...plain.flatMap(spacedAlike), ...digits, ...secrets.flatMap(base64Of)])],
    digits,
    numbers: new Set([...plain, ...digits].filter((text) => /^\d+(?:\.\d+)?$/.test(text)).map(Number)),
  };
}

/** A text, also with its line breaks as forms send them and with its white space as pages show it. */
const spacedAlike = (text: string): readonly string[] =>
  [text, text.replace(/\r\n?|\n/g, '\r\n'), collapse(text)].filter(({ length }) => length >= shortest.secret);

interface SentValue {
  readonly control: FilledForm['form']['controls'][number];
  readonly value: string;
}

/** What the hidden and sensitive controls of a form hold; of a select what it was set to. */
export const sentValues = ({ form, states, set }: FilledForm): readonly SentValue[] =>
  form.controls.flatMap((control, index): readonly SentValue[] => {
    const state = states[index];
    if (!isSecret(control)) return [];
    if (state?.holds === 'value') return [{ control, value: state.value }];
    if (state?.holds !== 'selected' || !set.has(index)) return [];
    return state.options.map((option) => ({ control, value: control.options?.[option]?.value ?? '' }));
  });

/** A header's value, what follows its scheme, and what HTTP's basic authentication says in base64. */
function credentialsIn(value: string): readonly string[] {
  const [scheme = '', ...rest] = value.split(' ');
  const credentials = rest.join(' ');
  if (scheme.toLowerCase() !== 'basic') return [value, credentials];
  return [value, credentials, ...basicOf(credentials)];
}

function basicOf(base64: string): readonly string[] {
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
    return [text, text.slice(text.indexOf(':') + 1)];
  } catch {
    return []; // no base64
  }
}

/** A text in base64 and base64url, without and with what pads it. */
function base64Of(text: string): readonly string[] {
  const padded = btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
  const base64 = padded.replace(/=+$/, '');
  const base64Url = base64.replaceAll('+', '-').replaceAll('/', '_');
  return [padded, base64, base64Url];
}

/** A number of a card, say, without the spaces or dashes between its digits. */
function digitsOf(text: string): readonly string[] {
  const digits = text.replace(/[ -]/g, '');
  return /^\d+$/.test(digits) && digits.length >= shortest.digits ? [digits] : [];
}

/** A cookie as the site reads it, where it has encoded it. */
function percentDecoded(value: string): readonly string[] {
  try {
    return value.includes('%') ? [decodeURIComponent(value)] : [];
  } catch {
    return [];
  }
}

function fitting(tokens: readonly string[]): readonly string[] {
  let left = mostOfTokens;
  return [...new Set(tokens)].filter(({ length }) => {
    if (length > left) return false;
    left -= length;
    return true;
  });
}
