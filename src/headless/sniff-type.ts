/** The number of bytes by which browsers determine a type. */
const maxLength = 1445;

/** The markup with which a page begins. https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type */
const markup =
  /^[\t\n\f\r ]*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >])/i;
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** The type of a response without `Content-Type`, as browsers determine it: HTML, XML, text, or other bytes. */
export function sniffType(bytes: Uint8Array): 'text/html' | 'text/xml' | 'text/plain' | 'application/octet-stream' {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, maxLength));
  const isUnicode = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start);
  if (markup.test(start)) return 'text/html';
  if (/^[\t\n\f\r ]*<\?xml/.test(start)) return 'text/xml';
  return isUnicode || !binary.test(start) ? 'text/plain' : 'application/octet-stream';
}
