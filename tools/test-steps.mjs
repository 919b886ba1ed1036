import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { missingEngines, wantedEngines } from './browsers.mjs';
import { root, runNode } from './run.mjs';
import { fileTimeout } from './test-deadline.mjs';

const browserFolders = ['browser', 'native', 'polyfill', 'elements'];

const row = (name, passed, failed, skipped = 0) => ({ name, passed, failed, skipped });

async function check(name, ...args) {
  const code = await runNode(args);
  return [row(name, Number(code === 0), Number(code !== 0))];
}

// Node 20's --test takes no globs.
function nodeTestFiles(isWanted) {
  const files = readdirSync(join(root, 'test'), { recursive: true }).filter((file) => file.endsWith('.test.ts'));
  return files.filter((file) => isWanted(file.split(/[\\/]/)[0])).map((file) => join('test', file));
}

function readReport(file) {
  const nothing = { counts: {}, failures: [] };
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8') || JSON.stringify(nothing)) : nothing;
}

// Node's own default is one process fewer than there are cores.
const concurrency = `--test-concurrency=${availableParallelism()}`;

async function runNodeTests(name, files, temporary) {
  const report = join(temporary, `${name}.json`);
  const reporters = ['spec', './tools/node-reporter.mjs'].map((name) => `--test-reporter=${name}`);
  const destinations = ['stdout', report].map((name) => `--test-reporter-destination=${name}`);
  const preloaded = ['tsx', './tools/test-deadline.mjs'].map((name) => `--import=${name}`);
  const timeout = `--test-timeout=${(fileTimeout + 60) * 1000}`; // for a file whose own deadline does not come
  const options = [
    '--conditions=@webmcp-forms/source',
    ...preloaded,
    '--test',
    concurrency,
    timeout,
    ...reporters,
    ...destinations,
  ];
  const code = await runNode([...options, ...files]);
  const { counts, failures } = readReport(report);
  const count = (...keys) => keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
  const failed = count('fail', 'cancelled');
  const counted = row(name, count('pass'), code === 0 ? failed : Math.max(1, failed), count('skipped', 'todo'));
  return [{ ...counted, failures }];
}

const elsewhere = [...browserFolders, 'e2e'];
const nodeTests = (temporary) =>
  runNodeTests(
    'node',
    nodeTestFiles((folder) => !elsewhere.includes(folder)),
    temporary,
  );

/** The demo in real browsers, which the tests start themselves. */
const endToEndTests = (temporary) =>
  runNodeTests(
    'end to end',
    nodeTestFiles((folder) => folder === 'e2e'),
    temporary,
  );

async function browserTests(temporary) {
  const wanted = wantedEngines();
  const missing = missingEngines(wanted);
  const present = wanted.filter((name) => !missing.includes(name));
  return present.length === 0 ? [] : await runEngines(present, temporary);
}

async function runEngines(present, temporary) {
  const counts = join(temporary, 'browsers.json');
  const env = { ENGINES: present.join(','), BROWSER_COUNTS: counts };
  const code = await runNode(['--conditions=@webmcp-forms/source', 'node_modules/@web/test-runner/dist/bin.js'], {
    env,
  });
  const rows = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : [];
  const explained = code === 0 || rows.some(({ failed }) => failed > 0);
  return explained ? rows : [...rows, row('web-test-runner', 0, 1)];
}

/** The steps of `npm test`, in order. Each takes a temporary folder and gives rows of counts. */
export const steps = {
  types: () => check('types', 'node_modules/typescript/bin/tsc', '-b'),
  lint: () => check('lint', 'node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'),
  format: () => check('format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'),
  build: () => check('build', 'tools/build.mjs'),
  node: nodeTests,
  browsers: browserTests,
  e2e: endToEndTests,
};
