/**
 * Characters that readers do not see but models read: controls, default ignorable characters (zero width, bidirectional
 * controls, tag characters, variation selectors) and lone surrogates. Not matched are tabs and line breaks; joiners after
 * letters of scripts that need them, and between emoji; Mongolian variation selectors after Mongolian letters; and the first
 * text or emoji style selector after an emoji.
 */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\ufff9-\ufffb](?<![\t\n\r]|\p{Emoji}[\ufe0e\ufe0f]|(?<=[\p{L}\p{M}])(?<=[\u0600-\u109f\u1780-\u18af\u{11000}-\u{11fff}])[\u200c\u200d]|(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})|\p{Script=Mongolian}[\u180b-\u180f])/gu;

/** Removes the invisible characters from a string of a third party. */
export const visibleText = (text: string): string => text.replace(invisible, '');

/** The beginning of a string, for messages. */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text;

/** Maps all strings of a JSON value, including member names. The depth of the value must be bounded. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [map(name), mapTexts(each, map)]));
}
