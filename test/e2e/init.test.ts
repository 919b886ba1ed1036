import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { endWithTest } from '../support/processes.js';
import { openChromium } from '../support/e2e/open.js';
import { serveFiles } from '../support/e2e/serve-files.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const search =
  '<form action="books"><label>Title <input name="q" required></label><button>Search books</button></form>';
const contact =
  '<form action="/contact" method="post"><h2>Contact us</h2><label>Message <textarea name="m"></textarea></label><button>Send message</button></form>';
const page = (body: string): string =>
  `<!doctype html>\n<html lang="en">\n  <head>\n    <meta charset="utf-8">\n    <title>Books</title>\n  </head>\n  <body>\n${body}\n  </body>\n</html>\n`;

/** A project in a temporary folder, with links to installed packages. */
async function makeProject(files: Readonly<Record<string, string>>, packages: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-init-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  for (const [name, target] of Object.entries(packages)) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true });
    await symlink(target, join(folder, 'node_modules', name));
  }
  return folder;
}

const run = (cwd: string, program: string, ...argv: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...argv], { cwd }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${argv.join(' ')} failed: ${stdout}${stderr}`));
      else resolve(stdout);
    });
  });

const runForms = (cwd: string, ...argv: readonly string[]): Promise<string> =>
  run(cwd, join(root, 'dist/cli/bin.js'), ...argv);

const buildWithVite = (cwd: string): Promise<string> => run(cwd, join(root, 'node_modules/vite/bin/vite.js'), 'build');

/** The lines for the console that init has printed. */
const consoleOf = (stdout: string): string => stdout.match(/^ {2}(?:const|await|tool\b).*$/gm)?.join('\n') ?? '';

/** Runs lines in a page, as its console does. A call that leads to another page has no result. */
const enter = (tab: Page, lines: string): Promise<unknown> =>
  tab.evaluate<unknown>(`(async () => { ${lines} })()`).catch(() => undefined);

const toolNames = (tab: Page): Promise<readonly string[]> =>
  tab.evaluate<readonly string[]>('document.modelContext.getTools().then((tools) => tools.map(({ name }) => name))');

describe('webmcp-forms init, checked in a browser,', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openChromium(false)));
  afterAll(() => browser.close());

  async function openPage(url: string): Promise<Page> {
    const tab = await browser.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(url);
    return tab;
  }

  it('makes the first call on static pages possible with one command', async () => {
    const site = await makeProject({ 'index.html': page(search), 'a/contact.html': page(contact), 'x.html': page('') });
    const stdout = await runForms(site, 'init', '--yes');
    const { url, requested } = await serveFiles({ onTestFinished }, site);
    const tab = await openPage(url);
    const submitted = tab.waitForRequest((request) => request.url().includes('/books?'));
    await enter(tab, consoleOf(stdout));
    assert.match((await submitted).url(), /\/books\?q=example$/);
    assert.ok(requested.includes('assets/webmcp-forms.agent.js'));

    const other = await openPage(`${url}a/contact.html`);
    const filled = enter(other, consoleOf(stdout).replace('search_books', 'send_message').replace('"q"', '"m"'));
    await other.waitForFunction('document.querySelector("textarea").value === "example"');
    assert.deepEqual(await toolNames(other), ['send_message']);
    await other.close();
    await filled;
  });

  const vitePackages = { vite: join(root, 'node_modules/vite'), 'webmcp-forms': root };

  it('adds the plugin to a Vite project, whose build has the tools', async () => {
    const project = await makeProject(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vite": "8" } }',
        'vite.config.js': "import { defineConfig } from 'vite';\n\nexport default defineConfig({\n  base: './',\n});\n",
        'index.html': page(`${search}<script type="module" src="/main.js"></script>`),
        'main.js': 'document.title = "Ready";',
      },
      vitePackages,
    );
    const stdout = await runForms(project, 'init', '--yes');
    assert.match(stdout, /npm install && npx vite/);
    await buildWithVite(project);
    const { url } = await serveFiles({ onTestFinished }, join(project, 'dist'));
    const tab = await openPage(url);
    assert.deepEqual(await toolNames(tab), ['search_books']);
    const submitted = tab.waitForRequest((request) => request.url().includes('/books?'));
    await enter(tab, consoleOf(stdout));
    assert.match((await submitted).url(), /\/books\?q=example$/);
    const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      scripts: { webmcp: string };
    };
    await runForms(project, ...scripts.webmcp.split(' ').slice(1));
    assert.match(await runForms(project, 'init', '--yes'), /Nothing to change/);
  });

  it('builds the starter of the documentation, whose button calls its tool', async () => {
    const names = ['package.json', 'vite.config.js', 'index.html', 'main.js'];
    const read = async (name: string) => [name, await readFile(join(root, 'docs/starter', name), 'utf8')] as const;
    const project = await makeProject(Object.fromEntries(await Promise.all(names.map(read))), vitePackages);
    await buildWithVite(project);
    const { url } = await serveFiles({ onTestFinished }, join(project, 'dist'));
    const tab = await openPage(url);
    await tab.click('#call');
    await tab.waitForFunction('document.querySelector("output").value === "A table for 4, outside"');
    assert.match(await runForms(project, 'init', '--dry-run'), /^create {2}webmcp\.json/m);
  });

  it('annotates the components of a React project, whose build has the tools', async () => {
    const project = await makeProject(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vite": "8" } }',
        'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx" } }',
        'vite.config.ts':
          "import { defineConfig, type UserConfig } from 'vite';\n\nexport default defineConfig((): UserConfig => ({ plugins: [] }));\n",
        'index.html': page('<div id="root"></div><script type="module" src="/src/main.tsx"></script>'),
        'src/main.tsx':
          "import { createRoot } from 'react-dom/client';\nimport { App } from './App';\ncreateRoot(document.getElementById('root')!).render(<App />);\n",
        'src/App.tsx': `import { useState, type FormEvent } from 'react';
