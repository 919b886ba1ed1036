import assert from 'node:assert/strict';
import { test } from 'vitest';
import { planInput, synthesizeTool, type JsonSchema, type JsonValue } from '../../../src/compiler/index.js';
import { formOf } from '../../support/compiler/forms.js';

const schemaOf = (controls: string): JsonSchema | undefined =>
  synthesizeTool(formOf(controls), { profile: 'portable' }).inputSchema.properties?.['a'];

const errorsOf = (controls: string, a: JsonValue): readonly string[] =>
  planInput(formOf(controls), { a }, { profile: 'portable' }).errors.map(({ message }) => message);

test('portable describes the values of numbers by limits and words, because some clients only accept enums of strings', () => {
  const odd = '<label>Odd <input type=number name=a min=1 max=9 step=2></label>';
  assert.deepEqual(schemaOf(odd), {
    type: 'integer',
    minimum: 1,
    maximum: 9,
    description: 'Odd. Allowed: 1, 3, 5, 7, 9. From 1 to 9.',
  });
  assert.deepEqual(errorsOf(odd, 3), []);
  assert.deepEqual(errorsOf(odd, '3'), []);
  const weight = '<label>Weight <input type=range name=a min=0 max=0.2 step=0.1></label>';
  assert.deepEqual(schemaOf(weight), {
    type: 'number',
    minimum: 0,
    maximum: 0.2,
    description: 'Weight. Allowed: 0, 0.1, 0.2. From 0 to 0.2.',
  });
  assert.deepEqual(errorsOf(weight, 0.1), []);
  assert.match(errorsOf(weight, 0.15).join(), /must be a number from 0 to 0\.2 in steps of 0\.1\.$/);
});

test('portable states the only value of a required checkbox in the description', () => {
  const terms = '<label><input type=checkbox name=a required> Terms</label>';
  assert.deepEqual(schemaOf(terms), { type: 'boolean', description: 'Terms. Allowed: true.' });
  assert.deepEqual(errorsOf(terms, true), []);
});

test('portable describes the numbers that a custom element declares, and the element accepts them', () => {
  const stars = (schema: string): string => `<star-rating name=a toolparamschema='${schema}'></star-rating>`;
  for (const schema of ['{"type":"integer","enum":[3,1,2]}', '{"type":"integer","anyOf":[{"const":1},{"const":3}]}']) {
    const { description, ...limits } = schemaOf(stars(schema)) ?? {};
    assert.deepEqual(limits, { type: 'integer', minimum: 1, maximum: 3 });
    assert.match(description ?? '', /^Allowed: (?:3, 1, 2|1, 3)\./);
    assert.deepEqual(errorsOf(stars(schema), 3), []);
  }
  assert.match(errorsOf(stars('{"enum":[1,2]}'), 3).join(), /must be one of 1, 2\.$/);
});

test('portable keeps the enums of selects and radio buttons, whose values are strings', () => {
  const select = '<label>Size <select name=a><option>1<option>2</select></label>';
  assert.deepEqual(schemaOf(select)?.enum, ['1', '2']);
  assert.deepEqual(errorsOf(select, '1'), []);
  assert.deepEqual(errorsOf(select, 1), []);
});

test('portable lists the numbers of a datalist as examples in the description', () => {
  const list =
    '<label>Seats <input type=number name=a list=l min=0></label><datalist id=l><option>2<option>4</datalist>';
  assert.deepEqual(schemaOf(list), {
    type: 'integer',
    minimum: 0,
    description: 'Seats. For example 2, 4. At least 0.',
  });
});

test('the schema of a date does not change with the day that a page states in min and max', () => {
  for (const profile of ['precise', 'portable'] as const) {
    const dateOn = (min: string, max: string): JsonSchema | undefined => {
      const form = formOf(`<label>Day <input type=date name=a required min=${min} max=${max}></label>`);
      const { description, ...schema } = synthesizeTool(form, { profile }).inputSchema.properties?.['a'] ?? {};
      assert.equal(description, `Day. A date as YYYY-MM-DD. From ${min} to ${max}.`);
      return schema;
    };
    assert.deepEqual(dateOn('2026-11-27', '2026-12-04'), dateOn('2026-11-28', '2026-12-05'));
  }
});
