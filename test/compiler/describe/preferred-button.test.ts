import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { describeForm, diagnose } from '../../../src/compiler/index.js';
import type { FormDescription } from '../../../src/compiler/description.js';
import { labelOf } from '../../../src/compiler/describe/meaning/preferred-button.js';
import { defaultButton } from '../../../src/compiler/parameters/parameters.js';
import { chromium } from '../../../src/compiler/profiles/chromium.js';
import { descendants } from '../../../src/compiler/tree.js';
import { parsePage, type Parse5Element } from '../../../src/parse5/parse5-tree.js';

function read(content: string, attributes = ''): FormDescription {
  const { document, tree } = parsePage(
    `<body><form id=f method=post toolname=t tooldescription=d ${attributes}>${content}</form><button form=f class=primary>Outside</button>`,
  );
  const isForm = (node: unknown): node is Parse5Element => (node as Parse5Element).tagName === 'form';
  return describeForm(tree, [...descendants(tree, document)].find(isForm) as Parse5Element).description;
}

/** The label or the name of the button that a call presses. */
function pressed(form: FormDescription, profile?: typeof chromium): string | undefined {
  const button = form.controls[defaultButton(form, profile)];
  return button && (labelOf(button) || button.name);
}

/** A button for each label. After a `|` in the label, its attributes follow. */
const buttons = (...labels: readonly string[]): string =>
  labels
    .map((each) => each.split('|'))
    .map(([label = '', attributes = '']) => `<button ${attributes}>${label}</button>`)
    .join('');

/** The labels of buttons, by the label of the main button, which is not the first. */
const secondaryFirst: Readonly<Record<string, readonly string[]>> = {
  Create: ['Add more files', 'Create'],
  Next: ['« Previous', 'Next'],
  Continue: ['Back', 'Continue'],
  Save: ['Preview', 'Save', 'Save draft'],
  Weiter: ['Zurück', 'Weiter'],
  Envoyer: ['Aperçu', 'Envoyer'],
  Guardar: ['Cancelar', 'Guardar'],
  Сохранить: ['Предпросмотр', 'Сохранить'],
  送信: ['プレビュー', '送信'],
  Submit: ['Add another row', 'Remove', 'Submit'],
  Publish: ['Add image', 'Publish'],
  Send: ['Delete', 'Send'],
  Order: ['Find address', 'Order'],
  Speichern: ['+', '-', 'Speichern'],
  Register: ['Apply coupon', 'Register'],
  Vote: ['Show|name=action value=preview', 'Vote'],
  Update: ['Anzeigen|name=btnPreview', 'Update'],
  'Log in': ['E-mail me a link|formaction=/link', 'Log in'],
  Post: ['Store for later|formnovalidate', 'Post'],
  Pay: ['Look|class="btn btn-secondary"', 'Pay|class="btn btn-primary"'],
  Finish: ['Reset', 'Copy', 'Finish'],
  Middle: ['Cancel', 'One', 'Middle|class=button-primary', 'Three'],
};

/** The labels of buttons, the first of which is HTML's default and the main one. */
const mainFirst: readonly (readonly string[])[] = [
  ['Save', 'Preview', 'Cancel'],
  ['Add comment', 'Cancel'],
  ['Add to cart', 'Buy now'],
  ['Search', 'Go'],
  ['Delete', 'Cancel'],
  ['Delete'],
  ['Send', 'Save draft'],
  ['Save draft', 'Publish'],
  ['Save and add another', 'Save'],
  ['Yes', 'No'],
  ['Agree', 'Disagree'],
  ['Sign in', 'Sign up|class=primary'],
  ['Absenden', 'Zurücksetzen'],
  ['Back', 'Cancel'],
  ['Preview', 'Reset'],
  ['Feedback', 'Save'],
  ['Send|formaction=/send', 'Store'],
];

describe('defaultButton', () => {
  for (const [expected, labels] of Object.entries(secondaryFirst)) {
    it(`is "${expected}" of ${labels.join(', ')}`, () => {
      const form = read(buttons(...labels));
      assert.equal(pressed(form), expected);
      assert.equal(pressed(form, chromium), labels[0]?.replace(/\|.*/, ''));
    });
  }

  for (const labels of mainFirst) {
    it(`is the first of ${labels.join(', ')}`, () => {
      const form = read(buttons(...labels));
      assert.equal(pressed(form), labels[0]?.replace(/\|.*/, ''));
      assert.equal(
        form.controls.some(({ preferred }) => preferred),
        false,
      );
    });
  }

  for (const region of ['header', 'nav', 'search', 'div role=search'])
    it(`is not in <${region}>, if the form has a button outside of it`, () => {
      const inside = `<${region}><p><button name=go>Go</button></p></${region.replace(/ .*/, '')}>`;
      assert.equal(pressed(read(inside + buttons('Read on'))), 'Read on');
      assert.equal(pressed(read(inside)), 'Go');
    });

  it('is an input or an image, by its value or its alternative text', () => {
    assert.equal(pressed(read('<input type=submit value=Preview><input type=submit value=Save>')), 'Save');
    assert.equal(pressed(read('<input type=image alt=Back><input type=image alt=Next>')), 'Next');
  });

  it('is an enabled button in the form, but not a button outside of the form', () => {
    assert.equal(pressed(read(buttons('Cancel', 'Save|disabled', 'Send'))), 'Send');
    assert.equal(pressed(read(buttons('Cancel'))), 'Cancel');
    assert.equal(pressed(read(buttons('Cancel', 'Save|form=f'))), 'Save');
  });

  it('is the button that the author names by its name, its name and value, or its label', () => {
    const content = buttons('Preview|name=a value=1', 'Save|name=a value=2', 'Delete|name=b', 'Cancel');
    for (const [text, expected] of [
      ['b', 'Delete'],
      ['a=1', 'Preview'],
      ['a=2', 'Save'],
      ['Cancel', 'Cancel'],
    ] as const) {
      const form = read(content, `data-webmcp-submitter="${text}"`);
      assert.equal(pressed(form), expected);
      assert.deepEqual(codesOf(form), []);
    }
  });

  it('ignores a name that several buttons have, or that no button has', () => {
    for (const text of ['a', 'c', 'Ca']) {
      const form = read(buttons('Preview|name=a value=1', 'Save|name=a value=2'), `data-webmcp-submitter=${text}`);
      assert.equal(pressed(form), 'Save');
      assert.deepEqual(codesOf(form), ['unknown-submitter', 'secondary-first-button']);
    }
  });
});

const codesOf = (form: FormDescription, profile: 'precise' | 'chromium' = 'precise'): readonly string[] =>
  diagnose(form, { profile }).map(({ code }) => code);

describe('diagnose', () => {
  it('reports which button is pressed instead of the first, and why', () => {
    const form = read(buttons('Add more files', 'Create'));
    const [finding] = diagnose(form, { profile: 'precise' });
    assert.equal(finding?.severity, 'info');
    assert.equal(
      finding.message,
      'Calls press "Create", because the first one, "Add more files", is another action. If they should press another one, name it in data-webmcp-submitter on the form.',
    );
    const [warning] = diagnose(form, { profile: 'chromium' });
    assert.equal(warning?.severity, 'warning');
    assert.equal(
      warning.message,
      'In this profile, calls press the first submit button, "Add more files", as browsers with WebMCP do, and not "Create". Put that one first.',
    );
  });
});
