import { oneLine } from './report.js';
import { UsageError } from './usage-error.js';

const schemes = /^(?:https?|file):\/\//i;
const localhost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** Whether a text is meant as a URL, and not as a file. */
export const isUrl = (text: string): boolean => schemes.test(text) || localhost.test(text);

/** The URL that a person gives; `localhost:3000` is enough of one. */
export function parseUrl(text: string): URL {
  const url = URL.canParse(text) && schemes.test(text) ? new URL(text) : undefined;
  if (url) return url;
  if (localhost.test(text) && URL.canParse(`http://${text}`)) return new URL(`http://${text}`);
  throw new UsageError(`"${oneLine(text)}" is no URL to open: give one that begins with https://, http:// or file://`);
}
