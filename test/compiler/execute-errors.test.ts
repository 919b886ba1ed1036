import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeSteps, type JsonValue, type ParameterError, type ProfileName } from '../../src/compiler/index.js';
import { formOf } from './forms.js';

const errors = (controls: string, input: JsonValue, profile: ProfileName = 'precise'): readonly ParameterError[] =>
  executeSteps(formOf(controls), input, { profile }).errors;

/** The only error for a value of the parameter a. */
function error(control: string, value: JsonValue): ParameterError {
  const [only, ...others] = errors(control, { a: value });
  assert.ok(only);
  assert.deepEqual(others, []);
  assert.equal(only.parameter, 'a');
  return only;
}

const code = (control: string, value: JsonValue): string => error(control, value).code;

test('executeSteps reports invalid-input if the input is not an object', () => {
  for (const input of [null, 'x', 1, true, ['a']]) {
    const { steps, errors } = executeSteps(formOf('<input name=a>'), input, { profile: 'precise' });
    assert.deepEqual(steps, []);
    assert.deepEqual(errors, [
      {
        parameter: '',
        code: 'invalid-input',
        message: 'The input is not an object with the parameters as its members.',
        expected: { type: 'object' },
        received: JSON.stringify(input),
      },
    ]);
  }
});

test('executeSteps reports unknown-parameter and lists the parameters of the tool', () => {
  assert.deepEqual(errors('<input name=a><input name=b>', { c: 1 }), [
    {
      parameter: 'c',
      code: 'unknown-parameter',
      message: 'The tool has no parameter "c". Use one of "a", "b".',
      expected: { type: 'string', enum: ['a', 'b'] },
      received: '1',
    },
  ]);
  assert.equal(errors('', { c: 1 })[0]?.message, 'The tool has no parameter "c".');
});

test('executeSteps reports unknown-parameter for the members of Object.prototype', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const input = JSON.parse(`{"${name}":1}`) as JsonValue;
    assert.deepEqual(
      errors('<input name=a>', input).map(({ code, parameter }) => [code, parameter]),
      [['unknown-parameter', name]],
    );
  }
});

test('executeSteps reports wrong-type and the expected type', () => {
  const cases: readonly (readonly [string, JsonValue, string])[] = [
    ['<input name=a>', null, 'text'],
    ['<input name=a>', ['x'], 'text'],
    ['<input name=a>', { x: 1 }, 'text'],
    ['<input type=email multiple name=a>', ['a@b', null], 'text'],
    ['<input type=number name=a>', 'many', 'a number'],
    ['<input type=number name=a>', '', 'a number'],
    ['<input type=number name=a>', ' 4 ', 'a number'],
    ['<input type=number name=a>', '1e400', 'a number'],
    ['<input type=number name=a>', true, 'a number'],
    ['<input type=checkbox name=a>', 'on', 'true or false'],
    ['<input type=checkbox name=a>', 1.5, 'true or false'],
    ['<input type=checkbox name=a>', null, 'true or false'],
    ['<select name=a><option>x</select>', ['x'], 'one of its values as text'],
    ['<select name=a multiple><option>x</select>', 'x', 'a list of its values as text'],
    ['<select name=a multiple><option>x</select>', [['x']], 'a list of its values as text'],
    ['<input name=a><input name=a>', 'x', 'a list of 2 values'],
    ['<input type=file name=a>', 'x', '{name, mediaType, content} with base64 content'],
    ['<input type=file name=a>', null, '{name, mediaType, content} with base64 content'],
    ['<input type=file name=a>', { name: '', content: '' }, '{name, mediaType, content} with base64 content'],
    ['<input type=file name=a>', { name: 'x', content: 'a' }, '{name, mediaType, content} with base64 content'],
    [
      '<input type=file name=a>',
      { name: 'x', content: '', mediaType: 1 },
      '{name, mediaType, content} with base64 content',
    ],
  ];
  for (const [control, value, expected] of cases) {
    const { code, message, received } = error(control, value);
    assert.deepEqual([code, message], ['wrong-type', `Parameter "a" must be ${expected}.`], control);
    assert.equal(received, JSON.stringify(value));
  }
});

test('executeSteps reports wrong-type if the value of a checkbox is the name of an object member', () => {
  for (const value of ['constructor', '__proto__'])
    assert.equal(code('<input type=checkbox name=a>', value), 'wrong-type');
});

test('executeSteps reports wrong-count if a list is longer or shorter than its controls', () => {
  for (const list of [[], ['x'], ['x', 'y', 'z']])
    assert.equal(code('<input name=a><input name=a>', list), 'wrong-count');
});

test('executeSteps reports not-offered and lists the choices', () => {
  const { message, expected, received } = error('<select name=a><option>x<option disabled>y</select>', 'y');
  assert.equal(message, 'Parameter "a" does not offer "y". Use one of "x".');
  assert.deepEqual(expected.enum, ['x']);
  assert.equal(received, '"y"');
  assert.equal(code('<input type=radio name=a value=x>', 'X'), 'not-offered');
  assert.equal(
    code('<input type=checkbox name=a value=x><input type=checkbox name=a value=y>', ['x', 'z']),
    'not-offered',
  );
  assert.equal(code('<button name=a value=x></button><button name=a value=y></button>', 'z'), 'not-offered');
  assert.match(error('<select name=a></select>', 'x').message, /The page offers no value yet\.$/);
});

test('executeSteps reports duplicate-value if a list contains a value twice', () => {
  assert.equal(code('<select multiple name=a><option>1<option>2</select>', ['1', 1]), 'duplicate-value');
  assert.equal(
    code('<input type=checkbox name=a value=x><input type=checkbox name=a value=y>', ['x', 'x']),
    'duplicate-value',
  );
});

test('executeSteps reports not-kept if the control would change the value', () => {
  const cases: readonly (readonly [string, JsonValue])[] = [
    ['<input name=a>', 'one\ntwo'],
    ['<input type=email name=a>', ' a@b'],
    ['<input type=date name=a>', '2023-02-29'],
    ['<input type=week name=a>', '2021-W53'],
    ['<input type=time name=a>', '25:00'],
    ['<input type=datetime-local name=a>', '2024-02-29T09:30Z'],
    ['<input type=color name=a>', 'red'],
    ['<input type=color name=a>', ''],
    ['<input type=range name=a>', 101],
    ['<input type=range name=a step=2>', 5],
    ['<input type=range name=a>', '1.5'],
  ];
  for (const [control, value] of cases) assert.equal(code(control, value), 'not-kept', control);
  assert.match(error('<input name=a>', 'one\ntwo').message, /would change it to "onetwo"/);
});

test('executeSteps reports every invalid parameter and returns the steps of the others', () => {
  const controls = '<input name=a><input type=number name=b><select name=c><option>x</select><input name=d>';
  const { steps, errors } = executeSteps(
    formOf(controls),
    { a: null, b: 'x', c: 'y', d: 1, e: 2 },
    { profile: 'precise' },
  );
  assert.deepEqual(
    errors.map(({ parameter, code }) => `${parameter} ${code}`),
    ['a wrong-type', 'b wrong-type', 'c not-offered', 'e unknown-parameter'],
  );
  assert.deepEqual(
    steps.map(({ parameter }) => parameter),
    ['d'],
  );
});

test('the expected member of an error is the schema of the parameter', () => {
  assert.deepEqual(error('<label>Age<input type=number name=a min=1></label>', 'x').expected, {
    type: 'integer',
    minimum: 1,
    description: 'Age',
  });
});
