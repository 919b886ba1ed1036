import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { numberRange, isInRange } from '../../../src/compiler/parameters/numbers.js';
import { numberSchema } from '../../../src/compiler/profiles/precise/value-schemas.js';
import type { ControlDescription } from '../../../src/compiler/index.js';
import { formOf } from '../../support/compiler/forms.js';

const control = (attributes: Readonly<Record<string, string>>): ControlDescription => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return formOf(`<input type="number" name="a"${written.join('')}>`).controls[0] as ControlDescription;
};

const schemaOf = (attributes: Readonly<Record<string, string>>): unknown => {
  const { schema, hints } = numberSchema(control(attributes));
  return hints.length > 0 ? [schema, ...hints] : schema;
};

test('steps halfway between multiples are expressed without hints', () => {
  assert.deepEqual(schemaOf({ min: '1', step: '2' }), { type: 'integer', minimum: 1, not: { multipleOf: 2 } });
  assert.deepEqual(schemaOf({ min: '0.5' }), { type: 'number', minimum: 0.5, multipleOf: 0.5, not: { multipleOf: 1 } });
  assert.deepEqual(schemaOf({ value: '-5', step: '10' }), { type: 'integer', multipleOf: 5, not: { multipleOf: 10 } });
});

test('other offset steps are expressed by keywords and a hint', () => {
  const tens = { type: 'integer', minimum: 1, not: { multipleOf: 10 } };
  assert.deepEqual(schemaOf({ min: '1', step: '10' }), [tens, 'In steps of 10 from 1.']);
  const cents = { type: 'number', minimum: 0.01, not: { multipleOf: 1 } };
  assert.deepEqual(schemaOf({ min: '0.01' }), [cents, 'In steps of 1 from 0.01.']);
  assert.deepEqual(schemaOf({ step: '0.01' }), [{ type: 'number' }, 'In steps of 0.01 from 0.']);
});

test('number schemas accept all legal values, and schemas without hints accept no other values', () => {
  const ajv = new Ajv2020({ strict: true });
  const numbers = ['-1e3', '-7', '-0.5', '0', '0.01', '0.25', '0.3', '1', '2.5', '5', '60', '1e6'];
  for (const base of numbers) {
    for (const step of ['0.001', '0.1', '0.25', '0.5', '1', '1.5', '2', '3', '7', '10', '60', '1000']) {
      const limited = control({ min: base, step });
      const range = numberRange(limited);
      const { schema, hints } = numberSchema(limited);
      const validate = ajv.compile(schema);
      for (const start of [...numbers, ...numbers.map((each) => Number(base) + Number(each) * Number(step))].map(
        Number,
      )) {
        for (const value of [start, start + 0.5, start + Number(step) / 2].map((each) =>
          Number(each.toPrecision(12)),
        )) {
          const isLegal = isInRange(value, range);
          if (hints.length > 0 && !isLegal) continue;
          assert.equal(validate(value), isLegal, `${value} from ${base} in steps of ${step}`);
        }
      }
    }
  }
});
