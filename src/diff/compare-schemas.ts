import { previewList } from '../compiler/preview.js';
import { canonicalJson, isRecord, ownMember, type JsonRecord } from '../json.js';
import {
  annotationKeywords,
  choiceKeywords,
  choicesOf,
  hasReferences,
  isOfType,
  normalizedText,
  surelyAccepts,
  type Choice,
  type Choices,
} from '../site/schema.js';
import { changeAt, itemPlace, memberPlace, type CreateChange, type SchemaChange } from './change.js';
import { isSame, keywords, show, unknownKeyword } from './keywords.js';

/**
 * Compares the accepted values, titles and descriptions of two input schemas of a tool.
 *
 * A change is breaking unless the new schema certainly accepts all values of the old schema. It is a wording change only if
 * both schemas accept the same values. A tool accepts only the named parameters, even if its schema allows other members.
 */
export function compareSchemas(before: JsonRecord, after: JsonRecord): readonly SchemaChange[] {
  const changes = hasReferences([before, after])
    ? compareWhole(before, after)
    : compare(closed(before), closed(after), '');
  if (changes.length > 0 || isIdentical(before, after)) return changes;
  return [changeAt('')('wording', 'order', 'the order changed')];
}

/** Caches comparisons, because the comparison at each level of a schema includes all deeper levels. */
const compared = new WeakMap<object, WeakMap<object, boolean>>();

/** Whether two JSON values are equal, with their members in the same order. */
function isIdentical(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const ofOne = compared.get(one) ?? new WeakMap<object, boolean>();
  compared.set(one, ofOne);
  const known = ofOne.get(other);
  if (known !== undefined) return known;
  const [entries, others] = [Object.entries(one), Object.entries(other)];
  const result =
    Array.isArray(one) === Array.isArray(other) &&
    entries.length === others.length &&
    entries.every(([key, value], index) => {
      const [otherKey, otherValue] = others[index] ?? [];
      return key === otherKey && isIdentical(value, otherValue);
    });
  ofOne.set(other, result);
  return result;
}

const closed = (schema: JsonRecord): JsonRecord => ({ additionalProperties: false, ...schema });

function compareWhole(before: JsonRecord, after: JsonRecord): readonly SchemaChange[] {
  if (normalizedText(before) === normalizedText(after)) return [];
  const message = 'the schema changed, and it contains references, so its parts were not compared';
  return [changeAt('')('breaking', 'keyword', message)];
}

/** Compares keyword by keyword: a schema accepts a value if all of its keywords accept it. */
function compare(before: unknown, after: unknown, place: string): readonly SchemaChange[] {
  if (isIdentical(before, after)) return [];
  const change = changeAt(place);
  if (after === false) return [change('breaking', 'any-value', 'accepts no value now')];
  if (before === false)
    return [change('widening', 'any-value', `accepts ${after === true ? 'any value' : 'values'} now`)];
  const [old, current] = [asRecord(before), asRecord(after)];
  return [
    ...compareAssertions(old, current, change),
    ...compareMembers(old, current, place),
    ...compareItems(old, current, place),
    ...compareAnnotations(old, current, change),
  ];
}

const asRecord = (schema: unknown): JsonRecord => (isRecord(schema) ? schema : {});

const structuralKeywords = ['properties', 'patternProperties', 'additionalProperties', 'prefixItems', 'items'];

function compareAssertions(before: JsonRecord, after: JsonRecord, change: CreateChange): readonly SchemaChange[] {
  const [old, current] = [choicesOf(before), choicesOf(after)];
  if (!old && current) return [change('breaking', 'values', `accepts only ${listOf(current)} now`)];
  if (old && !current) return [compareWithoutChoices(old, after, change)];
  const ofChoices = old ? choiceKeywords(before).filter((name) => choiceKeywords(after).includes(name)) : [];
  const implied = [before, after].every(hasImpliedType) ? ['type'] : [];
  const compared = new Set([...structuralKeywords, ...annotationKeywords, ...ofChoices, ...implied]);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [
    ...(old && current ? compareChoices(old, current, change) : []),
    ...[...names]
      .filter((name) => !compared.has(name))
      .flatMap((name) => compareKeyword(name, ownMember(before, name), ownMember(after, name), change) ?? []),
  ];
}

/** Whether all choices of a schema have its type, so that `type` does not affect the accepted values. */
const hasImpliedType = (schema: JsonRecord): boolean =>
  [...(choicesOf(schema)?.values() ?? [{ value: undefined }])].every(
    ({ value }) => value !== undefined && (schema.type === undefined || isOfType(value, schema.type)),
  );

function compareKeyword(name: string, before: unknown, after: unknown, change: CreateChange): SchemaChange | undefined {
  if (isSame(before, after)) return undefined;
  const compareOne = keywords.get(name);
  return compareOne ? compareOne(before, after, change) : unknownKeyword(name, before, after, change);
}

const listOf = (choices: Choices): string => listValues([...choices.values()]);
const listValues = (choices: readonly Choice[]): string => previewList(choices.map(({ value }) => value) as string[]);

