import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@webmcp-forms/source', 'module', 'node', 'development|production'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: '.cache/vitest',
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{browser,native,polyfill,elements,e2e,apps}/**'],
    pool: 'forks',
    isolate: false,
    execArgv: ['--conditions=@webmcp-forms/source', '--import', 'tsx'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
  },
});
