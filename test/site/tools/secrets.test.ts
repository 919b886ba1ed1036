import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { compileHtml } from '../../../src/site/compile-html.js';
import { profileNames } from '../../../src/compiler/index.js';

// Each control has a secret in its value, and a name that is not secret.
const controls = `
  <input type=hidden name=hidden value=S3CRET>
  <input type=hidden name=csrf_token value=S3CRET>
  <input type=hidden name=described value=S3CRET toolparamdescription="A token.">
  <input type=hidden name=twice value=S3CRET toolparamdescription=a>
  <input type=hidden name=twice value=S3CRET toolparamdescription=b>
  <input type=hidden name=rails value=S3CRET><label>R <input type=checkbox name=rails value=1></label>
  <label>P <input type=password name=password value=S3CRET></label>
  <label>R <input readonly autocomplete=cc-number name=readonly value=S3CRET></label>
  <fieldset disabled><input autocomplete=cc-number name=disabled value=S3CRET></fieldset>
  <label>N <input name=number autocomplete="billing cc-number" value=S3CRET list=cards></label>
  <datalist id=cards><option value=S3CRET>S3CRET</datalist>
  <label>C <input type=number step=7 name=code autocomplete=one-time-code value=7361></label>
  <label>Y <input type=month step=5 name=expires autocomplete=cc-exp value=7361-07></label>
  <label>E <input type=email multiple name=email autocomplete=cc-name value=a@S3CRET,b@S3CRET></label>
  <label>T <textarea name=text autocomplete=current-password>S3CRET</textarea></label>
  <label>M <select name=month autocomplete=cc-exp-month><option value=CHOICE1>CHOICE2</option>
    <option value=CHOICE3 label=CHOICE4 selected toolparamdescription=CHOICE5>x</option></select></label>
  <label>X <x-card name=custom toolparamschema='{"type":"string"}' autocomplete=cc-number value=S3CRET></x-card></label>
  <label>Q <input name=plain value=VISIBLE></label>
  <button name=go value=send>Go</button>`;
const html = `<form toolname=pay tooldescription=Pays. method=post>${controls}</form>`;
const names = new Set([...html.matchAll(/ name=(\w+)/g)].map(([, name]) => name));

describe('a manifest page', () => {
  for (const profile of profileNames) {
    for (const sensitive of ['include', 'exclude'] as const) {
      const page = compileHtml(html, { path: 'p', profile, sensitive });
      const text = JSON.stringify(page);

      it(`does not contain values of hidden and sensitive controls (${profile}, ${sensitive})`, () => {
        assert.doesNotMatch(text, /S3CRET|7361/);
        assert.match(text, /VISIBLE/);
        const withValue = page.tools[0]!.form!.controls.filter(({ attributes }) => attributes.value !== undefined);
        assert.deepEqual(
          withValue.map(({ name }) => name),
          ['rails', 'plain', 'go'],
        );
      });

      it(`has fingerprints of hidden values, and none of tokens and sensitive controls (${profile}, ${sensitive})`, () => {
        const form = page.tools[0]!.form!;
        const found = form.controls.flatMap(({ name, fingerprint }) => (fingerprint === undefined ? [] : name));
        assert.deepEqual(found, ['hidden', 'described', 'twice', 'twice', 'rails']);
        assert.ok(form.controls.every(({ fingerprint = 'A'.repeat(16) }) => /^[\w+/]{16}$/.test(fingerprint)));
      });

      it(`contains the names of all controls (${profile}, ${sensitive})`, () => {
        const found = new Set(page.tools[0]!.form!.controls.map(({ name }) => name).filter((name) => name !== ''));
        assert.deepEqual(found, names);
      });

      it(`contains the options of a sensitive select only if it is a parameter (${profile}, ${sensitive})`, () => {
        assert.equal(/CHOICE/.test(text), sensitive === 'include');
        const month = page.tools[0]!.form!.controls.find(({ name }) => name === 'month');
        assert.equal(month?.options?.some(({ selected }) => selected) ?? false, false);
      });
    }
  }

  it('excludes sensitive controls by default, except in the profile chromium', () => {
    for (const profile of profileNames) {
      const [tool] = compileHtml(html, { path: 'p', profile }).tools;
      assert.equal(Object.hasOwn(tool?.inputSchema.properties ?? {}, 'password'), profile === 'chromium', profile);
    }
  });

  it('does not contain the personal data of a user who was logged in, and does not require it', () => {
    const personal = `<input type=email name=mail value=ada@example.org required><input type=tel name=phone value=ada>
      <input name=user autocomplete="section-a username" value=ada><textarea name=home autocomplete=street-address>ada</textarea>
      <input name=born type=date autocomplete=bday value=1815-12-10><label>Plan <input name=plan value=basic></label>
      <input type=email name=other><input type=radio name=tel value=home autocomplete=tel><button>Go</button>`;
    const html = `<form toolname=profile tooldescription="Changes the profile.">${personal}</form>`;
    for (const profile of profileNames) {
      const [tool] = compileHtml(html, { path: 'p', profile }).tools;
      assert.doesNotMatch(JSON.stringify(tool), /ada|1815/, profile);
      assert.deepEqual(
        tool?.form?.controls.flatMap(({ name, prefilled }) => (prefilled ? name : [])),
        ['mail', 'phone', 'user', 'home', 'born'],
      );
      assert.equal(tool?.inputSchema.required?.includes('mail'), profile === 'chromium');
    }
  });

  it('contains the values of checkboxes and radio buttons, to which autocomplete does not apply', () => {
    const box = '<label>Visa <input type=radio name=type value=visa autocomplete=cc-type></label><button>Go</button>';
    const [tool] = compileHtml(`<form toolname=pay tooldescription=Pays.>${box}</form>`, { path: 'p' }).tools;
    assert.ok(Object.hasOwn(tool?.inputSchema.properties ?? {}, 'type'));
  });
});
