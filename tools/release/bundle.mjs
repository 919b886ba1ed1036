import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fail, readOptions, root, run, runNode } from '../run.mjs';

const usage = 'npm run bundle [-- --out FILE]';
const mcpb = 'test/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js';

async function succeed(code, problem) {
  if ((await code) !== 0) throw new Error(`${problem}. See the errors above.`);
}

/** Installs the packed packages and their dependencies beside the manifest of the bundle, and packs the folder. */
async function bundle(out) {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const packages = join(folder, 'packages');
    const bundled = join(folder, 'bundle');
    for (const each of [packages, bundled, dirname(out)]) mkdirSync(each, { recursive: true });
    const packed = ['pack', '--silent', '--pack-destination', packages, '.', './gateway'];
    await succeed(run('npm', packed), 'The packages could not be packed');
    const tarballs = ['webmcp-forms', 'webmcp-gateway'].map((name) => join(packages, `${name}-${versionOf()}.tgz`));
    const flags = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const install = ['install', '--prefix', bundled, '--no-save', ...flags, ...tarballs];
    await succeed(run('npm', install), 'The packages could not be installed');
    cpSync(join(root, 'gateway/distribution/manifest.json'), join(bundled, 'manifest.json'));
    await succeed(runNode([mcpb, 'pack', bundled, out]), 'The bundle could not be packed');
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const versionOf = () => JSON.parse(readFileSync(join(root, 'gateway/package.json'), 'utf8')).version;

async function main() {
  const { out = 'webmcp-gateway.mcpb' } = readOptions({ out: { type: 'string' } }, usage);
  await bundle(resolve(out));
}

await main().catch(fail);
