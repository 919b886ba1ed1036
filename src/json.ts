/** Captured when the module is evaluated, before a page can patch them. */
export const { parse, stringify } = JSON;

/** The value of a JSON text; undefined if it is invalid. The error of `JSON.parse` would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The canonical form of a JSON value: equal for equal values, whatever the order of their keys.
 * https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** The maximum nesting depth that this package reads: more than schemas need, and safe for recursion. */
export const maxJsonDepth = 300;

/** Whether a value is nested deeper than a limit. Walks level by level, because recursion could overflow the stack. */
export function exceedsDepth(value: unknown, limit = maxJsonDepth): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= limit && level.length > 0; depth++) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return level.length > 0;
}

/** Reads an own property, so that names such as `__proto__` and `constructor` are not special. */
export const ownMember = (record: JsonRecord, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
