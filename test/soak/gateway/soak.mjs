// Gateway processes, one with a folder or two with a Redis, before a site with faults, and concurrent clients.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { programs } from '../../../tools/programs.mjs';
import { createRandom } from '../random.mjs';
import { Report, Tally } from '../report.mjs';
import { Client } from './client.mjs';
import { disturb, folderStore, redisStore, Window } from './disturb.mjs';
import { Gateway } from './gateways.mjs';
import { startRedis } from './redis.mjs';
import { compiledPages } from './site-pages.mjs';
import { watchStream } from './streams.mjs';

const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('../../..', import.meta.url));

/** A part of a store that is down until a call is refused, and reconnects afterwards. */
const storeGraceMs = 8_000;
const siteGraceMs = 1_000;

function compileManifest(folder) {
  mkdirSync(join(folder, 'site'));
  for (const [path, html] of Object.entries(compiledPages())) writeFileSync(join(folder, 'site', path), html);
  const argv = ['compile', 'site', '--name', 'shop', '--description', 'Sells tea.', '--out', 'webmcp.json'];
  execFileSync(process.execPath, [join(checkout, 'dist/cli/bin.js'), ...argv], { cwd: folder, stdio: 'ignore' });
}

/** Writes the manifest with a description, or a damaged one. */
function manifestWriter(folder) {
  const path = join(folder, 'webmcp.json');
  const text = readFileSync(path, 'utf8');
  return async (description) => {
    const changed = description === undefined ? text.slice(0, 100) : text.replace(/Sells tea[^"]*/, description);
    await writeFile(`${path}.new`, changed);
    await rename(`${path}.new`, path);
  };
}

async function startSite(seed) {
  const child = fork(new URL('site.mjs', import.meta.url), { env: { ...process.env, SOAK_SEED: String(seed) } });
  const [{ port }] = await once(child, 'message');
  const ask = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  return { child, url: `http://127.0.0.1:${port}/`, ask };
}

/** The codes in the table of the documentation. */
function listedCodes() {
  const text = readFileSync(
    fileURLToPath(new URL('../../../docs/reference/gateway/webtools.md', import.meta.url)),
    'utf8',
  );
  return new Set([...text.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code));
}

async function sampleMemory(phase) {
  const [measured] = phase.gateways;
  const began = performance.now();
  while (!phase.isOver()) {
    const memory = await measured.memory();
    const time = performance.now() - began;
    if (memory) {
      const of = (bytes) => ({ time, value: bytes / 1e6 });
      phase.memory.heap.push(of(memory.heapUsed + memory.external));
      phase.memory.rss.push(of(memory.rss));
    }
    await wait(phase.sampleMs);
  }
}

function createPhase(name, { seconds, seed, gateways, store, site, folder }) {
  const [began, random] = [performance.now(), createRandom(seed)];
  const [storeDown, siteDown, stopping] = [new Window(storeGraceMs), new Window(siteGraceMs), new Window(1_000)];
  const controller = new AbortController();
  const elapsed = () => (performance.now() - began) / 1000;
  return {
    ...{ name, seed, gateways, store, site, random, storeDown, siteDown, stopping, controller },
    ...{ signal: controller.signal, tally: new Tally(), refused: [], durations: [], memory: { heap: [], rss: [] } },
    writeManifest: manifestWriter(folder),
    pauseMs: Math.min(6_000, seconds * 40),
    sampleMs: Math.min(5_000, seconds * 20),
    isOver: () => elapsed() > seconds,
    /** The last disturbance ends before the phase, so that the last calls are undisturbed. */
    isEnding: () => elapsed() > seconds - 8,
    windows: (since) => ({
      isStoreDown: storeDown.overlaps(since),
      isSiteDown: siteDown.overlaps(since),
      isStopping: stopping.overlaps(since),
    }),
  };
}

async function runPhase(name, options) {
  const phase = createPhase(name, options);
  const clients = Array.from({ length: options.clients }, (_, number) => new Client(number, phase).run());
  const streams = phase.gateways.flatMap((gateway) => [watchStream(gateway, phase), watchStream(gateway, phase)]);
  await Promise.all([...clients, disturb(phase), sampleMemory(phase)]);
  phase.controller.abort();
  await Promise.all(streams);
  return phase;
}

const countLines = (gateways, isCounted) => gateways.flatMap((gateway) => gateway.lines()).filter(isCounted);

const percentile = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? 0;

async function reportPhase(phase, site, codes) {
  const { name, tally, gateways, refused, memory, seconds } = phase;
  const report = new Report();
  const { counts, problems } = await site.ask({ report: true });
  const { seen } = await site.ask({ seen: refused });
  const unlisted = unlistedCodes(tally, codes);
  const failures = countLines(
    gateways,
    ({ level, code, msg }) => level === 'fatal' || code === 'internal-error' || /uncaught|unhandled/i.test(msg),
  );
  noteLoad(report, phase, counts);
  checkAnswers(report, tally, unlisted);
  checkSubmissions(report, counts, seen);
  report.check('internal errors in the logs', failures.length);
  report.checkGrowth('heap after a garbage collection', memory.heap, { share: 0.15, more: 6, unit: ' MB' });
  report.checkGrowth('resident memory', memory.rss, { share: 0.2, more: 30, unit: ' MB' });
  report.examples([
    ...tally.examples.filter((text) => !text.startsWith('abandoned')),
    ...problems,
    ...seen.map((id) => `submitted, although refused: ${id}`).slice(0, 5),
    ...unlisted,
    ...failures.slice(0, 5).map((line) => JSON.stringify(line).slice(0, 600)),
  ]);
  report.print(`\nThe gateway with sessions in ${name}, ${Math.round(seconds)} s:`);
  printCodes(tally);
  return report.isOk;
}

function noteLoad(report, { tally, durations, seconds }, counts) {
  const count = (what) => tally.count(what);
  for (const what of ['calls', 'answered', 'abandoned', 'sessions', 'connection errors of an ended process'])
    report.note(what, count(what));
  for (const what of [
    'processes killed',
    'processes stopped',
    'stores down',
    'sites down',
    'manifests changed',
    'manifests damaged',
  ])
    report.checkLeast(what, count(what), seconds < 150 ? 0 : 1);
  report.checkLeast('answered share of calls, in percent', Math.floor((100 * count('answered')) / count('calls')), 40);
  report.note('warnings that a session was not saved', count('warnings that a session was not saved'));
  report.note('submissions at the site, and requests of its page', `${counts.submissions}, ${counts.pages}`);
  report.note(
    'ms of a call: median, 99 of 100',
    `${percentile(durations, 0.5).toFixed(1)}, ${percentile(durations, 0.99).toFixed(0)}`,
  );
  report.note('notifications of changed tools', count('notifications of changed tools'));
}

function checkAnswers(report, tally, unlisted) {
  const count = (what) => tally.count(what);
  report.check('calls without an answer', count('failed: unanswered'));
  report.check('connection errors of a running process', count('failed: connection'));
  report.check('calls answered twice, or in another format', count('failed: broken'));
  report.check('wrong answers or codes', count('wrong answer'));
  report.check('codes that the documentation does not list', unlisted.length);
  report.check('lost sessions', count('lost'));
  report.check('lost updates of a session', count('update lost'));
  report.check('processes that stopped with another code', count('stopped with another code'));
}

function checkSubmissions(report, counts, seen) {
  report.check('submissions sent twice', counts.twice);
  report.check('submissions of refused calls', seen.length);
  report.check('submissions without an ID', counts.withoutId);
  report.check('tokens of another session, or used twice', counts.badTokens);
}

function printCodes({ sorted }) {
  const codes = sorted.filter(([what]) => what.startsWith('code '));
  console.table(Object.fromEntries(codes.map(([what, answers]) => [what.slice(5), { answers }])));
}

const unlistedCodes = (tally, codes) =>
  tally.sorted.map(([what]) => what).filter((what) => what.startsWith('code ') && !codes.has(what.slice(5)));

/** The token and the key of the phase with Redis, where sessions are bound to a client and encrypted. */
const secrets = {
  WEBMCP_FORMS_TOKEN: 'a-token-of-the-soak-0123456789abcdef',
  WEBMCP_FORMS_SESSION_KEY: Buffer.from('the key of the soak, 32 bytes 01').toString('base64'),
};

async function startGateways(folder, name, site, { location, processes, env = {} }) {
  const bin = join(checkout, 'gateway/dist/cli/bin.js');
  const args = ['--base-url', site.url, '--sessions', location, '--log-level', 'warn'];
  return await Promise.all(
    processes.map((each) =>
      Gateway.start({ bin, cwd: folder, name: `${name}-${each}`, args, env, headers: authorization(env) }),
    ),
  );
}

const authorization = ({ WEBMCP_FORMS_TOKEN: token }) => (token ? { authorization: `Bearer ${token}` } : {});

/** Files of updates that failed because the folder was missing, which the next start removes. */
function leftovers(folder) {
  const names = readdirSync(join(folder, 'sessions.folder'), { recursive: true }).map(String);
  return names.filter((name) => /\.(draft|lock)$/.test(name)).length;
}

async function soakStore(name, store, place, { folder, seconds, seed, clients, codes }) {
  const site = await startSite(seed);
  const gateways = await startGateways(folder, name, site, place);
  try {
    const phase = await runPhase(name, { seconds, seed, clients, gateways, store, site, folder });
    const isOk = await reportPhase({ ...phase, seconds }, site, codes);
    const ends = await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
    if (ends.some((code) => code !== 0)) console.log(`The gateways ended with ${ends.join(' and ')}.`);
    return isOk && ends.every((code) => code === 0);
  } finally {
    site.child.disconnect();
  }
}

/** @returns whether no limit was exceeded */
export async function soakGateway({ minutes = 10, clients = 50, seed = 1 }) {
  const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-soak-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  compileManifest(folder);
  const hasRedis = programs.redis.isInstalled();
  const options = { folder, clients, codes: listedCodes(), seconds: (minutes * 60) / (hasRedis ? 2 : 1), seed };
  const place = { location: 'sessions', processes: ['one'] };
  const isFolderOk = await soakStore('a folder', await folderStore(folder), place, options);
  console.log(`Files of failed updates in the folder: ${leftovers(folder)}`);
  if (!hasRedis) {
    console.log('Redis is not installed: its phase is skipped.');
    return isFolderOk;
  }
  mkdirSync(join(folder, 'redis'));
  const redis = await startRedis(join(folder, 'redis'));
  const isRedisOk = await soakStore(
    'Redis',
    redisStore(redis),
    { location: redis.url, processes: ['one', 'two'], env: secrets },
    { ...options, seed: seed + 1 },
  );
  redis.thaw();
  await redis.kill();
  return isFolderOk && isRedisOk;
}
