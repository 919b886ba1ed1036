import type { SourceLocation } from '../compiler/index.js';

/** Finds the lines of offsets. Lines end as in HTML: CRLF, CR or LF. */
export class LineCounter {
  readonly #source: string;
  #lineStarts: readonly number[] | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  at(offset: number): SourceLocation {
    const starts = (this.#lineStarts ??= lineStarts(this.#source));
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  if (source.includes('\r')) {
    const ends = /\r\n?|\n/g;
    while (ends.test(source)) starts.push(ends.lastIndex);
  } else for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
