import { descendants } from '../compiler/tree.js';
import { PageLimitError, parseWithinLimits, type Parse5Element, type Parse5Page } from '../parse5/parse5-tree.js';
import { urlOf } from '../site/pages/page-path.js';
import { decodeFully } from '../site/pages/url-readings.js';
import { maxLinks } from './limits.js';

interface PageLinks {
  /** In document order, without fragments. */
  readonly links: readonly URL[];
  /** Whether the page has more links, or more elements than are read. */
  readonly isCut: boolean;
  readonly canonical?: URL;
}

const linkAttributes: Readonly<Record<string, string>> = { a: 'href', area: 'href', iframe: 'src', frame: 'src' };

/** The links of a page to its own origin that robots may follow, and its canonical URL. */
export function readLinks(html: string, pageUrl: URL): PageLinks {
  const links: URL[] = [];
  let [base, canonical, isFollowed]: [URL, URL | undefined, boolean] = [pageUrl, undefined, true];
  const page = parseWithinLimits(html, false);
  const isTooLarge = page instanceof PageLimitError;
  for (const { name, attribute } of isTooLarge ? [] : relevantElements(page)) {
    const target = attribute(linkAttributes[name] ?? 'href');
    const rel = ` ${(attribute('rel') ?? '').toLowerCase().replace(/\s+/g, ' ')} `;
    if (name === 'base' && base === pageUrl) base = resolveUrl(target, pageUrl) ?? pageUrl;
    if (name === 'link' && rel.includes(' canonical ')) canonical ??= resolveUrl(target, base);
    if (name === 'meta' && isNoFollow(attribute('name'), attribute('content'))) isFollowed = false;
    if (!Object.hasOwn(linkAttributes, name) || rel.includes(' nofollow ') || attribute('download') !== null) continue;
    const url = resolveUrl(target, base);
    if (url?.origin === pageUrl.origin && links.length <= maxLinks) links.push(url);
  }
  const own = canonical?.origin === pageUrl.origin ? canonical : undefined;
  const isCut = isFollowed && (links.length > maxLinks || isTooLarge);
  return { links: isFollowed ? links.slice(0, maxLinks) : [], isCut, ...(own && { canonical: own }) };
}

interface ReadElement {
  readonly name: string;
  readonly attribute: (name: string) => string | null;
}

const relevant = new Set([...Object.keys(linkAttributes), 'base', 'link', 'meta']);

function* relevantElements({ tree, document }: Parse5Page): Generator<ReadElement> {
  for (const node of descendants(tree, document)) {
    const name = tree.isElement(node) ? tree.localName(node) : '';
    if (relevant.has(name)) yield { name, attribute: (each) => tree.attribute(node as Parse5Element, each) };
  }
}

const isNoFollow = (name: string | null, content: string | null): boolean =>
  /^(?:robots|webmcp-forms)$/i.test(name ?? '') && /\b(?:nofollow|none)\b/i.test(content ?? '');

function resolveUrl(text: string | null, base: URL): URL | undefined {
  const url = text === null ? undefined : urlOf(text, base);
  return url && normalizeUrl(url);
}

/** Query parameters for sessions and advertising, which do not select a page. */
const ignoredParameter =
  /^(?:utm_\w+|gclid|fbclid|phpsessid|jsessionid|sessionid|session_id|sid|aspsessionid\w*|cfid|cftoken)$/i;

/** Removes the fragment, the credentials, session IDs and advertising parameters. The rest of the query is not changed. */
export function normalizeUrl(url: URL): URL {
  const normal = new URL(url);
  [normal.hash, normal.username, normal.password] = ['', '', ''];
  normal.pathname = normal.pathname.replace(/;jsessionid=[^/;]*/gi, '');
  const pairs = normal.search.slice(1).split('&');
  const kept = pairs.filter((pair) => !ignoredParameter.test(pair.replace(/=.*/s, '')));
  if (kept.length < pairs.length) normal.search = kept.join('&');
  if (normal.search === '') normal.search = ''; // removes a question mark without a query
  return normal;
}

/** The path and query of a URL, which a manifest uses as the path of a page. */
export const pagePathOf = ({ pathname, search }: URL): string => pathname + search;

/** Words in the URLs of links that end a session or change data, although links are requested with GET. */
const actionWord =
  /(?:^|[^a-z])(?:(?:do|user)?(?:log|sign)[^a-z\d]*(?:out|off)|end[^a-z\d]*session|unsubscribe|delete|remove|trash|destroy|revoke|deactivate|purge|erase)(?:$|[^a-z])|(?:do|admin|user|member|my)logout|logout(?:user|all|now)|(?:mass|bulk|un|post|item|user)delete|delete(?:all|post|item|user|page|comment|file|account|topic|message|entry|record)|remove(?:all|item|user|post)/i;
/** The ends of the words of a name in camel case. */
const wordEnd = /[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g;
const tokenParameter = /nonce|csrf|xsrf|sectok|sesskey|form_?key|token$/i;

/** Whether requesting a link could change something: its path or query has a word such as `logout`, or a token. */
export function isActionLink({ pathname, search }: URL): boolean {
  const parameters = [...new URLSearchParams(search.replaceAll(';', '&'))].map((pair) => pair.map(decodeFully));
  if (parameters.some(([name = '']) => tokenParameter.test(name))) return true;
  return [...decodeFully(pathname).split('/'), ...parameters.flat()].some(
    (text) => actionWord.test(text) || actionWord.test(text.replace(wordEnd, '$& ')),
  );
}

const fileType =
  /\.(?:7z|avi|bmp|bz2|css|csv|docx?|eot|epub|exe|gif|gz|ico|jpe?g|js|json|map|mjs|mov|mp[34]|mpe?g|og[gv]|otf|pdf|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|txt|wav|web[mp]|webmanifest|woff2?|xlsx?|xml|xz|zip)$/i;

/** Whether a link has the extension of a file that is not a page. */
export const isFileLink = ({ pathname }: URL): boolean => fileType.test(decodeFully(pathname));
