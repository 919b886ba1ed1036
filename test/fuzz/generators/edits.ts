import * as fc from 'fast-check';

/** A change of a string. `at` and `length` are relative to its length. */
export interface Edit {
  readonly kind: 'delete' | 'insert' | 'repeat' | 'replace' | 'move' | 'cut';
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const share = fc.integer({ min: 0, max: 9999 }).map((part) => part / 10_000);

/** One to `most` edits, most of which are local. */
export const edits = (pieces: readonly string[], most: number): fc.Arbitrary<readonly Edit[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Edit['kind'][]>(
        'delete',
        'insert',
        'insert',
        'insert',
        'repeat',
        'replace',
        'replace',
        'move',
        'cut',
      ),
      at: share,
      length: fc.oneof(
        fc.constantFrom(0, 0.001, 0.01),
        share.map((part) => part * part * part),
      ),
      text: fc.constantFrom(...pieces),
    }),
    { minLength: 1, maxLength: most },
  );

export const edited = (text: string, changes: readonly Edit[]): string => changes.reduce(applyEdit, text);

/** Inserts at the ends of tags and words more often than inside of them. */
const boundary = /[\s<>"'=]/;

function applyEdit(source: string, { kind, at, length, text }: Edit): string {
  let start = Math.floor(at * source.length);
  for (let steps = 0; steps < 12 && start < source.length && !boundary.test(source[start] as string); steps++) start++;
  const end = Math.min(source.length, start + Math.max(1, Math.floor(length * source.length)));
  const [before, part, after] = [source.slice(0, start), source.slice(start, end), source.slice(end)];
  switch (kind) {
    case 'delete':
      return before + after;
    case 'insert':
      return before + text + part + after;
    case 'repeat':
      return before + part.repeat(source.length < 20_000 ? 3 : 1) + after;
    case 'replace':
      return before + text + after;
    case 'move':
      return before + after + part;
    case 'cut':
      return length > 0.5 ? before : before + after.slice(1);
  }
}
