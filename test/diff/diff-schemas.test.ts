import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { compareSchemas } from '../../src/diff/compare-schemas.js';
import type { JsonRecord } from '../../src/json.js';

const changes = (before: object, after: object): readonly string[] =>
  compareSchemas(before as JsonRecord, after as JsonRecord).map(
    ({ kind, place, message }) => `${kind} ${place}: ${message}`,
  );

const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const ofP = (before: object, after: object): readonly string[] => changes(object({ p: before }), object({ p: after }));

describe('compareSchemas', () => {
  it('classifies each change that rejects previously accepted values as breaking', () => {
    assert.deepEqual(changes(object({ a: {}, b: {} }), object({ a: {} })), ['breaking b: was removed']);
    assert.deepEqual(changes(object({ a: {} }), object({ a: {} }, ['a'])), ['breaking : requires "a" now']);
    assert.deepEqual(ofP({ type: 'number' }, { type: 'integer' }), [
      'breaking p: accepts the type integer now, was number',
    ]);
    assert.deepEqual(ofP({ enum: ['a', 'b'] }, { enum: ['a'] }), ['breaking p: no longer accepts "b"']);
    assert.deepEqual(ofP({ maximum: 12 }, { maximum: 10 }), ['breaking p: maximum is 10 now, was 12']);
    assert.deepEqual(ofP({}, { minLength: 1 }), ['breaking p: minLength is 1 now, was unlimited']);
    assert.deepEqual(ofP({ pattern: 'a' }, { pattern: 'b' }), ['breaking p: must match "b" now, was "a"']);
    assert.deepEqual(ofP({ type: 'string' }, { type: 'string', enum: ['a'] }), ['breaking p: accepts only "a" now']);
    assert.deepEqual(ofP({ multipleOf: 2 }, { multipleOf: 3 }), ['breaking p: accepts multiples of 3 now, was 2']);
    assert.deepEqual(ofP({ x: 1 }, { x: 2 }), ['breaking p: the unknown keyword "x" changed from 1 to 2']);
    assert.deepEqual(ofP({ format: 'date' }, { format: 'time' }), ['breaking p: format is "time" now, was "date"']);
    assert.deepEqual(ofP({}, { uniqueItems: true }), ['breaking p: rejects duplicate values now']);
    assert.deepEqual(ofP({ items: { type: 'string' } }, { items: { type: 'number' } }), [
      'breaking p[]: accepts the type number now, was string',
    ]);
    assert.deepEqual(ofP({ type: 'object', properties: { q: {} } }, { type: 'object' }), ['breaking p.q: was removed']);
  });

  it('classifies changes that only accept more values as widening', () => {
    assert.deepEqual(changes(object({}), object({ a: {} })), ['widening a: was added']);
    assert.deepEqual(changes(object({ a: {} }, ['a']), object({ a: {} })), ['widening : no longer requires "a"']);
    assert.deepEqual(ofP({ type: 'integer' }, { type: 'number' }), [
      'widening p: accepts the type number now, was integer',
    ]);
    assert.deepEqual(ofP({ enum: ['a'] }, { enum: ['a', 'b'] }), ['widening p: also accepts "b"']);
    assert.deepEqual(ofP({ minimum: 1 }, {}), ['widening p: minimum 1 was removed']);
    assert.deepEqual(ofP({ multipleOf: 4 }, { multipleOf: 2 }), ['widening p: accepts multiples of 2 now, was 4']);
    assert.deepEqual(ofP({ pattern: '^(?:a)$' }, { pattern: '^(?:a)?$' }), ['widening p: may be empty now']);
    assert.deepEqual(ofP({ type: 'string', enum: ['a'] }, { type: 'string', pattern: '^[^\\n\\r]*$' }), [
      'widening p: accepts more than "a" now',
    ]);
    assert.deepEqual(
      ofP({ prefixItems: [{ enum: ['a'] }], items: false }, { prefixItems: [{ enum: ['a'] }, {}], items: false }),
      ['widening p[1]: accepts values now'],
    );
  });

  it('classifies each change that does not affect the accepted values as wording', () => {
    assert.deepEqual(ofP({ title: 'A', default: 1 }, { title: 'B', examples: [1] }), [
      'wording p: title is "B" now, was "A"',
      'wording p: default, 1, was removed',
      'wording p: examples is [1] now',
    ]);
    assert.deepEqual(changes(object({ a: {}, b: {} }), object({ b: {}, a: {} })), [
      'wording : the order of the parameters changed',
    ]);
    assert.deepEqual(ofP({ enum: ['a', 'b'] }, { enum: ['b', 'a'] }), ['wording p: the order of the values changed']);
    const titled = { anyOf: [{ const: 'a', title: 'A' }] };
    assert.deepEqual(ofP({ enum: ['a'] }, titled), ['wording p: the title of "a" is "A" now']);
    assert.deepEqual(ofP({ ...titled, type: 'string', enum: ['a'] }, { ...titled, type: 'string' }), [
      'wording : the order changed',
    ]);
    assert.deepEqual(ofP({ ...titled, type: 'string' }, titled), ['wording : the order changed']);
    assert.deepEqual(changes(object({ a: {} }), object({ a: {} })), []);
  });

  it('treats undeclared parameters as rejected, even if the schema allows them, unless they are nested', () => {
    const open = (properties: object): object => ({ type: 'object', properties, required: [] });
    assert.deepEqual(changes(open({}), open({ a: { type: 'string' } })), ['widening a: was added']);
    assert.deepEqual(ofP({ type: 'object' }, { type: 'object', properties: { q: { type: 'string' } } }), [
      'breaking p.q: no longer accepts every value, which it did without a schema',
    ]);
  });

  it('compares members named __proto__, constructor and $ref', () => {
    const named = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}') as object;
    assert.deepEqual(changes(object(named), object({})), [
      'breaking __proto__: was removed',
      'breaking constructor: was removed',
    ]);
    assert.deepEqual(changes(object({}), object(named)), [
      'widening __proto__: was added',
      'widening constructor: was added',
    ]);
    assert.deepEqual(changes(object({ $ref: { type: 'string' } }), object({ $ref: { type: 'string', title: 'x' } })), [
      'wording $ref: title is "x" now',
    ]);
  });

  it('classifies any change of a schema with references as breaking, except changes of strings', () => {
    const linked = (type: string, title: string): object =>
      object({ p: { $ref: '#/properties/q' }, q: { type, title } });
    assert.match(
      changes(linked('string', ''), linked('number', '')).join(),
      /^breaking : the schema changed, and it contains references/,
    );
    assert.deepEqual(changes(linked('string', 'a'), linked('string', 'b')), ['wording : the order changed']);
  });

  it('does not execute patterns, and compares deep and long schemas', () => {
    const evil = { type: 'string', pattern: '^(a+)+$' };
    assert.match(ofP({ enum: [`${'a'.repeat(50)}!`] }, evil).join(), /^breaking p: no longer lists its values/);
    const deep = (leaf: object): object =>
      Array.from({ length: 250 }).reduce<object>((inner) => ({ anyOf: [{ items: inner }] }), leaf);
    assert.equal(ofP(deep({ type: 'string' }), deep({ type: 'number' })).length, 1);
    const values = Array.from({ length: 50_000 }, (_, index) => `v${index}`);
    assert.equal(ofP({ enum: values }, { enum: values.slice(1) })[0], 'breaking p: no longer accepts "v0"');
  });
});

