import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programsFor } from './browsers.mjs';
import { installAdvice, installPackages, installPrograms } from './install.mjs';
import { killLeftovers } from './leftovers.mjs';
import { programs } from './programs.mjs';
import { endTogether, fail, readOptions } from './run.mjs';
import { steps } from './test-steps.mjs';

function chosenSteps() {
  const { only } = readOptions({ only: { type: 'string' } }, 'npm test [-- --only STEP,STEP]');
  const chosen = only?.split(',') ?? Object.keys(steps);
  const unknown = chosen.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length === 0) return chosen;
  throw new Error(`--only names ${unknown.join(', ')}; it takes any of ${Object.keys(steps).join(', ')}.`);
}

/** A row for each program that could not be installed: its tests are skipped, except on CI, where that is a failure. */
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

async function runStep(name, temporary) {
  console.log(`\n== ${name}`);
  const began = performance.now();
  const rows = await steps[name](temporary);
  if (rows.length > 0) rows[0].seconds = ((performance.now() - began) / 1000).toFixed(1);
  const left = await killLeftovers(temporary);
  const failures = left.map((process) => `This process was still running after the step: ${process}`);
  return left.length === 0
    ? rows
    : [...rows, { name: `${name}: processes`, passed: 0, failed: 1, skipped: 0, failures }];
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
  const rows = missingRows(await installPrograms(programsFor(chosen)));
  const temporary = mkdtempSync(join(tmpdir(), 'webmcp-forms-test-'));
  const cleanUp = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  endTogether(() => killLeftovers(temporary, 0).then(cleanUp));
  process.env.TMPDIR = temporary; // browsers' profiles and caches go with it
  try {
    for (const name of chosen) rows.push(...(await runStep(name, temporary)));
  } finally {
    cleanUp();
  }
  summarize(rows);
}

await test().catch(fail);
