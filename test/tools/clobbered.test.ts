import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runLint } from '../support/run-lint.js';

/** The clobbered members that a module reads, as `kind: member`. */
function clobberedIn(code: string, kinds?: readonly string[]): readonly string[] {
  const reports = runLint({ 'a.ts': code }, { 'repository/clobbered': ['error', ...(kinds ? [kinds] : [])] });
  return reports.map(({ message }) => message.replace(/.* clobber (\w+) of a (\w+)\..*/, '$2: $1')).sort();
}

const reported: readonly (readonly [what: string, code: string, reports: readonly string[]])[] = [
  ['of a variable named form', 'export const names = (form: Element) => form.attributes;', ['form: attributes']],
  ['of a property named form', 'export const f = (call: any) => call.form.name;', ['form: name']],
  ['of a result named form', 'export const f = (formOf: any) => formOf(1)?.submit();', ['form: submit']],
  [
    'of a variable typed as form',
    'export const f = (each: HTMLFormElement | null) => each?.elements;',
    ['form: elements'],
  ],
  [
    'of a form by destructuring',
    'export const f = (form: Element) => {\n  const { children } = form;\n  return children;\n};',
    ['form: children'],
  ],
  ['of a form by a string', "export const f = (form: any) => form['method'];", ['form: method']],
  ['that it sets', "export const f = (form: any) => (form.action = '');", ['form: action']],
  [
    'of the document',
    'export const f = () => [document.forms, window.document.body];',
    ['document: body', 'document: forms'],
  ],
  [
    'of a variable typed as document',
    'export const f = (page: Document) => page.readyState;',
    ['document: readyState'],
  ],
];

for (const [what, code, reports] of reported)
  test(`the lint rules report a clobbered member ${what}`, () => {
    assert.deepEqual(clobberedIn(code), reports);
  });

test('the lint rules accept own members of objects named form, and members that no element clobbers', () => {
  const code = `interface LiveForm { readonly element: Element }
export const f = (form: LiveForm, forms: readonly HTMLFormElement[], window: Window) =>
  [form.element, forms.length, window.name, Reflect.get(Element.prototype, 'attributes', form.element)];`;
  assert.deepEqual(clobberedIn(code), []);
});

test('the lint rules report the members of forms only, if the option names forms only', () => {
  const code = 'export const f = (form: Element, document: Document) => [form.id, document.body];';
  assert.deepEqual(clobberedIn(code, ['form']), ['form: id']);
});
