import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wantedEngines } from './browsers.mjs';
import { installEngines, installPackages, installPrograms } from './install.mjs';
import { endTogether, fail, readOptions } from './run.mjs';
import { steps } from './test-steps.mjs';

/** The steps that start browsers. */
const inBrowsers = ['node', 'browsers', 'e2e'];

function chosenSteps() {
  const { only } = readOptions({ only: { type: 'string' } }, 'npm test [-- --only STEP,STEP]');
  const chosen = only?.split(',') ?? Object.keys(steps);
  const unknown = chosen.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length === 0) return chosen;
  throw new Error(`--only names ${unknown.join(', ')}; it takes any of ${Object.keys(steps).join(', ')}.`);
}

async function runStep(name, temporary) {
  console.log(`\n== ${name}`);
  const began = performance.now();
  const rows = await steps[name](temporary);
  rows[0].seconds = ((performance.now() - began) / 1000).toFixed(1);
  return rows;
}

function printTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const line = (name, ...cells) => name.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join('');
  console.log(`\n${line('', 'passed', 'failed', 'skipped', 'seconds')}`);
  for (const { name, passed, failed, skipped, seconds = '' } of rows)
    console.log(line(name, passed, failed, skipped, seconds));
}

// What failed may stand thousands of lines above.
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
  const chosen = chosenSteps();
  await installPackages();
  if (chosen.some((name) => inBrowsers.includes(name))) await installEngines(wantedEngines());
  if (chosen.includes('node')) await installPrograms();
  const temporary = mkdtempSync(join(tmpdir(), 'webmcp-forms-test-'));
  const cleanUp = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  endTogether(cleanUp);
  process.env.TMPDIR = temporary; // browsers' profiles and caches go with it
  const rows = [];
  try {
    for (const name of chosen) rows.push(...(await runStep(name, temporary)));
  } finally {
    cleanUp();
  }
  summarize(rows);
}

await test().catch(fail);
