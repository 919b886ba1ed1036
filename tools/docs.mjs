import { generateDocs } from './generate-docs.mjs';
import { installPackages } from './install.mjs';
import { endTogether, fail, readOptions, runNode } from './run.mjs';

const usage = 'npm run docs [-- --check]';

/** Builds the documentation site in docs-dist/. With --check, fails if a committed page is out of date. */
async function buildDocs() {
  const { check } = readOptions({ check: { type: 'boolean', default: false } }, usage);
  endTogether();
  await installPackages();
  await generateDocs({ check });
  const code = await runNode(['node_modules/vitepress/bin/vitepress.js', 'build', 'docs']);
  if (code !== 0) throw new Error('The documentation could not be built. See the errors above.');
}

await buildDocs().catch(fail);
