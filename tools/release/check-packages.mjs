import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endTogether, fail, run, runNode } from '../run.mjs';

const publint = ['test/node_modules/publint/src/cli.js', '--strict'];
const attw = ['test/node_modules/@arethetypeswrong/cli/dist/index.js', '--profile', 'esm-only', '--format', 'ascii'];

/** Checks tarballs of the packages with publint and Are The Types Wrong. */
const check = (tarballs) =>
  Promise.all(
    tarballs.map(async (tarball) => {
      await runStep(runNode([...publint, tarball]));
      await runStep(runNode([...attw, tarball]));
    }),
  );

/** Packs both packages as they would be published, and checks the tarballs. */
async function checkPackages() {
  const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-packages-'));
  const cleanUp = () => rmSync(folder, { recursive: true, force: true });
  endTogether(cleanUp);
  try {
    await runStep(run('npm', ['pack', '--silent', '--pack-destination', folder, '.', './gateway']));
    await check(readdirSync(folder).map((name) => join(folder, name)));
  } finally {
    cleanUp();
  }
}

async function runStep(running) {
  if ((await running) !== 0) throw new Error('The packages cannot be published. See the problems above.');
}

const tarballs = process.argv.slice(2);
await (tarballs.length > 0 ? check(tarballs) : checkPackages()).catch(fail);
