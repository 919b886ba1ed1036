// Runs test/conformance with each implementation, after npm run build: node bench/conformance.mjs [RESULTS.json]
import { readFileSync, writeFileSync } from 'node:fs';
import { countsOf, runSuite } from '../test/conformance/run.mjs';
import { chromiumPath, firefoxPath } from '../tools/programs.mjs';
import { contestant } from './contestants.mjs';

const chromium = { browser: chromiumPath(), firefox: false };
const firefox = { browser: firefoxPath(), firefox: true };

/** The other polyfill takes the input of a call as JSON text. */
const runs = [
  { implementation: 'Chromium itself', name: 'native', engine: chromium },
  { implementation: 'webmcp-forms', name: 'ours', engine: chromium },
  { implementation: 'webmcp-forms in one piece', name: 'full', engine: chromium },
  { implementation: 'webmcp-forms', name: 'ours', engine: firefox },
  { implementation: 'webmcp-forms in one piece', name: 'full', engine: firefox },
  { implementation: '@mcp-b/webmcp-polyfill', name: 'peer', engine: chromium, input: 'text' },
];

const { version } = JSON.parse(
  readFileSync(new URL('../test/node_modules/@mcp-b/webmcp-polyfill/package.json', import.meta.url), 'utf8'),
);
const labelOf = ({ implementation, name }) => (name === 'peer' ? `${implementation} ${version}` : implementation);

const isFailed = ({ passed }) => !passed;
const idOf = ({ kind, group, name }) => `${kind}/${group}/${name}`;

async function reportOf({ engine, input, ...run }) {
  const { file: script, flags = [] } = contestant(run.name);
  const sandbox = engine.firefox || process.getuid?.() !== 0 ? [] : ['--no-sandbox']; // Chromium's sandbox refuses root
  const results = await runSuite({ ...engine, script, input, flags: [...flags, ...sandbox] });
  return {
    implementation: labelOf(run),
    browser: engine.firefox ? 'Firefox' : 'Chromium',
    groups: countsOf(results).map(([group, passed, total]) => ({ group, passed, total })),
    failed: results.filter(isFailed).map(idOf),
  };
}

const sum = (groups, key) => groups.reduce((total, each) => total + each[key], 0);

const reports = [];
for (const run of runs.filter(({ engine }) => engine.browser)) {
  const report = await reportOf(run);
  const { implementation, browser, groups, failed } = report;
  console.log(`${implementation}, ${browser}: ${sum(groups, 'passed')} of ${sum(groups, 'total')}`);
  for (const id of failed) console.log(`  ✖ ${id}`);
  reports.push(report);
}
const [out] = process.argv.slice(2);
if (out) writeFileSync(out, `${JSON.stringify(reports, null, 2)}\n`);
