const secretName = /token|nonce|csrf|xsrf|secret|passw|session|sid$|signature|\bsig\b|key|code|auth|jwt|otp/i;

/** Letters and digits without words: long and random. */
const isToken = (value: string): boolean =>
  /^[\w.~+=-]{12,}$/.test(value) &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  !/^(?:[a-z]+[._-])*[a-z]+$/i.test(value);

/**
 * A URL for messages and logs: without credentials, fragment and path parameters, which can be session IDs, and without
 * query values that are tokens.
 */
export function displayUrl(url: string | URL, { query = true } = {}): string {
  const { origin, pathname, search } = new URL(url);
  const pairs = search.slice(1).split('&').map(hideToken).join('&');
  const text = `${origin}${pathname.replace(/;[^/]*/g, '')}${query && pairs !== '' ? `?${pairs}` : ''}`;
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

const maxLength = 300;

function hideToken(pair: string): string {
  const [name = '', ...rest] = pair.split('=');
  const [decoded = ''] = new URLSearchParams(`v=${rest.join('=')}`).values();
  const names = [name, ...Array.from(decoded.matchAll(/[?&]([^=&]*)=/g), ([, nested = '']) => nested)];
  const isHidden = decoded !== '' && (isToken(decoded) || names.some((each) => secretName.test(each)));
  return isHidden ? `${name}=[hidden]` : pair;
}
