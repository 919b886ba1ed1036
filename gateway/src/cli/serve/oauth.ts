import { UsageError } from 'webmcp-forms/build';
import type { OAuthOptions } from '../../node/access/oauth/options.js';

export interface OAuthFlags {
  readonly oauthIssuer?: string;
  readonly publicUrl?: string;
  readonly oauthAudience?: string;
  readonly oauthReadScope?: string;
  readonly oauthSubmitScope?: string;
}

/**
 * The authorization server of the options; undefined without one.
 *
 * @throws {UsageError} for options that have no effect, because a caller would rely on them
 */
export function oauthOf(flags: OAuthFlags): OAuthOptions | undefined {
  const { oauthIssuer: issuer, publicUrl, oauthAudience, oauthReadScope, oauthSubmitScope } = flags;
  const isUsed = [oauthAudience, oauthReadScope, oauthSubmitScope].some((value) => value !== undefined);
  if (issuer === undefined && isUsed) {
    const options = '--oauth-audience, --oauth-read-scope and --oauth-submit-scope';
    throw new UsageError(`--oauth-issuer is missing, and ${options} require it. Set it to the issuer of the tokens.`);
  }
  if (issuer === undefined) return undefined;
  if (publicUrl === undefined) {
    throw new UsageError('--public-url is missing. Set it to the URL at which clients reach the gateway.');
  }
  return {
    issuer,
    ...(oauthAudience !== undefined && { audience: oauthAudience }),
    ...(oauthReadScope !== undefined && { readScope: oauthReadScope }),
    ...(oauthSubmitScope !== undefined && { submitScope: oauthSubmitScope }),
  };
}
