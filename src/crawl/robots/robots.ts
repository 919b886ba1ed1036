import { readBody } from '../../http/body.js';
import { userAgent } from '../../http/client.js';
import { requestErrors } from '../client/request-errors.js';
import type { SiteClient } from '../client/site-client.js';
import { maxCrawlDelayMs, maxRobotsBytes, maxWildcardCharacters } from '../limits.js';
import { readingsOf } from '../../site/pages/url-readings.js';
import { RequestError } from '../problem.js';
import { parseRobots } from './robots-rules.js';

/** The rules of a site for robots. */
export interface Robots {
  /** Undefined if the URL is allowed. */
  readonly refusalOf: (url: URL) => RequestError | undefined;
  readonly crawlDelayMs: number;
  /** The URLs of sitemaps in robots.txt, as written. */
  readonly sitemaps: readonly string[];
}

const advice = 'If the site is yours, allow it there for the user agent webmcp-forms, or use --ignore-robots.';

/**
 * Reads the rules. https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
 *
 * @param checkRedirect - throws if the URL of a redirect must not be requested. Everything is allowed in that case
 */
export async function readRobots(
  client: SiteClient,
  origin: string,
  checkRedirect: (url: URL) => void,
): Promise<Robots> {
  const url = new URL('/robots.txt', origin);
  try {
    const fetched = await client.get(url, (redirect) => asRedirectError(() => checkRedirect(redirect)));
    if (fetched.status >= 200 && fetched.status <= 299)
      return parse(decode(await readBody(fetched, requestErrors, maxRobotsBytes)));
    fetched.discard();
    return fetched.status >= 500 ? disallowAll(`robots.txt has the status ${fetched.status}`) : allowAll;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.kind === 'redirect') return allowAll;
    if (error.kind === 'invalid' && /MB$/.test(error.message))
      return disallowAll(`robots.txt has more than ${maxRobotsBytes / 1e6} MB`);
    if (error.kind === 'unavailable') return disallowAll(`of robots.txt, ${error.message}`);
    throw error;
  }
}

function asRedirectError(check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw cause instanceof RequestError ? new RequestError('redirect', cause.message, undefined, { cause }) : cause;
  }
}

export const allowAll: Robots = { refusalOf: () => undefined, crawlDelayMs: 0, sitemaps: [] };

/** A site whose rules cannot be read may not be read. */
const disallowAll = (reason: string): Robots => ({
  ...allowAll,
  refusalOf: () =>
    new RequestError(
      'robots',
      `${reason}, so its rules are unknown`,
      'Try again later, or use --ignore-robots for your own site.',
    ),
});

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function parse(text: string): Robots {
  const { isAllowed, crawlDelay, sitemaps, wildcardCharacters } = parseRobots(text, userAgent);
  if (wildcardCharacters > maxWildcardCharacters)
    return disallowAll(`the rules of robots.txt with wildcards have more than ${maxWildcardCharacters} characters`);
  const delay = crawlDelay * 1000;
  return {
    refusalOf: (page) =>
      readingsOf(page).every(isAllowed) ? undefined : new RequestError('robots', 'robots.txt disallows it', advice),
    crawlDelayMs: Number.isFinite(delay) ? Math.min(Math.max(delay, 0), maxCrawlDelayMs) : 0,
    sitemaps,
  };
}
