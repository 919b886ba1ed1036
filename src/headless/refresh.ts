import { collapseWhitespace } from '../compiler/html/text.js';
import { descendants } from '../compiler/tree.js';
import { PageLimitError, parseWithinLimits, type Parse5Node, type Parse5Page } from '../parse5/parse5-tree.js';
import { decodeBytes } from '../site/pages/charset.js';
import { urlOf } from '../site/pages/page-path.js';
import { isAllowedOrigin, type AllowedOrigins, type FormRequest } from './form-request.js';
import { isPageType, type SiteResponse } from './response.js';

const maxRefreshes = 5;
/** The maximum sum of the delays, so that a page that refreshes itself often does not use up the time of its call. */
const maxDelayMs = 10_000;
/** The maximum size of a page with a refresh. Larger pages contain content instead of a "Please wait" message. */
const maxBytes = 100_000;

interface Refresh {
  readonly delayMs: number;
  readonly url: URL;
}

interface RefreshOptions extends AllowedOrigins {
  readonly send: (request: FormRequest) => Promise<SiteResponse>;
  readonly signal: AbortSignal;
}

/**
 * Follows the refreshes of a response, such as a "Please wait" page: at most 5 refreshes to the site or an allowed origin, with
 * a total delay of at most 10 seconds. https://html.spec.whatwg.org/#shared-declarative-refresh-steps
 */
export async function followRefreshes(
  response: SiteResponse,
  { send, signal, ...allowed }: RefreshOptions,
): Promise<SiteResponse> {
  let current = response;
  let leftMs = maxDelayMs;
  for (let count = 0; count < maxRefreshes; count++) {
    const refresh = refreshOf(current);
    if (!refresh || (leftMs -= refresh.delayMs) < 0 || !isAllowedOrigin(allowed, refresh.url)) break;
    await wait(refresh.delayMs, signal);
    current = { ...(await send({ method: 'GET', url: refresh.url.href })), isRedirected: true };
  }
  return current;
}

function refreshOf(response: SiteResponse): Refresh | undefined {
  const { refresh, bytes, url, contentType } = response;
  if (refresh !== undefined) return parseRefresh(refresh, url);
  if (bytes.length > maxBytes || !isPageType(contentType)) return undefined;
  const html = decodeBytes(bytes, contentType).text;
  const found = /http-equiv/i.test(html) ? metaRefresh(html) : undefined;
  return found === undefined ? undefined : parseRefresh(found, url);
}

/** Whether a refresh is in the head. Browsers also follow a refresh in the body, but a visitor may have written it. */
function isInHead(tree: Parse5Page['tree'], node: Parse5Node): boolean {
  const up = tree.parent(node);
  return up !== null && tree.isElement(up) && tree.localName(up) === 'head';
}

function metaRefresh(html: string): string | undefined {
  const page = parseWithinLimits(html, false);
  if (page instanceof PageLimitError) return undefined;
  const { document, tree } = page;
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node) || tree.localName(node) !== 'meta') continue;
    if (collapseWhitespace(tree.attribute(node, 'http-equiv') ?? '').toLowerCase() !== 'refresh') continue;
    if (isInHead(tree, node)) return tree.attribute(node, 'content') ?? undefined;
  }
  return undefined;
}

const pattern = /^\s*(\d*)(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+|$)(?:url\s*=\s*)?(?:"([^"]*)"?|'([^']*)'?|(.*))/is;

/** A refresh without a URL reloads the page. */
function parseRefresh(text: string, base: string): Refresh | undefined {
  const [match, seconds = '', ...urls] = pattern.exec(text) ?? [];
  const url = urlOf(urls.find(Boolean)?.trim() || base, base);
  if (match === undefined || !url || !/^https?:$/.test(url.protocol)) return undefined;
  if (seconds === '' && !/^\s*\./.test(text)) return undefined;
  [url.username, url.password] = ['', ''];
  return { delayMs: Number(seconds) * 1000, url };
}

const wait = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
