import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingEngines, wantedEngines } from './browsers.mjs';
import { root, runNode } from './run.mjs';

const row = (name, passed, failed, skipped = 0) => ({ name, passed, failed, skipped });

/** The path of tsgolint, because oxlint looks for it only in the folder node_modules of the root. */
const linterOfTypes = { OXLINT_TSGOLINT_PATH: join(root, 'test/node_modules/.bin/tsgolint') };

const check =
  (name, ...args) =>
  async ({ stdio }) => {
    const code = await runNode(args, { stdio, env: linterOfTypes });
    return [row(name, Number(code === 0), Number(code !== 0))];
  };

async function runNodeTests(name, projects, { temporary, stdio }, more = []) {
  const counts = join(temporary, `${name}.json`);
  const chosen = projects.map((project) => `--project=${project}`);
  const options = ['run', '--config=test/vitest.config.ts', ...chosen, ...more];
  const code = await runNode(['test/node_modules/vitest/vitest.mjs', ...options], {
    env: { NODE_COUNTS: counts },
    stdio,
  });
  const counted = existsSync(counts) ? { name, ...JSON.parse(readFileSync(counts, 'utf8')) } : row(name, 0, 1);
  return [{ ...counted, failed: code === 0 ? counted.failed : Math.max(1, counted.failed) }];
}

/** The options of `test:quick`, which reuses the modules that the last run has transformed. */
const quickOptions = ['--tagsFilter=!long && !built', '--experimental.fsModuleCache'];

const nodeTests = (context) =>
  context.isQuick
    ? runNodeTests('node', ['node'], context, quickOptions)
    : runNodeTests('node', ['node', 'process'], context);

const endToEndTests = (context) => runNodeTests('end to end', ['e2e'], context);

/** The tests of real applications. Each file installs and starts an application, and waits for it most of the time. */
const applicationTests = (context) => runNodeTests('applications', ['apps'], context, ['--maxWorkers=4']);

const browserTests = (script, among) => async (context) => {
  const wanted = wantedEngines().filter((name) => !among || among.includes(name));
  const missing = missingEngines(wanted);
  const present = wanted.filter((name) => !missing.includes(name));
  return present.length === 0 ? [] : await runEngines(present, script, context);
};

async function runEngines(present, script, { temporary, stdio, isQuick, isBuilt }) {
  const counts = join(temporary, `browsers-${script}.json`);
  const env = {
    ...{ ENGINES: present.join(','), SCRIPT: script, BROWSER_COUNTS: counts },
    // Both are always set: the variables of the caller must not exclude tests.
    ...{ WITHOUT_LONG_TESTS: isQuick ? '1' : '', BUILT_SCRIPTS: isBuilt ? '1' : '' },
  };
  const code = await runNode(['--conditions=@webmcp-forms/source', 'node_modules/@web/test-runner/dist/bin.js'], {
    env,
    stdio,
  });
  const rows = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : [];
  const explained = code === 0 || rows.some(({ failed }) => failed > 0);
  return explained ? rows : [...rows, row('web-test-runner', 0, 1)];
}

/**
 * The steps of `npm test` and `npm run test:apps`. Each step receives a temporary folder, the stdio for its output,
 * whether the run is quick and whether it builds dist/. It returns rows of counts.
 */
export const steps = {
  types: check('types', 'node_modules/typescript7/bin/tsc', '-b', '--checkers', '1'),
  build: check('build', 'tools/build.mjs'),
  docs: check('docs', 'tools/docs.mjs', '--check'),
  lint: check('lint', 'test/node_modules/oxlint/bin/oxlint'),
  format: check('format', 'node_modules/oxfmt/bin/oxfmt', '--check'),
  browsers: browserTests('split'),
  'one-script': browserTests('full', ['chromium']),
  node: nodeTests,
  e2e: endToEndTests,
  apps: applicationTests,
};

/** The steps of `npm run test:apps`. `npm test` runs the other steps. */
export const appsSteps = ['build', 'apps'];

export const defaultSteps = Object.keys(steps).filter((name) => name !== 'apps');

/** The lanes, which run in parallel, because their tests wait for browsers, servers and processes most of the time. */
export const lanes = [
  ['types', 'build', 'docs', 'browsers', 'apps'],
  ['lint', 'format', 'node'],
  ['e2e', 'one-script'],
];

/** The lanes of `test:quick`, which does not build. */
export const quickLanes = [['browsers'], ['types', 'node']];

/** The steps that tests wait for. Tests also wait for the installation of programs. */
export const needs = {
  node: ['build'],
  browsers: ['build'],
  'one-script': ['build'],
  e2e: ['build', 'docs'],
  apps: ['build'],
};