/** The maximum work of a comparison. Values beyond it count as rejected. */
const maxComparisons = 1_000_000;

function compareWithoutChoices(old: Choices, after: JsonRecord, change: CreateChange): SchemaChange {
  const work = { left: maxComparisons };
  const rejected = [...old.values()].filter(({ value }) => !surelyAccepts(after, value, work));
  if (rejected.length === 0) return change('widening', 'values', `accepts more than ${listOf(old)} now`);
  return change('breaking', 'values', `no longer lists its values, and may not accept ${listValues(rejected)}`);
}

function compareChoices(old: Choices, current: Choices, change: CreateChange): readonly SchemaChange[] {
  const [removed, added] = [difference(old, current), difference(current, old)];
  const kept = [...old].filter(([key]) => current.has(key));
  return [
    ...(removed.size > 0 ? [change('breaking', 'values', `no longer accepts ${listOf(removed)}`)] : []),
    ...(added.size > 0 ? [change('widening', 'values', `also accepts ${listOf(added)}`)] : []),
    ...kept.flatMap(([key, choice]) =>
      (['title', 'description'] as const).flatMap((name) =>
        compareText(`the ${name} of ${show(choice.value)}`, choice[name], current.get(key)?.[name], change),
      ),
    ),
    ...compareOrder(
      kept.map(([key]) => key),
      [...current.keys()],
      'values',
      change,
    ),
  ];
}

const difference = (choices: Choices, others: Choices): Choices =>
  new Map([...choices].filter(([key]) => !others.has(key)));

/** @param kept - the old names that the new schema also contains */
function compareOrder(
  kept: readonly string[],
  current: readonly string[],
  what: string,
  change: CreateChange,
): readonly SchemaChange[] {
  const names = new Set(kept);
  const isSameOrder = canonicalJson(current.filter((name) => names.has(name))) === canonicalJson(kept);
  return isSameOrder ? [] : [change('wording', 'order', `the order of the ${what} changed`)];
}

function compareText(what: string, before: unknown, after: unknown, change: CreateChange): readonly SchemaChange[] {
  if (isSame(before, after)) return [];
  if (after === undefined) return [change('wording', 'words', `${what}, ${show(before)}, was removed`)];
  const was = before === undefined ? '' : `, was ${show(before)}`;
  return [change('wording', 'words', `${what} is ${show(after)} now${was}`)];
}

const compareAnnotations = (before: JsonRecord, after: JsonRecord, change: CreateChange): readonly SchemaChange[] =>
  annotationKeywords.flatMap((name) => compareText(name, ownMember(before, name), ownMember(after, name), change));

const otherMembers = (schema: JsonRecord): unknown => schema.additionalProperties ?? true;

function compareMembers(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  if ((before.patternProperties ?? after.patternProperties) !== undefined)
    return comparePatternMembers(before, after, place);
  const [old, current] = [asRecord(before.properties), asRecord(after.properties)];
  const names = Object.keys(old);
  const isKept = (name: string): boolean => Object.hasOwn(current, name);
  return [
    ...names.flatMap((name) =>
      isKept(name)
        ? compare(old[name], current[name], memberPlace(place, name))
        : changeAt(memberPlace(place, name))('breaking', 'parameter-removed', 'was removed'),
    ),
    ...Object.keys(current)
      .filter((name) => !Object.hasOwn(old, name))
      .map((name) => compareAdded(otherMembers(before), current[name], changeAt(memberPlace(place, name)))),
    ...compare(otherMembers(before), otherMembers(after), memberPlace(place, '*')),
    ...compareOrder(names.filter(isKept), Object.keys(current), 'parameters', changeAt(place)),
  ];
}

/** @param before - the schema that applied to the member before it was named */
function compareAdded(before: unknown, after: unknown, change: CreateChange): SchemaChange {
  const isNarrower = compare(before, after, '').some(({ kind }) => kind === 'breaking');
  return isNarrower
    ? change('breaking', 'parameter-added', 'no longer accepts every value, which it did without a schema')
    : change('widening', 'parameter-added', 'was added');
}

function comparePatternMembers(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  const [old, current] = [before, after].map(({ properties, patternProperties, additionalProperties }) =>
    normalizedText({ properties, patternProperties, additionalProperties }),
  );
  if (old === current) return [];
  return [changeAt(place)('breaking', 'keyword', 'patternProperties, or the members next to them, changed')];
}

function compareItems(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  const [old, current] = [asList(before.prefixItems), asList(after.prefixItems)];
  const [oldRest, currentRest] = [before.items ?? true, after.items ?? true];
  const indices = [...Array(Math.max(old.length, current.length)).keys()];
  return [
    ...indices.flatMap((index) =>
      compare(itemAt(old, index, oldRest), itemAt(current, index, currentRest), itemPlace(place, index)),
    ),
    ...compare(oldRest, currentRest, itemPlace(place)),
  ];
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const itemAt = (list: readonly unknown[], index: number, rest: unknown): unknown =>
  index < list.length ? list[index] : rest;
