import { domainToASCII } from 'node:url';
import { Cookie } from 'tough-cookie';
import { isSendable } from '../../http/cookies.js';
import { UsageError } from '../../site/usage-error.js';

/**
 * Parses the cookies of a file in the Netscape format, which browser extensions and curl write. Messages contain line numbers,
 * but not the text of lines.
 *
 * @throws {UsageError} if a line is not a cookie, or the file has no cookies
 */
export function parseCookieFile(text: string, file: string): readonly Cookie[] {
  if (/^\s*(?:\{|\[\s*[{\]])/.test(text)) {
    throw new UsageError(`Cannot read ${file}: it is JSON. Export the cookies in the Netscape format (cookies.txt).`);
  }
  const cookies = text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || (line.startsWith('#') && !line.startsWith(httpOnlyPrefix))) return [];
    return parseLine(line) ?? throwInvalid(file, index + 1);
  });
  if (cookies.length > 0) return cookies;
  throw new UsageError(`Cannot read ${file}: it has no cookies. Export them in the Netscape format (cookies.txt).`);
}

const httpOnlyPrefix = '#HttpOnly_';

function throwInvalid(file: string, line: number): never {
  const expected = 'domain, subdomains, path, secure, expires, name and value, separated by tabs';
  throw new UsageError(`${file}:${line} is not a cookie in the Netscape format. Expected ${expected}.`);
}

/** Converts a domain to a host as in URLs, but without the brackets of IPv6 addresses. */
function hostOf(domain: string): string {
  const host = domain.replace(/^\.|^\[|\]$/g, '').toLowerCase();
  return domainToASCII(host) || host;
}

function parseLine(line: string): Cookie | undefined {
  const httpOnly = line.startsWith(httpOnlyPrefix);
  const [domain = '', subdomains, path, secure, expires = '', name, ...rest] = line
    .slice(httpOnly ? httpOnlyPrefix.length : 0)
    .split('\t');
  if (name === undefined || domain === '' || !/^-?\d+(?:\.\d+)?$/.test(expires)) return undefined;
  if (![name, ...rest].every(isSendable)) return undefined;
  const seconds = Number(expires);
  return new Cookie({
    key: name,
    value: rest.join('\t'),
    domain: hostOf(domain),
    hostOnly: subdomains?.toUpperCase() !== 'TRUE',
    path: path === undefined || path === '' ? '/' : path,
    secure: secure?.toUpperCase() === 'TRUE',
    httpOnly,
    expires: seconds > 0 ? new Date(seconds * 1000) : 'Infinity', // 0 marks a session cookie
  });
}
