import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { compileHtml } from '../../src/site/compile-html.js';
import { mayContainTools } from '../../src/site/pages/undecoded-page.js';
import { profileNames } from '../../src/compiler/index.js';
import { toolForm } from '../support/cli/running.js';

const codesOf = (html: string): readonly string[] =>
  compileHtml(html, { path: 'p' }).diagnostics.map(({ code }) => code);
const namesOf = (html: string): readonly string[] => compileHtml(html, { path: 'p' }).tools.map(({ name }) => name);

describe('compileHtml', () => {
  it('returns the tools in document order, with the locations of their forms', () => {
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

  it('accepts annotations with and without data-, in any case', () => {
    assert.deepEqual(namesOf('<form data-toolname=a tooldescription=b><button></button></form>'), ['a']);
    assert.deepEqual(namesOf('<FORM TOOLNAME=a Data-ToolDescription=b><button></button></FORM>'), ['a']);
  });

  it('returns a title only if it is not empty', () => {
    const [titled, plain] = compileHtml(
      '<form toolname=a tooltitle=T tooldescription=d></form><form toolname=b tooltitle="" tooldescription=d></form>',
      { path: 'p' },
    ).tools;
    assert.equal(titled?.title, 'T');
    assert.ok(plain && !('title' in plain));
  });

  it('returns a diagnostic instead of a tool if the name is invalid or the description is missing', () => {
    for (const name of ['', 'a b', 'é', 'x'.repeat(129), 'a/b']) {
      const html = `<form toolname="${name}" tooldescription=d><button>Go</button></form>`;
      assert.deepEqual(namesOf(html), [], name);
      assert.match(codesOf(html).join(), /^(?:missing|invalid)-tool-name$/, name);
    }
    assert.deepEqual(namesOf('<form toolname=a><button>Go</button></form>'), []);
    assert.deepEqual(codesOf('<form toolname=a><button>Go</button></form>'), ['missing-tool-description']);
    assert.deepEqual(namesOf(toolForm('x'.repeat(128))), ['x'.repeat(128)]);
  });

  it('returns a tool for a form with an empty description, in every profile', () => {
    for (const profile of profileNames) {
      const html = '<form toolname=a tooldescription=" "><button>Go</button></form>';
      const { tools, diagnostics } = compileHtml(html, { path: 'p', profile });
      assert.deepEqual([tools.length, diagnostics[0]?.code], [1, 'missing-tool-description'], profile);
    }
  });

  it('ignores forms without annotations', () => {
    const html = `<p>toolname</p><form tooltitle=t><input required><input pattern="("></form>`;
    assert.deepEqual(compileHtml(html, { path: 'p' }), { path: 'p', tools: [], diagnostics: [] });
  });

  it('returns only the first tool of a name, and reports its location for the others', () => {
    const { tools, diagnostics } = compileHtml(
      `${toolForm('a')}\n${toolForm('a')}\n<form toolname=a></form>\n${toolForm('A')}`,
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
        message: 'The form at 1:1 has the same name, so this one is not a tool. Rename one of them.',
        tool: 'a',
        location: { line: 2, column: 1 },
      },
    ]);
  });

  const tip = (to: string, token = 'a1') =>
    `<form toolname=tip tooldescription=d action=/tip><input type=hidden name=to value=${to}>` +
    `<input type=hidden name=csrf_token value=${token}><button>Tip</button></form>`;

  it('compiles none of several different forms of a name, and reports both places at each', () => {
    const { tools, diagnostics } = compileHtml(`${tip('mallory')}\n${tip('site')}\n${tip('site')}`, { path: 'p' });
    assert.deepEqual(tools, []);
    const message = (place: string) =>
      `The form at ${place} has the same name and is different, so neither is a tool. Rename one of them, or exclude the content of visitors with data-webmcp-ignore.`;
    const found = diagnostics.filter(({ code }) => code === 'duplicate-tool-name');
    assert.deepEqual(
      found.map((each) => [each.location?.line, each.severity, each.message]),
      [
        [1, 'error', message('2:1')],
        [2, 'error', message('1:1')],
        [3, 'error', message('1:1')],
      ],
    );
  });

  for (const [what, other] of [
    ['its action', tip('site').replace('/tip', 'https://evil.example')],
    ['its description', tip('site').replace('=d', '=e')],
    ['a text', tip('site').replace('Tip<', 'Ok<')],
    ['another control', tip('site').replace('<button', '<input name=more><button')],
    ['toolautosubmit', tip('site').replace('=d', '=d toolautosubmit')],
  ] as const)
    it(`compiles neither of two forms of a name that differ in ${what}`, () => {
      assert.deepEqual(namesOf(tip('site') + other), []);
    });

  it('compiles the first of two forms of a name that differ in their CSRF tokens', () => {
    assert.deepEqual(namesOf(tip('site') + tip('site', 'b2')), ['tip']);
  });

  it('compiles controls outside of their form, and reports the first of them', () => {
    const own =
      '<form id=own toolname=pay tooldescription=d><input name=sum form=own aria-label=Sum><button>Pay</button></form>';
    const outside = '<input form=own type=hidden name=to value=mallory><button form=own formaction=/stolen>Ok</button>';
    const { tools, diagnostics } = compileHtml(`${own}\n${outside}`, { path: 'p' });
    assert.equal(tools[0]?.form?.controls.length, 4);
    assert.deepEqual(diagnostics, [
      {
        code: 'control-outside-form',
        severity: 'warning',
        message:
          'The control "to" is outside the element of its form. Its attribute form connects it, and content of visitors can have this attribute too. Move it into the form, or exclude the content of visitors with data-webmcp-ignore.',
        tool: 'pay',
        parameter: 'to',
        location: { line: 2, column: 1 },
      },
    ]);
    assert.deepEqual(compileHtml(`${own}<div data-webmcp-ignore>${outside}</div>`, { path: 'p' }).diagnostics, []);
  });

  it('finds forms in declarative shadow roots', () => {
    assert.deepEqual(namesOf(`<div><template shadowrootmode=open>${toolForm('inside')}</template></div>`), ['inside']);
    assert.deepEqual(namesOf(`<template>${toolForm('inert')}</template>`), []);
  });

  it('compiles tools and controls with the names of object members', () => {
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

  it('returns the submission of a form, without the annotations', () => {
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

  it('returns the encoding of a page that is not UTF-8', () => {
    const form = '<form toolname=a tooldescription=d></form>';
    const encodingOf = (head: string, encoding?: string): string | undefined =>
      compileHtml(head + form, { path: 'p', ...(encoding && { encoding }) }).tools[0]?.form?.encoding;
    assert.equal(encodingOf('<meta charset=windows-1252>'), 'windows-1252');
    assert.equal(
      encodingOf('<meta http-equiv=Content-Type content="text/html; charset=Shift_JIS"><meta charset=x>'),
      'Shift_JIS',
    );
    assert.equal(encodingOf('', 'koi8-r'), 'koi8-r');
    assert.equal(encodingOf('<meta charset=utf-8>', 'koi8-r'), 'koi8-r');
    for (const head of [
      '',
      '<meta charset="UTF-8">',
      '<meta charset=utf8>',
      '<meta charset=utf-16>',
      '<body><meta charset=koi8-r>',
    ])
      assert.equal(encodingOf(head), undefined, head);
  });

  it('reads the title of a page with tools, or its first heading', () => {
    const titleOf = (html: string): string | undefined => compileHtml(html, { path: 'p' }).title;
    const form = '<form toolname=a tooldescription=d></form>';
    assert.equal(titleOf(`<title>${'x'.repeat(199)}😀</title>${form}`), 'x'.repeat(199));
    assert.equal(titleOf(`<title> Dune \n &amp; more</title><h1>x</h1>${form}`), 'Dune & more');
    assert.equal(
      titleOf(`<title> </title><svg><title>s</title></svg>${form}<h1></h1><h1>The <b>book</b></h1>`),
      'The book',
    );
    assert.equal(titleOf(`<p>${form}`), undefined);
    assert.equal(titleOf('<title>x</title><form></form>'), undefined);
    assert.equal(titleOf(`<title>${'x'.repeat(300)}</title>${form}`)?.length, 200);
  });
});

describe('mayContainTools', () => {
  it('returns whether a page contains the name of an annotation', () => {
    for (const html of ['<form toolName=a>', '<FORM DATA-TOOLDESCRIPTION>', 'toolname'])
      assert.ok(mayContainTools(html));
    for (const html of ['', '<form>', 'tool name', 'tooldesc', 'tooltitle']) assert.ok(!mayContainTools(html), html);
  });
});
