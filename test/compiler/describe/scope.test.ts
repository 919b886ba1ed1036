import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parsePage, type Parse5Element } from '../../../src/parse5/parse5-tree.js';
import {
  describeForm,
  diagnose,
  planInput,
  profileNames,
  readForms,
  scopeOf,
  synthesizeTool,
  type ControlDescription,
  type FormDescription,
} from '../../../src/compiler/index.js';
import { formOf, formsOf, repeat } from '../../support/compiler/forms.js';

const names = (form: FormDescription | undefined): readonly string[] => (form?.controls ?? []).map(({ name }) => name);

const textsOf = (control: ControlDescription | undefined): readonly string[] =>
  (control?.words ?? []).map(({ source, text }) => `${source} ${text.trim()}`);

/** The labels of a control with their sources. */
const words = (controls: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(formOf(controls).controls.map((control) => [control.name, textsOf(control)]));

test('a label belongs to its first labelable descendant', () => {
  assert.deepEqual(words('<label>L<i><input name=a></i><input name=b></label>'), { a: ['label L'], b: [] });
  assert.deepEqual(words('<label>L<input type=hidden name=a><input name=b></label>'), { a: [], b: ['label L'] });
  assert.deepEqual(words('<label>L<progress></progress><input name=a></label>'), { a: [] });
});

test('a label with a for attribute belongs to the element with that ID, if it is labelable', () => {
  assert.deepEqual(words('<label for=i>L<input name=a></label><input name=b id=i>'), { a: [], b: ['label L'] });
  assert.deepEqual(words('<label for>L<input name=a></label>'), { a: [] });
  assert.deepEqual(words('<p id=i></p><input name=a id=i><label for=i>L</label>'), { a: [] });
  assert.deepEqual(words('<fieldset name=a id=i></fieldset><label for=i>L</label>'), { a: [] });
});

test('a label outside of a form has the source outside-label if it refers to a control of the form or contains it', () => {
  const [form] = formsOf('<label for=i>L</label><form><input name=a id=i></form><label for=i>M</label>');
  assert.deepEqual(textsOf(form?.controls[0]), ['outside-label L', 'outside-label M']);
  const [wrapped] = formsOf('<label>L<form><input name=a></form></label>');
  assert.deepEqual(textsOf(wrapped?.controls[0]), ['outside-label L']);
});

describe('a control outside of its form', () => {
  const textsIn = (html: string): readonly string[] =>
    textsOf(formsOf(`<main><form id=f><label for=i>F</label></form>${html}</main>`)[0]?.controls[0]);
  const control = '<input name=a id=i form=f>';
  for (const [what, html, expected] of [
    ['around it', `<label>L${control}</label>`, 'label L'],
    ['beside it', `<label for=i>L</label>${control}`, 'label L'],
    ['in its row', `<table><tr><th><label for=i>L</label><td>${control}</table>`, 'label L'],
    ['in another row', `<table><tr><th><label for=i>L</label><tr><td>${control}</table>`, 'label L'],
    ['elsewhere', `<div><p><label for=i>L</label></p></div><table><tr><td>${control}</table>`, 'outside-label L'],
    ['beside it, if the ID is not unique', `<label for=i>L</label>${control}<p id=i></p>`, 'outside-label L'],
  ] as const) {
    test(`has the label ${what}, and the label in the form`, () => {
      assert.deepEqual(textsIn(html), ['label F', expected]);
    });
  }

  test('has the labels of its row if the parser has closed the form', () => {
    const [form] = formsOf(
      '<table><form><tr><td><label for=i>L</label><td><input name=a id=i></table><p><label for=i>M</label></p>',
    );
    assert.deepEqual(textsOf(form?.controls[0]), ['label L', 'outside-label M']);
  });
});

describe('an ID that is not unique', () => {
  test('refers to the only element in the form', () => {
    const [form] = formsOf(
      '<p id=h>V</p><b id=b>V</b><form><p id=h>H</p><i id=b>B</i><input name=a aria-labelledby=b aria-describedby=h></form>',
    );
    assert.deepEqual(textsOf(form?.controls[0]), ['aria-labelledby B', 'aria-describedby H']);
  });

  for (const [what, before, after] of [
    ['none', '<p id=h>V</p><p id=h>W</p>', ''],
    ['several', '', '<p id=h>V</p><p id=h>W</p>'],
  ] as const) {
    test(`refers to nothing if ${what} of the elements are in the form`, () => {
      const [form] = formsOf(`${before}<form>${after}<input name=a aria-describedby=h></form>`);
      assert.deepEqual(textsOf(form?.controls[0]), []);
    });
  }

  test('refers to nothing if too many elements have it', () => {
    const [form] = formsOf(`${'<p id=h>V</p>'.repeat(20)}<form><p id=h>H</p><input name=a aria-describedby=h></form>`);
    assert.deepEqual(textsOf(form?.controls[0]), []);
  });

  test('connects a label with the control of its own form', () => {
    const forms = formsOf('<form><label for=i>L</label><input name=a id=i></form>'.repeat(2));
    assert.deepEqual(
      forms.map(({ controls }) => textsOf(controls[0])),
      [['label L', 'outside-label L'], ['form-label L']],
    );
  });
});

test('nested labels both belong to the control, in tree order', () => {
  assert.deepEqual(words('<label>O<label>I<input name=a></label></label>').a, ['label OI', 'label I']);
});

test('the form attribute associates a control with the form of that ID, also before it and in another form', () => {
  const [first, second] = formsOf(
    '<input name=a form=f><form><input name=b form=f><input name=c></form><form id=f><input name=d></form>',
  );
  assert.deepEqual(names(first), ['c']);
  assert.deepEqual(names(second), ['a', 'b', 'd']);
});

test('a control whose form attribute does not name a form has no form', () => {
  assert.deepEqual(names(formOf('<input name=a form><input name=b form=no><p id=p></p><input name=c form=p>')), []);
});

test('the first of two forms with the same ID is the form owner', () => {
  const [first, second] = formsOf('<form id=f></form><form id=f></form><input name=a form=f>');
  assert.deepEqual([names(first), names(second)], [['a'], []]);
});

test('a control in a table belongs to the form that the parser had open', () => {
  const [form] = formsOf('<table><form><tr><td><input name=a></td></tr></form></table><input name=b>');
  assert.deepEqual(names(form), ['a']);
  const [split] = formsOf('<div><form></div><input name=a></form><input name=b>');
  assert.deepEqual(names(split), ['a']);
});

test('controls of a nested form belong to the outer form', () => {
  const forms = formsOf('<form><form><input name=a></form><input name=b>');
  assert.deepEqual(forms.map(names), [['a']]);
});

test('a shadow root has its own labels, IDs and forms', () => {
  const [inner, outer] = formsOf(
    '<div><template shadowrootmode=open><form id=f><input name=a id=i></form><label for=i>S</label><input name=s form=g>' +
      '</template></div><form id=g><input name=b id=i></form><label for=i>D</label><input name=d form=f>',
  );
  assert.deepEqual([names(inner), names(outer)], [['a'], ['b']]);
  assert.deepEqual(
    [textsOf(inner?.controls[0]), textsOf(outer?.controls[0])],
    [['outside-label S'], ['outside-label D']],
  );
});

test('a form in a shadow root has the base of the document', () => {
  const shadow = (content: string): string => `<div><template shadowrootmode=open>${content}</template></div>`;
  const [first, second] = formsOf(
    `${shadow('<base href=/no/><form></form>')}<base><base href=/b/><base href=/c/><form></form>`,
  );
  assert.deepEqual([first?.base, second?.base], ['/b/', '/b/']);
});

test('forms in a template are ignored', () => {
  assert.deepEqual(formsOf('<template><form><input name=a></form></template>'), []);
});

test('a custom element with a toolparamschema is a labelable control', () => {
  assert.deepEqual(words('<label>L<x-a name=a toolparamschema="{}"></x-a></label><x-b name=b></x-b>'), {
    a: ['label L'],
  });
  assert.deepEqual(words('<svg><font-face name=a toolparamschema="{}"></font-face></svg>'), {});
});

test('a form outside a document is read like a form in a document', () => {
  const { tree, document } = parsePage('<div><form><label>L<input name=a></label></form></div>');
  const [{ form } = {}] = readForms(tree, document);
  assert.ok(form);
  const detached = {
    ...tree,
    parent: (node: typeof document | Parse5Element) => (node === form ? null : tree.parent(node)),
  };
  const { description, controls } = describeForm(detached as typeof tree, form);
  assert.deepEqual([names(description), controls.length], [['a'], 1]);
  assert.deepEqual(textsOf(description.controls[0]), ['label L']);
  assert.equal(scopeOf(tree, form).controls(form).length, 1);
});

test('10,000 nested elements do not overflow the stack', { tags: 'long' }, () => {
  for (const tag of ['div', 'span', 'fieldset', 'x-a', 'b']) {
    const form = formOf(`<${tag}>`.repeat(10_000) + '<input name=a>');
    assert.deepEqual(names(form).filter(Boolean), ['a'], tag);
  }
});

test('10,000 nested labels do not overflow the stack or take quadratic time', { tags: 'long' }, () => {
  const around = formOf(`${'<label>x '.repeat(10_000)}<input name=a>`);
  assert.deepEqual(names(around), ['a']);
  assert.ok(textsOf(around.controls[0]).length > 1);
  const between = formOf(`${'<label>x <input>'.repeat(10_000)}`);
  assert.equal(between.controls.length, 10_000);
});

test('a disabled fieldset disables a control 10,000 levels inside it', () => {
  const [, control] = formOf(`<fieldset disabled>${'<fieldset>'.repeat(10_000)}<input name=a>`).controls.filter(
    ({ element }, index) => element === 'input' || index === 0,
  );
  assert.equal(control?.disabled, true);
});

test(
  '5,000 controls in one form are described, synthesized, diagnosed and set in linear time',
  { tags: 'long' },
  () => {
    const form = formOf(repeat(5000, (index) => `<label>L${index}<input name=n${index}></label>`));
    assert.equal(form.controls.length, 5000);
    const input = Object.fromEntries(form.controls.map(({ name }) => [name, 'x']));
    for (const profile of profileNames) {
      synthesizeTool(form, { profile });
      diagnose(form, { profile });
      assert.equal(planInput(form, input, { profile }).steps.length, 5000);
    }
  },
);

test('long runs of white space are collapsed in linear time', () => {
  const form = formOf(`<label>a${' '.repeat(100_000)}b<input name="x${' '.repeat(100_000)}y"></label>`);
  for (const profile of profileNames) {
    const [parameter] = Object.values(synthesizeTool(form, { profile }).inputSchema.properties ?? {});
    assert.match(parameter?.description ?? '', /^a +b\b/, profile);
  }
});
