import { cookiePairs } from '../http/cookies.js';
import { secretsInCookie } from '../headless/secrets/random-values.js';
import { SecretSearch, type Span } from '../headless/secrets/secret-search.js';
import { cookieTexts, credentialsOf, givenTexts, maxSearchedLength } from '../headless/secrets/sent-secrets.js';
import { maxCookieCharacters, maxCookieValues, maxEncodedCharacters } from './limits.js';

/** The minimum length of a secret. Shorter values, such as `dark`, are often words in pages. */
const minLength = 8;

const secretHeader = /auth|cookie|token|key|secret|session|password/i;

/** Values that the messages and results of a run must not contain. */
export class RunSecrets {
  readonly #given = new Set<string>();
  /** The latest values of each cookie that the site has set. */
  readonly #cookies = new Map<string, readonly string[]>();
  #search: SecretSearch | undefined;

  addCookie(name: string, value: string): void {
    const values = secretsOfCookie(name, value);
    const before = this.#cookies.get(name) ?? [];
    if (values.every((each) => before.includes(each))) return;
    const latest = [...new Set([...values, ...before])].slice(0, maxCookieValues);
    let left = maxCookieCharacters;
    this.#cookies.set(
      name,
      latest.filter((each) => (left -= Math.min(each.length, maxSearchedLength)) >= 0),
    );
    this.#search = undefined;
  }

  addGivenCookie(name: string, value: string): void {
    this.#add(secretsOfCookie(name, value));
  }

  addHeader(name: string, value: string): void {
    if (/cookie/i.test(name)) for (const pair of cookiePairs(value)) this.addGivenCookie(pair.name, pair.value);
    else this.#add(credentialsOf(name, value).filter(secretHeader.test(name) ? isLong : mayBeSecret));
  }

  addPassword(value: string): void {
    this.#add([value].filter(isLong));
  }

  #add(values: readonly string[]): void {
    for (const value of values) this.#given.add(value);
    this.#search = undefined;
  }

  /** Replaces the values, also in the encodings of URLs, HTML, JSON and base64. */
  hide(text: string): string {
    return this.#current.hideIn(text);
  }

  /** The parts of a page to hide, in order. Unlike in messages, a word before dots is not treated as a truncated value. */
  spansIn(text: string): readonly Span[] {
    return this.#current.spansIn(text, false);
  }

  get isEmpty(): boolean {
    return this.#given.size === 0 && this.#cookies.size === 0;
  }

  get #current(): SecretSearch {
    if (this.#search) return this.#search;
    const cookies = [...this.#cookies.values()].flat();
    let left = maxEncodedCharacters;
    const encoded = cookies.filter(({ length }) => length <= left && (left -= length) >= 0);
    this.#search = new SecretSearch(givenTexts([...this.#given, ...encoded], cookies));
    return this.#search;
  }
}

/** The secrets in a cookie. Its value can be a setting instead of a secret. */
const secretsOfCookie = (name: string, value: string): readonly string[] =>
  cookieTexts(value)
    .flatMap((each) => [...secretsInCookie(name, each), ...(mayBeSecret(each) ? [each] : [])])
    .filter(isLong);

const isLong = ({ length }: string): boolean => length >= minLength;

const mayBeSecret = (text: string): boolean =>
  text.length >= 2 * minLength || (isLong(text) && /\d/.test(text) && /[a-z]/i.test(text));
