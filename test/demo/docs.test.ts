import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createDocs } from '../../demo/server/docs.js';

const parent = mkdtempSync(join(tmpdir(), 'docs-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
writeFileSync(join(parent, 'secret.txt'), 'secret');

const folder = join(parent, 'docs-dist');
const get = async (path: string): Promise<Response> => createDocs(folder).request(path);

function writeSite(): void {
  mkdirSync(join(folder, 'guide'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<h1>Start</h1>');
  writeFileSync(join(folder, '404.html'), '<h1>Not here</h1>');
  writeFileSync(join(folder, 'guide/index.html'), '<h1>Guide</h1>');
}

describe('the documentation under /docs', () => {
  beforeAll(writeSite);

  test('/docs is redirected to /docs/', async () => {
    const response = await get('/docs');
    assert.equal(response.status, 301);
    assert.equal(response.headers.get('location'), '/docs/');
  });

  test('pages and folders are served', async () => {
    for (const [path, text] of [
      ['/docs/', 'Start'],
      ['/docs/guide/', 'Guide'],
      ['/docs/guide/index.html?from=search', 'Guide'],
    ] as const) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.match(await response.text(), new RegExp(text));
      assert.match(response.headers.get('content-type') ?? '', /text\/html/);
    }
  });

  test('a page that does not exist is answered with the page for missing pages', async () => {
    const response = await get('/docs/missing.html');
    assert.equal(response.status, 404);
    assert.match(await response.text(), /Not here/);
  });

  test('files outside the documentation are not served', async () => {
    for (const path of [
      '/docs/../secret.txt',
      '/docs/..%2fsecret.txt',
      '/docs/%2e%2e/secret.txt',
      '/docs/..\\secret.txt',
    ])
      assert.doesNotMatch(await (await get(path)).text(), /secret$/, path);
  });
});
