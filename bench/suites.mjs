// Runs public test suites: node --conditions=@webmcp-forms/source --import tsx bench/suites.mjs FOLDER [RESULTS.json]
// FOLDER contains checkouts of the suites. They are not part of this repository, and nothing is downloaded.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite as constraints } from './suites/constraints.mjs';
import { suite as names } from './suites/names.mjs';
import { suite as patterns } from './suites/patterns.mjs';
import { count } from './suites/result.mjs';
import { suite as submission } from './suites/submission.mjs';
import { suite as trees } from './suites/trees.mjs';
import { suites as webmcp } from './suites/webmcp.mjs';

const [folder, file] = process.argv.slice(2);
if (!folder) {
  console.error('The folder of the suites is missing. Usage: node bench/suites.mjs FOLDER [RESULTS.json]');
  process.exit(2);
}

const maxListed = 20;

async function runSuite(suite) {
  const { name, folder: inside, source, subject, isComparison } = suite;
  const path = join(folder, inside);
  const { results = [], problem = `${path} has no test of it` } = await resultsOf(suite, path);
  if (results.length === 0) {
    console.log(`${name}, ${subject}: ${problem}. Get it from ${source}.`);
    return [];
  }
  const failed = isComparison ? [] : results.filter(({ outcome }) => outcome === 'failed');
  for (const { name, details } of failed.slice(0, maxListed)) console.log(`✖ ${name}\n    ${details.slice(0, 400)}`);
  const [total, passed, excepted] = [results.length, count(results, 'passed'), count(results, 'exception')];
  const others = isComparison ? '' : `, ${excepted} exceptions, ${failed.length} failed`;
  console.log(`${name}, ${subject}: ${passed} of ${total} passed${others}`);
  const exceptions = isComparison ? [] : reasonsOf(results);
  const revision = revisionOf(path);
  return [{ name, source, subject, revision, total, passed, exceptions, failed: failed.length, isComparison }];
}

/** The results of a suite, or the problem of its folder. A part of a suite can lack files. */
async function resultsOf({ run }, path) {
  if (!existsSync(path)) return { problem: `${path} does not exist` };
  try {
    return { results: await run(path) };
  } catch (error) {
    if (error.code === 'ENOENT') return { problem: `${error.path} does not exist` };
    throw error;
  }
}

/** The number of exceptions with each reason. */
function reasonsOf(results) {
  const counts = {};
  for (const { exception } of results) if (exception) counts[exception] = (counts[exception] ?? 0) + 1;
  return Object.entries(counts).map(([reason, count]) => ({ reason, count }));
}

/** The last commit that changed a folder, with its date. Undefined for a folder outside of a repository. */
function revisionOf(path) {
  try {
    const args = ['-C', path, 'log', '-1', '--format=%h, %cs', '--', '.'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || undefined;
  } catch {
    return undefined;
  }
}

const reports = [];
for (const suite of [patterns, constraints, submission, names, trees, ...webmcp])
  reports.push(...(await runSuite(suite)));
if (file) writeFileSync(file, `${JSON.stringify(reports, undefined, 2)}\n`);
process.exitCode = reports.length === 0 || reports.some(({ failed }) => failed > 0) ? 1 : 0;
