import type { JsonRecord } from '../json.js';

/** An object's own member: `__proto__` and `constructor` are names as any other. */
export const member = (record: JsonRecord, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/**
 * JSON as it is written out: what would control a terminal or turn text around is escaped. Its meaning is that of
 * `JSON.stringify`.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
