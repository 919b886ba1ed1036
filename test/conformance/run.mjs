// Runs the cases in a browser: node run.mjs --browser PATH [--script POLYFILL.js] [--firefox] [--out FILE] [-- FLAGS]
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './server.mjs';

const options = {
  browser: { type: 'string' },
  script: { type: 'string' },
  firefox: { type: 'boolean', default: false },
  kind: { type: 'string', default: '' },
  group: { type: 'string', default: '' },
  input: { type: 'string', default: 'object' },
  out: { type: 'string' },
};

/** Runs the cases in a browser, and resolves with the results. `script` is the file of an implementation. */
export async function runSuite({
  browser: executablePath,
  script,
  firefox = false,
  kind = '',
  group = '',
  input = 'object',
  flags = [],
}) {
  const { launch } = await import('puppeteer-core');
  const server = await startServer({ script });
  const browser = await launch({
    executablePath,
    browser: firefox ? 'firefox' : 'chrome',
    args: flags,
    protocolTimeout: 0,
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${server.address().port}/?input=${input}&group=${group}&kind=${kind}`);
    await page.waitForFunction('window.conformanceResults', { timeout: 0, polling: 200 });
    return await page.evaluate('window.conformanceResults');
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

/** The groups of cases, each as `[name, number of passed cases, number of cases]`. */
export function countsOf(results) {
  const counts = new Map();
  for (const { kind, group, passed } of results) {
    const [ofGroup = 0, total = 0] = counts.get(`${kind}/${group}`) ?? [];
    counts.set(`${kind}/${group}`, [ofGroup + Number(passed), total + 1]);
  }
  return [...counts].map(([name, numbers]) => [name, ...numbers]);
}

function refuse(name, path) {
  console.error(
    path ? `The file ${path} of --${name} does not exist. Pass a path.` : `Pass the path of a browser with --${name}.`,
  );
  process.exitCode = 2;
}

async function main() {
  const { values, positionals: flags } = parseArgs({ options, allowPositionals: true });
  for (const name of ['browser', 'script']) {
    const path = values[name];
    if (path ? !existsSync(path) : name === 'browser') return refuse(name, path);
  }
  const results = await runSuite({ ...values, flags });
  for (const { kind, group, name, actual, expected, passed } of results) {
    if (!passed)
      console.log(
        `✖ ${kind}/${group}/${name}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`,
      );
  }
  for (const [name, passed, total] of countsOf(results)) console.log(`${name}: ${passed} of ${total}`);
  const passed = results.filter((each) => each.passed).length;
  console.log(`${passed} of ${results.length} cases passed.`);
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`);
  process.exitCode = passed === results.length ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
