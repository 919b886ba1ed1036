import type { CookieJar } from 'tough-cookie';

/** The subset of the platform's fetch that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The body of a request. */
export interface EncodedBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** One request, without its redirects. */
export interface Hop {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly content?: EncodedBody | undefined;
  /** The page that sends the request, without credentials. */
  readonly referrer?: URL | undefined;
}

/**
 * The request of the page of forms, by the crawler and by the gateway. A page can depend on its referrer: it can demand one, or
 * write it into a hidden control. The page that is called has to be the page that was compiled, so the referrer is always the
 * page itself, as after a form that its own page answers.
 */
export const pageHop = (url: URL): Hop => ({ method: 'GET', url, referrer: url });

export interface HttpResponse {
  /** Without fragment. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  /** The `Content-Type`, or the empty string. */
  readonly contentType: string;
  /** The body, decompressed. Leaving the loop early stops the response. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
}

/** The errors of a client, in the words of its callers. */
export interface HttpErrors {
  readonly refusedAddress: (url: URL) => Error;
  /** The request failed before the response. */
  readonly unreachable: (cause: unknown, url: URL) => Error;
  /** The response was aborted, or its compression is invalid. */
  readonly broken: (cause: unknown, url: URL) => Error;
  readonly tooLarge: (maxBytes: number) => Error;
  readonly tooManyRedirects: (maxRedirects: number) => Error;
  /** A submission is redirected to a URL that it was sent to. */
  readonly repeatedSubmission: () => Error;
  readonly invalidRedirect: () => Error;
  /** @param place - an origin, or the scheme of a URL without one */
  readonly forbiddenRedirect: (place: string) => Error;
}

/** The site, and the state of the requests to it. */
export interface HttpClient {
  readonly fetch: Fetch;
  readonly jar: CookieJar;
  /** The origin that the headers and the cookies with `SameSite` are sent to. */
  readonly origin: string;
  /** Headers of every request to the origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further origins that redirects may lead to. */
  readonly origins: readonly string[];
  readonly allowPrivateAddresses: boolean;
  readonly maxRedirects: number;
  readonly errors: HttpErrors;
  /** Called for each cookie that is sent. */
  readonly onCookieSent?: (name: string, value: string) => void;
  /** Called for each cookie that is received. Returns whether it may be stored. */
  readonly onCookieReceived: (name: string, value: string) => boolean;
}

/** The product token, which robots.txt can name. */
export const userAgent = 'webmcp-forms';

export const withoutHash = ({ href }: URL): string => href.replace(/#.*/s, '');
