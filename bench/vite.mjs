// Measures the time from an edit of one of 1,000 pages to the updated manifest of a dev server: node bench/vite.mjs
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { webmcpForms } from '../dist/vite.js';
import { median } from './measure.mjs';
import { pages as all } from './pages.mjs';

const count = 1000;
const turns = 15;
let misses = 0; // the number of manifests that did not contain the preceding edit
const root = realpathSync(mkdtempSync(join(tmpdir(), 'webmcp-forms-bench-')));
const names = Array.from({ length: count }, (_, index) => `page-${index}.html`);
const textOf = (index) => all[index % all.length];

function writeSite() {
  mkdirSync(root, { recursive: true });
  names.forEach((name, index) => writeFileSync(join(root, name), textOf(index)));
}

const serve = async (plugins) => {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    cacheDir: join(root, '.vite'),
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0 },
    plugins,
    build: { rolldownOptions: { input: names.map((name) => join(root, name)) } },
  });
  await server.listen();
  return { server, url: `http://127.0.0.1:${server.httpServer.address().port}/` };
};

/**
 * The time from the watcher's event until the manifest has the new name. Vite's own work starts with the same event.
 */
async function edit(server, url, turn) {
  const name = `edited_${turn}`;
  const seen = new Promise((resolve) => server.watcher.once('change', () => resolve(performance.now())));
  writeFileSync(
    join(root, names[7]),
    `${textOf(7)}<form toolname="${name}" tooldescription="d"><button>Go</button></form>`,
  );
  const began = await seen;
  const before = process.cpuUsage();
  while (!(await (await fetch(`${url}webmcp.json`)).text()).includes(name)) misses++;
  return { clock: performance.now() - began, processor: processorTime(before) };
}

function processorTime(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function viteAlone() {
  const { server } = await serve([]);
  const times = [];
  for (let turn = 0; turn < turns; turn++) {
    const began = performance.now();
    const before = process.cpuUsage();
    await server.transformIndexHtml(`/${names[7]}`, textOf(7));
    times.push({ clock: performance.now() - began, processor: processorTime(before) });
  }
  await server.close();
  return times;
}

/** A plugin that always serves the first manifest. */
const sameBytes = () => ({
  name: 'same-bytes',
  configureServer: ({ middlewares }) =>
    void middlewares.use((request, response, next) => (request.url === '/same.json' ? response.end(text) : next())),
});

let text = '';

async function measure() {
  writeSite();
  const own = await viteAlone();
  const { server, url } = await serve([webmcpForms(), sameBytes()]);
  const began = performance.now();
  text = await (await fetch(`${url}webmcp.json`)).text();
  const first = performance.now() - began;
  const times = [];
  for (let turn = 0; turn < turns; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    times.push(await edit(server, url, turn));
  }
  const requests = [];
  for (let turn = 0; turn < turns; turn++) {
    const began = performance.now();
    const before = process.cpuUsage();
    await (await fetch(`${url}same.json`)).text();
    requests.push({ clock: performance.now() - began, processor: processorTime(before) });
  }
  await server.close();
  const of = (list, key) => median(list.map((each) => each[key]));
  const row = (key) => ({
    'an edit until it is in the manifest': of(times, key).toFixed(1),
    'of which Vite needs for the page': of(own, key).toFixed(1),
    'of which so many bytes take to come': of(requests, key).toFixed(1),
    'over both (at most 50)': (of(times, key) - of(own, key) - of(requests, key)).toFixed(1),
  });
  console.log(
    `${count} pages, a manifest of ${(text.length / 1e6).toFixed(1)} MB, made first in ${first.toFixed(0)} ms`,
  );
  console.log(`Manifests that were asked for after an edit and did not have it: ${misses} (none)`);
  console.table({ 'milliseconds by the clock, median': row('clock'), 'of the processor': row('processor') });
}

await measure().finally(() => rmSync(root, { recursive: true, force: true }));
