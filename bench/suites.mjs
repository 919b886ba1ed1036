// Runs public test suites: node --conditions=@webmcp-forms/source --import tsx bench/suites.mjs FOLDER [RESULTS.json]
// FOLDER contains checkouts of the suites. They are not part of this repository, and nothing is downloaded.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite as constraints } from './suites/constraints.mjs';
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
  const [passed, exceptions] = [count(results, 'passed'), count(results, 'exception')];
  console.log(`${name}: ${passed} of ${results.length} passed, ${exceptions} exceptions, ${failed.length} failed`);
  return [
    {
      name,
      source,
      subject,
      total: results.length,
      passed,
      failed,
      exceptions: results.filter((each) => each.exception),
    },
  ];
}

const reports = [];
for (const suite of [patterns, constraints, trees]) reports.push(...(await runSuite(suite)));
if (file) writeFileSync(file, `${JSON.stringify(reports, undefined, 2)}\n`);
process.exitCode = reports.length === 0 || reports.some(({ failed }) => failed.length > 0) ? 1 : 0;