export function App() {
  const [books, setBooks] = useState<string[]>([]);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBooks([String(new FormData(event.currentTarget).get('q'))]);
  };
  return (
    <main>
      <h1>Search books</h1>
      <form onSubmit={search}>
        <label>Title <input name="q" required /></label>
        <button>Search books</button>
      </form>
      <output>{books.join()}</output>
    </main>
  );
}
`,
      },
      { ...vitePackages, ...packagesIn('node_modules', 'react', 'react-dom', 'scheduler') },
    );
    const stdout = await runForms(project, 'init', '--yes');
    assert.match(await readFile(join(project, 'src/App.tsx'), 'utf8'), /<form toolname="search_books"/);
    assert.match(
      await readFile(join(project, 'vite.config.ts'), 'utf8'),
      /webmcpForms\(\{ inject: \{ pages: 'all' \} \}\)/,
    );
    await buildWithVite(project);
    const { url } = await serveFiles({ onTestFinished }, join(project, 'dist'));
    const tab = await openPage(url);
    await tab.waitForSelector('form');
    assert.deepEqual(await toolNames(tab), ['search_books']);
    const call = enter(tab, consoleOf(stdout).replace(', {})', ', { q: "Emma" })'));
    await tab.waitForFunction('document.querySelector("input").value === "Emma"');
    await tab.click('button');
    await tab.waitForFunction('document.querySelector("output").textContent === "Emma"');
    await call;
  });

  it('adds the script to the views of an Express application, whose manifest the gateway reads', async () => {
    const project = await makeProject(
      {
        'package.json': '{ "type": "module", "dependencies": { "express": "5", "ejs": "7" } }',
        'app.js': `import express from 'express';
const app = express();
app.set('view engine', 'ejs');
app.use('/files', express.static('public'));
app.get('/', (request, response) => response.render('home', { title: 'Books' }));
app.get('/books', (request, response) => response.send('Found ' + request.query.q));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'));
`,
        'public/site.css': '',
        'views/head.ejs':
          '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title><%= title %></title>\n</head>\n',
        'views/home.ejs': `<%- include('head') %>\n<body><h1><%= title %></h1>${search}</body></html>`,
      },
      packagesIn('test/node_modules', 'express', 'ejs'),
    );
    await runForms(project, 'init', '--yes');
    assert.match(
      await readFile(join(project, 'views/head.ejs'), 'utf8'),
      /<script src="\/files\/webmcp-forms\.iife\.js"/,
    );
    const app = endWithTest(
      spawn(process.execPath, ['app.js'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const [url = ''] = (await once(createInterface(app.stdout), 'line')) as string[];
    const tab = await openPage(url);
    assert.deepEqual(await toolNames(tab), ['search_books']);
    const served = await runForms(project, 'init', url);
    assert.match(served, /^The first tool is search_books on http:\/\/127\.0\.0\.1:\d+\/$/m);
    assert.match(
      served,
      /npx webmcp-gateway serve --base-url http:\/\/127\.0\.0\.1:\d+\/ --allow-private webmcp\.json/,
    );
  });
});

/** Installed packages of the repository, with their paths. */
const packagesIn = (folder: string, ...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, join(root, folder, name)]));
