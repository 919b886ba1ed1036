// Measures a large site: threads, memory, cache, start-up, and with --full 100,000 pages through GNU parallel: npm run bench
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'parse5';
import { median, race } from './measure.mjs';
import { pagePath, pageText, writeSite } from './site.mjs';

// To measure another build: BUILD=folder node bench/scale.mjs
const build = process.env.BUILD ?? fileURLToPath(new URL('../dist', import.meta.url));
const bin = join(build, 'cli/bin.js');
const { compileHtml } = await import(join(build, 'build.js'));
const turns = Number(process.env.TURNS ?? 5);
const count = Number(process.env.PAGES ?? 10_000);

const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

/** Runs the program, and resolves with its wall-clock seconds and its peak memory in megabytes. */
async function run(...argv) {
  const before = performance.now();
  const child = spawn(process.execPath, ['--import', new URL('usage.mjs', import.meta.url).href, bin, ...argv], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [usage, [code]] = await Promise.all([text(child.stdio[3]), once(child, 'exit')]);
  if (code !== 0 && !(code === 1 && argv[0] === 'lint')) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - before) / 1000, megabytes: Number(usage) / 1000 };
}

const compile = (site, jobs, ...more) => run('compile', site, '--jobs', String(jobs), '--out', `${jobs}.json`, ...more);

const lint = (site, jobs) => run('lint', site, '--jobs', String(jobs), '--out', `${jobs}.txt`);

