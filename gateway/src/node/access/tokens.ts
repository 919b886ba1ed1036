import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../../gateway-error.js';

/** A bearer token. */
export interface Token {
  /** The name of the client for the log and for limits. Without a name, calls are limited by address. */
  readonly name?: string;
  readonly token: string;
}

/** The minimum length. A random token of this length cannot be guessed. */
const minTokenLength = 20;

export const tokenAdvice = 'the output of "openssl rand -hex 32"';

const advice = `Use ${tokenAdvice}.`;

/** The reason why a token is invalid; undefined for a valid one. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export function tokenProblem(token: string): string | undefined {
  if (token === '') return `is empty. ${advice}`;
  if (!/^[\w.~+/-]+=*$/.test(token)) return `contains characters other than letters, digits and -._~+/. ${advice}`;
  const isShort = token.length < minTokenLength;
  return isShort ? `has fewer than ${minTokenLength} characters, so it can be guessed. ${advice}` : undefined;
}

export interface Authenticated {
  readonly name: string | undefined;
  /** A digest of the token. */
  readonly identity: string;
  readonly scopes?: readonly string[];
}

/** Checks bearer tokens in constant time. */
export class Tokens {
  readonly #known: readonly { readonly name: string | undefined; readonly digest: Buffer }[];

  /** @throws {GatewayError} `config-error` */
  constructor(tokens: readonly Token[]) {
    for (const { token } of tokens) {
      const problem = tokenProblem(token);
      if (problem !== undefined) throw new GatewayError('config-error', `A token ${problem}`);
    }
    if (new Set(tokens.map(({ token }) => token)).size < tokens.length) {
      throw new GatewayError(
        'config-error',
        'Two clients have the same token. Use a token of its own for each client.',
      );
    }
    this.#known = tokens.map(({ name, token }) => ({ name, digest: digestOf(token) }));
  }

  get isRequired(): boolean {
    return this.#known.length > 0;
  }

  find(authorization: string): Authenticated | undefined {
    const digest = digestOf(bearerToken(authorization));
    const [found] = this.#known.filter((known) => timingSafeEqual(known.digest, digest));
    return found && { name: found.name, identity: digest.toString('hex') };
  }
}

/** The token in an `Authorization` header, or the empty string. */
export const bearerToken = (authorization: string): string =>
  /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1] ?? '';

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
