import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import type { WebmcpFormsOptions } from '../../src/vite/index.js';
import { toolForm } from '../support/cli/running.js';
import { bundleValidators } from '../../src/vite/validators/bundle-validators.js';
import { skipWithout } from '../../tools/programs.mjs';
import { openChromium } from '../support/e2e/open.js';
import { build, closeAll, closeLater, majors, makeSite, serve } from '../support/vite/sites.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};
type Validator = (schema: object, tool: { name: string }) => (input: object) => { path: string; reason: string }[];

const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:";

/** Serves a folder below /sub/ with a policy that forbids `new Function`. */
async function host(folder: string): Promise<string> {
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/sub\//, '').replace(/[?#].*$/, '');
    readFile(join(folder, path)).then(
      (body) => {
        response.setHeader('content-type', types[extname(path)] ?? 'text/css');
        response.setHeader('content-security-policy', strictPolicy);
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/`;
}

const polyfill = JSON.stringify(new URL('../../dist/polyfill/index.js', import.meta.url).pathname);
const checking = `
import { apply } from ${polyfill};
import { validate, loadValidators } from 'virtual:webmcp-forms/validators';
const schema = { type: 'object', properties: { code: { type: 'string', format: 'email', minLength: 3 } }, required: ['code'] };
const tool = (name) => ({ name, description: 'd', inputSchema: schema, execute: ({ code }) => 'ran with ' + code });
apply({ validate });
globalThis.check = async () => {
  const { modelContext } = document;
  await modelContext.registerTool(tool('redeem'));
  await modelContext.registerTool(tool('unknown'));
  const tools = await modelContext.getTools();
  const call = (name, input) =>
    modelContext.executeTool(tools.find((each) => each.name === name), JSON.stringify(input)).catch((error) => error.message);
  const { validators } = await loadValidators();
  const q = (input) => validators.find_books(input);
  return [await call('redeem', { code: 'a@b.example' }), await call('redeem', {}), await call('unknown', { code: 'x' }), q({ q: 'ab' }), q({ q: 'a' })];
};
`;
const redeem = {
  type: 'object',
  properties: { code: { type: 'string', format: 'email', minLength: 3 } },
  required: ['code'],
};

function checkAnswers([right, missing, unknown, ok, short]: readonly unknown[]): void {
  assert.equal(right, 'ran with a@b.example');
  assert.deepEqual(JSON.parse(String(missing)), {
    path: '/code',
    reason: 'required',
    schemaPath: '/required',
    tool: 'redeem',
  });
  assert.match(String(unknown), /The tool has no validator/);
  assert.deepEqual([ok, short], [true, false]);
}

const check = async (browser: Browser, url: string): Promise<readonly unknown[]> => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => 'check' in globalThis).catch(() => assert.fail(errors.join('\n')));
  const answers = await page.evaluate(() => (globalThis as unknown as { check: () => Promise<unknown[]> }).check());
  await page.close();
  return answers;
};

for (const [name, vite] of majors) {
  const built = async (options: WebmcpFormsOptions, base = '/sub/') => {
    const root = await makeSite();
    await build(vite, root, { options, config: { base } });
    const read = (path: string) => readFile(join(root, 'dist', path), 'utf8');
    return {
      root,
      read,
      index: await read('index.html'),
      order: await read('shop/order.html'),
      about: await read('about.html'),
    };
  };

  describe(`the injected script of ${name}`, { skip: skipWithout('chromium') }, () => {
    let browser: Browser;
    beforeAll(async () => (browser = await openChromium(false)));
    afterEach(closeAll);
    afterAll(() => browser.close());

    async function toolsAt(url: string): Promise<readonly string[]> {
      const page = await browser.newPage();
      await page.goto(url);
      const tools = await page.evaluate(async () => {
        const { document } = globalThis as unknown as {
          document: { modelContext: { getTools(): Promise<{ name: string }[]> } };
        };
        return (await document.modelContext.getTools()).map(({ name }) => name);
      });
      await page.close();
      return tools;
    }

    it(`${name}: the script is before other scripts, only in pages with tools`, async () => {
      const { index, about, read } = await built({ inject: true });
      const [, src] =
        /<script src="\/sub\/(assets\/webmcp-forms\.iife-\w{8}\.js)" data-chunk="[^"]*">/.exec(index) ?? [];
      assert.ok(src !== undefined, index);
      assert.equal(index.indexOf('<script'), index.indexOf(`<script src="/sub/${src}"`));
      assert.match(await read(src), /^\(\(\)=>/);
      assert.ok(!about.includes('webmcp-forms'));
    });

    it(`${name}: the options of inject select the attributes of the script, and all pages`, async () => {
      const origins = ['https://pay.example', 'https://search.example'];
      const inject = { pages: 'all', integrity: true, sensitive: 'include', autosubmitOrigins: origins } as const;
      const { root, index, about, read } = await built({ inject, profile: 'portable' });
      const pattern =
        /<script src="\/sub\/(\S+)" data-chunk="(\S+)" integrity="(\S+)" data-integrity="(\S+)" data-profile="portable" data-sensitive="include" data-autosubmit-origins="https:\/\/pay\.example https:\/\/search\.example">/;
      const [tag, src = '', agent, ...hashes] = pattern.exec(index) ?? [];
      const hashOf = async (path: string) =>
        `sha384-${createHash('sha384')
          .update(await read(path))
          .digest('base64')}`;
      const paths = [src, `assets/${agent}`];
      assert.deepEqual(await Promise.all(paths.map(hashOf)), hashes);
      assert.ok(tag !== undefined && about.includes(tag));
      assert.deepEqual(await toolsAt(`${await host(join(root, 'dist'))}index.html`), ['find_books']);
    });

    it(`${name}: a relative base makes the URLs of the script and the manifest relative to the page`, async () => {
      const { index, order } = await built({ inject: true, link: 'webmcp' }, './');
      assert.match(index, /<script src="assets\/webmcp-forms/);
      assert.match(order, /<script src="\.\.\/assets\/webmcp-forms/);
      assert.match(order, /<link rel="webmcp" type="application\/json" href="\.\.\/webmcp\.json">/);
    });

    it(`${name}: inline inserts the text of the script`, async () => {
      const { index } = await built({ inject: { inline: true } });
      assert.match(index, /<script>[!(]+function/);
      assert.ok(!index.includes('assets/webmcp-forms'));
    });

    it(`${name}: the script is after the charset, and before a policy and other scripts`, async () => {
      const policy = '<meta http-equiv="content-security-policy" content="script-src \'self\'">';
      const page = (head: string) => `<!doctype html><html><head>${head}</head><body>${toolForm('t')}</body></html>`;
      const root = await makeSite({
        'index.html': page(`<title>\u00e4</title>\n<META CHARSET=utf-8>${policy}<script>1</script>`),
        'shop/order.html': page(`<script>1</script><meta http-equiv=Content-Type content="text/html; charset=utf-8">`),
        'about.html': page('<title>t</title>'),
      });
      await build(vite, root, { options: { inject: { inline: true } } });
      const read = (path: string) => readFile(join(root, 'dist', path), 'utf8');
      assert.match(
        await read('index.html'),
        /<META CHARSET=utf-8>\n<script>[!(]+function[^]*<meta http-equiv="content-sec/,
      );
      assert.match(await read('shop/order.html'), /<head>\s*<meta charset="utf-8">\s*<script>[!(]+function/);
      assert.match(await read('about.html'), /<head>\s*<script>[!(]+function/);
    });

    it(`${name}: the script registers the forms of a page on the dev server`, async () => {
      const { url } = await serve(vite, await makeSite(), { options: { inject: true }, config: { base: '/sub/' } });
      assert.deepEqual(await toolsAt(url), ['find_books']);
    });
  });

  describe(`virtual:webmcp-forms/validators of ${name}`, { skip: skipWithout('chromium') }, () => {
    let browser: Browser;
    beforeAll(async () => (browser = await openChromium(false)));
    afterEach(closeAll);
    afterAll(() => browser.close());

    const options = { validators: { schemas: { redeem } } };

    it(`${name}: the validators of a build run with script-src 'self'`, async () => {
      const root = await makeSite({ 'main.js': checking });
      for (const base of ['/sub/', './']) {
        await build(vite, root, { options, config: { base } });
        checkAnswers(await check(browser, `${await host(join(root, 'dist'))}index.html`));
      }
      assert.doesNotMatch(
        await readFile(join(root, 'dist/webmcp-validators.js'), 'utf8'),
        /(?<!")\brequire\(|new Function|\beval\(/,
      );
    });

    it(`${name}: the validators are one file with the runtime of Ajv`, async () => {
      const schema = {
        properties: { code: { type: 'string', maxLength: 2, format: 'email' }, list: { const: [{ a: 1 }] } },
      };
      const code = await bundleValidators([], { one: schema, 'two.three': redeem }, vite.build);
      const url = `data:text/javascript,${encodeURIComponent(code)}`;
      const { validate } = (await import(url)) as { validate: Validator };
      const reasons = (input: object) => validate({}, { name: 'one' })(input).map(({ reason }) => reason);
      assert.deepEqual(reasons({ code: 'abc', list: [] }), ['maxLength', 'format', 'const']);
      assert.deepEqual(reasons({ list: [{ a: 1 }] }), []);
      assert.deepEqual(validate(redeem, { name: 'two.three' })({})[0]?.path, '/code');
    });

    it(`${name}: the validators run on the dev server`, async () => {
      const root = await makeSite({ 'main.js': checking });
      const fs = { strict: false };
      const { url } = await serve(vite, root, { options, config: { base: '/sub/', server: { fs } } });
      checkAnswers(await check(browser, url));
    });

    it(`${name}: a build fails if the validators are imported but disabled, or a schema is invalid`, async () => {
      const root = await makeSite({ 'main.js': checking });
      await assert.rejects(build(vite, root), /requires the option validators of webmcpForms/);
      const wrong = { validators: { schemas: { wrong: { type: 'no type' } } } };
      await assert.rejects(build(vite, root, { options: wrong }), /Cannot compile the schema of wrong: /);
    });
  });
}
