import assert from 'node:assert/strict';
import { test } from 'vitest';
import { planInput, type JsonValue, type ParameterError } from '../../../src/compiler/index.js';
import { formOf, repeat } from '../../support/compiler/forms.js';

const errors = (controls: string, input: JsonValue): readonly ParameterError[] =>
  planInput(formOf(controls), input, { profile: 'precise' }).errors;

/** The first error for a value of the parameter a. */
const error = (control: string, value: JsonValue): ParameterError => errors(control, { a: value })[0] as ParameterError;

const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as JsonValue;
const huge = 'x'.repeat(1_000_000);

test('errors never contain a sensitive value', () => {
  const controls = '<input type=password name=a><input autocomplete=cc-number name=b><input name=c>';
  const secret = 'hunter2';
  const inputs: JsonValue[] = [
    { a: [secret] },
    { b: { secret } },
    { a: `${secret}\n` },
    { A: secret },
    { password: [secret] },
    [secret],
    JSON.stringify({ a: secret }),
  ];
  for (const input of inputs) {
    for (const sensitive of ['include', 'exclude'] as const) {
      const { errors } = planInput(formOf(controls), input, { profile: 'precise', sensitive });
      assert.ok(errors.length > 0);
      assert.ok(!JSON.stringify(errors).includes(secret), JSON.stringify(errors));
      assert.ok(errors.every(({ received }) => received === '(not shown)'));
    }
  }
});

test('error messages are short for large pages and inputs', () => {
  const options = `<select name=a>${repeat(5000, (index) => `<option>option ${index}`)}</select>`;
  assert.match(error(options, huge).message, /"option 19", and 4980 more\.$/);
  const many = repeat(5000, (index) => `<input name=n${index}>`);
  assert.match(errors(many, { [huge]: huge })[0]?.message ?? '', /"n19", and 4980 more\.$/);
  const list = Array.from({ length: 5000 }, (_, index) => `v${index}`);
  const all: readonly ParameterError[] = [
    error(options, huge),
    error('<input type=date name=a>', huge),
    error('<input name=a>', deep),
    error('<input name=a>', { [huge]: deep }),
    error('<input type=file name=a>', { name: 'x', content: `${huge}!` }),
    error(`<select name=a multiple>${options}</select>`, list),
    ...errors(many, { [huge]: huge }),
    ...errors('', deep),
  ];
  for (const { message, received } of all) {
    assert.ok(message.length < 5000, `${message.length} characters`);
    assert.ok(received.length <= 103);
  }
});
