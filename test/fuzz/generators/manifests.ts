import * as fc from 'fast-check';
import { profileNames } from '../../../src/compiler/index.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import { createManifest, type Manifest } from '../../../src/site/manifest/manifest.js';
import { corpus } from '../../corpus.mjs';
import { edited, edits } from './edits.js';

export type ManifestCommand = (typeof commands)[number];

const commands = ['types', 'diff', 'merge', 'check', 'release', 'list', 'serve', 'import'] as const;

/** A command, and the files that it reads. */
export interface ManifestCase {
  readonly command: ManifestCommand;
  readonly text: string;
  /** A second manifest. */
  readonly other: string;
}

const maxManifestLength = 12_000;

/** Manifests of the project's cases and of golden pages, in all profiles. */
function realManifests(): readonly Manifest[] {
  const { cases, golden } = corpus();
  const pages = [...cases, ...golden.slice(0, 40)].map(({ page }) => page);
  return pages.flatMap((html, index) =>
    profileNames.map((profile) => {
      const page = compileHtml(html, { path: `page${index}.html`, profile });
      return createManifest([page], { name: 'site', description: 'A site.', version: '1.0.0', profile });
    }),
  );
}

const manifests = realManifests().filter((each) => JSON.stringify(each).length < maxManifestLength);

const oddValues = fc.oneof<fc.WeightedArbitrary<unknown>[]>(
  {
    weight: 12,
    arbitrary: fc.constantFrom<unknown>(
      ...[
        null,
        true,
        false,
        0,
        -1,
        1.5,
        1e308,
        '',
        ' ',
        'x',
        '\u0000',
        '\ud800',
        '\u001b[31m',
        '\u202e',
        '../x',
        '//x',
        '/../x',
      ],
      ...[
        'javascript:1',
        'http://evil.example/',
        '__proto__',
        'constructor',
        '(a+)+$',
        '[',
        '\\',
        '*/',
        '9'.repeat(400),
        [],
        {},
        [[]],
      ],
      ...[
        { type: 'string', pattern: '^(a+)+$' },
        { $ref: '#' },
        { allOf: [{}] },
        { type: ['x'] },
        { properties: { ['__proto__']: {} } },
      ],
      ...['post', 'dialog', 'checkbox', 'radio', 'select-one', 'file', 'number', 'range', 'custom', 'date', 'textarea'],
    ),
  },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 5000 }).map((count) => Array.from({ length: count }, () => 'x')) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 2, max: 600 })
      .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
  },
);

interface Change {
  readonly at: number;
  readonly kind: 'set' | 'delete' | 'copy';
  readonly value: unknown;
}

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 9999 }),
    kind: fc.constantFrom<Change['kind'][]>('set', 'set', 'delete', 'copy'),
    value: oddValues,
  }),
  { minLength: 1, maxLength: 4 },
);

type Place = readonly [parent: Record<string, unknown>, key: string];

function placesIn(value: unknown, places: Place[] = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const [key, member] of Object.entries(value)) {
    places.push([value as Record<string, unknown>, key]);
    placesIn(member, places);
  }
  return places;
}

/** Changes members anywhere in a copy of a manifest. */
function changed(manifest: Manifest, list: readonly Change[]): unknown {
  const copy: unknown = structuredClone(manifest);
  for (const { at, kind, value } of list) {
    const places = placesIn(copy);
    const [parent, key] = places[Math.floor((at * places.length) / 10_000)] ?? [{}, ''];
    if (kind === 'delete') Reflect.deleteProperty(parent, key);
    else if (kind === 'set') define(parent, key, value);
    else
      for (const [other, name] of places.slice(at % places.length, (at % places.length) + 1))
        define(other, name, structuredClone(parent[key]));
  }
  return copy;
}

/** A member named `__proto__` must not become the prototype. A copy into itself would be a cycle. */
function define(parent: object, key: string, value: unknown): void {
  if (placesIn(value).some(([each]) => each === parent)) return;
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

const textPieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\u0000',
  '\ufeff',
  '\r',
  '1e999',
  '"path":"x"',
  '"__proto__":{}',
  '\ud800',
  'null',
];

const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...manifests).map((each) => JSON.stringify(each)) },
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom(...manifests), changes)
      .map(([each, list]) => JSON.stringify(changed(each, list))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...manifests), edits(textPieces, 3))
      .map(([each, list]) => edited(JSON.stringify(each), list)),
  },
);

export const manifestCases: fc.Arbitrary<ManifestCase> = fc.record({
  command: fc.constantFrom(...commands),
  text,
  other: text,
});
