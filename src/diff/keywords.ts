import { previewList, preview } from '../compiler/preview.js';
import type { JsonValue } from '../compiler/index.js';
import { canonical } from '../json.js';
import type { Change, SchemaChange } from './change.js';
import { meaning } from '../site/schema/normalize-schema.js';

/** Compares what two schemas say by one keyword; undefined stands for nothing. */
export type CompareKeyword = (before: unknown, after: unknown, change: Change) => SchemaChange | undefined;

export const shown = (value: unknown): string => preview(value as JsonValue);

/** How a keyword that asserts something changed, where nothing more is known of it. */
const opaque =
  (keyword: string): CompareKeyword =>
  (before, after, change) => {
    if (after === undefined) return change('widening', 'keyword', `${keyword} ${shown(before)} is asked for no more`);
    const was = before === undefined ? '' : `, was ${shown(before)}`;
    return change('breaking', 'keyword', `${keyword} is ${shown(after)} now${was}`);
  };

/** A keyword that is not known: what it allows cannot be compared. */
export const unknownKeyword = (keyword: string, before: unknown, after: unknown, change: Change): SchemaChange =>
  change(
    'breaking',
    'keyword',
    `${shown(keyword)} changed from ${shown(before)} to ${shown(after)}, a keyword that is not compared`,
  );

const isLimit = (value: unknown): value is number | undefined => value === undefined || typeof value === 'number';

/** A limit that a value is not below, for `sign` 1, or not above, for -1. */
const bound =
  (keyword: string, sign: 1 | -1): CompareKeyword =>
  (before, after, change) => {
    if (!isLimit(before) || !isLimit(after)) return unknownKeyword(keyword, before, after, change);
    const none = -sign * Infinity;
    const isTighter = sign * (after ?? none) > sign * (before ?? none);
    const was = before === undefined ? ', where no limit was' : `, was ${before}`;
    const message = after === undefined ? `${keyword} ${before} is gone` : `${keyword} is ${after} now${was}`;
    return change(isTighter ? 'breaking' : 'widening', 'bounds', message);
  };

/** Like `bound` for a count, which no value has below zero. */
const count =
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
  if (after === undefined) return change('widening', 'type', `takes any type now, was ${shown(before)}`);
  const [old, current] = [typesOf(before), typesOf(after)];
  if (before === undefined || !old || !current)
    return change('breaking', 'type', `takes only the type ${shown(after)} now`);
  const message = `takes the type ${current.join(' or ')} now, was ${old.join(' or ')}`;
  if (!old.every((each) => includesType(current, each))) return change('breaking', 'type', message);
  return current.every((each) => includesType(old, each)) ? undefined : change('widening', 'type', message);
};

/** Division is exact for multiples of powers of two, so that multiples of a multiple are multiples. */
const isExact = (step: number): boolean => Number.isInteger(step * 1024) && Math.abs(step) < 2 ** 31;

const multipleOf: CompareKeyword = (before, after, change) => {
  if (typeof before !== 'number' || typeof after !== 'number' || !isExact(before) || !isExact(after))
    return opaque('multipleOf')(before, after, change);
  const kind = Number.isInteger(before / after) ? 'widening' : 'breaking';
  return change(kind, 'bounds', `takes multiples of ${after} now, was ${before}`);
};

const pattern: CompareKeyword = (before, after, change) => {
  if (after === undefined) return change('widening', 'pattern', `the pattern ${shown(before)} is gone`);
  if (before === undefined) return change('breaking', 'pattern', `has to match ${shown(after)} now`);
  const isOptional = typeof before === 'string' && before.endsWith(')$') && after === `${before.slice(0, -1)}?$`;
  if (isOptional) return change('widening', 'pattern', 'may be empty now');
  return change('breaking', 'pattern', `has to match ${shown(after)} now, was ${shown(before)}`);
};

const uniqueItems: CompareKeyword = (before, after, change) => {
  if ((before ?? false) === (after ?? false)) return undefined;
  if (after === true) return change('breaking', 'keyword', 'takes no value twice now');
  return change('widening', 'keyword', 'takes a value more than once now');
};

const required: CompareKeyword = (before, after, change) => {
  const [old, current] = [namesOf(before), namesOf(after)];
  const added = current.filter((name) => !old.includes(name));
  if (added.length > 0) return change('breaking', 'parameter-required', `${previewList(added)} has to be given now`);
  const gone = old.filter((name) => !current.includes(name));
  return gone.length === 0
    ? undefined
    : change('widening', 'parameter-optional', `${previewList(gone)} may be left out now`);
};

const namesOf = (names: unknown): readonly string[] => (Array.isArray(names) ? [...new Set(names.map(String))] : []);

/** Schemas of which all, or none, or one have to be met: those that are the same are found, and no more is known. */
const branches =
  (keyword: string, isAll: boolean): CompareKeyword =>
  (before, after, change) => {
    if (meaning({ [keyword]: before }) === meaning({ [keyword]: after })) return undefined;
    if (after === undefined) return change('widening', 'keyword', `${keyword} is asked for no more`);
    if (before === undefined) return change('breaking', 'keyword', `${keyword} ${shown(after)} is asked for now`);
    const [old, current] = [before, after].map((list) => new Set([list].flat().map(meaning))) as [
      Set<string>,
      Set<string>,
    ];
    const isWider = isAll ? isWithin(current, old) : isWithin(old, current);
    if (isWider && old.size === current.size) return undefined;
    const message = `${keyword} is ${shown(after)} now, was ${shown(before)}`;
    return change(isWider ? 'widening' : 'breaking', 'keyword', message);
  };

const isWithin = (few: ReadonlySet<string>, many: ReadonlySet<string>): boolean =>
  [...few].every((each) => many.has(each));

/** Every keyword that is compared on its own. A schema asks for all of them at once. */
export const keywords: ReadonlyMap<string, CompareKeyword> = new Map<string, CompareKeyword>([
  ['type', type],
  ['minimum', bound('minimum', 1)],
  ['exclusiveMinimum', bound('exclusiveMinimum', 1)],
  ['maximum', bound('maximum', -1)],
  ['exclusiveMaximum', bound('exclusiveMaximum', -1)],
  ['multipleOf', multipleOf],
  ['minLength', count('minLength')],
  ['maxLength', bound('maxLength', -1)],
  ['pattern', pattern],
  ['format', opaque('format')],
  ['contentEncoding', opaque('contentEncoding')],
  ['contentMediaType', opaque('contentMediaType')],
  ['minItems', count('minItems')],
  ['maxItems', bound('maxItems', -1)],
  ['uniqueItems', uniqueItems],
  ['minProperties', count('minProperties')],
  ['maxProperties', bound('maxProperties', -1)],
  ['required', required],
  ['anyOf', branches('anyOf', false)],
  ['allOf', branches('allOf', true)],
  ['not', branches('not', true)],
  ['contains', branches('contains', true)],
]);

/** Whether two schemas say the same by a keyword. */
export const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (before !== undefined && after !== undefined && canonical(before) === canonical(after));
