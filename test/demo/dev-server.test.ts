// @module-tag built
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, test } from 'vitest';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'osteria-'));
process.env.OSTERIA_DB = join(folder, 'osteria.sqlite');
const server = await createServer({
  ...{ configFile: join(root, 'vite.config.ts'), logLevel: 'silent' as const },
  cacheDir: join(root, '.cache/vite/dev-server'), // other servers replace the dependencies in the shared cache
  server: { port: 0, ws: false },
});
await server.listen();
const { port } = server.httpServer?.address() as { port: number };
const strays = ['stray.sqlite', 'stray.sqlite-wal'].map((name) => join(root, '.cache/vite', name)); // Vite may serve its cache
mkdirSync(join(root, '.cache/vite'), { recursive: true });
for (const stray of strays) writeFileSync(stray, 'guests');

afterAll(async () => {
  await server.close();
  for (const path of [folder, ...strays]) rmSync(path, { recursive: true, force: true });
});

const get = (path: string): Promise<Response> => fetch(`http://localhost:${port}${path}`);

test('the development server serves the pages and their scripts', async () => {
  for (const path of [
    '/',
    '/home.css',
    '/restaurant.html',
    '/order.html',
    '/site.ts',
    '/newsletter.ts',
    '/components.ts',
    `/@fs${root}dist/index.js`,
  ])
    assert.equal((await get(path)).status, 200, path);
  const served = await (await get('/components.ts')).text();
  const imports = [...served.matchAll(/from "(\/.*?)"|import "(\/.*?)"/g)].map(([, from, only]) => from ?? only ?? '');
  assert.ok(imports.length > 0);
  for (const path of imports) assert.equal((await get(path)).status, 200, path);
});

const pagesOfSite = readdirSync(join(root, 'demo')).filter((file) => file.endsWith('.html') && file !== 'index.html');

test('each page of the restaurant has its header, its footer and the panel of tools once', async () => {
  for (const file of pagesOfSite.filter((file) => file !== 'thanks.html')) {
    const html = await (await get(`/${file}`)).text();
    for (const part of ['<header', '<footer', 'id="tools"', `href="/${file}" aria-current="page"`])
      assert.equal(html.split(part).length, 2, `${file}: ${part}`);
  }
});

const kept = [
  `/@fs${root}.cache/osteria.sqlite`,
  `/@fs${join(folder, 'osteria.sqlite')}`,
  ...strays.map((stray) => `/@fs${stray}`),
  '/server/app.ts',
  '/server/database.ts',
  `/@fs${root}demo/server/schema.ts`,
  `/@fs${root}vite.config.ts`,
  `/@fs${root}package.json`,
  `/@fs${root}tools/start.mjs`,
];

test('the development server serves neither the database nor the files of the server', async () => {
  for (const path of kept)
    for (const query of ['', '?raw', '?url', '?import', '?import&raw', '?inline', '?raw??']) {
      const response = await get(path + query);
      const text = await response.text();
      assert.notEqual(response.status, 200, `${path}${query}: ${text.slice(0, 100)}`);
      assert.doesNotMatch(text, /guests|CREATE TABLE|SQLite format/);
    }
});
