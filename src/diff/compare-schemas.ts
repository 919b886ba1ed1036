import { previewList } from '../compiler/preview.js';
import { canonical, isRecord, type JsonRecord } from '../json.js';
import { member } from '../site/json-record.js';
import { changeAt, itemsOf, memberOf, type Change, type SchemaChange } from './change.js';
import { isSame, keywords, shown, unknownKeyword } from './keywords.js';
import { isEntangled, meaning, wordKeywords } from '../site/schema/normalize-schema.js';
import { choiceKeywords, choicesOf, surelyTakes, type Choices } from '../site/schema/values.js';

/**
 * Compares two input schemas of a tool, by what they accept and by what they say.
 *
 * It is breaking unless it is known to be none: without a breaking change, the new schema accepts what the old one did;
 * with changes of words alone, both accept the same. A tool takes no parameter but those that its schema names, whether
 * the schema says so or not.
 */
export function compareSchemas(before: JsonRecord, after: JsonRecord): readonly SchemaChange[] {
  const changes = isEntangled([before, after])
    ? compareWhole(before, after)
    : compare(closed(before), closed(after), '');
  if (changes.length > 0 || JSON.stringify(before) === JSON.stringify(after)) return changes;
  return [changeAt('')('wording', 'order', 'the same is written in another order')];
}

const closed = (schema: JsonRecord): JsonRecord => ({ additionalProperties: false, ...schema });

function compareWhole(before: JsonRecord, after: JsonRecord): readonly SchemaChange[] {
  if (meaning(before) === meaning(after)) return [];
  return [
    changeAt('')('breaking', 'keyword', 'the schema changed, and it refers to its own parts, so it is not compared'),
  ];
}

/** Schemas are compared keyword by keyword: a value is accepted if every keyword accepts it. */
function compare(before: unknown, after: unknown, place: string): readonly SchemaChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const change = changeAt(place);
  if (after === false) return [change('breaking', 'any-value', 'takes nothing now')];
  if (before === false)
    return [change('widening', 'any-value', `takes ${after === true ? 'anything' : 'a value'} now`)];
  const [old, current] = [asRecord(before), asRecord(after)];
  return [
    ...compareAssertions(old, current, place),
    ...compareMembers(old, current, place),
    ...compareItems(old, current, place),
    ...compareWords(old, current, change),
  ];
}

const asRecord = (schema: unknown): JsonRecord => (isRecord(schema) ? schema : {});

const structural: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'prefixItems', 'items'],
  ...wordKeywords,
]);

function compareAssertions(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  const change = changeAt(place);
  const [old, current] = [choicesOf(before), choicesOf(after)];
  if (!old && current) return [change('breaking', 'values', `takes only ${listOf(current)} now`)];
  if (old && !current) return [compareWithFree(old, after, change)];
  const read = old ? choiceKeywords(before).filter((name) => choiceKeywords(after).includes(name)) : [];
  const compared = new Set([...structural, ...read]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !compared.has(name));
  return [
    ...(old && current ? compareChoices(old, current, change) : []),
    ...names.flatMap((name) => compareKeyword(name, member(before, name), member(after, name), change) ?? []),
  ];
}

function compareKeyword(name: string, before: unknown, after: unknown, change: Change): SchemaChange | undefined {
  if (isSame(before, after)) return undefined;
  const compareOne = keywords.get(name);
  return compareOne ? compareOne(before, after, change) : unknownKeyword(name, before, after, change);
}

const listOf = (choices: Choices): string => previewList([...choices.values()].map(({ value }) => value) as string[]);

function compareWithFree(old: Choices, after: JsonRecord, change: Change): SchemaChange {
  const refused = [...old.values()].filter(({ value }) => !surelyTakes(after, value));
  if (refused.length === 0) return change('widening', 'values', `takes more than ${listOf(old)} now`);
  const list = previewList(refused.map(({ value }) => value) as string[]);
  return change('breaking', 'values', `lists its values no more, and may not take ${list}`);
}

