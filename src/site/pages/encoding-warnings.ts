import { isUtf8 } from 'node:buffer';
import { asciiText, type PageContent } from './undecoded-page.js';

const otherCharset = /charset(?!\s*=\s*["']?\s*utf-?8)/i;

/**
 * The warnings about the encoding of a page. The tables of encodings are loaded only if they are needed. The playground does
 * not bundle this file.
 */
export async function encodingWarnings(content: PageContent, file: string): Promise<readonly string[]> {
  const isPlain =
    typeof content === 'string' || (isUtf8(content) && !otherCharset.test(asciiText(content.subarray(0, 1024))));
  return isPlain ? [] : (await import('./page-encoding.js')).encodingWarnings(content, file);
}
