/** JSON's own functions, captured when a module is evaluated: a page may patch them later. */
export const { parse, stringify } = JSON;

/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A text that equal values share, whatever the order of their members; of JSON it is the canonical form.
 * https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

/** More levels than any schema needs, and few enough to walk. */
export const maxJsonDepth = 300;

export function exceedsDepth(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** The object's own member, so that `__proto__` and `constructor` are names as any other. */
export const ownMember = (record: JsonRecord, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
