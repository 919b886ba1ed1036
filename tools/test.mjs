import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programsFor } from './browsers.mjs';
import { installAdvice, installPackages, installPrograms } from './install.mjs';
import { killLeftovers } from './leftovers.mjs';
import { programs } from './programs.mjs';
import { endTogether, fail, readOptions } from './run.mjs';
import { appsSteps, defaultSteps, lanes, needs, quickLanes, steps } from './test-steps.mjs';

const usage = 'npm test [-- --only STEP,STEP], npm run test:quick or npm run test:apps';

const flag = { type: 'boolean', default: false };

/** The steps to run: those in `--only`, the fast steps with `--quick`, the applications with `--apps`, or all other steps. */
function readPlan() {
  const { only, quick, apps } = readOptions({ only: { type: 'string' }, quick: flag, apps: flag }, usage);
  const preset = quick ? quickLanes.flat() : apps ? appsSteps : defaultSteps;
  const chosen = only?.split(',') ?? preset;
  const unknown = chosen.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length === 0) return { chosen, isQuick: quick };
  throw new Error(`--only names ${unknown.join(', ')}. The steps are ${Object.keys(steps).join(', ')}.`);
}

/** A row for each program that could not be installed. Its tests are skipped; on CI, they fail. */
function missingRows(names) {
  if (names.length === 0) return [];
  const isCI = process.env.CI === 'true';
  for (const { label } of names.map((name) => programs[name]))
    console.log(`${label} is not installed: ${isCI ? 'counted as a failure' : 'its tests are skipped'}.`);
  console.log(installAdvice(names));
  return names.map((name) => ({
    name: `${programs[name].label} (missing)`,
    passed: 0,
    failed: Number(isCI),
    skipped: Number(!isCI),
  }));
}

/** Runs a step. Its output goes to the terminal, or to a file that is printed after the step. */
async function runStep(name, { isLive, ...context }) {
  const file = join(context.temporary, `${name}.log`);
  const log = isLive ? undefined : openSync(file, 'w');
  console.log(`\n== ${name}${isLive ? '' : ' (in the background)'}`);
  const began = performance.now();
  const rows = await steps[name]({ ...context, stdio: isLive ? 'inherit' : ['ignore', log, log] });
  if (rows.length > 0) rows[0].seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (log !== undefined) {
    closeSync(log);
    console.log(`\n== ${name} (ended)\n${readFileSync(file, 'utf8')}`);
  }
  return rows;
}

/** Runs the lanes in parallel, and the steps of each lane sequentially. The tests wait for other steps and for `installed`. */
async function runLanes({ chosen, isQuick }, temporary, installed) {
  const isBuilt = chosen.includes('build');
  const ends = new Map();
  const ended = new Map(chosen.map((name) => [name, new Promise((resolve) => ends.set(name, resolve))]));
  const active = (isQuick ? quickLanes : lanes)
    .map((lane) => lane.filter((name) => chosen.includes(name)))
    .filter((lane) => lane.length > 0);
  const runLane = async (lane, isLive) => {
    const rows = [];
    for (const name of lane) {
      if (needs[name]) await Promise.all([installed, ...needs[name].map((other) => ended.get(other))]);
      rows.push(...(await runStep(name, { temporary, isQuick, isBuilt, isLive })));
      ends.get(name)();
    }
    return rows;
  };
  return (await Promise.all(active.map((lane, index) => runLane(lane, index === 0)))).flat();
}

async function leftoverRows(temporary) {
  const failures = (await killLeftovers(temporary)).map((process) => `This process was still running: ${process}`);
  return failures.length === 0 ? [] : [{ name: 'processes', passed: 0, failed: 1, skipped: 0, failures }];
}

function printTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const line = (name, ...cells) => name.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join('');
  console.log(`\n${line('', 'passed', 'failed', 'skipped', 'seconds')}`);
  for (const { name, passed, failed, skipped, seconds = '' } of rows)
    console.log(line(name, passed, failed, skipped, seconds));
}

// Prints the failures again, because their reports can be thousands of lines above.
function printFailures(rows) {
  for (const { name, failures = [] } of rows) for (const failure of failures) console.log(`✖ ${name}: ${failure}`);
}

function summarize(rows) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  printTable(rows);
  console.log();
  printFailures(rows);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
}

async function test() {
  const plan = readPlan();
  if (plan.isQuick) process.env.ENGINES ??= 'chromium';
  await installPackages();
  await installPackages('test');
  const temporary = mkdtempSync(join(tmpdir(), 'webmcp-forms-test-'));
  const cleanUp = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  endTogether(() => killLeftovers(temporary, 0).then(cleanUp));
  process.env.TMPDIR = temporary; // removes browser profiles and caches with the folder
  try {
    const installed = installPrograms(programsFor(plan.chosen));
    const rows = await runLanes(plan, temporary, installed);
    rows.push(...missingRows(await installed), ...(await leftoverRows(temporary)));
    summarize(rows);
  } finally {
    cleanUp();
  }
}

await test().catch(fail);
