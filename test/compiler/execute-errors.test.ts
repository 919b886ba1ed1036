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

test('an input that is no object is invalid-input', () => {
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

test('a name that the tool has not is unknown-parameter, and the message lists those that it has', () => {
  assert.deepEqual(errors('<input name=a><input name=b>', { c: 1 }), [
    {
      parameter: 'c',
      code: 'unknown-parameter',
      message: 'The tool has no parameter "c": it has "a", "b".',
      expected: { type: 'string', enum: ['a', 'b'] },
      received: '1',
    },
  ]);
  assert.equal(errors('', { c: 1 })[0]?.message, 'The tool has no parameter "c": it has none.');
});

test('members of Object.prototype are unknown parameters', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const input = JSON.parse(`{"${name}":1}`) as JsonValue;
    assert.deepEqual(
      errors('<input name=a>', input).map(({ code, parameter }) => [code, parameter]),
      [['unknown-parameter', name]],
    );
  }
});

test('a value of another type is wrong-type', () => {
  const cases: readonly (readonly [string, JsonValue, string])[] = [
    ['<input name=a>', null, 'takes text'],
    ['<input name=a>', ['x'], 'takes text'],
    ['<input name=a>', { x: 1 }, 'takes text'],
    ['<input type=email multiple name=a>', ['a@b', null], 'takes text'],
    ['<input type=number name=a>', 'many', 'takes a number'],
    ['<input type=number name=a>', '', 'takes a number'],
    ['<input type=number name=a>', ' 4 ', 'takes a number'],
    ['<input type=number name=a>', '1e400', 'takes a number'],
    ['<input type=number name=a>', true, 'takes a number'],
    ['<input type=checkbox name=a>', 'on', 'takes true or false'],
    ['<input type=checkbox name=a>', 1.5, 'takes true or false'],
    ['<input type=checkbox name=a>', null, 'takes true or false'],
    ['<select name=a><option>x</select>', ['x'], 'takes one of its values as text'],
    ['<select name=a multiple><option>x</select>', 'x', 'takes a list of its values as text'],
    ['<select name=a multiple><option>x</select>', [['x']], 'takes a list of its values as text'],
    ['<input name=a><input name=a>', 'x', 'takes a list of 2 values'],
    ['<input type=file name=a>', 'x', 'takes {name, mediaType, content} with base64 content'],
    ['<input type=file name=a>', null, 'takes {name, mediaType, content} with base64 content'],
    ['<input type=file name=a>', { name: '', content: '' }, 'takes {name, mediaType, content} with base64 content'],
    ['<input type=file name=a>', { name: 'x', content: 'a' }, 'takes {name, mediaType, content} with base64 content'],
    [
      '<input type=file name=a>',
      { name: 'x', content: '', mediaType: 1 },
      'takes {name, mediaType, content} with base64 content',
    ],
  ];
  for (const [control, value, says] of cases) {
    const { code, message, received } = error(control, value);
    assert.deepEqual([code, message], ['wrong-type', `Parameter "a" ${says}.`], control);
    assert.equal(received, JSON.stringify(value));
  }
});

test('a checkbox takes no name of an object member for a boolean', () => {
  for (const value of ['constructor', '__proto__'])
    assert.equal(code('<input type=checkbox name=a>', value), 'wrong-type');
});

test('a list that is longer or shorter than its controls is wrong-count', () => {
  for (const list of [[], ['x'], ['x', 'y', 'z']])
    assert.equal(code('<input name=a><input name=a>', list), 'wrong-count');
});

test('a value that is not among the choices is not-offered, and the message says what is', () => {
  const { message, expected, received } = error('<select name=a><option>x<option disabled>y</select>', 'y');
  assert.equal(message, 'Parameter "a" does not offer "y": it offers "x".');
  assert.deepEqual(expected.enum, ['x']);
  assert.equal(received, '"y"');
  assert.equal(code('<input type=radio name=a value=x>', 'X'), 'not-offered');
  assert.equal(
    code('<input type=checkbox name=a value=x><input type=checkbox name=a value=y>', ['x', 'z']),
    'not-offered',
  );
  assert.equal(code('<button name=a value=x></button><button name=a value=y></button>', 'z'), 'not-offered');
  assert.match(error('<select name=a></select>', 'x').message, /it offers nothing yet\.$/);
});

test('a value given twice is duplicate-value', () => {
  assert.equal(code('<select multiple name=a><option>1<option>2</select>', ['1', 1]), 'duplicate-value');
  assert.equal(
    code('<input type=checkbox name=a value=x><input type=checkbox name=a value=y>', ['x', 'x']),
    'duplicate-value',
  );
});

test('a value that the control would change is not-kept', () => {
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
  assert.match(error('<input name=a>', 'one\ntwo').message, /would make "onetwo" of it/);
});

test('every wrong parameter is reported, and the steps of the others are there', () => {
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

test('what is expected is the schema of the parameter', () => {
  assert.deepEqual(error('<label>Age<input type=number name=a min=1></label>', 'x').expected, {
    type: 'integer',
    minimum: 1,
    description: 'Age',
  });
});
