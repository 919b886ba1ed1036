import { defineConfig } from 'eslint/config';
import { importX, createNodeResolver } from 'eslint-plugin-import-x';
import { configs as lit } from 'eslint-plugin-lit';
import { configs as webComponents } from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

const floor0 = ['src/json.ts', 'src/json-schema.ts', 'src/webmcp.ts', 'src/platform'];
const compiler = ['src/json.ts', 'src/json-schema.ts', 'src/compiler'];
const page = [...floor0, 'src/compiler'];

/** A zone: what `target` may import from this checkout. Everything else in it is above, or beside, its floor. */
const zone = (target, ...allowed) => ({
  target,
  from: '.',
  except: ['node_modules', ...allowed],
  message: `${target} imports only: ${allowed.join(', ')}.`,
});

const floors = [
  ...floor0.map((file) => zone(file, ...floor0)),
  zone('src/compiler', ...compiler),
  zone('src/browser', ...page, 'src/browser'),
  zone('src/polyfill', ...floor0, 'src/polyfill'),
  zone('src/html', ...compiler, 'src/html'),
  zone('src/gateway', ...compiler, 'src/html', 'src/gateway'),
  zone(
    'src/gateway/{client.ts,client/**}',
    'src/json.ts',
    'src/json-schema.ts',
    'src/gateway/client',
    'src/gateway/hash.ts',
    'src/gateway/tool-answer.ts',
  ),
  zone('src/build/!(release|serve)/**', ...compiler, 'src/html', 'src/build'),
  zone('src/build/{release,serve}/**', ...compiler, 'src/html', 'src/build', 'src/gateway'),
  zone('src/build/!(release|serve).ts', ...compiler, 'src/html', 'src/build'),
  zone('src/index.ts', ...page, 'src/browser'),
  zone('src/auto*.ts', ...page, 'src/auto-start.ts', 'src/browser', 'src/polyfill'),
  zone('elements', 'src/index.ts', 'src/compiler/declared-tool.ts', 'src/gateway/client.ts', 'elements'),
  zone('demo', 'src/index.ts', 'dist', 'demo'),
];

const noImport = (regex, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
});

const nodeTestCalls = {
  from: 'package',
  package: 'node:test',
  name: ['describe', 'it', 'only', 'skip', 'suite', 'test', 'todo'],
};
// Typed as a promise by mistake; it is none.
const chaiEqual = { from: 'package', package: '@open-wc/semantic-dom-diff', name: 'Equal' };

export default defineConfig(
  { ignores: ['dist', 'demo-dist', 'coverage', '.cache', 'shots', 'test/fixtures'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } }),
      ],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: floors }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**', 'elements/**'],
    rules: {
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/*.ts', 'src/platform/**', 'src/compiler/**', 'src/browser/**'],
    rules: noImport('^[^.]', 'This floor imports no package and no node: module.'),
  },
  {
    files: ['src/polyfill/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^[^.]', allowTypeImports: true, message: 'Load a package with import(), when it is asked for.' },
          ],
        },
      ],
    },
  },
  {
    // An interface of React's is added to by its own name and type parameter.
    files: ['elements/jsx.ts'],
    rules: {
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-namespace': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  { files: ['elements/**'], ...lit['flat/recommended'] },
  { files: ['elements/**'], ...webComponents['flat/best-practice'] },
  {
    files: ['elements/**'],
    rules: noImport(
      '/gateway/',
      'Load the gateway client with import(), so that a page pays for it only when it is used.',
    ),
  },
  {
    files: ['src/gateway/**'],
    ignores: ['src/gateway/node/**'],
    rules: noImport(
      '^node:|^undici$|^pino$|^ioredis$|/node/',
      'This runs wherever there is fetch: put it into src/gateway/node.',
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
