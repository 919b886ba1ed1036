import assert from 'node:assert/strict';
import { test } from 'vitest';
import { chromium, codes, ofForm, only } from '../../support/compiler/diagnostics-of.js';

test('diagnose reports missing-parameter-name for a control without a name', () => {
  assert.equal(only('missing-parameter-name', '<input aria-label=x>').severity, 'warning');
  assert.ok(!('parameter' in only('missing-parameter-name', '<select><option>x</select>')));
  assert.deepEqual(codes('<input type=button><input type=hidden><output></output><fieldset></fieldset>'), []);
});

test('diagnose does not report missing-parameter-name for payment data, which is often nameless on purpose', () => {
  assert.deepEqual(codes('<input autocomplete=cc-number aria-label=Card>'), []);
});

test('diagnose reports missing-parameter-description once for each parameter that no text of the page describes', () => {
  assert.equal(only('missing-parameter-description', '<input name=a>').parameter, 'a');
  only('missing-parameter-description', '<input name=a[]><input name=a[]>');
  only('missing-parameter-description', '<input name=a id=i><label for=i hidden>L</label>');
  for (const text of ['aria-label', 'title', 'placeholder', 'aria-description', 'toolparamdescription']) {
    assert.deepEqual(codes(`<input name=a ${text}=x>`), []);
  }
});

test('diagnose reports missing-parameter-description although the profile adds hints to the description', () => {
  only('missing-parameter-description', '<input type=email name=a>');
  only('missing-parameter-description', '<input type=date name=a>', chromium);
  only('missing-parameter-description', '<input name="a[b]">', { profile: 'portable' });
});

test('diagnose recommends a fieldset for a group without a description', () => {
  const radios = '<input type=radio name=a value=1 aria-label=One><input type=radio name=a value=2 aria-label=Two>';
  assert.match(
    only('missing-parameter-description', radios).message,
    /fieldset with a legend or a toolparamdescription/,
  );
  assert.match(only('missing-parameter-description', radios, chromium).message, /fieldset with a toolparamdescription/);
  assert.deepEqual(codes(`<fieldset><legend>Which?</legend>${radios}</fieldset>`), []);
});

test('diagnose accepts the description in the schema of a custom element', () => {
  only('missing-parameter-description', `<x-a name=a toolparamschema='{"type":"string"}'></x-a>`);
  assert.deepEqual(codes(`<x-a name=a toolparamschema='{"description":"x"}'></x-a>`), []);
});

test('diagnose reports duplicate-parameter-name if Chromium ignores the controls of a name', () => {
  const twice = '<input name=a title=x><button name=a>B</button>';
  assert.equal(only('duplicate-parameter-name', twice, chromium).parameter, 'a');
  assert.deepEqual(
    codes('<input name=a title=x>\n<input name=" a" title=x>', chromium),
    Array(2).fill('duplicate-parameter-name'),
  );
  only('duplicate-parameter-name', '<input name=a title=x><fieldset name=a disabled></fieldset>', chromium);
  assert.deepEqual(codes(twice), []);
  for (const other of [
    '<button name=a disabled>B</button>',
    '<object name=a></object>',
    '<input name=A aria-description=x>',
  ]) {
    assert.deepEqual(codes(`<input name=a aria-description=x>${other}`, chromium), []);
  }
  assert.deepEqual(codes('<input type=checkbox name=a><input type=checkbox name=a>', chromium), [
    'missing-parameter-description',
  ]);
});

test('diagnose reports unreachable-required-control for a required control that no parameter fills', () => {
  assert.equal(only('unreachable-required-control', '<input required title=x>').severity, 'error');
  assert.equal(
    only('unreachable-required-control', '<input type=password name=p required title=x>').severity,
    'warning',
  );
  assert.equal(
    only('unreachable-required-control', '<input type=file name=f required title=x>', chromium).severity,
    'error',
  );
  assert.deepEqual(codes('<input type=password name=p required title=x>', { sensitive: 'include' }), []);
  assert.deepEqual(codes('<input type=range required name=a title=x><input type=hidden required>'), []);
});

test('diagnose does not report unreachable-required-control if the control has a value or the form is not validated', () => {
  assert.deepEqual(codes('<input required title=x value=y>'), []);
  assert.deepEqual(codes('<select required title=x><option>y</select>'), []);
  assert.deepEqual(
    ofForm('toolname=t tooldescription=d novalidate', '<input required title=x><button>Go</button>'),
    [],
  );
  assert.equal(codes('<select required title=x><option value="">y</select>')[0], 'unreachable-required-control');
});

test('diagnose reports invalid-pattern for a pattern that browsers ignore', () => {
  assert.equal(only('invalid-pattern', '<input name=a title=x pattern="[">').severity, 'warning');
  only('invalid-pattern', '<input name=a title=x pattern="[(]">');
  assert.deepEqual(codes('<input name=a title=x pattern="[\\(]">'), []);
  assert.deepEqual(codes('<input type=number name=a title=x pattern="[">'), []);
});

test('diagnose reports unsupported-pattern for a pattern that JSON Schema cannot express', () => {
  const unsayable = '<input name=a aria-description=x pattern="\\p{RGI_Emoji}">';
  assert.equal(only('unsupported-pattern', unsayable).severity, 'warning');
  assert.deepEqual(codes(unsayable, chromium), []);
  assert.deepEqual(codes('<input name=a title=x pattern="[[a-z]--b]">'), []);
});

test('diagnose reports invalid-parameter-schema for a toolparamschema that is not a JSON Schema', () => {
  const deep = `${'{"items":'.repeat(10_000)}{}${'}'.repeat(10_000)}`;
  const invalid = [
    '',
    '{',
    '[]',
    '1',
    'null',
    '{"anyOf":1}',
    '{"allOf":[null]}',
    '{"properties":{"p":null}}',
    '{"items":[]}',
    deep,
  ];
  for (const schema of invalid) {
    for (const profile of ['precise', 'portable'] as const) {
      const control = `<x-a name=a toolparamschema='${schema}'></x-a>`;
      assert.equal(only('invalid-parameter-schema', control, { profile }).severity, 'error');
    }
  }
  for (const schema of ['{}', '{"anyOf":[true],"items":false,"x":1}', '{"properties":{"constructor":{"title":"t"}}}']) {
    assert.deepEqual(codes(`<x-a name=a title=x toolparamschema='${schema}'></x-a>`), []);
  }
});

test('diagnose reports no-legal-value for limits that no value satisfies', () => {
  const empty = [
    'type=number min=2 max=1',
    'type=date min=2024-02-01 max=2024-01-01',
    'type=datetime-local min=2024-01-01T00:00 max=2023-01-01T00:00',
    'minlength=3 maxlength=2',
  ];
  for (const limits of empty) {
    assert.equal(only('no-legal-value', `<input name=a title=x ${limits}>`).severity, 'error', limits);
  }
  for (const limits of [
    'type=number min=1 max=1',
    'type=range min=2 max=1',
    'type=time min=22:00 max=06:00',
    'minlength=3 maxlength=3',
  ]) {
    assert.deepEqual(codes(`<input name=a title=x ${limits}>`), [], limits);
  }
});

test('diagnose reports no-options for a select without an enabled option', () => {
  for (const options of ['', '<option disabled>x', '<optgroup disabled><option>x']) {
    assert.equal(only('no-options', `<select name=a title=x>${options}</select>`).severity, 'warning');
  }
  assert.deepEqual(codes('<select name=a title=x><option disabled>x<option>y</select>'), []);
});
