import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  synthesizeTool,
  type ControlDescription,
  type JsonSchema,
  type ProfileName,
} from '../../../src/compiler/index.js';
import { formOf } from '../../support/compiler/forms.js';

const controls = (markup: string): readonly ControlDescription[] => formOf(markup).controls;

/** The names of the controls that are disabled. */
const disabled = (markup: string): string =>
  controls(markup)
    .filter((control) => control.disabled && control.name)
    .map(({ name }) => name)
    .join(' ');

const typeOf = (markup: string): string | undefined => controls(markup)[0]?.type;

const optionsOf = (markup: string): readonly string[] =>
  (controls(markup)[0]?.options ?? []).map(
    ({ value, group = '', disabled }) => `${group}/${value}${disabled ? '!' : ''}`,
  );

const parameters = (markup: string, profile: ProfileName): Readonly<Record<string, JsonSchema>> =>
  synthesizeTool(formOf(markup), { profile }).inputSchema.properties ?? {};

const described = (markup: string): string | undefined => parameters(markup, 'precise').a?.description;

test('a disabled fieldset disables its controls except those in its first legend', () => {
  assert.equal(
    disabled('<fieldset disabled><legend><input name=a></legend><legend><input name=b></legend><input name=c>'),
    'b c',
  );
  assert.equal(
    disabled('<fieldset disabled><p></p><legend><i><input name=a></i></legend></fieldset><input name=b>'),
    '',
  );
  assert.equal(disabled('<fieldset disabled><div><legend><input name=a></legend></div>'), 'a');
});

test('controls in a legend remain disabled by an outer fieldset', () => {
  assert.equal(disabled('<fieldset disabled><fieldset disabled><legend><input name=a></legend></fieldset>'), 'a');
  assert.equal(
    disabled('<fieldset disabled><legend><fieldset><legend><input name=a></legend><input name=b></fieldset></legend>'),
    '',
  );
  assert.equal(
    disabled('<fieldset disabled><legend><fieldset disabled><input name=a></fieldset></legend><input name=b>'),
    'a b',
  );
});

test('the type of an input is an ASCII case-insensitive keyword, or text', () => {
  assert.equal(typeOf('<input type=NUMBER>'), 'number');
  assert.equal(typeOf('<input type=" number">'), 'text');
  assert.equal(typeOf('<input type="wee\u212a">'), 'text');
  assert.equal(typeOf('<input type=datetime>'), 'text');
});

test('a button is a submit button unless it has another type or a command', () => {
  assert.equal(typeOf('<button>'), 'submit');
  assert.equal(typeOf('<button type=x>'), 'submit');
  assert.equal(typeOf('<button type=Button>'), 'button');
  assert.equal(typeOf('<button command=show-modal>'), 'button');
  assert.equal(typeOf('<button command=show-modal type=submit>'), 'submit');
});

test('an option is described by its value or text and by its group, and is disabled by itself or by its group', () => {
  assert.deepEqual(
    optionsOf('<select><option> a  b </option><option value="">c<optgroup label=G disabled><option>d</select>'),
    ['/a b', '/', 'G/d!'],
  );
  assert.deepEqual(optionsOf('<select><hr><option value=" x ">y<optgroup label=G><option disabled>z</select>'), [
    '/ x ',
    'G/z!',
  ]);
});

test('a datalist suggests all enabled options, including those in a fallback select', () => {
  const list = '<datalist id=l><select><option>x<option disabled>y<option value="">z</select><option>w</datalist>';
  assert.deepEqual(controls(`<input list=l>${list}`)[0]?.suggestions, ['x', 'w']);
  assert.deepEqual(controls(`<input list=no>${list}`)[0]?.suggestions, []);
  assert.equal(controls(`<input type=password list=l>${list}`)[0]?.suggestions, undefined);
});

test('descriptions do not contain styles, hidden text or repeated text', () => {
  assert.equal(described('<label>L <svg><style>.x{}</style><title>T</title></svg><input name=a></label>'), 'L T');
  assert.equal(described('<label>L <span hidden>H</span><script>s</script><input name=a></label>'), 'L');
  assert.equal(described('<label id=l>L <input name=a aria-describedby=l></label>'), 'L');
  assert.match(described('<input name=a aria-label=N><input name=a aria-label=N>') ?? '', /^N\. One value/);
});

test('joinSentences recognizes the punctuation marks of several scripts', () => {
  assert.equal(described('<label>名前。<input name=a aria-description=必須></label>'), '名前。 必須');
  assert.equal(described('<label>Name<input name=a aria-description="Your own."></label>'), 'Name. Your own.');
});

test('in the profile chromium a disabled fieldset or output can duplicate a name, but an object or a button cannot', () => {
  for (const other of [
    '<fieldset disabled name=a></fieldset>',
    '<fieldset disabled><output name=a></output></fieldset>',
  ]) {
    assert.deepEqual(parameters(`${other}<input name=a>`, 'chromium'), {});
  }
  for (const other of ['<object name=a></object>', '<button disabled name=a></button>']) {
    assert.deepEqual(parameters(`${other}<input name=a>`, 'chromium'), { a: { type: 'string' } });
  }
});

test('1,000 names with the same portable form get distinct names', () => {
  const markup = Array.from(
    { length: 1000 },
    (_, index) => `<input name="${String.fromCodePoint(0x4e00 + index)}">`,
  ).join('');
  assert.equal(Object.keys(parameters(markup, 'portable')).length, 1000);
});
