import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, run } from '../run.mjs';

/**
 * Sets the version of both packages, of the dependencies on webmcp-forms, and of the gateway's distributions, and adds
 * the version to the changelog.
 */
async function setVersion(version) {
  if (!/^\d+\.\d+\.\d+/.test(version ?? '')) throw new Error('Usage: node tools/release/set-version.mjs VERSION');
  edit('package.json', (text) => text.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`));
  edit('gateway/package.json', (text) =>
    text
      .replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`)
      .replace(/^( {4}"webmcp-forms": )"[^"]*"/m, `$1"${version}"`),
  );
  edit('docs/starter/package.json', (text) => text.replace(/("webmcp-forms": )"[^"]*"/, `$1"^${version}"`));
  const everywhere = (text) => text.replace(/"version": "[^"]*"/g, `"version": "${version}"`);
  for (const file of ['server.json', 'manifest.json']) edit(`gateway/distribution/${file}`, everywhere);
  edit('gateway/distribution/Dockerfile', (text) => text.replace(/webmcp-gateway@\S+/, `webmcp-gateway@${version}`));
  const day = new Date().toISOString().slice(0, 10);
  edit('CHANGELOG.md', (text) => text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`));
  const code = await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) throw new Error('package-lock.json could not be updated. See the errors above.');
}

function edit(file, change) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${file} has no version to replace, or has this version already.`);
  writeFileSync(path, changed);
}

await setVersion(process.argv[2]).catch(fail);
