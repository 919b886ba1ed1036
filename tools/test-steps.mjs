import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { missingEngines, wantedEngines } from './browsers.mjs';
import { root, runNode } from './run.mjs';
import { fileTimeout } from './test-deadline.mjs';

const browserFolders = ['browser', 'native', 'polyfill', 'elements'];

const row = (name, passed, failed, skipped = 0) => ({ name, passed, failed, skipped });

const check =
  (name, ...args) =>
  async ({ stdio }) => {
    const code = await runNode(args, { stdio });
    return [row(name, Number(code === 0), Number(code !== 0))];
  };

// In Node.js 20, `node --test` does not accept globs.
function nodeTestFiles(isWanted) {
  const names = readdirSync(join(root, 'test')).filter((name) => name !== 'node_modules' && isWanted(name));
  const files = names.flatMap((name) => {
    const isFolder = statSync(join(root, 'test', name)).isDirectory();
    return isFolder ? readdirSync(join(root, 'test', name), { recursive: true }).map((file) => join(name, file)) : name;
  });
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => join('test', file));
}

function readReport(file) {
  const nothing = { counts: {}, failures: [] };
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8') || JSON.stringify(nothing)) : nothing;
}

// The default of Node.js is the number of cores minus one.
const concurrency = `--test-concurrency=${availableParallelism()}`;

async function runNodeTests(name, files, { temporary, stdio }) {
  const report = join(temporary, `${name}.json`);
  const reporters = ['spec', './tools/node-reporter.mjs'].map((name) => `--test-reporter=${name}`);
  const destinations = ['stdout', report].map((name) => `--test-reporter-destination=${name}`);
  const preloaded = ['tsx', './tools/test-deadline.mjs'].map((name) => `--import=${name}`);
  const timeout = `--test-timeout=${(fileTimeout + 60) * 1000}`; // in case the deadline of the file does not fire
  const options = [
    '--conditions=@webmcp-forms/source',
    ...preloaded,
    '--test',
    concurrency,
    timeout,
    ...reporters,
    ...destinations,
  ];
  const code = await runNode([...options, ...files], { stdio });
  const { counts, failures } = readReport(report);
  const count = (...keys) => keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
  const failed = count('fail', 'cancelled');
  const counted = row(name, count('pass'), code === 0 ? failed : Math.max(1, failed), count('skipped', 'todo'));
  return [{ ...counted, failures }];
}

const elsewhere = [...browserFolders, 'e2e', 'apps'];
const startsProcesses = (file) =>
  /node:child_process|playwright-core|processes\.js|serve-process|redis-server|sites\.js|StdioClientTransport|--jobs|dist\//.test(
    readFileSync(join(root, file), 'utf8'),
  );

/** `test:quick` excludes files that start processes, browsers or builds. */
function nodeTests(context) {
  const files = nodeTestFiles((folder) => !elsewhere.includes(folder));
  return runNodeTests('node', context.isQuick ? files.filter((file) => !startsProcesses(file)) : files, context);
}

const endToEndTests = (context) =>
  runNodeTests(
    'end to end',
    nodeTestFiles((folder) => folder === 'e2e'),
    context,
  );

/** The tests of real applications. Each file installs and starts one. */
const applicationTests = (context) =>
  runNodeTests(
    'applications',
    nodeTestFiles((folder) => folder === 'apps'),
    context,
  );

const browserTests = (script, among) => async (context) => {
  const wanted = wantedEngines().filter((name) => !among || among.includes(name));
  const missing = missingEngines(wanted);
  const present = wanted.filter((name) => !missing.includes(name));
  return present.length === 0 ? [] : await runEngines(present, script, context);
};

async function runEngines(present, script, { temporary, stdio }) {
  const counts = join(temporary, `browsers-${script}.json`);
  const env = { ENGINES: present.join(','), SCRIPT: script, BROWSER_COUNTS: counts };
  const code = await runNode(['--conditions=@webmcp-forms/source', 'node_modules/@web/test-runner/dist/bin.js'], {
    env,
    stdio,
  });
  const rows = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : [];
  const explained = code === 0 || rows.some(({ failed }) => failed > 0);
  return explained ? rows : [...rows, row('web-test-runner', 0, 1)];
}

/** The steps of `npm test` and `npm run test:apps`. Each one receives a temporary folder and the stdio for its output, and returns rows of counts. */
export const steps = {
  types: check('types', 'node_modules/typescript/bin/tsc', '-b'),
  build: check('build', 'tools/build.mjs'),
  docs: check('docs', 'tools/docs.mjs', '--check'),
  lint: check('lint', 'test/node_modules/eslint/bin/eslint.js', '-c', 'test/eslint.config.js', '--max-warnings=0', '.'),
  format: check('format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'),
  browsers: browserTests('split'),
  'one-script': browserTests('full', ['chromium']),
  node: nodeTests,
  e2e: endToEndTests,
  apps: applicationTests,
};

/** The steps of `npm run test:apps`. `npm test` runs the others. */
export const appsSteps = ['build', 'apps'];

export const defaultSteps = Object.keys(steps).filter((name) => name !== 'apps');

/** The lanes run in parallel, because most steps leave a core idle. */
export const lanes = [
  ['types', 'build', 'docs', 'browsers', 'one-script', 'e2e', 'apps'],
  ['lint', 'format', 'node'],
];

/** The lanes of `test:quick`, which does not build. */
export const quickLanes = [['browsers'], ['types', 'node']];

export const needsBuild = ['node', 'e2e', 'browsers', 'one-script', 'apps'];
