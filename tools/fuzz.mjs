// Runs the fuzz targets: npm run fuzz -- --cases 100000 --target html --seed 1
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

/** The targets, the slowest first, so that the processors finish at the same time. */
const names = [
  'restore',
  'html',
  'input',
  'entries',
  'manifests',
  'pages',
  'requests',
  'identity',
  'live-identity',
  'front-ends',
  'messages',
  'patterns',
];

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    help: { type: 'boolean' },
  },
});

const usage = `npm run fuzz -- [--target NAME]... [--cases NUMBER] [--seed NUMBER] [--jobs NUMBER]
The targets are ${names.join(', ')}. The default is all of them with 100000 cases each.`;

function fail(reason) {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}

function integer(name) {
  if (/^\d{1,9}$/.test(values[name])) return Number(values[name]);
  fail(`--${name} is not a number.`);
}

if (values.help) {
  console.log(usage);
  process.exit(0);
}

const [cases, seed, jobs] = [integer('cases'), integer('seed'), Math.max(1, integer('jobs'))];
const targets = values.target ?? names;
const unknown = targets.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`${unknown} is not a target.`);

const script = fileURLToPath(new URL('../test/fuzz/run/run-target.ts', import.meta.url));
const flags = ['--conditions=@webmcp-forms/source', '--import', 'tsx'];

/** The running processes. Each has its own process group with its browser, so that an interruption ends all of them. */
const running = new Set();
const killAll = () => running.forEach(({ pid }) => kill(pid));
function kill(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // the group has ended
  }
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
process.once('exit', killAll);

function runTarget(name) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [...flags, script, name, cases, seed], { stdio, detached: true });
  running.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      kill(child.pid);
      const line = output.trim().split('\n').at(-1);
      const isComplete = code === 0 && line.startsWith('{');
      const crash = { [`the process ended with ${signal ?? code}`]: 1 };
      resolve(
        isComplete ? JSON.parse(line) : { target: name, cases: 0, seconds: 0, failures: 1, slowest: 0, kinds: crash },
      );
    });
  });
}

const results = [];
const waiting = [...targets];
async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) results.push(await runTarget(name));
}
const start = performance.now();
await Promise.all(Array.from({ length: jobs }, work));

const columns = ['target', 'cases', 'seconds', 'failures', 'slowest case (ms)', 'seed'];
const rows = targets.map((name) => {
  const { cases, seconds, failures, slowest } = results.find(({ target }) => target === name);
  return [name, cases, seconds, failures, slowest, seed].map(String);
});
const widths = columns.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
console.log([line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
for (const { target, kinds } of results) {
  for (const [kind, count] of Object.entries(kinds)) console.log(`${target}: ${count} × ${kind}`);
}
console.log(`${Math.round((performance.now() - start) / 1000)} s`);
process.exitCode = results.some(({ failures }) => failures > 0) ? 1 : 0;
