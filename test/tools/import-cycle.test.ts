import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import cycles from '../../tools/eslint-import-cycle.mjs';

/** The messages of the rule for files in a temporary folder. */
async function lint(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'import-cycle-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const eslint = new ESLint({
      cwd,
      overrideConfigFile: true,
      overrideConfig: {
        files: ['*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { local: cycles },
        rules: { 'local/import-cycle': 'error' },
      },
    });
    const results = await eslint.lintFiles(['*.ts']);
    return results.flatMap(({ messages }) => messages.map(({ message }) => message));
  } finally {
    await rm(cwd, { recursive: true });
  }
}

test('the lint rule reports a cycle of three files that one type-only import closes', async () => {
  const messages = await lint({
    'a.ts': "import { b } from './b.js';\nexport type A = typeof b;\n",
    'b.ts': "import { c } from './c.js';\nexport const b = c;\n",
    'c.ts': "import type { A } from './a.js';\nexport const c: A | undefined = undefined;\n",
  });
  assert.deepEqual(messages, [
    'This import closes a cycle: a.ts -> b.ts -> c.ts -> a.ts.',
    'This import closes a cycle: b.ts -> c.ts -> a.ts -> b.ts.',
    'This import closes a cycle: c.ts -> a.ts -> b.ts -> c.ts.',
  ]);
});

test('the lint rule accepts imports that only go down', async () => {
  const messages = await lint({
    'a.ts': "import { b } from './b.js';\nimport { c } from './c.js';\nexport const a = [b, c];\n",
    'b.ts': "import { c } from './c.js';\nexport const b = c;\n",
    'c.ts': 'export const c = 1;\n',
  });
  assert.deepEqual(messages, []);
});
