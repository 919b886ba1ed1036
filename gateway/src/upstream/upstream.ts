import type { CookieJar } from 'tough-cookie';
import type { AllowedOrigins, EncodedBody } from 'webmcp-forms/headless';
import type { Deadline } from './deadline.js';

/** The subset of the platform's fetch that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The limits of a call. */
export interface Limits {
  /**
   * The maximum duration in milliseconds, including the page of the form and all redirects.
   * @default 30000
   */
  readonly milliseconds: number;
  /**
   * The maximum size of a response in bytes, decompressed.
   * @default 5000000
   */
  readonly bytes: number;
  /**
   * The maximum number of redirects.
   * @default 10
   */
  readonly redirects: number;
}

/** The site and the state of one call to it. */
export interface Upstream extends AllowedOrigins {
  readonly fetch: Fetch;
  readonly jar: CookieJar;
  readonly deadline: Deadline;
  readonly limits: Limits;
  /** Headers of every request to the page's own origin. */
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivateAddresses: boolean;
  /** The names and values of all cookies that were sent or received, including rejected ones. */
  readonly cookieValues: Set<string>;
}

/** One request of a call, without its redirects. */
export interface Hop {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly content?: EncodedBody | undefined;
  /** Whether the page of a form is requested, before anything is submitted. */
  readonly isPage?: true;
}

export const withoutHash = ({ href }: URL): string => href.replace(/#.*/s, '');
