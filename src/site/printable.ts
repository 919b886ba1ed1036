/** The text on one line: control characters and what reverses text become a space, so that a terminal shows it safely. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();

/** `JSON.stringify`, with characters escaped that control a terminal or reverse text. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `1 tool`, `2 tools` */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Styles text for a terminal, or returns it unchanged. */
export type Paint = (style: 'red' | 'green' | 'yellow' | 'dim' | 'bold', text: string) => string;
