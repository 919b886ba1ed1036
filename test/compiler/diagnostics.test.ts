import assert from 'node:assert/strict';
import { test } from 'vitest';
import { compileHtml } from '../../src/site/compile-html.js';
import { diagnosticsOf, ofForm } from '../support/compiler/diagnostics-of.js';

const start = { line: 1, column: '<!doctype html><body>'.length + 1 };

test('a valid form has no diagnostics in any profile', () => {
  const good =
    '<input type=hidden name=token required><label>N<input name=n required></label><label>A<select name=s><option>x</select></label>' +
    '<fieldset toolparamdescription=F><legend>F</legend><input type=radio name=r value=1><input type=radio name=r></fieldset>' +
    '<button name=do value=1>A</button><button name=do value=2>B</button><output name=o></output><input disabled><input readonly>';
  for (const profile of ['chromium', 'precise', 'portable'] as const)
    assert.deepEqual(diagnosticsOf(good, { profile }), []);
});

test('diagnose reports missing-tool-name for a missing or empty name', () => {
  for (const name of ['', 'toolname=""']) {
    const [diagnostic, ...others] = ofForm(`${name} tooldescription=d`);
    assert.deepEqual([diagnostic?.code, diagnostic?.severity, others], ['missing-tool-name', 'error', []]);
    assert.deepEqual(diagnostic?.location, start);
    assert.ok(!('tool' in diagnostic));
  }
  assert.deepEqual(ofForm('data-toolname=t tooldescription=d'), []);
});

test('diagnose reports invalid-tool-name for invalid characters and for names that are too long', () => {
  for (const name of ['a b', 'é', 'x'.repeat(129), 'a\n']) {
    const [diagnostic, ...others] = ofForm(`toolname="${name}" tooldescription=d`);
    assert.deepEqual([diagnostic?.code, diagnostic?.severity, others], ['invalid-tool-name', 'error', []]);
    assert.deepEqual(diagnostic?.location, start);
  }
  assert.deepEqual(ofForm(`toolname="${'x'.repeat(125)}_-." tooldescription=d`), []);
});

test('diagnose reports missing-tool-description as an error if it is missing and as a warning if it is empty', () => {
  const ofDescription = (text: string): string =>
    ofForm(`toolname=t ${text}`)
      .map((each) => `${each.code} ${each.severity}`)
      .join();
  assert.equal(ofDescription(''), 'missing-tool-description error');
  assert.equal(ofDescription('tooldescription=" "'), 'missing-tool-description warning');
  assert.equal(ofDescription('tooldescription=.'), '');
});

test('the second form with a tool name is reported as duplicate-tool-name with the location of the first', () => {
  const form = '<form toolname=t tooldescription=d><button>Go</button></form>';
  const { diagnostics, tools } = compileHtml(`${form}\n${form}`, { path: 'index.html' });
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location]),
    [['duplicate-tool-name', { line: 2, column: 1 }]],
  );
  assert.match(diagnostics[0]?.message ?? '', /^The form at 1:1 /);
  assert.equal(tools.length, 1);
  assert.deepEqual(compileHtml(`${form}\n${form.replace('=t', '=T')}`, { path: 'index.html' }).diagnostics, []);
});

test('diagnose reports missing-submit-button without an enabled submit button and without toolautosubmit', () => {
  const tool = 'toolname=t tooldescription=d';
  for (const content of ['', '<button type=button>B</button>', '<button disabled>B</button>', '<input type=reset>']) {
    assert.deepEqual(
      ofForm(tool, content).map(({ code, location }) => [code, location]),
      [['missing-submit-button', start]],
    );
  }
  assert.deepEqual(ofForm(`${tool} toolautosubmit`, ''), []);
  assert.deepEqual(ofForm(`${tool} id=f`, '</form><button form=f>B</button>'), []);
  assert.deepEqual(ofForm(tool, '<input type=image alt=x>'), []);
});
