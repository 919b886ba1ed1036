import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

const rules = { 'import/no-cycle': 'error', 'repository/lazy-cycle': 'error' };
const config = { plugins: ['import'], jsPlugins: [fromRoot('tools/lint-plugin.mjs')], rules };

/** The files of a temporary folder that close a cycle, with the rules that report it. */
function lint(files: Readonly<Record<string, string>>): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), 'import-cycle-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    writeFileSync(join(cwd, '.oxlintrc.json'), JSON.stringify(config));
    const args = [fromRoot('test/node_modules/oxlint/bin/oxlint'), '--format=json'];
    const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as Report;
    return diagnostics.map(({ code, filename }) => `${filename}: ${code}`).sort();
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

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
