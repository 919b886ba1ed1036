/**
 * Collapses white space, as rendering does. U+FEFF inside the text is not white space, although `\s` matches it,
 * because it has no width.
 */
export const collapseWhitespace = (text: string): string =>
  /^\s|\s$|\s\s|[^\S ]/.test(text) ? text.replace(/[^\S\ufeff]{2,}|[^\S \ufeff]/g, ' ').trim() : text;

/** https://infra.spec.whatwg.org/#ascii-lowercase */
export const asciiLowercase = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

/** The keyword of an enumerated attribute. https://html.spec.whatwg.org/#enumerated-attribute */
export function enumeratedKeyword<const Keyword extends string>(
  value: string | null,
  keywords: readonly Keyword[],
): Keyword | undefined {
  if (value === null) return undefined;
  const index = (keywords as readonly string[]).indexOf(asciiLowercase(value));
  return keywords[index];
}

/** https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace */
export const stripAndCollapseAsciiWhitespace = (text: string): string =>
  text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');

/** Removes matching characters from the end in linear time; a pattern such as `/ +$/` takes quadratic time. */
export function stripEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Removes matching characters from both ends. */
export function stripEnds(text: string, character: RegExp): string {
  let start = 0;
  while (start < text.length && character.test(text.charAt(start))) start++;
  return stripEnd(text.slice(start), character);
}

/** Escapes the value of an attribute in double quotes. https://html.spec.whatwg.org/#escapingString */
export const escapeAttribute = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** https://infra.spec.whatwg.org/#split-on-ascii-whitespace */
export const splitOnAsciiWhitespace = (text: string): readonly string[] => text.split(/[\t\n\f\r ]+/).filter(Boolean);
