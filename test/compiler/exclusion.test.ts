import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { inspect } from '../../src/compiler/inspection.js';
import { readForms, type ProfileName } from '../../src/compiler/index.js';
import { parsePage } from '../../src/parse5/parse5-tree.js';

/** The controls of the first form that are not parameters, with the codes of their reasons. */
function excluded(html: string, profile: ProfileName = 'precise'): readonly string[] {
  const { document, tree } = parsePage(html);
  const [found] = readForms(tree, document);
  if (!found) throw new Error('The page has no form.');
  const inspection = inspect(tree, found.form, { profile }, found.scope);
  return inspection.excluded.map(({ name, label, type, code }) => `${name || label || type}: ${code}`);
}

const form = (controls: string): string =>
  `<form toolname="f" tooldescription="d">${controls}<button>Send</button></form>`;

describe('excludedControls', () => {
  it('has no controls that are parameters, and no buttons, fieldsets or outputs', () => {
    const controls = '<fieldset><input name="a"><output name="o"></output><button name="b">B</button></fieldset>';
    assert.deepEqual(excluded(form(controls)), []);
  });

  it('has the reason of each control', () => {
    const controls = `<input name="off" disabled><fieldset disabled><input name="group"></fieldset>
      <input name="fixed" readonly><label>Word <input></label><input type="hidden" name="csrf">
      <input type="hidden" name="set" toolparamdescription="A value."><input name="items-__prefix__-name">
      <input type="password" name="pw"><input name="pin" autocomplete="one-time-code">
      <x-stars name="stars" toolparamschema="{"></x-stars>`;
    assert.deepEqual(excluded(form(controls)), [
      'off: disabled',
      'group: disabled',
      'fixed: read-only',
      'Word: missing-parameter-name',
      'csrf: hidden',
      'items-__prefix__-name: template-row',
      'pw: excluded-secret',
      'pin: excluded-secret',
      'stars: invalid-parameter-schema',
    ]);
  });

  it('has the code of the diagnostic as the reason of a trap, except in the profile chromium', () => {
    const html = form(
      '<input name="a"><div style="display:none"><label>Leave empty <input name="website"></label></div>',
    );
    assert.deepEqual(excluded(html), ['website: excluded-trap']);
    assert.deepEqual(excluded(html, 'chromium'), []);
  });

  it('follows the profile', () => {
    const controls = '<input name="a"><input name="a"><input type="file" name="plan"><input type="password" name="pw">';
    assert.deepEqual(excluded(form(controls)), ['pw: excluded-secret']);
    assert.deepEqual(excluded(form(controls), 'chromium'), [
      'a: duplicate-parameter-name',
      'a: duplicate-parameter-name',
      'plan: unsupported-type',
    ]);
  });

  it('has the controls in the form that are ignored, or belong to another form', () => {
    const controls = `<input name="a"><div data-webmcp-ignore><input name="comment"><button>Reply</button></div>
      <input name="none" form="missing"><input name="other" form="g"><input type="hidden" name="h" form="g">`;
    assert.deepEqual(excluded(`${form(controls)}<form id="g"></form>`), [
      'comment: ignored',
      'none: other-form',
      'other: other-form',
    ]);
  });

  it('is empty for a form that exceeds the maximum size', () => {
    assert.deepEqual(excluded(form('<input disabled name="a">'.repeat(100_000))), []);
  });
});