function compareChoices(old: Choices, current: Choices, change: Change): readonly SchemaChange[] {
  const [lost, gained] = [without(old, current), without(current, old)];
  const kept = [...old].filter(([key]) => current.has(key));
  return [
    ...(lost.size > 0 ? [change('breaking', 'values', `no longer takes ${listOf(lost)}`)] : []),
    ...(gained.size > 0 ? [change('widening', 'values', `takes ${listOf(gained)} too`)] : []),
    ...kept.flatMap(([key, choice]) =>
      (['title', 'description'] as const).flatMap((word) =>
        isSame(choice[word], current.get(key)?.[word])
          ? []
          : change(
              'wording',
              'words',
              wordsChanged(`the ${word} of ${shown(choice.value)}`, choice[word], current.get(key)?.[word]),
            ),
      ),
    ),
    ...(isInOrder(
      kept.map(([key]) => key),
      current,
    )
      ? []
      : [change('wording', 'order', 'lists its values in another order')]),
  ];
}

const without = (choices: Choices, others: Choices): Choices =>
  new Map([...choices].filter(([key]) => !others.has(key)));

function isInOrder(names: readonly string[], others: ReadonlyMap<string, unknown>): boolean {
  const kept = new Set(names);
  return canonical([...others.keys()].filter((name) => kept.has(name))) === canonical(names);
}

function wordsChanged(what: string, before: unknown, after: unknown): string {
  if (before === undefined) return `${what} is ${shown(after)} now`;
  return after === undefined
    ? `${what}, ${shown(before)}, is gone`
    : `${what} is ${shown(after)} now, was ${shown(before)}`;
}

const compareWords = (before: JsonRecord, after: JsonRecord, change: Change): readonly SchemaChange[] =>
  wordKeywords.flatMap((word) => {
    const [old, current] = [member(before, word), member(after, word)];
    return isSame(old, current) ? [] : change('wording', 'words', wordsChanged(`the ${word}`, old, current));
  });

/** What a member that has no schema of its own has to meet. */
const rest = (schema: JsonRecord): unknown => schema.additionalProperties ?? true;

function compareMembers(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  const [old, current] = [asRecord(before.properties), asRecord(after.properties)];
  const [oldPatterns, patterns] = [before.patternProperties, after.patternProperties];
  if ((oldPatterns ?? patterns) !== undefined) return compareMatched(before, after, place);
  const added = Object.keys(current).filter((name) => !Object.hasOwn(old, name));
  const kept = Object.keys(old).filter((name) => Object.hasOwn(current, name));
  return [
    ...Object.keys(old).flatMap((name) =>
      Object.hasOwn(current, name)
        ? compare(old[name], current[name], memberOf(place, name))
        : changeAt(memberOf(place, name))('breaking', 'parameter-removed', 'is gone'),
    ),
    ...added.flatMap((name) => compareAdded(rest(before), current[name], changeAt(memberOf(place, name)))),
    ...compare(rest(before), rest(after), memberOf(place, '*')),
    ...(isInOrder(kept, new Map(Object.entries(current)))
      ? []
      : [changeAt(place)('wording', 'order', 'lists its parameters in another order')]),
  ];
}

/** Before there was a schema for it, a member had to meet the one of the rest. */
function compareAdded(before: unknown, after: unknown, change: Change): readonly SchemaChange[] {
  const isNarrower = compare(before, after, '').some(({ kind }) => kind === 'breaking');
  if (isNarrower)
    return [change('breaking', 'parameter-added', 'takes not every value now, as it did when it had no schema')];
  return [change('widening', 'parameter-added', 'is new')];
}

/** Members that patterns name are compared all at once. */
function compareMatched(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  const [old, current] = [before, after].map(({ properties, patternProperties, additionalProperties }) =>
    meaning({ properties, patternProperties, additionalProperties }),
  );
  if (old === current) return [];
  return [changeAt(place)('breaking', 'keyword', 'its patternProperties, or what is beside them, changed')];
}

function compareItems(before: JsonRecord, after: JsonRecord, place: string): readonly SchemaChange[] {
  const [old, current] = [listed(before.prefixItems), listed(after.prefixItems)];
  const indices = Array.from({ length: Math.max(old.length, current.length) }, (_, index) => index);
  const [oldRest, newRest] = [before.items ?? true, after.items ?? true];
  return [
    ...indices.flatMap((index) => compare(at(old, index, oldRest), at(current, index, newRest), itemsOf(place, index))),
    ...compare(oldRest, newRest, itemsOf(place)),
  ];
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const at = (list: readonly unknown[], index: number, rest: unknown): unknown =>
  index < list.length ? list[index] : rest;
