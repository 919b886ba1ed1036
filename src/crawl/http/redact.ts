import { maxCookieValues } from '../limits.js';

/** Shorter values are words such as `dark` that pages contain anyway. */
const minLength = 8;
const mark = '[hidden]';

/** The name and the value of `name=value; ...`. */
export const nameOf = (cookie: string): string => cookie.replace(/[=;].*/s, '').trim();
export const valueOf = (cookie: string): string =>
  cookie
    .replace(/;.*/s, '')
    .replace(/^[^=]*=/, '')
    .trim();

const secretHeader = /auth|cookie|token|key|secret|session|password/i;

/** Values that the messages and results of a run must not contain. */
export class Secrets {
  readonly #values = new Set<string>();
  /** The latest values of each cookie. */
  readonly #cookies = new Map<string, readonly string[]>();

  /** Adds a value of a cookie, which can be a setting instead of a secret. */
  addCookie(name: string, value: string): void {
    const values = [value, safeDecode(value.replace(/^"|"$/g, ''))].filter(isRandom);
    const before = this.#cookies.get(name) ?? [];
    if (values.every((each) => before.includes(each))) return;
    this.#cookies.set(name, [...new Set([...values, ...before])].slice(0, maxCookieValues));
  }

  addHeader(name: string, value: string): void {
    if (!secretHeader.test(name)) return;
    const credentials = value.replace(/^(?:bearer|basic|token)\s+/i, '');
    if (/cookie/i.test(name)) value.split(/;\s*/).forEach((pair) => this.addCookie(nameOf(pair), valueOf(pair)));
    else for (const each of [value, credentials]) if (each.length >= minLength) this.#values.add(each);
  }

  addPassword(value: string): void {
    if (value.length >= minLength) this.#values.add(value);
  }

  /** Replaces the values, also in the spellings of HTML and of URLs. */
  hide(text: string): string {
    let hidden = text;
    for (const value of [...this.#values, ...[...this.#cookies.values()].flat()]) {
      for (const spelling of spellings(value))
        if (hidden.includes(spelling)) hidden = hidden.replaceAll(spelling, mark);
    }
    return hidden;
  }
}

/** Whether a text is long, and not a word or a number. */
const isRandom = (text: string): boolean =>
  text.length >= 2 * minLength || (text.length >= minLength && /\d/.test(text) && /[a-z]/i.test(text));

const spellings = (value: string): ReadonlySet<string> =>
  new Set([value, escapeHtml(value), encodeURIComponent(value)]);

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => references[character] ?? character);

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
