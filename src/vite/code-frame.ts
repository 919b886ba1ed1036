/** How many lines around the one that is meant. */
const around = 2;
const widest = 160;

/** The lines of a text around a place, with a mark below it; both numbers start at 1. */
export function codeFrame(text: string, line: number, column: number): string {
  const lines = text.split(/\r\n|[\n\r]/);
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, line + around);
  const gutter = String(last).length;
  const start = Math.max(0, column - widest / 2);
  return lines
    .slice(first - 1, last)
    .flatMap((content, index) => {
      const number = first + index;
      const shown = `${String(number).padStart(gutter)} | ${clean(content.slice(start, start + widest))}`.trimEnd();
      return number === line ? [shown, `${' '.repeat(gutter)} | ${' '.repeat(column - 1 - start)}^`] : [shown];
    })
    .join('\n');
}

/** Page text for a terminal, each character as wide as it was. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
