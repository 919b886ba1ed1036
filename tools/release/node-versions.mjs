import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../run.mjs';

/** The versions of Node.js for tests of the packages: the lowest version in `engines`, the newest and the current version. */
export const nodeVersions = [...new Set(['20.19.0', '24.21.0', process.versions.node])];

const folder = join(root, '.cache/node-versions');

const pathOf = (version) =>
  version === process.versions.node ? process.execPath : join(folder, 'node_modules', `node-${version}`, 'bin/node');

/** Installs the versions that are missing, and returns the path of each version. */
export async function installNodeVersions() {
  const missing = nodeVersions.filter((version) => !existsSync(pathOf(version)));
  if (missing.length > 0) await install(missing);
  return Object.fromEntries(nodeVersions.map((version) => [version, pathOf(version)]));
}

async function install(versions) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const aliases = versions.map((version) => `node-${version}@npm:node@${version}`);
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder, ...aliases];
  const code = await run('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const failed = versions.filter((version) => !existsSync(pathOf(version)));
  if (code !== 0 || failed.length > 0)
    throw new Error(`Node.js ${failed.join(', ')} could not be installed from npm. Run the tests with access to npm.`);
}
