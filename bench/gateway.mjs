// Measures the gateway: its cost beside a bare form post, 1,000 concurrent calls, and several processes that share their
// sessions. Usage: node bench/gateway.mjs
import { execFileSync, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from './gateway-calls.mjs';
import { programs } from '../tools/programs.mjs';
import { startRedis } from '../test/soak/gateway/redis.mjs';
import { formPage, forms } from './gateway-pages.mjs';
import { startGateway } from './gateway-process.mjs';
import { median } from './measure.mjs';

// To measure another checkout: CHECKOUT=folder node bench/gateway.mjs
const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('..', import.meta.url));
const bin = join(checkout, 'gateway/dist/cli/bin.js');
const compiler = join(checkout, 'dist/cli/bin.js');
const turns = Number(process.env.TURNS ?? 200);
/** The number of turns to report from the beginning and the end: a process is slow before its code is compiled. */
const reported = 30;
const processCounts = (process.env.PROCESSES ?? '1,2,4').split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

function writeManifest() {
  mkdirSync(join(folder, 'site'));
  for (const name of forms) writeFileSync(join(folder, 'site', `${name}.html`), formPage(name));
  const argv = ['compile', 'site', '--name', 'osteria', '--description', 'Books tables.', '--out', 'webmcp.json'];
  execFileSync(process.execPath, [compiler, ...argv], { cwd: folder, stdio: 'ignore' });
}

async function startSite() {
  const child = fork(new URL('gateway-site.mjs', import.meta.url));
  const [{ port }] = await once(child, 'message');
  return { child, url: `http://127.0.0.1:${port}/` };
}

