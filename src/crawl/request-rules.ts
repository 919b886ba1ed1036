import { createMatcher, globExcess } from '../site/pages/glob.js';
import { readingsOf } from '../site/pages/url-readings.js';
import { UsageError } from '../site/usage-error.js';
import { isActionLink, normalizeUrl, pagePathOf } from './links.js';
import { RequestError, useBrowser } from './problem.js';
import { allowAll, type Robots } from './robots.js';
import type { RunSecrets } from './secrets.js';

const maxPlaceLength = 300;

interface RequestRulesOptions {
  readonly secrets: RunSecrets;
  readonly isExcluded: (path: string) => boolean;
}

export class RequestRules {
  readonly #options: RequestRulesOptions;
  /** The rules of robots.txt. Until they are read, all URLs are allowed. */
  robots: Robots = allowAll;

  constructor(options: RequestRulesOptions) {
    this.#options = options;
  }

  isExcluded(url: URL): boolean {
    return readingsOf(url).some(this.#options.isExcluded);
  }

  /** The reason why a URL, or the URL of a redirect, must not be requested. */
  refusalOf(url: URL, isNamed: boolean): RequestError | undefined {
    if (this.#options.secrets.hide(url.href) !== url.href)
      return new RequestError('invalid', 'its URL contains the value of a cookie or a header');
    return (isNamed ? undefined : actionRefusal(url)) ?? this.robots.refusalOf(url);
  }

  /** @throws {RequestError} if the URL of a redirect must not be requested */
  readonly checkRedirect = (redirect: URL): void => {
    this.#check(redirect, (url) => this.refusalOf(url, false));
  };

  /**
   * Like `checkRedirect`, but allows values of the login in the URL, such as the user name: the site knows these values, and
   * results do not contain the URL.
   *
   * @throws {RequestError} if the URL of a redirect of a login must not be requested
   */
  readonly checkLoginRedirect = (redirect: URL): void => {
    this.#check(redirect, (url) => actionRefusal(url, useBrowser) ?? this.robots.refusalOf(url));
  };

  #check(redirect: URL, refusalOf: (url: URL) => RequestError | undefined): void {
    const url = normalizeUrl(redirect);
    const refusal = this.isExcluded(url)
      ? new RequestError('redirect', excludedReason, 'Change --exclude to read it.')
      : refusalOf(url);
    if (!refusal) return;
    const place = this.#options.secrets.hide(pagePathOf(url)).slice(0, maxPlaceLength);
    throw new RequestError(refusal.kind, `it redirects to ${place}, and ${refusal.message}`, refusal.advice);
  }
}

export const excludedReason = 'its path is excluded';

const actionRefusal = (url: URL, advice = 'Name the URL to read it.'): RequestError | undefined =>
  isActionLink(url) ? new RequestError('action', 'the link could change something or log out', advice) : undefined;

/**
 * Creates a matcher for globs. A glob with a question mark is compared with path and query, other globs with the path. Case is
 * ignored, because servers may ignore it. A slash at the end is ignored, because servers may redirect to the path with a slash.
 *
 * @throws {UsageError} if a glob exceeds the limits
 */
export function matcherOf(globs: readonly string[]): RequestRulesOptions['isExcluded'] {
  const matchers = globs.map((glob) => {
    const excess = globExcess(glob);
    if (excess !== undefined) throw new UsageError(`--exclude has ${excess}. Use several globs.`);
    const matches = createMatcher(glob.replace(/^\//, '').toLowerCase() || '**');
    return (path: string, query: string): boolean =>
      ['', '/'].some((end) => matches(path + end + (glob.includes('?') ? query : '')));
  });
  return (text) => {
    const [, path = '', query = ''] = /^\/?([^?]*)(.*)$/s.exec(text.toLowerCase()) ?? [];
    return matchers.some((matches) => matches(path.replace(/\/$/, ''), query));
  };
}
