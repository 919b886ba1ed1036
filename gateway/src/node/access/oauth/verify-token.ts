import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { Issuer } from './issuer.js';
import type { OAuthSettings } from './oauth.js';

interface VerifiedToken {
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** The reason why a token is refused, as a sentence without values of the token. */
export class TokenProblem extends Error {
  override readonly name = 'TokenProblem';
  /** Whether the token may be a guess: it is malformed, or its algorithm or signature is invalid. */
  readonly isForged: boolean;

  constructor(message: string, { isForged = false } = {}) {
    super(message);
    this.isForged = isForged;
  }
}

/** Only asymmetric algorithms: with a symmetric one, a public key could be used to sign a token. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The difference between the clocks of the gateway and of the issuer, in seconds. */
const clockTolerance = 5;

/** The types of access tokens. Other tokens, such as logout tokens, have other types. */
const types: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** @param resource - the resource of the request, for the message */
const claimProblems = ({ issuer }: OAuthSettings, resource: string): Readonly<Record<string, string>> => ({
  iss: `The token has another issuer. Get a token from ${issuer}.`,
  aud: `The token is for another audience. Request a token for ${resource}.`,
  nbf: 'The token is not valid yet. Compare the clocks of the gateway and of the authorization server.',
});

/**
 * Verifies an access token. https://www.rfc-editor.org/rfc/rfc9068#section-4
 *
 * @throws {TokenProblem}
 * @throws {Error} if the keys of the issuer are unavailable
 */
export async function verifyToken(
  token: string,
  { keys }: Issuer,
  settings: OAuthSettings,
  resource: string,
): Promise<VerifiedToken> {
  const { issuer, audiences } = settings;
  const requiredClaims = ['sub', 'exp'];
  const options = { issuer, audience: [...audiences], algorithms, clockTolerance, requiredClaims };
  const { payload, protectedHeader } = await jwtVerify(token, keys, options).catch((error: unknown) => {
    throw problemOf(error, settings, resource) ?? error;
  });
  if (!types.includes(protectedHeader.typ?.toLowerCase())) throw new TokenProblem('The token is not an access token.');
  // https://www.rfc-editor.org/rfc/rfc9449#section-7.1
  if (payload.cnf !== undefined) {
    throw new TokenProblem(
      'The token is bound to a key of its client, which the gateway does not check. Request a bearer token.',
    );
  }
  if (typeof payload.sub !== 'string' || payload.sub === '') throw new TokenProblem('The token has no subject.');
  return { subject: payload.sub, scopes: scopesOf(payload) };
}

/** The scopes of a token. Some authorization servers use `scp` instead of `scope`, or an array. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const scopes = scope ?? scp;
  if (typeof scopes === 'string') return scopes.split(' ');
  return Array.isArray(scopes) ? scopes.filter((each): each is string => typeof each === 'string') : [];
}

/** The problem of a token that jose rejects. Undefined if the keys of the issuer are unavailable. */
function problemOf(error: unknown, settings: OAuthSettings, resource: string): TokenProblem | undefined {
  const { issuer } = settings;
  if (error instanceof errors.JWTExpired)
    return new TokenProblem(`The token has expired. Get a new one from ${issuer}.`);
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new TokenProblem(
      claimProblems(settings, resource)[error.claim] ?? `The token has no valid claim ${error.claim}.`,
    );
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
    return new TokenProblem(`The token is not signed with a key of ${issuer}. Get a new one there.`);
  }
  const isUnavailable = !(error instanceof errors.JOSEError) || unavailable.includes(error.code);
  if (isUnavailable) return undefined;
  return new TokenProblem(forgeries[error.code] ?? forgeries.default, { isForged: true });
}

const unavailable: readonly string[] = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

const forgeries = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is not signed with an asymmetric algorithm, such as RS256.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is invalid.',
  default: 'The token is neither a signed JWT nor a token of the gateway.',
} as Readonly<Record<string, string>> & { readonly default: string };
