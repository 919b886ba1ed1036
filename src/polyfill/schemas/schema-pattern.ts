import { LinearPattern } from '../../linear-pattern.js';

const limits = { length: 5_000, steps: 2_000 } as const;
const maxWork = 2_000_000;

/** The `pattern` of a schema, which cannot block the page. */
export class SchemaPattern {
  readonly #source: string;
  readonly #pattern: LinearPattern;

  /** @throws {UnsupportedPatternError} */
  constructor(source: string) {
    this.#source = source;
    this.#pattern = new LinearPattern(source, limits);
  }

  /** Ajv reuses a pattern with the same text. */
  toString(): string {
    return this.#source;
  }

  /** Whether a part of a text matches. Throws if the text is too long for the pattern. */
  test(text: string): boolean {
    let work = maxWork;
    const spend = (steps: number): void => {
      work -= steps;
      if (work < 0) throw new Error('A text of the input is too long for the pattern of its parameter. Shorten it.');
    };
    return this.#pattern.test(text, { spend });
  }
}
