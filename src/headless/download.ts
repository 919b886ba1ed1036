import { decodeBytes } from '../site/pages/charset.js';
import { percentDecode } from '../site/pages/page-path.js';
import { visibleText } from '../visible-text.js';
import { sniffType, type SiteResponse } from './response.js';
import { SecretSearch } from './secrets/secret-search.js';
import { secretTexts, type SentSecrets } from './secrets/sent-secrets.js';

/** A response that a browser saves as a file. */
export interface Download {
  readonly name: string;
  /** The media type without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The text of a file of a text type, without the secrets of the call. */
  readonly text?: string;
}

const shownType = /^text\/|[/+]json$|html(?:\+xml)?$|[/+]xml$|javascript|urlencoded/i;

/**
 * The file in a successful response: an attachment, or a body whose type is not a text type. Undefined for other responses, and
 * if the bytes of a file without text contain a secret of the call, because it cannot be hidden.
 */
export function downloadOf(response: SiteResponse, sent: SentSecrets): Download | undefined {
  const { status, url, contentType, bytes, disposition = '' } = response;
  const [type = ''] = (contentType.trim() || sniffType(bytes)).split(';');
  const mediaType = type.trim().toLowerCase();
  const isText = shownType.test(mediaType);
  const isFile = /^\s*attachment\s*(?:;|$)/i.test(disposition) || (!isText && mediaType !== '');
  if (!isFile || status >= 300 || bytes.length === 0) return undefined;
  const secrets = secretTexts(sent);
  const search = new SecretSearch(secrets);
  const name = search.hideIn(nameOf(disposition, url));
  if (isText) return { name, mediaType, bytes, text: search.hideIn(decodeBytes(bytes, contentType).text) };
  const content = latin1.decode(bytes);
  const isLeaking = secrets.some(({ text }) => content.includes(latin1.decode(utf8.encode(text))));
  return isLeaking ? undefined : { name, mediaType, bytes };
}

const utf8 = new TextEncoder();
const latin1 = new TextDecoder('latin1');

const maxNameLength = 100;

/** https://www.rfc-editor.org/rfc/rfc6266#section-4.3 */
function nameOf(disposition: string, url: string): string {
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const given = extended === undefined ? (quoted?.replace(/\\(.)/g, '$1') ?? token) : percentDecode(extended);
  const name = given ?? percentDecode(new URL(url).pathname);
  const [last = ''] = visibleText(name).trim().split(/[/\\]/).slice(-1);
  return last.slice(0, maxNameLength).replace(/\p{Surrogate}/gu, '') || 'file';
}
