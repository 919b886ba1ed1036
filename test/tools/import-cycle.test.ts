import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runLint } from '../support/run-lint.js';

/** The files that close a cycle, with the rules that report it. */
const lint = (files: Readonly<Record<string, string>>): readonly string[] =>
  runLint(files, { 'import/no-cycle': 'error', 'repository/lazy-cycle': 'error' })
    .map(({ code, filename }) => `${filename}: ${code}`)
    .sort();

test('the lint rules report a cycle of three files', () => {
  const reports = lint({
    'a.ts': "import { b } from './b.js';\nexport const a = b;\n",
    'b.ts': "export * from './c.js';\n",
    'c.ts': "import { a } from './a.js';\nexport const b = a;\n",
  });
  assert.deepEqual(
    reports,
    ['a', 'b', 'c'].map((name) => `${name}.ts: import(no-cycle)`),
  );
});

test('the lint rules report a cycle that an import() closes', () => {
  const reports = lint({
    'a.ts': "export const load = () => import('./b.js');\nexport const a = 1;\n",
    'b.ts': "import { c } from './c.js';\nexport const b = c;\n",
    'c.ts': "export { a as c } from './a.js';\n",
  });
  assert.deepEqual(reports, ['a.ts: repository(lazy-cycle)']);
});

test('the lint rules accept types that two files import from each other', () => {
  const reports = lint({
    'a.ts':
      "import { b } from './b.js';\nexport type A = string;\nexport const load = () => import('./c.js');\nexport const a = b;\n",
    'b.ts': "import type { A } from './a.js';\nexport const b = '' as A;\n",
    'c.ts': "export type { A } from './a.js';\nexport type Load = (typeof import('./a.js'))['load'];\n",
  });
  assert.deepEqual(reports, []);
});
