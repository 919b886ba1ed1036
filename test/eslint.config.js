import { join } from 'node:path';
import { defineConfig } from 'eslint/config';
import { importX, createNodeResolver } from 'eslint-plugin-import-x';
import { configs as lit } from 'eslint-plugin-lit';
import { configs as webComponents } from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';
import cycles from '../tools/eslint-import-cycle.mjs';

// The paths are relative to the root. The file is here because the packages that it imports are those of test/package.json.
const root = join(import.meta.dirname, '..');

const pure = ['src/json.ts', 'src/json-schema.ts', 'src/tool-name.ts', 'src/visible-text.ts'];
const floor0 = [...pure, 'src/webmcp.ts', 'src/platform'];
const compiler = [...pure, 'src/compiler'];
const page = [...floor0, 'src/compiler'];

/** A zone: the files of this checkout that `target` may import. */
const zone = (target, ...allowed) => ({
  target,
  from: '.',
  except: ['node_modules', ...allowed],
  message: `${target} imports only: ${allowed.join(', ')}.`,
});

const lower = ['src/compiler', 'src/parse5', ...floor0];
const site = [...lower, 'src/site'];

const floors = [
  ...floor0.map((file) => zone(file, ...floor0)),
  zone('src/compiler', ...compiler),
  zone('src/browser', ...page, 'src/browser'),
  zone('src/polyfill', ...floor0, 'src/polyfill'),
  zone('src/parse5', ...compiler, 'src/parse5'),
  zone('src/webtool-client', ...pure, 'src/webtool-client'),
  zone('src/site', ...site),
  ...['lint', 'types', 'diff', 'inspect'].map((room) => zone(`src/${room}`, ...site, `src/${room}`)),
  zone('src/annotate', ...site, 'src/lint', 'src/annotate'),
  zone('src/vite', ...site, 'src/lint', 'src/types', 'src/vite'),
  zone('src/cli', ...site, 'src/lint', 'src/types', 'src/diff', 'src/inspect', 'src/annotate', 'src/cli'),
  zone('src/index.ts', ...page, 'src/browser'),
  zone('src/{start,agent,agent-part}.ts', ...page, 'src/start.ts', 'src/agent-part.ts', 'src/browser', 'src/polyfill'),
  zone('src/auto.ts', 'src/start.ts', 'src/agent.ts', 'src/webmcp.ts'),
  zone('src/script', 'src/platform', 'src/browser/calls.ts', 'src/start.ts', 'src/agent-part.ts', 'src/script'),
  zone('src/headless.ts', ...lower, 'src/site/pages', 'src/site/tools', 'src/webtool-client'),
  zone('src/build.ts', ...site, 'src/lint', 'src/types', 'src/diff'),
  zone(
    'elements',
    ...pure,
    'src/index.ts',
    'src/compiler/index.ts',
    'src/compiler/json-error.ts',
    'src/compiler/tool-element',
    'src/browser/dom/control-state.ts',
    'src/webtool-client',
    'elements',
  ),
  zone('gateway', 'dist', 'gateway'),
  zone('demo', 'src/index.ts', 'dist', 'gateway/dist', 'demo'),
];

const noImport = (regex, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
});

const nodeTestCalls = {
  from: 'package',
  package: 'node:test',
  name: ['describe', 'it', 'only', 'skip', 'suite', 'test', 'todo'],
};
// Its type is a promise by mistake.
const chaiEqual = { from: 'package', package: '@open-wc/semantic-dom-diff', name: 'Equal' };

export default defineConfig(
  {
    ignores: [
      'dist',
      'gateway/dist',
      'demo-dist',
      'docs-dist',
      'docs/generated',
      'docs/.vitepress/.temp',
      'coverage',
      '.cache',
      'shots',
      'test/fixtures',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } } },
  {
    plugins: { 'import-x': importX, local: cycles },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } }),
      ],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: root, zones: floors }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
    },
  },
  {
    files: ['src/**', 'gateway/src/**', 'elements/**'],
    rules: {
      'local/import-cycle': 'error',
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/*.ts', 'src/platform/**', 'src/compiler/**', 'src/browser/**'],
    ignores: ['src/moved-gateway.ts'],
    rules: noImport('^[^.]', 'The rooms that run in a page import no package and no node: module.'),
  },
  {
    files: ['src/polyfill/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^[^.]', allowTypeImports: true, message: 'Load packages with import() when they are needed.' },
          ],
        },
      ],
    },
  },
  {
    // Declaration merging needs the name and type parameter of React's interface.
    files: ['elements/jsx.ts'],
    rules: {
      '@typescript-eslint/no-namespace': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  { files: ['elements/**'], ...lit['flat/recommended'] },
  { files: ['elements/**'], ...webComponents['flat/best-practice'] },
  {
    files: ['elements/**'],
    rules: noImport(
      '/webtool-client/',
      'Load the webtool client with import(), so that pages load it only when it is used.',
    ),
  },
  {
    files: ['gateway/src/**'],
    ignores: ['gateway/src/{node,cli}/**'],
    rules: noImport(
      '^node:|^undici$|^pino$|^ioredis$|/node/',
      'This code runs wherever fetch exists. Move it to gateway/src/node.',
    ),
  },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [nodeTestCalls, chaiEqual] }],
    },
  },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['*.js', '*.mjs', 'tools/**'],
    languageOptions: {
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, false])),
    },
    rules: { 'no-undef': 'error' },
  },
);
