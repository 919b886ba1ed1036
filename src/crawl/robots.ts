import { readBody } from '../http/body.js';
import { userAgent } from '../http/client.js';
import { readingsOf } from '../site/pages/url-readings.js';
import type { SiteClient } from './client/site-client.js';
import { maxCrawlDelayMs, maxRobotsBytes, maxWildcardCharacters } from './limits.js';
import { RequestError, requestErrors } from './problem.js';

export interface Robots {
  /** Undefined if the URL is allowed. */
  readonly refusalOf: (url: URL) => RequestError | undefined;
  readonly crawlDelayMs: number;
  /** The URLs of sitemaps in robots.txt, as written. */
  readonly sitemaps: readonly string[];
}

const advice = 'If the site is yours, allow it there for the user agent webmcp-forms, or use --ignore-robots.';

/**
 * Reads robots.txt. https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
 *
 * @param checkRedirect - throws if the URL of a redirect must not be requested. In that case, all URLs are allowed
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

/** Forbids all URLs of a site whose rules cannot be read. */
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

/** The rules of robots.txt for one robot. https://www.rfc-editor.org/rfc/rfc9309 */
interface RobotsRules {
  readonly isAllowed: (path: string) => boolean;
  /** In seconds, as written. */
  readonly crawlDelay: number;
  readonly sitemaps: readonly string[];
  readonly wildcardCharacters: number;
}

interface Group {
  readonly rules: { readonly pattern: string; readonly isAllowed: boolean }[];
  crawlDelay: number;
}

/**
 * Parses robots.txt. Comparing a URL takes time proportional to the total length of the URL and the rules.
 *
 * @param product - the product token of the robot, in lower case
 */
export function parseRobots(text: string, product: string): RobotsRules {
  const groups = new Map<string, Group>(); // by product token, or `*` for all robots
  const sitemaps: string[] = [];
  const current = new Set<Group>();
  let isInAgents = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/[\r\n]+/)) {
    const [name = '', ...rest] = line.replace(/#.*/s, '').split(':');
    const [field, value] = rest.length > 0 ? [name.trim().toLowerCase(), rest.join(':').trim()] : ['', ''];
    if (field === 'sitemap') sitemaps.push(value);
    if (field === 'user-agent') {
      const agent = value.toLowerCase().replace(/\/.*/s, '');
      if (!isInAgents) current.clear();
      if (agent === product || agent === '*') {
        const group = groups.get(agent) ?? { rules: [], crawlDelay: 0 };
        groups.set(agent, group);
        current.add(group);
      }
    } else if ((field === 'allow' || field === 'disallow') && value !== '') {
      for (const { rules } of current) rules.push({ pattern: encodedPattern(value), isAllowed: field === 'allow' });
    } else if (field === 'crawl-delay') {
      for (const group of current) group.crawlDelay = Number(value);
    }
    if (field !== '' && field !== 'sitemap') isInAgents = field === 'user-agent';
  }
  const { rules = [], crawlDelay = 0 } = groups.get(product) ?? groups.get('*') ?? {};
  const wildcards = rules.filter(({ pattern }) => pattern.includes('*'));
  const wildcardCharacters = wildcards.reduce((sum, { pattern }) => sum + pattern.length, 0);
  return { isAllowed: matcherOf(rules), crawlDelay, sitemaps, wildcardCharacters };
}

/** Applies the longest matching rule. If rules have the same length, an allowing rule takes precedence. */
function matcherOf(rules: Group['rules']): RobotsRules['isAllowed'] {
  const prefixes = new Map<string, boolean>();
  const wholePaths = new Map<string, boolean>();
  const wildcards = rules
    .filter(({ pattern }) => pattern.includes('*'))
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed))
    .map(({ pattern, isAllowed }) => ({ length: pattern.length, isAllowed, parts: pattern.split('*') }));
  for (const { pattern, isAllowed } of rules) {
    if (pattern.includes('*')) continue;
    const [map, text] = pattern.endsWith('$') ? [wholePaths, pattern.slice(0, -1)] : [prefixes, pattern];
    map.set(text, map.get(text) === true || isAllowed);
  }
  const lengths = [...new Set([...prefixes.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  return (url) => {
    const path = encoded(url).replace(/[*$]/g, encodedSign);
    const length = lengths.find((each) => each <= path.length && prefixes.has(path.slice(0, each))) ?? -1;
    const found = [{ length, isAllowed: prefixes.get(path.slice(0, length)) ?? true }];
    const whole = wholePaths.get(path);
    if (whole !== undefined) found.push({ length: path.length + 1, isAllowed: whole });
    const wildcard = wildcards.find(({ parts }) => matches(parts, path));
    if (wildcard) found.push(wildcard);
    const longest = Math.max(...found.map((each) => each.length));
    return found.some((each) => each.length === longest && each.isAllowed);
  };
}

/** @param parts - a pattern, split at its `*`. A `$` at the end of the last part matches the end of the path */
function matches([first = '', ...others]: readonly string[], path: string): boolean {
  if (!path.startsWith(first)) return false;
  const last = others.at(-1) ?? '';
  const isWhole = last.endsWith('$');
  let position = first.length;
  for (const part of isWhole ? others.slice(0, -1) : others) {
    const start = path.indexOf(part, position);
    if (start < 0) return false;
    position = start + part.length;
  }
  return !isWhole || (path.length - position >= last.length - 1 && path.endsWith(last.slice(0, -1)));
}

/**
 * Normalizes the percent-encoding of a path: encodes characters that URLs cannot contain, and decodes unreserved characters.
 * https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
 */
function encoded(path: string): string {
  return encodeURI(path)
    .replace(/%25/g, '%')
    .replace(/%[\da-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
}

/** Encodes a dollar sign, except at the end of a pattern, where it means the end of the path. */
const encodedPattern = (pattern: string): string => encoded(pattern).replace(/\$(?!$)/g, encodedSign);

/** Percent-encodes a `*` or `$` that is not a wildcard. https://www.rfc-editor.org/rfc/rfc9309#section-2.2.3 */
const encodedSign = (sign: string): string => (sign === '*' ? '%2A' : '%24');
