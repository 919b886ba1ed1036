import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { makeFolder, runInProcess } from '../support/cli/running.js';

const form = (attributes: string, content: string): string =>
  `<form ${attributes}>\n${content}\n<button>Find</button></form>`;
const annotated = 'toolname="find_books" tooldescription="Finds books by words of the title."';
const label = (input: string): string => `<label>Title <input ${input} /></label>`;
const react = (jsx: string): string =>
  `import { useState } from 'react';\nexport function Find({ text }: { text: string }) {\n  return (<>\n${jsx}\n</>);\n}\n`;
const vue = (html: string): string =>
  `<script setup lang="ts">\nconst title = ref('');\n</script>\n<template>\n${html}\n</template>\n`;

/** The findings of files as `FILE:LINE CODE MESSAGE`. */
async function findingsOf(files: Readonly<Record<string, string>>, ...flags: string[]) {
  const cwd = await makeFolder(files);
  const { stdout, stderr, code } = await runInProcess(['lint', '.', ...flags], { cwd });
  const findings = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/^(.*?:\d+):\d+ \w+/, '$1'));
  return { findings, stderr, code };
}

describe('lint of components', () => {
  it('lint reads folders of TSX, JSX and Vue, and counts the files', async () => {
    const { code, findings, stderr } = await findingsOf({
      'a.tsx': react(form(annotated, label('name="title"'))),
      'b.jsx': 'export const B = () => <p>No form</p>;',
      'sub/c.vue': vue(form('action="/find"', label('name="title"'))),
      'node_modules/x/d.tsx': 'not code',
    });
    assert.deepEqual([code, findings], [0, []]);
    assert.match(
      stderr,
      /^webmcp-forms: 3 component files, 1 tool, 1 form without annotations, 0 errors, 0 warnings, 0 info\n$/,
    );
  });

  for (const [kind, file, text] of [
    ['React', 'a.tsx', react(form(annotated, label('value={title} onChange={() => {}}')))],
    ['Vue', 'a.vue', vue(form(annotated, label('v-model="title"')))],
  ] as const)
    it(`lint reports the controls of a ${kind} form that have no name, on the line of the form`, async () => {
      const { findings } = await findingsOf({ [file]: text });
      assert.deepEqual(findings, [
        `${file}:${kind === 'React' ? 4 : 5} missing-parameter-name The control "Title" has no name, so it is not a parameter, and the tool has none. Add a name to it, also if a script reads the value. (tool find_books)`,
      ]);
    });

  it('lint does not report controls whose name is computed, or parts that a component may add to a form', async () => {
    const controls = [label('{...register("title")}'), label('name={text}'), '<input type="hidden" name="a" />'];
    const { findings } = await findingsOf({
      'a.tsx': react(`<form ${annotated}>${controls.join('')}<Button /></form>`),
      'b.vue': vue(`<form ${annotated.replace('books', 'films')}>${label('v-bind:name="title"')}<Button /></form>`),
    });
    assert.deepEqual(findings, []);
  });

  it('lint reports the forms of components that it cannot read, with the reason', async () => {
    const { code, findings } = await findingsOf({
      'a.tsx': react(form('toolname="find_books" tooldescription={text}', label('name="title"'))),
      'b.tsx': react('<Form method="post"><input name="title" /></Form>'),
      'c.tsx': react(`<Dialog footer={${form('action="/a"', label('name="title"'))}} />`),
      'd.tsx': 'const a: = <form>',
      'e.vue': '<template lang="pug">\nform(action="/a")\n  input(name="a")\n<form>\n</template>',
    });
    assert.equal(code, 0);
    assert.deepEqual(
      findings.map((line) => line.replace(/(?<=unreadable-form .{24}).*/, '')),
      [
        'a.tsx:4 unreadable-form The toolname or the tool',
        'b.tsx:4 unreadable-form The form is written by t',
        'd.tsx:1 unreadable-form The file cannot be parse',
        'e.vue:1 unreadable-form The file cannot be parse',
      ],
    );
  });

  it('lint checks the annotations of components, and comments in a template disable findings', async () => {
    const invalid = form(
      'toolname="find books" tooldescription="Finds books by words of the title."',
      label('name="title"'),
    );
    const { findings } = await findingsOf({
      'a.tsx': react(`{text && (\n${invalid})}`),
      'b.vue': vue(`<!-- webmcp-forms-disable-next-line invalid-tool-name -->\n${invalid}`),
    });
    assert.deepEqual(
      findings.map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['a.tsx:5 invalid-tool-name'],
    );
  });

  it('lint suggests tools for the forms of components with form-without-tool, and does not fix components', async () => {
    const files = { 'a.tsx': react(form(`toolname=" find " ${annotated.slice(22)}`, label('name="title"'))) };
    const cwd = await makeFolder({ ...files, 'b.vue': vue(form('', label('name="title"'))) });
    const { stdout } = await runInProcess(['lint', '--fix', '--rule', 'form-without-tool:info', '.'], { cwd });
    assert.match(stdout, /^b\.vue:5:1 info form-without-tool .*toolname="search_site"/m);
    assert.equal(readFileSync(`${cwd}/a.tsx`, 'utf8'), files['a.tsx']);
  });

  it('a component and the page that it renders are not compared', async () => {
    const other = form(annotated, `${label('name="title"')}<input name="page" type="number" aria-label="Page" />`);
    const { findings } = await findingsOf({ 'a.tsx': react(form(annotated, label('name="title"'))), 'a.html': other });
    assert.deepEqual(findings, []);
  });

  it('unreadable-form is reported for the incorrect example of its documentation, and not for the correct one', async () => {
    const text = readFileSync(new URL('../../docs/rules/unreadable-form.md', import.meta.url), 'utf8');
    const [incorrect = '', correct = ''] = [...text.matchAll(/```vue\n([^]*?)```/g)].map(([, code = '']) => code);
    const { findings } = await findingsOf({ 'correct.vue': correct, 'incorrect.vue': incorrect });
    assert.match(findings.join('\n'), /^incorrect\.vue:2 unreadable-form [^\n]*$/);
  });
});