const spread = (numbers, digits = 2) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`;

async function times(work) {
  const results = [];
  for (let turn = 0; turn < turns; turn++) results.push(await work());
  return results;
}

const manifest = (jobs) => readFileSync(join(folder, `${jobs}.json`), 'utf8');

async function compareJobs() {
  const results = await times(async () => [await compile('site', 1), await compile('site', 2)]);
  if (manifest(1) !== manifest(2)) throw new Error('--jobs 2 gave another manifest than --jobs 1');
  const ratios = results.map(([one, two]) => one.seconds / two.seconds);
  const rate = results.map(([, two]) => count / two.seconds);
  console.log(`--jobs 2 over --jobs 1: ${spread(ratios)} times the throughput (asked: at least 1.7 on two cores)`);
  console.log(`--jobs 2: ${spread(rate, 0)} pages a second`);
}

async function compareLint() {
  const seconds = async (jobs) => (await lint('site', jobs)).seconds + (await compile('site', jobs)).seconds;
  const results = await times(async () => [await seconds(1), await seconds(2)]);
  const findings = (jobs) => readFileSync(join(folder, `${jobs}.txt`), 'utf8');
  if (findings(1) !== findings(2)) throw new Error('--jobs 2 gave other findings than --jobs 1');
  console.log(`lint + compile, --jobs 2: ${spread(results.map(([, two]) => two))} s`);
  console.log(`--jobs 2 over --jobs 1: ${spread(results.map(([one, two]) => one / two))} times faster`);
}

async function measureStart() {
  const help = await times(() => run('compile', '--help'));
  console.log(`The start, compile --help: ${spread(help.map(({ seconds }) => seconds))} s`);
}

async function findThreshold() {
  const rows = {};
  for (const pages of [50, 100, 200, 400, 800]) {
    const site = `small-${pages}`;
    writeSite(join(folder, site), pages);
    const results = await times(async () => [await compile(site, 1), await compile(site, 2)]);
    rows[pages] = { '--jobs 1 over --jobs 2': spread(results.map(([one, two]) => one.seconds / two.seconds)) };
  }
  console.log('From how many pages a second thread is worth its start:');
  console.table(rows);
}

async function compareCache() {
  const cache = ['--cache', 'cache'];
  const first = await compile('site', 2, ...cache);
  const results = await times(async () => {
    const without = await compile('site', 2);
    const plain = manifest(2);
    const again = await compile('site', 2, ...cache);
    if (manifest(2) !== plain) throw new Error('The cache gave another manifest');
    return [without, again];
  });
  const ratios = results.map(([without, again]) => without.seconds / again.seconds);
  const again = results.map(([, { seconds }]) => seconds);
  console.log(
    `A rerun with the cache: ${spread(ratios, 1)} times faster, ${spread(again)} s (asked: at least 10 times)`,
  );
  const one = await times(
    async () => (await compile('site', 1)).seconds / (await compile('site', 1, ...cache)).seconds,
  );
  console.log(`The same with --jobs 1: ${spread(one, 1)} times faster`);
  console.log(`The run that fills it: ${first.seconds.toFixed(1)} s, without: ${results[0][0].seconds.toFixed(1)} s`);
}

async function compareMemory() {
  const rows = {};
  for (const part of [4, 2, 1]) {
    const pages = Math.round(count / part);
    writeSite(join(folder, `part-${part}`), pages);
    const [one, two] = [await compile(`part-${part}`, 1), await compile(`part-${part}`, 2)];
    const linted = await lint(`part-${part}`, 2);
    rows[pages] = Object.fromEntries(
      Object.entries({ '--jobs 1': one, '--jobs 2': two, 'lint --jobs 2': linted }).map(([name, { megabytes }]) => [
        name,
        `${megabytes.toFixed(0)} MB`,
      ]),
    );
    rmSync(join(folder, `part-${part}`), { recursive: true });
  }
  console.log('Memory at most (asked: below 300 MB, and flat):');
  console.table(rows);
}

function compareParsing() {
  const pages = Array.from({ length: 900 }, (_, number) => pageText(number * 3));
  const { ratio, milliseconds } = race(
    {
      parse5: () => pages.forEach((page) => parse(page, { sourceCodeLocationInfo: true })),
      compile: () => pages.forEach((page) => compileHtml(page, { path: 'page.html' })),
    },
    { turns, warmUp: 1 },
  );
  const each = milliseconds('compile') / pages.length;
  console.log(
    `Compiling pages with tools over parse5 alone: ${ratio('compile', 'parse5').toFixed(2)} (asked: at most 1.25), ` +
      `${each.toFixed(2)} ms a page`,
  );
}

async function compareDistributed(pages) {
  const lines = function* () {
    for (let n = 0; n < pages; n++) yield `${JSON.stringify({ path: pagePath(n), html: pageText(n) })}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'pages.ndjson')));
  const before = performance.now();
  const shell = (script) =>
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder, stdio: 'ignore' });
  const jobs = availableParallelism();
  shell(
    `parallel --pipe --block 50M --jobs ${jobs} --halt now,fail=1 '${process.execPath}' '${bin}' compile --ndjson < pages.ndjson > tools.ndjson`,
  );
  const mapped = performance.now();
  const merged = await run('merge', 'tools.ndjson', '--out', 'merged.json');
  const seconds = (performance.now() - before) / 1000;
  console.log(
    `${pages} pages through GNU parallel, ${jobs} processes: ${(pages / seconds).toFixed(0)} pages a second, ` +
      `${seconds.toFixed(0)} s, of which the merge ${((performance.now() - mapped) / 1000).toFixed(1)} s and ` +
      `${merged.megabytes.toFixed(0)} MB`,
  );
  const { megabytes } = await run('compile', '--ndjson', 'pages.ndjson', '--out', 'whole.ndjson');
  await run('merge', 'whole.ndjson', '--out', 'whole.json');
  const same = readFileSync(join(folder, 'merged.json')).equals(readFileSync(join(folder, 'whole.json')));
  console.log(`One process: the same manifest: ${same}; ${megabytes.toFixed(0)} MB at most`);
  if (!same) process.exitCode = 1;
}

writeSite(join(folder, 'site'), count);
const sizes = readdirSync(join(folder, 'site')).length;
console.log(`${count} pages in ${sizes} folders, a third with tools; ${turns} turns: median (least to most)`);
compareParsing();
await compareJobs();
await compareLint();
await measureStart();
await findThreshold();
await compareCache();
await compareMemory();
if (process.argv.includes('--full')) await compareDistributed(100_000);
