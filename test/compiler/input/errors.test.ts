import assert from 'node:assert/strict';
import { test } from 'vitest';
import { planInput, type JsonValue, type ParameterError, type ProfileName } from '../../../src/compiler/index.js';
import { formOf } from '../../support/compiler/forms.js';

const errors = (controls: string, input: JsonValue, profile: ProfileName = 'precise'): readonly ParameterError[] =>
  planInput(formOf(controls), input, { profile }).errors;

/** The only error for a value of the parameter a. */
function error(control: string, value: JsonValue): ParameterError {
  const [only, ...others] = errors(control, { a: value });
  assert.ok(only);
  assert.deepEqual(others, []);
  assert.equal(only.parameter, 'a');
  return only;
}

const code = (control: string, value: JsonValue): string => error(control, value).code;

test('planInput reports invalid-input if the input is not an object', () => {
  for (const input of [null, 'x', 1, true, ['a']]) {
    const { steps, errors } = planInput(formOf('<input name=a>'), input, { profile: 'precise' });
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

test('planInput reports unknown-parameter and lists the parameters of the tool', () => {
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

test('planInput reports unknown-parameter for the members of Object.prototype', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const input = JSON.parse(`{"${name}":1}`) as JsonValue;
    assert.deepEqual(
      errors('<input name=a>', input).map(({ code, parameter }) => [code, parameter]),
      [['unknown-parameter', name]],
    );
  }
});

test('planInput reports wrong-type and everything that the control accepts', () => {
  const file = '{name, mediaType, content} with base64 content';
  const cases: readonly (readonly [string, JsonValue, string])[] = [
    ['<input name=a required>', null, 'text'],
    ['<input name=a>', ['x'], 'text'],
    ['<input name=a minlength=3 maxlength=9>', { x: 1 }, 'text of 3 to 9 characters'],
    [
      '<input name=a pattern="[A-Z]+" title="Capital letters">',
      [],
      'text that matches the pattern "[A-Z]+" (Capital letters)',
    ],
    [
      `<input name=a pattern="${'[0-9]'.repeat(20)}" title="Twenty digits">`,
      [],
      `text that matches the pattern "${'[0-9]'.repeat(20).slice(0, 59)}... (Twenty digits)`,
    ],
    ['<input type=email multiple name=a>', ['a@b', null], 'a list of e-mail addresses'],
    ['<input type=number name=a>', 'many', 'an integer'],
    ['<input type=number name=a min=1 max=5>', '', 'an integer from 1 to 5'],
    ['<input type=number name=a min=1>', ' 4 ', 'an integer of at least 1'],
    ['<input type=number name=a max=9 step=3>', '1e400', 'an integer of at most 9 in steps of 3'],
    ['<input type=number name=a step=any>', true, 'a number'],
    ['<input type=checkbox name=a>', 'on', 'true or false'],
    ['<input type=checkbox name=a>', 1.5, 'true or false'],
    ['<input type=checkbox name=a required>', null, 'true'],
    ['<select name=a><option>x</select>', ['x'], 'one of "x"'],
    ['<select name=a multiple><option>x</select>', 'x', 'a list of values from "x"'],
    ['<select name=a multiple><option>x</select>', [['x']], 'a list of values from "x"'],
    ['<input name=a><input name=a>', 'x', 'a list of 2 values'],
    ['<input type=file name=a>', 'x', file],
    ['<input type=file name=a multiple>', [1], `a list of ${file}`],
    ['<input type=file name=a required>', null, file],
    ['<input type=file name=a>', { name: '', content: '' }, file],
    ['<input type=file name=a>', { name: 'x', content: 'a' }, file],
    ['<input type=file name=a>', { name: 'x', content: '', mediaType: 1 }, file],
    [
      `<x-a name=a toolparamschema='{"type":["integer","string"],"maximum":9}'></x-a>`,
      true,
      'a value of type integer or string of at most 9',
    ],
  ];
  for (const [control, value, expected] of cases) {
    const { code, message, received } = error(control, value);
    assert.deepEqual([code, message], ['wrong-type', `Parameter "a" must be ${expected}.`], control);
    assert.equal(received, JSON.stringify(value));
  }
});

test('planInput reports a list with a wrong value by the position of the value', () => {
  const { message } = error('<input name=a><input type=date name=a>', ['x', 'y']);
  assert.equal(
    message,
    'Parameter "a" has an invalid value 2, which must be a date as YYYY-MM-DD, such as "2026-01-31".',
  );
});

test('planInput leaves out an optional parameter whose value is null', () => {
  const controls = `<input name=a><select name=b><option>x</select><input type=number name=c><input name=d><input name=d>
    <input name=e required value=x><x-a name=f toolparamschema='{"type":"string"}'></x-a>`;
  const input = { a: null, b: null, c: null, d: null, e: null, f: null };
  for (const profile of ['chromium', 'precise', 'portable'] as const)
    assert.deepEqual(
      errors(controls, input, profile).map(({ code, parameter }) => [parameter, code]),
      // The profile chromium lacks parameters that share a name, and requires those with a default.
      profile === 'chromium'
        ? [
            ['d', 'unknown-parameter'],
            ['e', 'wrong-type'],
            ['f', 'unknown-parameter'],
          ]
        : [],
    );
});

test('planInput sets null for a custom element whose schema accepts null', () => {
  for (const schema of ['{"type":["string","null"]}', '{}', '{"enum":["x",null]}']) {
    const { steps } = planInput(
      formOf(`<x-a name=a toolparamschema='${schema}'></x-a>`),
      { a: null },
      { profile: 'precise' },
    );
    assert.deepEqual(steps, [{ control: 0, set: 'custom', value: null, parameter: 'a' }], schema);
  }
});

test('planInput reports wrong-type if the value of a checkbox is the name of an object member', () => {
  for (const value of ['constructor', '__proto__'])
    assert.equal(code('<input type=checkbox name=a>', value), 'wrong-type');
});

test('planInput reports wrong-count if a list is longer or shorter than its controls', () => {
  for (const list of [[], ['x'], ['x', 'y', 'z']])
    assert.equal(code('<input name=a><input name=a>', list), 'wrong-count');
});

test('planInput reports not-offered and lists the choices', () => {
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

test('planInput reports duplicate-value if a list contains a value twice', () => {
  assert.equal(code('<select multiple name=a><option>1<option>2</select>', ['1', 1]), 'duplicate-value');
  assert.equal(
    code('<input type=checkbox name=a value=x><input type=checkbox name=a value=y>', ['x', 'x']),
    'duplicate-value',
  );
});

const formats: readonly (readonly [control: string, value: JsonValue, expected: string])[] = [
  ['<input type=date name=a>', 'tomorrow', 'a date as YYYY-MM-DD, such as "2026-01-31"'],
  [
    '<input type=date name=a min=2026-03-01 max=2026-03-31 step=7>',
    'x',
    'a date as YYYY-MM-DD, such as "2026-03-01", from 2026-03-01 to 2026-03-31, in steps of 7 days from 2026-03-01',
  ],
  ['<input type=month name=a max=2026-03>', 'May', 'a month as YYYY-MM, such as "2026-03", to 2026-03'],
  ['<input type=week name=a>', 'x', 'a week as YYYY-Www, such as "2026-W05"'],
  ['<input type=time name=a step=900>', '9', 'a time as HH:MM, such as "14:30", in steps of 15 minutes from 00:00'],
  ['<input type=datetime-local name=a>', 'x', 'a local date and time as YYYY-MM-DDTHH:MM, such as "2026-01-31T14:30"'],
  ['<input type=color name=a>', 'red', 'a color as #rrggbb, such as "#1a56c4"'],
  ['<input type=range name=a max=10 step=5>', 3, 'an integer from 0 to 10 in steps of 5'],
];

test('planInput reports not-kept if the control would change the value', () => {
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
  for (const [control, value, expected] of formats) {
    assert.equal(error(control, value).message, `Parameter "a" must be ${expected}.`, control);
  }
  assert.match(error('<input name=a>', 'one\ntwo').message, /must not have line breaks .* would change it to "onetwo"/);
});

test('planInput reports every invalid parameter and returns the steps of the others', () => {
  const controls = '<input name=a><input type=number name=b><select name=c><option>x</select><input name=d>';
  const { steps, errors } = planInput(formOf(controls), { a: [], b: 'x', c: 'y', d: 1, e: 2 }, { profile: 'precise' });
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
