import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface LintReport {
  readonly code: string;
  readonly filename: string;
  readonly message: string;
}

/** The reports about the files of a temporary folder, with some rules of oxlint and of this repository. */
export function runLint(
  files: Readonly<Record<string, string>>,
  rules: Readonly<Record<string, unknown>>,
): readonly LintReport[] {
  const cwd = mkdtempSync(join(tmpdir(), 'lint-'));
  const config = { plugins: ['import'], jsPlugins: [fromRoot('tools/lint-plugin.mjs')], rules };
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    writeFileSync(join(cwd, '.oxlintrc.json'), JSON.stringify(config));
    const args = [fromRoot('test/node_modules/oxlint/bin/oxlint'), '--format=json'];
    const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    return (JSON.parse(stdout) as { readonly diagnostics: readonly LintReport[] }).diagnostics;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
