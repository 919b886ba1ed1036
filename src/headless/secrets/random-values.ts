/** Names of controls and cookies whose values are secrets even if they are short. */
const secretName =
  /nonce|token|csrf|xsrf|authenticity|secret|sectok|session|(?:^|[._-])(?:sid|sess|auth|jwt|key|sig|hmac)$|^(?:sid|sess|auth|jwt|key|sig|hmac)|sess(?:id)?$|signature|viewstate|eventvalidation|remember/i;

/** Names of controls whose values are never words. */
const tokenName = /(?:token|nonce|csrf|xsrf|secret)\W*$/i;

const minNamedLength = 8;
const minTextLength = 12;
const minRandomLength = 16;

const isLocation = (text: string): boolean =>
  /^(?:[a-z][a-z\d+.-]*:\/\/|\.{0,2}\/|[?#]|www\.)|^[\w./-]+\.\w{2,5}(?:[?#]|$)/i.test(text);
const isIdentifier = (name: string, text: string): boolean =>
  /(?:^|[_-]|[a-z](?=I))(?:ids?|uuid|guid|pk)$/i.test(name) && (uuid.test(text) || /^[\da-f]{24}$/i.test(text));
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The secrets in the value of a control or cookie: the value and its random parts, if it has random parts or the name of a
 * secret. Paths, URLs, identifiers and words are not secrets.
 */
export function secretsIn(name: string, value: string): readonly string[] {
  if (isNamedSecret(name, value)) return [value, ...randomParts(value)];
  if (isIdentifier(name, value) || isPath(value)) return [];
  const parts = randomParts(value);
  return parts.length > 0 ? [value, ...parts] : [];
}

/** The secrets in a cookie. A long value with the name of a secret needs no digits, because it is never a word. */
export function secretsInCookie(name: string, value: string): readonly string[] {
  const isNamed = secretName.test(name) && value.length >= minTextLength && !isPath(value);
  return isNamed ? [value, ...randomParts(value)] : secretsIn(name, value);
}

const isNamedSecret = (name: string, value: string): boolean =>
  !isPath(value) &&
  ((secretName.test(name) && value.length >= minNamedLength && /\d/.test(value) && !/\s/.test(value)) ||
    (tokenName.test(name) && value.length >= minTextLength));

/** Whether a string is a path. Base64 can look like a path, but has more changes between letters and digits. */
const isPath = (text: string): boolean =>
  isLocation(text) &&
  !((text.length >= 32 || text.endsWith('==')) && /^[\w+/]+=*$/.test(text) && changesIn(text) >= text.length / 4);

/** The parts of a composed value, such as JSON or `user|expiry|token`, that are long and random. */
const randomParts = (text: string): readonly string[] => (text.match(/[\w+/=~-]+/g) ?? []).filter(isRandomPart);

function isRandomPart(text: string): boolean {
  const length = unpaddedLength(text);
  if (length < minRandomLength) return false;
  if (uuid.test(text) || /^\d{20,}$/.test(text)) return true;
  if (/^[\da-f]+$/i.test(text) && /\d/.test(text) && /[a-f]/i.test(text)) return true;
  return changesIn(text) >= (length < 24 ? 4 : Math.max(3, length / 16));
}

/** Uses no regular expression, which would take quadratic time for text with many equals signs. */
function unpaddedLength(text: string): number {
  let { length } = text;
  while (text.charAt(length - 1) === '=') length--;
  return length;
}

const minRunChanges = 3;

/**
 * The number of unusual changes between digits, lower-case and upper-case letters, or 0 if no run of letters and digits has
 * several. Random text has a change every two or three characters. A word has one at a number, and camel case has none.
 */
function changesIn(text: string): number {
  const runs = (text.match(/[a-z\d]+/gi) ?? []).map((run) => {
    const words = run.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
    const isShort = (word = ''): boolean => word.length < 3 || /\d/.test(word);
    return words.filter((word, index) => index > 0 && (isShort(word) || isShort(words[index - 1]))).length;
  });
  return runs.some((changes) => changes >= minRunChanges) ? runs.reduce((sum, changes) => sum + changes, 0) : 0;
}
