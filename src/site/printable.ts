/** Converts text to one line that is safe to print. Control and bidirectional characters become spaces. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();

/** Replaces characters that would move the cursor or hide text with spaces, without changing the columns. */
export const printableColumns = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ');

/** `JSON.stringify` with escaped control and bidirectional characters. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `1 tool`, `2 tools` */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Styles text for a terminal, or returns it unchanged. */
export type Paint = (style: 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold' | 'underline', text: string) => string;
