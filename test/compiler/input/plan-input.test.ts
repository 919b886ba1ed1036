import assert from 'node:assert/strict';
import { test } from 'vitest';
import { planInput, type ExecuteStep, type JsonValue } from '../../../src/compiler/index.js';
import { formOf, repeat } from '../../support/compiler/forms.js';

/** The steps for a valid input. */
function steps(
  controls: string,
  input: JsonValue,
  profile: 'chromium' | 'precise' | 'portable' = 'precise',
): readonly ExecuteStep[] {
  const { steps, errors } = planInput(formOf(controls), input, { profile });
  assert.deepEqual(errors, []);
  return steps;
}

/** The assignment to the form's first control. */
const setTo = (control: string, value: JsonValue): string | boolean | undefined => {
  const [step] = steps(control, { a: value });
  return step?.set === 'value' ? step.value : step?.set === 'checked' ? step.checked : undefined;
};

test('planInput sets text unchanged', () => {
  assert.deepEqual(steps('<input name=a>', { a: ' x ' }), [{ control: 0, set: 'value', value: ' x ', parameter: 'a' }]);
  assert.equal(setTo('<input type=search name=a>', ''), '');
  assert.equal(setTo('<input type=url name=a>', 'x:y'), 'x:y');
  assert.equal(setTo('<textarea name=a></textarea>', 'one\ntwo'), 'one\ntwo');
  assert.equal(setTo('<input type=hidden name=a toolparamdescription=A>', 'x'), 'x');
});

test('planInput converts numbers and booleans to text', () => {
  assert.equal(setTo('<input name=a>', 123), '123');
  assert.equal(setTo('<textarea name=a></textarea>', true), 'true');
  assert.equal(setTo('<input type=tel name=a>', 0), '0');
});

test('planInput serializes a number with all digits', () => {
  for (const control of ['<input type=tel name=a>', '<input type=number name=a>']) {
    assert.equal(setTo(control, 19999.99), '19999.99');
    assert.equal(setTo(control, 3000000000), '3000000000');
    assert.equal(setTo(control, 4915112345678), '4915112345678');
    assert.equal(setTo(control, 123456.789), '123456.789');
    assert.equal(setTo(control, 1e21), '1e+21');
    assert.equal(setTo(control, -0), '0');
  }
  assert.equal(setTo('<input type=range max=4000000000 name=a>', 3000000000), '3000000000');
});

test('planInput sets a numeric string unchanged on a number control', () => {
  assert.equal(setTo('<input type=number name=a>', '456'), '456');
  assert.equal(setTo('<input type=number name=a>', '1e1'), '1e1');
  assert.equal(setTo('<input type=number name=a>', '0.10'), '0.10');
});

test('planInput leaves the limits of a number to constraint validation', () => {
  assert.equal(setTo('<input type=number name=a max=5>', 6), '6');
});

test('planInput converts booleans, integers and their strings for a single checkbox', () => {
  const checked: JsonValue[] = [true, 1, 2, -1, 'true', 'TRUE', '1'];
  for (const value of checked) assert.equal(setTo('<input type=checkbox name=a>', value), true, JSON.stringify(value));
  const unchecked: JsonValue[] = [false, 0, 'false', 'False', '0'];
  for (const value of unchecked)
    assert.equal(setTo('<input type=checkbox name=a>', value), false, JSON.stringify(value));
});

test('planInput sets all checkboxes of a name', () => {
  const boxes = '<input type=checkbox name=a value=x><input type=checkbox name=a value=7><input type=checkbox name=a>';
  assert.deepEqual(steps(boxes, { a: [7, 'on'] }), [
    { control: 0, set: 'checked', checked: false, parameter: 'a' },
    { control: 1, set: 'checked', checked: true, parameter: 'a' },
    { control: 2, set: 'checked', checked: true, parameter: 'a' },
  ]);
  assert.ok(steps(boxes, { a: [] }).every((step) => step.set === 'checked' && !step.checked));
});

test('planInput checks all checkboxes of one value', () => {
  const boxes =
    '<input type=checkbox name=a value=x><input type=checkbox name=a value=y><input type=checkbox name=a value=x>';
  assert.deepEqual(
    steps(boxes, { a: ['x'] }).map((step) => step.set === 'checked' && step.checked),
    [true, false, true],
  );
});

test('planInput checks the first radio button of a value', () => {
  const radios = '<input type=radio name=a value=x><input type=radio name=a value=2><input type=radio name=a value=2>';
  assert.deepEqual(steps(radios, { a: 2 }), [{ control: 1, set: 'checked', checked: true, parameter: 'a' }]);
});

test('planInput selects an option by its value, given as text, a number or a boolean', () => {
  const select = '<select name=a><option>1<option>2<option value=true>yes<option value=3000000000>many</select>';
  assert.deepEqual(steps(select, { a: 2 }), [{ control: 0, set: 'selected', options: [1], parameter: 'a' }]);
  assert.deepEqual(steps(select, { a: true }), [{ control: 0, set: 'selected', options: [2], parameter: 'a' }]);
  assert.deepEqual(steps(select, { a: 3000000000 }), [{ control: 0, set: 'selected', options: [3], parameter: 'a' }]);
});

