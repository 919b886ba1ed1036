import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** The scripts of tests of the gateway. */
const scripts = ['contender', 'counting', 'mcp-stdio', 'page-reader', 'release', 'session'];

/** The sources of programs, worker threads and scripts, by the paths of their bundles in the folder. */
const entryPoints = {
  'cli/bin': 'src/cli/bin.ts',
  'site/workers/worker': 'src/site/workers/worker.ts',
  'lint/worker': 'src/lint/lint-task.ts',
  'annotate/worker': 'src/annotate/worker.ts',
  'gateway/bin': 'gateway/src/cli/bin.ts',
  'node/pages/page-worker': 'gateway/src/node/pages/page-worker.ts',
  ...Object.fromEntries(scripts.map((name) => [`scripts/${name}`, `test/support/gateway/${name}-process.ts`])),
};

const externalPackages: Plugin = {
  name: 'external-packages',
  setup(plugin) {
    plugin.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('webmcp-forms/') ? undefined : { path, external: true },
    );
  },
};

/**
 * Bundles the sources that processes and threads of tests run, and sets the environment variable `BUILT_SOURCES` to their
 * folder. They would take a second longer to start with a loader for TypeScript.
 */
export default async function buildSources(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['BUILT_SOURCES']) return undefined; // another project has built them
  const folder = resolve(root, `.cache/sources-${process.pid}`);
  process.env['BUILT_SOURCES'] = `${folder}/dist`; // the programs find their worker threads below `dist`
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: `${folder}/dist`,
    chunkNames: 'node-chunks/[name]-[hash]',
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    conditions: ['@webmcp-forms/source'],
    plugins: [externalPackages],
  });
  return () => rm(folder, { recursive: true, force: true });
}
