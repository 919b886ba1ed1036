import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileHtml, mayHoldTools } from '../../src/site/compile-html.js';
import { profileNames } from '../../src/compiler/index.js';
import { toolForm } from '../cli/running.js';

const codesOf = (html: string): readonly string[] =>
  compileHtml(html, { path: 'p' }).diagnostics.map(({ code }) => code);
const namesOf = (html: string): readonly string[] => compileHtml(html, { path: 'p' }).tools.map(({ name }) => name);

describe('compileHtml', () => {
  it('gives the tools in document order, each with the place of its form', () => {
    const { path, tools } = compileHtml(`${toolForm('z')}\n  ${toolForm('a')}`, { path: 'x/index.html' });
    assert.equal(path, 'x/index.html');
    assert.deepEqual(
      tools.map(({ name, source }) => [name, source.line, source.column]),
      [
        ['z', 1, 1],
        ['a', 2, 3],
      ],
    );
  });

  it('knows both spellings of the annotations, in any case', () => {
    assert.deepEqual(namesOf('<form data-toolname=a tooldescription=b><button></button></form>'), ['a']);
    assert.deepEqual(namesOf('<FORM TOOLNAME=a Data-ToolDescription=b><button></button></FORM>'), ['a']);
  });

  it('gives the title only where there is one', () => {
    const [titled, plain] = compileHtml(
      '<form toolname=a tooltitle=T tooldescription=d></form><form toolname=b tooltitle="" tooldescription=d></form>',
      { path: 'p' },
    ).tools;
    assert.equal(titled?.title, 'T');
    assert.ok(plain && !('title' in plain));
  });

  it('takes a form without a proper name or without a description for no tool, and says so', () => {
    for (const name of ['', 'a b', 'é', 'x'.repeat(129), 'a/b']) {
      const html = `<form toolname="${name}" tooldescription=d><button>Go</button></form>`;
      assert.deepEqual(namesOf(html), [], name);
      assert.match(codesOf(html).join(), /^(?:missing|invalid)-tool-name$/, name);
    }
    assert.deepEqual(namesOf('<form toolname=a><button>Go</button></form>'), []);
    assert.deepEqual(codesOf('<form toolname=a><button>Go</button></form>'), ['missing-tool-description']);
    assert.deepEqual(namesOf(toolForm('x'.repeat(128))), ['x'.repeat(128)]);
  });

  it('takes a form with an empty description for a tool in every profile', () => {
    for (const profile of profileNames) {
      const html = '<form toolname=a tooldescription=" "><button>Go</button></form>';
      const { tools, diagnostics } = compileHtml(html, { path: 'p', profile });
      assert.deepEqual([tools.length, diagnostics[0]?.code], [1, 'missing-tool-description'], profile);
    }
  });

  it('says nothing of forms without annotations', () => {
    const html = `<p>toolname</p><form tooltitle=t><input required><input pattern="("></form>`;
    assert.deepEqual(compileHtml(html, { path: 'p' }), { path: 'p', tools: [], diagnostics: [] });
  });

  it('lets the first form of a name be its tool, and tells the later ones where that is', () => {
    const { tools, diagnostics } = compileHtml(
      `${toolForm('a')}\n${toolForm('a', '')}\n<form toolname=a></form>\n${toolForm('A')}`,
      { path: 'p' },
    );
    assert.deepEqual(
      tools.map(({ name, source }) => `${name}:${source.line}`),
      ['a:1', 'A:4'],
    );
    const duplicates = diagnostics.filter(({ code }) => code === 'duplicate-tool-name');
    assert.deepEqual(duplicates, [
      {
        code: 'duplicate-tool-name',
        severity: 'error',
        message: 'The form at 1:1 is the tool of this name, so this one is none: rename one of them.',
        tool: 'a',
        location: { line: 2, column: 1 },
      },
    ]);
  });

  it('finds forms in declarative shadow roots', () => {
    assert.deepEqual(namesOf(`<div><template shadowrootmode=open>${toolForm('inside')}</template></div>`), ['inside']);
    assert.deepEqual(namesOf(`<template>${toolForm('inert')}</template>`), []);
  });

  it('is not confused by names that objects have', () => {
    const names = ['__proto__', 'constructor', 'elements', 'toString', 'hasOwnProperty', 'length', 'submit'];
    const controls = names.map((name) => `<label>${name} <input name="${name}"></label>`).join('');
    const html = names.map((name) => toolForm(name, controls)).join('');
    for (const profile of profileNames) {
      const { tools, diagnostics } = compileHtml(html, { path: '__proto__', profile });
      assert.deepEqual(diagnostics, [], profile);
      assert.deepEqual(
        tools.map(({ name }) => name),
        names,
      );
      for (const { inputSchema, form } of tools) {
        const parameters = Object.keys(inputSchema.properties ?? {});
        assert.equal(parameters.length, names.length, profile);
        if (profile !== 'portable') assert.deepEqual(parameters.sort(), [...names].sort());
        assert.equal(form?.controls.length, names.length + 1);
      }
    }
  });

  it('gives a form as it is submitted, without what the tool says', () => {
    const html =
      '<base href="/b/"><form toolname=a tooldescription=d toolautosubmit method=POST action="x?y" ' +
      'enctype="multipart/form-data" accept-charset=utf-8 target=_top novalidate><input name=q value=v></form>';
    const { controls, ...form } = compileHtml(html, { path: 'p' }).tools[0]!.form!;
    assert.deepEqual(form, {
      autosubmit: true,
      method: 'post',
      action: 'x?y',
      enctype: 'multipart/form-data',
      acceptCharset: 'utf-8',
      target: '_top',
      noValidate: true,
      base: '/b/',
      groups: [],
    });
    assert.deepEqual(controls[0]?.attributes, { value: 'v' });
  });
});

describe('mayHoldTools', () => {
  it('is false only for text without the name of an annotation', () => {
    for (const html of ['<form toolName=a>', '<FORM DATA-TOOLDESCRIPTION>', 'toolname']) assert.ok(mayHoldTools(html));
    for (const html of ['', '<form>', 'tool name', 'tooldesc', 'tooltitle']) assert.ok(!mayHoldTools(html), html);
  });
});
