// Takes the pictures of the documentation: node --conditions=@webmcp-forms/source --import tsx tools/docs-images.mjs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { run } from '../src/cli/cli.ts';
import { chromiumPath } from './programs.mjs';

const size = { width: 640, height: 400 };
const images = fileURLToPath(new URL('../docs/images/', import.meta.url));
const origin = 'https://hotel.example/';

const form = `<form toolname="book_room" tooldescription="Books a room of the Lantern Hotel for some nights." method="post" action="/book">
  <label>Arrival <input type="date" name="arrival" required></label>
  <label>Nights <input type="number" name="nights" min="1" max="14" value="2"></label>
  <label>Room <select name="room"><option value="garden">Garden view</option><option value="street">Street view</option></select></label>
  <button>Book</button>
</form>`;

const style = `<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 12px; }
  form { margin-bottom: 100vh; }
  pre { margin: 0; font: 13px/1.55 ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
  .command { font-weight: bold; }
  .added { color: light-dark(#14663d, #7fd8a4); }
  .removed { color: light-dark(#b3261e, #ffb4ab); }
</style>`;

const { outputFiles } = await build({
  stdin: {
    contents: "import './src/auto.ts'; import './elements/index.ts';",
    resolveDir: fileURLToPath(new URL('..', import.meta.url)),
  },
  bundle: true,
  format: 'esm',
  ignoreAnnotations: true, // package.json lists side effects of built files
  write: false,
});
const script = outputFiles[0].text;
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

async function open(content, colorScheme) {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 2, colorScheme, reducedMotion: 'reduce' });
  await page.route(`${origin}**`, (route) =>
    route.fulfill(
      new URL(route.request().url()).pathname === '/script.js'
        ? { contentType: 'text/javascript', body: script }
        : {
            contentType: 'text/html',
            body: `<!doctype html><html lang="en"><title>Lantern Hotel</title>${style}${content}`,
          },
    ),
  );
  await page.goto(origin);
  return page;
}

const withScript = (content) => `<script type="module" src="/script.js"></script>${content}`;

async function openReview(colorScheme) {
  const content = `<style>form { margin: 0 0 12px; }</style>${form}<webmcp-review></webmcp-review>`;
  const page = await open(withScript(content), colorScheme);
  await page.evaluate(async () => {
    await globalThis.customElements.whenDefined('webmcp-review');
    const [tool] = await globalThis.document.modelContext.getTools();
    void globalThis.document.modelContext.executeTool(tool, { arrival: '2030-05-01', nights: 3, room: 'street' });
  });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.locator('webmcp-review [aria-disabled=true]').waitFor({ state: 'detached' }); // Approve waits half a second
  return page;
}

async function openInspector(colorScheme) {
  const page = await open(withScript(`<webmcp-inspector tool="book_room"></webmcp-inspector>${form}`), colorScheme);
  await page.locator('webmcp-inspector').getByText('Books a room').first().waitFor();
  return page;
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The HTML of a line of terminal output. */
function lineOf(line) {
  const kind = /^\+(?!\+)/.test(line)
    ? 'added'
    : /^-(?!-)/.test(line)
      ? 'removed'
      : line.startsWith('$')
        ? 'command'
        : '';
  return `<span class="${kind}">${escape(line)}</span>`;
}

async function openAnnotate(colorScheme) {
  const cwd = mkdtempSync(join(tmpdir(), 'docs-images-'));
  mkdirSync(join(cwd, 'pages'));
  writeFileSync(join(cwd, 'pages/book.html'), `<h1>Book a room</h1>\n${form.replace(/ tool\w+="[^"]*"/g, '')}\n`);
  let text = '';
  const stream = new Writable({ write: (chunk, _encoding, done) => done(void (text += chunk)) });
  await run(['annotate', 'pages'], { stdin: Readable.from([]), stdout: stream, stderr: stream, cwd, env: {} });
  rmSync(cwd, { recursive: true });
  const lines = ['$ npx webmcp-forms annotate pages', ...text.trimEnd().split('\n')];
  return open(`<pre>${lines.map(lineOf).join('\n')}</pre>`, colorScheme);
}

for (const [name, show] of Object.entries({ review: openReview, inspector: openInspector, annotate: openAnnotate }))
  for (const [suffix, colorScheme] of Object.entries({ '': 'light', '-dark': 'dark' })) {
    const page = await show(colorScheme);
    await page.screenshot({ path: join(images, `${name}${suffix}.png`) });
    await page.close();
  }
await browser.close();
