import { urlOf } from './pages/page-path.js';
import { oneLine } from './printable.js';
import { UsageError } from './usage-error.js';

const schemes = /^(?:https?|file):\/\//i;
const localhost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** Whether an argument is a URL rather than a file name. */
export const isUrl = (text: string): boolean => schemes.test(text) || localhost.test(text);

/** Parses a URL. `localhost:3000` needs no scheme. */
export function parseUrl(text: string): URL {
  const named = localhost.test(text) ? `http://${text}` : text;
  const url = schemes.test(named) ? urlOf(named) : undefined;
  if (url) return url;
  throw new UsageError(`"${oneLine(text)}" is not a URL. Use one that begins with https://, http:// or file://.`);
}
