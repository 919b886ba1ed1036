// Attacks a gateway with its default configuration, each attack in a new process, and requests /healthz every 50 ms
// meanwhile.
// Usage: node bench/attacks.mjs [--only TEXT] [--shared]
// Use --shared while the machine does other work: it does not count the time that /healthz waits for a processor.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { parse } from 'parse5';
import { attacks, warmUp } from './attack-list.mjs';
import {
  answerWithCookies,
  compiledPages,
  hostileAnswer,
  hostileAnswers,
  hostilePage,
  hostilePages,
} from './attack-pages.mjs';
import { startGateway } from './gateway-process.mjs';

const options = { only: { type: 'string', default: '' }, shared: { type: 'boolean', default: false } };
const { only, shared } = parseArgs({ options }).values;

const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('..', import.meta.url));
const bin = join(checkout, 'gateway/dist/cli/bin.js');
const compiler = join(checkout, 'dist/cli/bin.js');

/**
 * The limits of /healthz, and of the processor time of a request of at most 8 MB and of a page. The limit of a page is
 * `pageMs` plus `timesParse5` times the time of parse5.
 */
const limits = { healthzMs: 500, requestMs: 1_000, pageMs: 500, timesParse5: 3 };

const rows = [];

const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-attacks-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    printRows();
    process.exit(130);
  });
}

function writeManifest() {
  mkdirSync(join(folder, 'site'));
  for (const [name, html] of Object.entries(compiledPages())) writeFileSync(join(folder, 'site', `${name}.html`), html);
  const argv = ['compile', 'site', '--name', 'shop', '--description', 'Sells tea.', '--out', 'webmcp.json'];
  execFileSync(process.execPath, [compiler, ...argv], { cwd: folder, stdio: 'ignore' });
}

async function startServer(file) {
  const child = fork(new URL(file, import.meta.url));
  const [{ port }] = await once(child, 'message');
  return { child, url: `http://127.0.0.1:${port}/` };
}

const milliseconds = ({ user, system }) => (user + system) / 1000;

/** The processor time of parse5 for the page that an attack lets the gateway read. */
function parseTime({ name }) {
  const entryOf = (pages) => Object.entries(pages).find(([, { title }]) => name.endsWith(`: ${title}`))?.[0];
  if (/JSON$|redirects/.test(name)) return 0;
  const html = name.startsWith('page: ') ? hostilePage(entryOf(hostilePages)) : answerOf(entryOf(hostileAnswers));
  const before = process.cpuUsage();
  parse(html);
  return milliseconds(process.cpuUsage(before));
}

/** The HTML of an answer. Of the other answers, only the answer with cookies is long. */
const answerOf = (name) => (name === undefined ? answerWithCookies : hostileAnswer(name));

function limitOf(attack) {
  if (attack.kind === 'request') return limits.requestMs;
  return attack.kind === 'page' ? limits.pageMs + limits.timesParse5 * parseTime(attack) : Infinity;
}

async function askHealth(url) {
  const worker = new Worker(new URL('attack-health.mjs', import.meta.url), { workerData: { url, idleUrl: idle.url } });
  return async () => {
    const outcome = once(worker, 'message');
    worker.postMessage('end');
    return (await outcome)[0];
  };
}

async function measure(attack, index, site) {
  const gateway = await startGateway(bin, {
    cwd: folder,
    name: `attack-${index}`,
    args: ['--base-url', site.url],
    env: attack.env ?? {},
  });
  const token = attack.env?.WEBMCP_FORMS_TOKEN;
  await warmUp(gateway.url, { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) });
  const endHealth = await askHealth(gateway.url);
  const [before, waitedBefore] = [gateway.processorTime(), gateway.waitedForProcessor()];
  const answer = await attack.run(gateway.url);
  const spent = (gateway.processorTime() - before) / attack.requests;
  const health = await endHealth();
  const waited = gateway.waitedForProcessor() - waitedBefore;
  const megabytes = gateway.megabytesAtMost();
  await gateway.kill();
  return { answer, spent, health, waited, megabytes };
}

function rowOf(attack, { answer, spent, health, waited, megabytes }) {
  const limit = limitOf(attack);
  const isAlive = !Number.isNaN(spent) && spent >= 0 && megabytes > 0;
  const loadMs = health.idleSlowest + waited; // nearly 0 on a machine that does nothing else
  const isHealthy = health.failed === 0 && health.slowest <= limits.healthzMs + (shared ? loadMs : 0);
  const isOk = isAlive && spent <= limit && isHealthy;
  if (!isOk) process.exitCode = 1;
  return {
    attack: attack.name,
    'CPU ms': isAlive ? Math.round(spent) : 'ended',
    limit: limit === Infinity ? '-' : Math.round(limit),
    'slowest healthz ms': Math.round(health.slowest),
    'of that by load, at most': Math.round(loadMs),
    'no healthz': health.failed,
    'MB at most': Math.round(megabytes),
    answer: answer.slice(0, 80),
    ok: isOk,
  };
}

function printRows() {
  const load = `load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;
  console.log(
    `Attacks on the gateway (limits: ${limits.healthzMs} ms for /healthz, ${limits.requestMs} ms CPU for a request,`,
  );
  console.log(`${limits.timesParse5} times parse5 and ${limits.pageMs} ms for a page); ${load}:`);
  console.table(rows);
  console.log(`${rows.filter(({ ok }) => !ok).length} of ${rows.length} attacks exceed a limit.`);
}

writeManifest();
const [site, idle] = await Promise.all(['attack-site.mjs', 'attack-idle.mjs'].map(startServer));
try {
  for (const [index, attack] of attacks.filter(({ name }) => name.includes(only)).entries()) {
    rows.push(rowOf(attack, await measure(attack, index, site)));
    if (process.stdout.isTTY || !rows.at(-1).ok) console.error(JSON.stringify(rows.at(-1)));
  }
} finally {
  for (const { child } of [site, idle]) child.disconnect();
}
printRows();
