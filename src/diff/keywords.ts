import { preview, previewList } from '../compiler/preview.js';
import type { JsonValue } from '../compiler/index.js';
import { canonicalJson } from '../json.js';
import { normalizedText } from '../site/schema.js';
import type { CreateChange, SchemaChange } from './change.js';

/** Compares the values of a keyword in two schemas. A missing keyword is undefined. */
type CompareKeyword = (before: unknown, after: unknown, change: CreateChange) => SchemaChange | undefined;

export const show = (value: unknown): string => preview(value as JsonValue);

/** Compares a keyword whose values cannot be ordered. */
const assertion =
  (keyword: string): CompareKeyword =>
  (before, after, change) => {
    if (after === undefined) return change('widening', 'keyword', `${keyword} ${show(before)} was removed`);
    const was = before === undefined ? '' : `, was ${show(before)}`;
    return change('breaking', 'keyword', `${keyword} is ${show(after)} now${was}`);
  };

export const unknownKeyword = (keyword: string, before: unknown, after: unknown, change: CreateChange): SchemaChange =>
  change('breaking', 'keyword', `the unknown keyword ${show(keyword)} changed from ${show(before)} to ${show(after)}`);

const isLimit = (value: unknown): value is number | undefined => value === undefined || typeof value === 'number';

/** Compares a lower limit (`sign` 1) or an upper limit (-1). */
const bound =
  (keyword: string, sign: 1 | -1): CompareKeyword =>
  (before, after, change) => {
    if (!isLimit(before) || !isLimit(after)) return unknownKeyword(keyword, before, after, change);
    const unlimited = -sign * Infinity;
    const isTighter = sign * (after ?? unlimited) > sign * (before ?? unlimited);
    const was = before === undefined ? ', was unlimited' : `, was ${before}`;
    const message = after === undefined ? `${keyword} ${before} was removed` : `${keyword} is ${after} now${was}`;
    return change(isTighter ? 'breaking' : 'widening', 'bounds', message);
  };

/** Compares the lower limits of a count. The limit 0 has no effect. */
const minCount =
  (keyword: string): CompareKeyword =>
  (before, after, change) =>
    (before ?? 0) === (after ?? 0) ? undefined : bound(keyword, 1)(before, after, change);

const typesOf = (type: unknown): readonly string[] | undefined => {
  const types = [type].flat();
  return types.every((each) => typeof each === 'string') ? types : undefined;
};

const includesType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

const type: CompareKeyword = (before, after, change) => {
  if (after === undefined) return change('widening', 'type', `accepts any type now, was ${show(before)}`);
  const [old, current] = [typesOf(before), typesOf(after)];
  if (before === undefined || !old || !current)
    return change('breaking', 'type', `accepts only the type ${show(after)} now`);
  const message = `accepts the type ${current.join(' or ')} now, was ${old.join(' or ')}`;
  if (!old.every((each) => includesType(current, each))) return change('breaking', 'type', message);
  return current.every((each) => includesType(old, each)) ? undefined : change('widening', 'type', message);
};

/** Whether floating-point division by the step is exact. */
const isExact = (step: number): boolean => Number.isInteger(step * 1024) && Math.abs(step) < 2 ** 31;

const multipleOf: CompareKeyword = (before, after, change) => {
  if (typeof before !== 'number' || typeof after !== 'number' || !isExact(before) || !isExact(after))
    return assertion('multipleOf')(before, after, change);
  const kind = Number.isInteger(before / after) ? 'widening' : 'breaking';
  return change(kind, 'bounds', `accepts multiples of ${after} now, was ${before}`);
};

const pattern: CompareKeyword = (before, after, change) => {
  if (after === undefined) return change('widening', 'pattern', `the pattern ${show(before)} was removed`);
  if (before === undefined) return change('breaking', 'pattern', `must match ${show(after)} now`);
  const isOptional = typeof before === 'string' && before.endsWith(')$') && after === `${before.slice(0, -1)}?$`;
  if (isOptional) return change('widening', 'pattern', 'may be empty now');
  return change('breaking', 'pattern', `must match ${show(after)} now, was ${show(before)}`);
};

const uniqueItems: CompareKeyword = (before, after, change) => {
  if ((before ?? false) === (after ?? false)) return undefined;
  if (after === true) return change('breaking', 'keyword', 'rejects duplicate values now');
  return change('widening', 'keyword', 'accepts duplicate values now');
};

const required: CompareKeyword = (before, after, change) => {
  const [old, current] = [namesOf(before), namesOf(after)];
  const added = current.filter((name) => !old.includes(name));
  if (added.length > 0) return change('breaking', 'parameter-required', `requires ${previewList(added)} now`);
  const removed = old.filter((name) => !current.includes(name));
  return removed.length === 0
    ? undefined
    : change('widening', 'parameter-optional', `no longer requires ${previewList(removed)}`);
};

const namesOf = (names: unknown): readonly string[] => (Array.isArray(names) ? [...new Set(names.map(String))] : []);

/** Compares two lists of subschemas as sets. `isAll`: whether a value must match all of them, as in `allOf`. */
const subschemas =
  (keyword: string, isAll: boolean): CompareKeyword =>
  (before, after, change) => {
    if (normalizedText({ [keyword]: before }) === normalizedText({ [keyword]: after })) return undefined;
    if (after === undefined) return change('widening', 'keyword', `${keyword} was removed`);
    if (before === undefined) return change('breaking', 'keyword', `${keyword} ${show(after)} was added`);
    const [old, current] = [textsOf(before), textsOf(after)];
    const isWider = isAll ? isSubset(current, old) : isSubset(old, current);
    if (isWider && old.size === current.size) return undefined;
    const message = `${keyword} is ${show(after)} now, was ${show(before)}`;
    return change(isWider ? 'widening' : 'breaking', 'keyword', message);
  };

const textsOf = (schemas: unknown): ReadonlySet<string> => new Set([schemas].flat().map(normalizedText));

const isSubset = (few: ReadonlySet<string>, many: ReadonlySet<string>): boolean =>
  [...few].every((each) => many.has(each));

export const keywords: ReadonlyMap<string, CompareKeyword> = new Map<string, CompareKeyword>([
  ['type', type],
  ['minimum', bound('minimum', 1)],
  ['exclusiveMinimum', bound('exclusiveMinimum', 1)],
  ['maximum', bound('maximum', -1)],
  ['exclusiveMaximum', bound('exclusiveMaximum', -1)],
  ['multipleOf', multipleOf],
  ['minLength', minCount('minLength')],
  ['maxLength', bound('maxLength', -1)],
  ['pattern', pattern],
  ['format', assertion('format')],
  ['contentEncoding', assertion('contentEncoding')],
  ['contentMediaType', assertion('contentMediaType')],
  ['minItems', minCount('minItems')],
  ['maxItems', bound('maxItems', -1)],
  ['uniqueItems', uniqueItems],
  ['minProperties', minCount('minProperties')],
  ['maxProperties', bound('maxProperties', -1)],
  ['required', required],
  ['anyOf', subschemas('anyOf', false)],
  ['allOf', subschemas('allOf', true)],
  ['not', subschemas('not', true)],
  ['contains', subschemas('contains', true)],
]);

/** Whether two values of a keyword are equal, regardless of the order of their members. */
export const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after));