test('planInput selects several options in tree order and omits disabled options of the same value', () => {
  const select = '<select name=a multiple><option>x<option disabled>y<option>y<option>z</select>';
  assert.deepEqual(steps(select, { a: ['z', 'y'] }), [
    { control: 0, set: 'selected', options: [2, 3], parameter: 'a' },
  ]);
  assert.deepEqual(steps(select, { a: [] }), [{ control: 0, set: 'selected', options: [], parameter: 'a' }]);
});

test('planInput sets dates and times as valid strings', () => {
  assert.equal(setTo('<input type=date name=a>', '2024-02-29'), '2024-02-29');
  assert.equal(setTo('<input type=date name=a>', ''), '');
  assert.equal(setTo('<input type=month name=a>', '2024-02'), '2024-02');
  assert.equal(setTo('<input type=week name=a>', '2020-W53'), '2020-W53');
  assert.equal(setTo('<input type=time name=a>', '09:30'), '09:30');
  assert.equal(setTo('<input type=datetime-local name=a>', '2024-02-29 09:30'), '2024-02-29T09:30');
});

test('planInput sets a color in lower case', () => {
  assert.equal(setTo('<input type=color name=a>', '#FF8800'), '#ff8800');
});

test('planInput accepts several e-mail addresses as a list or as comma-separated text', () => {
  const control = '<input type=email name=a multiple>';
  assert.equal(setTo(control, ['a@b', 'c@d']), 'a@b,c@d');
  assert.equal(setTo(control, 'a@b,c@d'), 'a@b,c@d');
  assert.equal(setTo(control, []), '');
});

test('planInput normalizes the line breaks of a textarea to line feeds', () => {
  assert.equal(setTo('<textarea name=a></textarea>', 'a\r\nb\rc'), 'a\nb\nc');
});

test('planInput sets a file with its name, media type and base64 content', () => {
  const file = { name: 'a.txt', mediaType: 'text/plain', content: 'aGk=' };
  assert.deepEqual(steps('<input type=file name=a>', { a: file }), [
    { control: 0, set: 'files', files: [file], parameter: 'a' },
  ]);
  assert.deepEqual(steps('<input type=file name=a multiple>', { a: [file, { name: 'b', content: '' }] }), [
    { control: 0, set: 'files', files: [file, { name: 'b', mediaType: '', content: '' }], parameter: 'a' },
  ]);
});

test('planInput sets any value of the declared type on a custom element', () => {
  assert.deepEqual(steps('<x-a name=a toolparamschema="{}"></x-a>', { a: { any: [1, null] } }), [
    { control: 0, set: 'custom', value: { any: [1, null] }, parameter: 'a' },
  ]);
});

test('planInput chooses a submit button by its value', () => {
  const buttons = '<input name=q><button name=do value=save>S</button><button name=do value=send>T</button>';
  assert.deepEqual(steps(buttons, { do: 'send', q: 'x' }), [
    { control: 0, set: 'value', value: 'x', parameter: 'q' },
    { control: 2, set: 'submitter', parameter: 'do' },
  ]);
});

test('planInput sets a list on the controls of one name, one value each', () => {
  const rows = '<input name=a[]><input name=a[] type=number><select name=a[]><option>x</select>';
  assert.deepEqual(steps(rows, { 'a[]': ['p', 2, 'x'] }), [
    { control: 0, set: 'value', value: 'p', parameter: 'a[]' },
    { control: 1, set: 'value', value: '2', parameter: 'a[]' },
    { control: 2, set: 'selected', options: [0], parameter: 'a[]' },
  ]);
});

test('planInput returns steps in tree order, independent of the order of the input', () => {
  const input = { c: 1, b: 2, a: 3 };
  const order = steps('<input name=a><input name=b><input name=c>', input).map(({ parameter }) => parameter);
  assert.deepEqual(order, ['a', 'b', 'c']);
});

test('planInput returns no steps for omitted parameters', () => {
  assert.deepEqual(steps('<input name=a required value=x><input name=b>', {}), []);
});

test('planInput maps a renamed parameter of the profile portable to the control of the original name', () => {
  const [step] = steps('<input name="a[b]"><input name=a.b>', { 'a.b_2': 'x' }, 'portable');
  assert.deepEqual(step, { control: 0, set: 'value', value: 'x', parameter: 'a.b_2' });
});

test('planInput accepts parameters with names of object members', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length']) {
    const input = JSON.parse(`{"${name}":"x"}`) as JsonValue;
    assert.deepEqual(steps(`<input name=${name}>`, input), [{ control: 0, set: 'value', value: 'x', parameter: name }]);
  }
});

test('planInput selects one or all of 5,000 options', () => {
  const select = `<select name=a multiple>${repeat(5000, (index) => `<option>${index}`)}</select>`;
  const all = Array.from({ length: 5000 }, (_, index) => index);
  assert.deepEqual(steps(select, { a: [4999] }), [{ control: 0, set: 'selected', options: [4999], parameter: 'a' }]);
  assert.deepEqual(steps(select, { a: all }), [{ control: 0, set: 'selected', options: all, parameter: 'a' }]);
});

test('planInput accepts the same values in the profile chromium, by its parameters', () => {
  assert.deepEqual(steps('<input><input type=checkbox name=" b ">', { '': 5, b: 'true' }, 'chromium'), [
    { control: 0, set: 'value', value: '5', parameter: '' },
    { control: 1, set: 'checked', checked: true, parameter: 'b' },
  ]);
});
