// Runs public test suites: node --conditions=@webmcp-forms/source --import tsx bench/suites.mjs FOLDER [RESULTS.json]
// FOLDER contains checkouts of the suites. They are not part of this repository, and nothing is downloaded.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite as constraints } from './suites/constraints.mjs';
import { suite as names } from './suites/names.mjs';
import { suite as patterns } from './suites/patterns.mjs';
import { count } from './suites/result.mjs';
import { suite as trees } from './suites/trees.mjs';

const [folder, file] = process.argv.slice(2);
if (!folder) {
  console.error('The folder of the suites is missing. Usage: node bench/suites.mjs FOLDER [RESULTS.json]');
  process.exit(2);
}

const maxListed = 20;

async function runSuite({ name, folder: inside, source, subject, run }) {
  const path = join(folder, inside);
  if (!existsSync(path)) {
    console.log(`${name}: ${path} does not exist. Get it from ${source}.`);
    return [];
  }
  const results = await run(path);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const { name, details } of failed.slice(0, maxListed)) console.log(`✖ ${name}\n    ${details.slice(0, 400)}`);
  const [passed, excepted] = [count(results, 'passed'), count(results, 'exception')];
  console.log(`${name}: ${passed} of ${results.length} passed, ${excepted} exceptions, ${failed.length} failed`);
  const exceptions = reasonsOf(results);
  return [
    {
      name,
      source,
      subject,
      revision: revisionOf(path),
      total: results.length,
      passed,
      exceptions,
      failed: failed.length,
    },
  ];
}

/** The number of exceptions with each reason. */
function reasonsOf(results) {
  const counts = {};
  for (const { exception } of results) if (exception) counts[exception] = (counts[exception] ?? 0) + 1;
  return Object.entries(counts).map(([reason, count]) => ({ reason, count }));
}

/** The commit of a checkout with its date. Undefined for a copy without a repository. */
function revisionOf(path) {
  try {
    const args = ['-C', path, 'log', '-1', '--format=%h, %cs'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

const reports = [];
for (const suite of [patterns, constraints, names, trees]) reports.push(...(await runSuite(suite)));
if (file) writeFileSync(file, `${JSON.stringify(reports, undefined, 2)}\n`);
process.exitCode = reports.length === 0 || reports.some(({ failed }) => failed > 0) ? 1 : 0;