/** Schemas with keywords that the compiler emits and others, which often accept the same values. */
const schemas = fc.letrec<{ readonly schema: object; readonly leaf: object }>((tie) => {
  const number = fc.constantFrom(0, 1, 2, 3, 4);
  const texts = fc.uniqueArray(fc.constantFrom('a', 'b', 'ab', ''), { minLength: 1, maxLength: 4 });
  const annotations = fc.record(
    { title: fc.constantFrom('x', 'y'), default: fc.constantFrom('a', 'b') },
    { requiredKeys: [] },
  );
  const few = { requiredKeys: [] };
  const text = fc.record(
    { minLength: number, maxLength: number, pattern: fc.constantFrom('^[^\\n\\r]*$', '^(?:a|b)$', '^(?:a|b)?$', 'b') },
    few,
  );
  const count = fc.record(
    { minimum: number, maximum: number, exclusiveMinimum: number, multipleOf: fc.constantFrom(0.5, 1, 2, 3) },
    few,
  );
  const numbers = fc.constantFrom({ type: 'number' }, { type: 'integer' }, {}, { type: ['integer', 'string'] });
  const leaf = fc.oneof(
    fc.tuple(fc.constantFrom({ type: 'string' }, {}), text).map(([type, more]) => ({ ...type, ...more })),
    fc.tuple(numbers, count).map(([type, more]) => ({ ...type, ...more })),
    texts.map((values) => ({ type: 'string', enum: values })),
    texts.map((values) => ({ type: 'string', anyOf: values.map((value) => ({ const: value, title: value })) })),
    fc
      .tuple(texts, texts)
      .map(([one, two]) => ({ enum: one, anyOf: two.map((value) => ({ type: 'string', const: value })) })),
    fc.constantFrom(
      { type: 'boolean' },
      { type: 'boolean', const: true },
      { enum: [1, 2, 'a'] },
      { not: { multipleOf: 2 } },
    ),
  );
  const list = fc.record(
    {
      type: fc.constant('array'),
      items: fc.oneof(tie('leaf'), fc.constant(false)),
      prefixItems: fc.array(tie('leaf'), { minLength: 1, maxLength: 2 }),
      minItems: number,
      maxItems: number,
      uniqueItems: fc.boolean(),
      contains: tie('leaf'),
      minContains: fc.constantFrom(0, 1),
      allOf: fc.array(
        tie('leaf').map((contains) => ({ contains })),
        { minLength: 1, maxLength: 2 },
      ),
    },
    { requiredKeys: ['type'] },
  );
  const branches = fc.array(tie('leaf'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf }));
  const members = fc.dictionary(fc.constantFrom('a', 'b'), tie('leaf'), { maxKeys: 2 });
  const inner = fc.record(
    {
      type: fc.constant('object'),
      properties: members,
      required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('leaf')),
      patternProperties: fc.constantFrom({ '^a': { type: 'string' } }, { '^b': { type: 'string' } }),
      minProperties: number,
      if: tie('leaf'),
      then: tie('leaf'),
    },
    { requiredKeys: ['type'] },
  );
  return {
    leaf: fc.tuple(leaf, annotations).map(([schema, more]) => ({ ...schema, ...more })),
    schema: fc.oneof(tie('leaf'), tie('leaf'), list, branches, inner),
  };
}).schema;

