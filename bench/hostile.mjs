// Compiles hostile pages, each in a new process: npm run bench:hostile [-- --only TEXT] [-- --size BYTES]
// The limit of the time for a page of at most 5 MB is three times the time of parse5 plus 0.5 s, in each profile, from its
// text to its tools and diagnostics. Linting may take as much time again. The limit of the memory is 30 times the size of
// the page plus 100 MB: the process ends if its heap exceeds it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shapes } from './hostile-shapes.mjs';

const options = {
  only: { type: 'string', default: '' },
  size: { type: 'string', default: '5000000' },
  shape: { type: 'string' },
};
const { only, size, shape } = parseArgs({ options }).values;

const limits = { timesParse5: 3, milliseconds: 500, timesBytes: 30, megabytes: 100, timeoutMs: 120_000 };
const file = fileURLToPath(import.meta.url);
const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('..', import.meta.url));

function cpu(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The time of the slowest profile, and of linting. */
async function measureTime(html) {
  const { parse } = await import('parse5');
  const { compileHtml, lint } = await import(`${checkout}/dist/build.js`);
  const parseOnce = () => parse(html, { sourceCodeLocationInfo: true });
  const parse5 = [cpu(parseOnce), cpu(parseOnce)].toSorted((a, b) => a - b)[0];
  const total = ['chromium', 'precise', 'portable'].map((profile) =>
    cpu(() => compileHtml(html, { path: 'a.html', profile })),
  );
  return { parse5, compile: Math.max(...total), lint: cpu(() => lint(html, { path: 'a.html' })) };
}

/** Compiles with a limited heap, and reports the tools and diagnostics. */
async function measureMemory(html) {
  const { compileHtml } = await import(`${checkout}/dist/build.js`);
  const { tools, diagnostics } = compileHtml(html, { path: 'a.html', profile: 'portable' });
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  return { rss: process.resourceUsage().maxRSS / 1024, tools: tools.length, codes };
}

function runChild(name, what, flags = []) {
  const argv = [...flags, file, '--shape', `${what}:${name}`, '--size', size];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, argv, {
    encoding: 'utf8',
    timeout: limits.timeoutMs,
    maxBuffer: 1e8,
  });
  if (status === 0) return JSON.parse(stdout);
  const reason =
    error?.code === 'ETIMEDOUT'
      ? 'timeout'
      : (/heap out of memory|Invalid string length|Map maximum|stack size|Invalid array length/.exec(stderr)?.[0] ??
        'crash');
  if (process.env.VERBOSE) console.error(stderr.slice(-1500));
  return { failure: reason };
}

function measureShape(name, empty) {
  const html = shapes[name](Number(size));
  const megabytes = html.length / 1e6;
  const allowedMb = Math.ceil(limits.timesBytes * megabytes + limits.megabytes);
  const time = runChild(name, 'time');
  const memory = runChild(name, 'memory', [
    `--max-old-space-size=${empty.heap + allowedMb}`,
    '--max-semi-space-size=1',
  ]);
  const allowedMs = limits.timesParse5 * (time.parse5 ?? 0) + limits.milliseconds;
  const isSlow = time.failure !== undefined || time.compile > allowedMs || time.lint - time.compile > allowedMs;
  const isLarge = memory.failure !== undefined;
  return {
    shape: name,
    MB: megabytes.toFixed(1),
    'parse5 ms': time.parse5?.toFixed(0),
    'compile ms': time.failure ?? time.compile.toFixed(0),
    times: time.failure ? '' : (time.compile / time.parse5).toFixed(1),
    'lint ms': time.lint?.toFixed(0),
    'memory MB': memory.failure ?? Math.max(0, memory.rss - empty.rss).toFixed(0),
    'of MB': allowedMb,
    tools: memory.tools,
    result:
      [isSlow && 'SLOW', isLarge && 'LARGE'].filter(Boolean).join(' ') ||
      (memory.codes?.includes('limit-exceeded') ? 'ok, limited' : 'ok'),
  };
}

if (shape) {
  const [what, name] = shape.split(':');
  const html = name === 'empty' ? '<form toolname=t tooldescription=d></form>' : shapes[name](Number(size));
  const measured = await (what === 'time' ? measureTime(html) : measureMemory(html));
  const { heapUsed } = process.memoryUsage();
  console.log(JSON.stringify({ ...measured, heap: Math.ceil(heapUsed / 1e6) }));
} else {
  const empty = runChild('empty', 'memory');
  const rows = [];
  for (const name of Object.keys(shapes).filter((each) => each.includes(only))) {
    rows.push(measureShape(name, empty));
    process.stderr.write(`${rows.at(-1).shape}: ${rows.at(-1).result}\n`);
  }
  console.table(rows);
  const missed = rows.filter(({ result }) => !result.startsWith('ok'));
  console.log(
    `${rows.length} shapes, ${missed.length} missed. Allowed: compiling and linting each 3 times parse5 + 0.5 s, and 30 times the page + 100 MB.`,
  );
  process.exitCode = missed.length > 0 ? 1 : 0;
}
