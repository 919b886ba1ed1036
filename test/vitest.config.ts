import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { nodeReporter } from '../tools/node-reporter.mjs';

const inBrowsers = 'test/{browser,native,polyfill,elements}/**';
const conditions = ['@webmcp-forms/source', 'module', 'node', 'development|production'];

const globalSetup = 'test/support/build-sources.ts';

const project = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...test },
});

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: '.cache/vitest',
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'forks',
    maxWorkers: '100%',
    execArgv: ['--conditions=@webmcp-forms/source'],
    isolate: false, // modules are loaded once per worker
    setupFiles: ['test/support/environment.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    slowTestThreshold: 10_000,
    disableConsoleIntercept: true,
    reporters: ['default', nodeReporter(process.env['NODE_COUNTS'])],
    // test:quick excludes them.
    tags: [
      { name: 'long', description: 'Takes more than half a second.' },
      { name: 'built', description: 'Needs dist/.' },
    ],
    experimental: { fsModuleCachePath: '.cache/vitest-modules' },
    projects: [
      project('node', {
        globalSetup,
        include: ['test/**/*.test.ts'],
        exclude: [...configDefaults.exclude, inBrowsers, 'test/{e2e,apps}/**', '**/*.process.test.ts'],
      }),
      project('process', { globalSetup, include: ['test/**/*.process.test.ts'] }),
      project('e2e', { include: ['test/e2e/**/*.test.ts'], isolate: true }),
      project('apps', { include: ['test/apps/**/*.test.ts'], isolate: true }),
    ],
  },
});