const primitive = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'a\n', 'abc'),
  fc.constantFrom(0, 0.5, 1, 1.5, 2, 3, 4, 6),
  fc.constantFrom(true, false, null),
);
const values = fc.oneof(
  { weight: 3, arbitrary: primitive },
  fc.array(primitive, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), primitive, { maxKeys: 3 }),
);

/** Two schemas of a parameter. The second is often the first with a keyword added, removed or changed. */
const pairs = fc
  .tuple(schemas, schemas, fc.nat(), fc.boolean())
  .map(([before, other, at, isNear]): readonly [object, object] => {
    if (!isNear) return [before, other];
    const [keyword = 'title', value] =
      Object.entries<unknown>(other as Record<string, unknown>)[at % Math.max(1, Object.keys(other).length)] ?? [];
    const { [keyword]: _, ...rest } = before as Record<string, unknown>;
    return at % 2 === 0 ? [before, { ...rest, ...(value !== undefined && { [keyword]: value }) }] : [before, rest];
  });

const roots = fc
  .tuple(pairs, fc.tuple(fc.boolean(), fc.boolean()), fc.boolean())
  .map(([[before, after], needed, isOpen]) =>
    [before, after].map((schema, index) => ({
      ...object({ p: schema }, needed[index] ? ['p'] : []),
      ...(isOpen && { additionalProperties: undefined }),
    })),
  );

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

const accepts = (schema: object): ((value: unknown) => boolean) => {
  const closed = JSON.parse(JSON.stringify({ ...schema, additionalProperties: false })) as object;
  const validate = ajv.compile(closed);
  return (value) => validate(value);
};

describe('compareSchemas and Ajv', () => {
  it('agree on the accepted values: only a breaking change rejects one, and a wording change accepts no new one', () => {
    const seen = { breaking: 0, widening: 0, wording: 0 };
    const property = fc.property(
      roots,
      fc.array(values, { minLength: 20, maxLength: 30 }),
      ([before, after], tried) => {
        const plain = JSON.parse(JSON.stringify([before, after])) as [JsonRecord, JsonRecord];
        const kinds = new Set(compareSchemas(...plain).map(({ kind }) => kind));
        const kind = kinds.has('breaking') ? 'breaking' : kinds.has('widening') ? 'widening' : 'wording';
        seen[kind]++;
        if (kind === 'breaking') return;
        const [old, current] = plain.map(accepts) as [(value: unknown) => boolean, (value: unknown) => boolean];
        for (const input of [{}, ...tried.map((p) => ({ p }))]) {
          if (old(input)) assert.ok(current(input), `no longer accepts ${JSON.stringify(input)}`);
          else if (kind === 'wording') assert.ok(!current(input), `accepts ${JSON.stringify(input)} too`);
        }
      },
    );
    fc.assert(property, { numRuns: 400 });
    for (const count of Object.values(seen)) assert.ok(count > 8, JSON.stringify(seen));
  });
});
