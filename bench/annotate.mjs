// Measures annotate for pages without annotations, relative to compile for the annotated pages: npm run bench
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';
import { demo, pages } from './pages.mjs';
import { pageText } from './site.mjs';

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const count = Number(process.env.PAGES ?? 1000);
const turns = Number(process.env.TURNS ?? 5);

const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

const onExit = `process.on('exit',()=>{const{user,system}=process.cpuUsage();require('fs').writeSync(3,String(user+system))})`;
const usage = join(folder, 'usage.cjs');
writeFileSync(usage, onExit);

/** The processor time of the program in seconds. */
function seconds(...argv) {
  const { status, stderr, output } = spawnSync(process.execPath, ['--require', usage, bin, ...argv, '--jobs', '1'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    maxBuffer: 100_000_000,
  });
  if (status === 2) throw new Error(stderr);
  return Number(output[3]) / 1e6;
}

const annotation = / tool(?:name|title|description|autosubmit|paramdescription)(?:="[^"]*")?/g;
const withButton = (page) => page.replace(/<\/form>/g, '<button type="submit">Send</button></form>');

function write(name, pageOf) {
  mkdirSync(join(folder, name));
  for (let number = 0; number < count; number++)
    writeFileSync(join(folder, name, `${number}.html`), pageOf(number).replace(annotation, ''));
  cpSync(join(folder, name), join(folder, `${name}-annotated`), { recursive: true });
  seconds('annotate', '--write', `${name}-annotated`);
}

function compare(name) {
  const times = [];
  for (let turn = 0; turn < turns; turn++) {
    const compiled = seconds('compile', `${name}-annotated`, '--out', 'webmcp.json');
    const annotated = seconds('annotate', name, '--out', 'table.txt');
    times.push({ compiled, annotated, ratio: annotated / compiled });
  }
  const middle = (key) => median(times.map((each) => each[key])).toFixed(2);
  return { 'compile s': middle('compiled'), 'annotate s': middle('annotated'), ratio: middle('ratio') };
}

write('site', (number) => withButton(pageText(number - (number % 3))));
write('pages', (number) => withButton(pages[number % pages.length]));
write('demo', (number) => demo[number % demo.length]);
console.log(`Processor time of annotate over compile, ${count} pages (asked: at most 1.5):`);
console.table({
  'whole pages with the forms of two design systems': compare('pages'),
  'a site of 8 to 60 kB a page': compare('site'),
  "the demo's pages": compare('demo'),
});
