import { exceedsDepth, isRecord, ownMember, stringify, type JsonRecord } from '../../json.js';
import { LinearPattern, UnsupportedPatternError } from '../../linear-pattern.js';

const limits = { characters: 500_000, depth: 100, schemas: 5_000 } as const;

/** Keywords whose validation may not end, that change the meaning of other keywords, or that only references use. */
const removed: ReadonlySet<string> = new Set(
  '$schema $id $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $async $defs definitions'.split(' '),
);
/** Keywords that may reject valid input if a part of their schemas is left out. */
const inverting: ReadonlySet<string> = new Set(['not', 'if', 'oneOf']);
const withData: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'examples',
  'required',
  'dependentRequired',
]);
const withSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);

/**
 * Returns a schema whose validation takes bounded time: references are replaced by their targets.
 *
 * @param warn - is called once with the reason if a part of the schema is not validated
 * @throws if the schema exceeds a limit
 */
export function boundedSchema(schema: object, warn: (reason: string) => void): object {
  const { length } = stringify(schema);
  if (length > limits.characters)
    throw new Error(`the schema has ${length} characters, and the limit is ${limits.characters}. Shorten it.`);
  if (exceedsDepth(schema, limits.depth))
    throw new Error(`the schema has more than ${limits.depth} levels. Flatten it.`);
  return new Expansion(schema, warn).expand(schema, []) as object;
}

class Expansion {
  readonly #root: unknown;
  readonly #warn: (reason: string) => void;
  #count = 0;
  #uncheckedCount = 0;

  constructor(root: unknown, warn: (reason: string) => void) {
    this.#root = root;
    this.#warn = warn;
  }

  /** @param path - the references that lead to this schema */
  expand(schema: unknown, path: readonly string[]): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.expand(each, path));
    if (!isRecord(schema)) return schema;
    if (++this.#count > limits.schemas)
      throw new Error(`the schema has more than ${limits.schemas} subschemas with its references. Use fewer.`);
    const { $ref, ...rest } = schema;
    const entries = Object.entries(rest).flatMap(([name, value]) => this.#keyword(name, value, path));
    const expanded = Object.fromEntries(entries);
    if (typeof $ref !== 'string') return expanded;
    const allOf = Array.isArray(expanded['allOf']) ? (expanded['allOf'] as unknown[]) : [];
    return { ...expanded, allOf: [...allOf, this.#target($ref, path)] };
  }

  #keyword(name: string, value: unknown, path: readonly string[]): readonly (readonly [string, unknown])[] {
    if (removed.has(name) || (name === 'pattern' && !this.#isSupported(value))) return [];
    if (withData.has(name)) return [[name, value]];
    if (!withSchemas.has(name) || !isRecord(value)) {
      const before = this.#uncheckedCount;
      const expanded = this.expand(value, path);
      return inverting.has(name) && this.#uncheckedCount > before ? [] : [[name, expanded]];
    }
    const members = Object.entries(value).filter(([key]) => name !== 'patternProperties' || this.#isSupported(key));
    return [[name, Object.fromEntries(members.map(([key, each]) => [key, this.expand(each, path)]))]];
  }

  /** Reports the first part that is not validated. */
  #leaveOut(reason: string): void {
    if (this.#uncheckedCount++ === 0) this.#warn(reason);
  }

  #isSupported(pattern: unknown): boolean {
    try {
      return typeof pattern !== 'string' || !!new SchemaPattern(pattern);
    } catch (error) {
      if (!(error instanceof UnsupportedPatternError) && !(error instanceof RangeError)) throw error;
      this.#leaveOut(`the pattern ${stringify(String(pattern).slice(0, 200))} is not checked: ${error.message}`);
      return false;
    }
  }

  /** The schema of a reference within the schema; true, which is always valid, for any other reference. */
  #target($ref: string, path: readonly string[]): unknown {
    const target = path.includes($ref) || path.length >= limits.depth ? undefined : this.#find($ref);
    if (target !== undefined) return this.expand(target, [...path, $ref]);
    this.#leaveOut(
      `the reference ${stringify($ref.slice(0, 200))} is not checked: it is recursive, or its target does not exist`,
    );
    return true;
  }

  #find($ref: string): unknown {
    if (!/^#(?:\/|$)/.test($ref)) return undefined;
    const names = $ref.slice(2).split('/').slice(0, limits.depth);
    const keys = $ref.length < 2 ? [] : names.map((name) => decode(name).replaceAll('~1', '/').replaceAll('~0', '~'));
    return keys.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? ownMember(value as JsonRecord, key) : undefined),
      this.#root,
    );
  }
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const patternLimits = { length: 5_000, steps: 2_000 } as const;
const maxWork = 2_000_000;

/** A `pattern` of a schema, which is matched in bounded time. */
export class SchemaPattern {
  readonly #source: string;
  readonly #pattern: LinearPattern;

  /** @throws {UnsupportedPatternError} */
  constructor(source: string) {
    this.#source = source;
    this.#pattern = new LinearPattern(source, patternLimits);
  }

  /** Ajv reuses a pattern with the same text. */
  toString(): string {
    return this.#source;
  }

  /** Whether the pattern matches anywhere in a string. Throws if the string is too long for the pattern. */
  test(text: string): boolean {
    let work = maxWork;
    const spend = (steps: number): void => {
      work -= steps;
      if (work < 0) throw new Error('A string of the input is too long for the pattern of its parameter. Shorten it.');
    };
    return this.#pattern.test(text, { spend });
  }
}
