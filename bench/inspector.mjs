// Measures <webmcp-inspector> in a page with 1,000 tools, with the polyfill and with native WebMCP: npm run bench
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { answerScript, contestants, launchChromium } from './contestants.mjs';
import { median } from './measure.mjs';

const runs = 7;
const racers = contestants('native', 'ours');
const inPage = fileURLToPath(new URL('inspector-page.js', import.meta.url));

/** Bundles the element as an application would: minified, with lazily loaded parts in separate files. */
async function bundle() {
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: fileURLToPath(new URL('../elements/webmcp-inspector.ts', import.meta.url)), formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: 'inspector.js', chunkFileNames: '[name].js' } },
    },
  }).then((results) => [results].flat()[0]);
  return new Map(output.map(({ fileName, code, source }) => [`/${fileName}`, code ?? source]));
}

const files = await bundle();
const server = createServer((request, response) => {
  if (answerScript(request, response)) return;
  const file = files.get(request.url);
  response.setHeader('content-type', file === undefined ? 'text/html; charset=utf-8' : 'text/javascript');
  if (file !== undefined) return response.end(file);
  const { tag = '' } = racers[request.url.slice(1)] ?? {};
  response.end(`<!doctype html><html lang="en"><head>${tag}<title>bench</title></head><body>`);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const browsers = {};
for (const [name, { flags }] of Object.entries(racers)) browsers[name] = await launchChromium(flags);

/** Measures wall-clock time and main-thread time in a new page with 1,000 tools. Main-thread time is less noisy. */
async function measure(name, what, ...args) {
  const page = await browsers[name].newPage();
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`http://localhost:${server.address().port}/${name}`);
  await page.addScriptTag({ path: inPage });
  await page.evaluate((values) => globalThis.bench.prepare(...values), args);
  const threadTime = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'ThreadTime').value * 1000;
  };
  const before = await threadTime();
  const result = await page.evaluate((method) => globalThis.bench[method](), what);
  const thread = (await threadTime()) - before;
  await page.close();
  return { ...result, 'main thread': thread };
}

/** Runs the contestants in turns, so that noise affects all of them. The first turn is a warm-up. */
async function inTurns(count, what, ...args) {
  const results = Object.fromEntries(Object.keys(racers).map((name) => [name, []]));
  for (let turn = -1; turn < count; turn++) {
    for (const name of Object.keys(racers)) {
      const result = await measure(name, what, ...args);
      if (turn >= 0) results[name].push(result);
    }
  }
  return results;
}

const medianOf = (results, key) => median(results.map((result) => result[key])).toFixed(1);

function table(rows, keys) {
  const line = (results) => Object.fromEntries(keys.map((key) => [key, medianOf(results, key)]));
  console.table(Object.fromEntries(Object.entries(rows).map(([row, results]) => [row, line(results)])));
}

try {
  const started = performance.now();
  const opened = await inTurns(runs, 'open');
  console.log(
    'Milliseconds from append of the inspector to the paint that shows the list of 1,000 tools, by the clock, and of',
  );
  console.log(`the main thread; getTools() alone (asked: first paint at most 100); medians of ${runs}:`);
  table(opened, ['first paint', 'main thread', 'getTools']);
  const rows = {};
  for (const kind of ['none', 'hidden', 'shown', 'chosen']) {
    const busy = await inTurns(2, 'change', kind);
    for (const [name, results] of Object.entries(busy)) rows[`${name}, inspector ${kind}`] = results;
  }
  console.log(
    '50 of 1,000 tools change a second, for 5 seconds: milliseconds of the longest task, of the gaps between frames',
  );
  console.log(
    'at the 95th and the 99th percentile, of all long tasks, and of all work of the main thread (asked: responsive):',
  );
  table(rows, ['longest task', 'frame gap p95', 'frame gap p99', 'in long tasks', 'main thread']);
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} seconds`);
} finally {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
  server.close();
}