const percentile = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)];
const load = () => `load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;
const start = (name, args = []) => startGateway(bin, { cwd: folder, name, args: ['--base-url', site.url, ...args] });

let failures = 0;

/** Measures each call, and reports the first failures. */
async function timed(call) {
  const began = performance.now();
  try {
    await call();
  } catch (error) {
    process.exitCode = 1;
    if (failures++ < 5) console.error(error.message);
  }
  return performance.now() - began;
}

let count = 0;
const nextName = () => `Guest ${++count}`;

/** Runs calls sequentially, in turns of ten. */
async function compareCalls() {
  const gateway = await start('calls');
  const client = createClient(site.url, gateway.url, 1);
  const session = await client.initialize();
  const calls = {
    'bare post': () => client.bare('book', nextName()),
    Webtools: () => client.webtools('book', nextName()),
    'Webtools with a session': () => client.webtools('book', nextName(), 'session-of-the-bench'),
    'MCP with a session': () => client.mcp('book', nextName(), session),
    'MCP 2026-07-28': () => client.modern('book', nextName()),
    'bare post, answer of 20 kB': () => client.bare('large', nextName()),
    'Webtools, answer of 20 kB': () => client.webtools('large', nextName()),
    'bare get and post': () => client.barePair('token', nextName()),
    'Webtools, hidden token': () => client.webtools('token', nextName()),
    'MCP, hidden token': () => client.mcp('token', nextName(), session),
  };
  const rows = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, call] of Object.entries(calls)) {
      const [times, before] = [[], gateway.processorTime()];
      for (let index = 0; index < 10; index++) times.push(await timed(call));
      rows[name].push({ times, spent: gateway.processorTime() - before });
    }
  }
  await client.close();
  await gateway.stop();
  console.log(
    `One call after the other, medians of ${reported * 10} (target: at most 2 ms more than bare); ${load()}.`,
  );
  console.log(`The first of a process:`);
  console.table(tableOf(rows, (each) => each.slice(0, reported)));
  console.log(`After ${(turns - reported) * 10} calls of each kind:`);
  console.table(tableOf(rows, (each) => each.slice(-reported)));
}

function tableOf(rows, choose) {
  let bare;
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => {
      const chosen = choose(row);
      const durations = chosen.flatMap(({ times }) => times);
      if (name.startsWith('bare')) bare = durations;
      const [own, other] = [median(durations), median(bare)];
      const cells = { 'median ms': own.toFixed(2), '99 of 100 ms': percentile(durations, 0.99).toFixed(1) };
      if (durations === bare) return [name, cells];
      const spent = chosen.reduce((sum, each) => sum + each.spent, 0) / durations.length;
      const of = { 'added ms': (own - other).toFixed(2), 'over bare': (own / other).toFixed(1) };
      return [name, { ...cells, ...of, 'processor ms': spent.toFixed(2) }];
    }),
  );
}

const atOnce = (number, call) => Promise.all(Array.from({ length: number }, () => timed(call)));

/** The site responds to the first 1,000 requests after all of them have arrived. */
async function callAtOnce(number) {
  const rows = {};
  for (const kind of ['Webtools', 'MCP', 'MCP 2026-07-28']) {
    const gateway = await start(`at-once-${kind}`, ['--max-calls', `${number}`, '--max-client-calls', `${number}`]);
    const client = createClient(site.url, gateway.url, number);
    const session = kind === 'MCP' ? await client.initialize() : undefined;
    const send = {
      Webtools: (action) => client.webtools(action, nextName()),
      MCP: (action) => client.mcp(action, nextName(), session),
      'MCP 2026-07-28': (action) => client.modern(action, nextName()),
    }[kind];
    const call = (action) => () => send(action);
    const [before, idle] = [failures, gateway.megabytes()];
    site.child.send({ holds: number });
    const together = once(site.child, 'message');
    const waited = await atOnce(number, call('hold'));
    const [{ held }] = await together;
    const began = performance.now();
    const durations = await atOnce(number, call('book'));
    const seconds = (performance.now() - began) / 1000;
    rows[kind] = {
      'at the site at once': held,
      errors: failures - before,
      'all answered in s': (Math.max(...waited) / 1000).toFixed(1),
      'then again: ms, median': median(durations).toFixed(0),
      '99 of 100 ms': percentile(durations, 0.99).toFixed(0),
      'calls a second': (durations.length / seconds).toFixed(0),
      'MB idle': idle.toFixed(0),
      'MB at most': gateway.megabytesAtMost().toFixed(0),
    };
    await client.close();
    await gateway.stop();
  }
  console.log(
    `${number} concurrent calls, which the site answers when all have arrived, and again (target: no error); ${load()}:`,
  );
  console.table(rows);
}

async function each(list, width, work) {
  const rest = list.entries();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of rest) await work(item, index);
    }),
  );
}

/** The hash of the answers to a list of requests, which alternate between the processes. */
async function answersOf(clients) {
  let turn = 0;
  const nextClient = () => clients[turn++ % clients.length];
  const [client] = clients;
  const questions = Array.from({ length: 240 }, (_, number) => {
    if (number % 8 === 0) return undefined;
    if (number % 8 === 1) return client.callOf('book', '');
    if (number % 8 === 2) return client.callOf('nothing', `Guest ${number}`);
    return client.callOf(forms.filter((name) => name !== 'hold')[number % 4], `Guest ${number}`);
  });
  const answers = [];
  await each(questions, 48, async (question, index) => {
    const { status, headers, text } = await (question === undefined
      ? nextClient().metadata()
      : nextClient().ask(question));
    answers[index] = [status, headers['content-type'], headers.etag ?? '', text];
  });
  for (let visit = 1; visit <= 6; visit++) {
    const { text } = await nextClient().ask(client.callOf('visit', 'Visitor', 'session-of-a-visitor'));
    answers.push(text);
    if (!text.includes(`visit ${visit}`)) throw new Error(`The session was lost at visit ${visit}: ${text}`);
  }
  return createHash('sha256').update(JSON.stringify(answers)).digest('hex');
}

// The number of calls per process, once to warm up and once to measure, so that the code of all processes is compiled
// equally.
const callsEach = Number(process.env.CALLS ?? 600);
const connectionsEach = 4;

async function measureProcesses(number, turn) {
  const name = `processes-${number}-${turn}`;
  const names = Array.from({ length: number }, (_, index) => `${name}-${index}`);
  const redis = await startRedis(mkdtempSync(join(folder, 'redis-')));
  const gateways = await Promise.all(names.map((each) => start(each, ['--sessions', redis.url])));
  const clients = gateways.map(({ url }) => createClient(site.url, url, connectionsEach));
  const callAll = () =>
    Promise.all(
      clients.map((client) =>
        each(Array(callsEach), connectionsEach, () => timed(() => client.webtools('book', nextName()))),
      ),
    );
  const sum = (measure) => gateways.reduce((total, gateway) => total + measure(gateway), 0);
  await callAll();
  const [before, started] = [sum((gateway) => gateway.processorTime()), performance.now()];
  await callAll();
  const seconds = (performance.now() - started) / 1000;
  const processor = sum((gateway) => gateway.processorTime()) - before;
  const hash = await answersOf(clients);
  const megabytes = sum((gateway) => gateway.megabytes());
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis.kill();
  return { seconds, processor, hash, megabytes, start: Math.max(...gateways.map((gateway) => gateway.seconds)) };
}

/** The cost of unrelated work in the same number of processes, plus two for the client and the site. */
async function measureControl(number) {
  const children = Array.from({ length: number + 2 }, () => fork(new URL('gateway-control.mjs', import.meta.url)));
  await Promise.all(children.map((child) => once(child, 'message')));
  const costs = children.map(async (child) => {
    const message = once(child, 'message');
    child.send(callsEach);
    const [cost] = await message;
    return cost;
  });
  const all = await Promise.all(costs);
  for (const child of children) child.disconnect();
  return all.reduce((total, cost) => total + cost, 0) / all.length;
}

async function compareProcesses() {
  const rows = {};
  const hashes = new Set();
  let one, oneControl;
  for (const number of processCounts) {
    const runs = [];
    while (runs.length * number < 4) runs.push(await measureProcesses(number, runs.length));
    const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
    for (const { hash } of runs) hashes.add(hash);
    const calls = callsEach * number * runs.length;
    const processor = sum('processor') / calls;
    const control = await measureControl(number);
    one ??= processor;
    oneControl ??= control;
    rows[number] = {
      runs: runs.length,
      'processor ms a call': processor.toFixed(2),
      'over one': (processor / one).toFixed(2),
      'other work, over one': (control / oneControl).toFixed(2),
      'calls a second': (calls / sum('seconds')).toFixed(0),
      'their answers': [...new Set(runs.map(({ hash }) => hash.slice(0, 12)))].join(' '),
      MB: (sum('megabytes') / runs.length).toFixed(0),
      'start s': (sum('start') / runs.length).toFixed(1),
      load: loadavg()[0].toFixed(1),
    };
  }
  console.log(
    `By processes with a shared Redis, each with ${connectionsEach} concurrent calls, ${callsEach} to warm up and`,
  );
  console.log(`${callsEach} measured (target: equal answers, constant cost); ${load()}, including client and site:`);
  console.table(rows);
  console.log(`The same answers: ${hashes.size === 1}`);
  if (hashes.size > 1) process.exitCode = 1;
}

const began = performance.now();
writeManifest();
const site = await startSite();
try {
  await compareCalls();
  await callAtOnce(1000);
  if (programs.redis.isInstalled()) await compareProcesses();
  else console.log('Redis is not installed: several processes are not measured.');
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} seconds, ${failures} errors`);
} finally {
  site.child.disconnect();
}
