import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { openChromium } from '../support/e2e/open.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const scripts = ['webmcp-forms.iife.js', 'webmcp-forms.full.iife.js'];

const html = (script: string): string => `<!doctype html>
  <script>
    window.errors = [];
    addEventListener('error', ({ message }) => errors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
  </script>
  <script src="/${script}"></script>
  <form toolname=find tooldescription="Finds books."><input name=q><button>Find</button></form>`;

const operations = `(async () => {
  const context = document.modelContext;
  let changes = 0;
  context.addEventListener('toolchange', () => changes++);
  const tool = { name: 'own', description: 'd', execute: () => 'done' };
  const calls = [
    () => context.registerTool(tool),
    () => context.getTools(),
    () => context.executeTool({ name: 'find', description: 'd', window, origin: location.origin }, {}),
  ];
  const outcomes = [];
  for (const call of calls) outcomes.push(await call().then(() => 'resolved', ({ name }) => name));
  await new Promise((resolve) => setTimeout(resolve, 200));
  return [outcomes, changes, errors];
})()`;

describe('the scripts of a page in a document that may have no tools', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium(false);
  });
  afterAll(() => browser.close());

  /** Opens a page of an origin that the browser does not request. */
  async function open(origin: string, script: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const page = await browser.newPage();
    await page.route(`${origin}/**`, (route) => {
      const [, file = ''] = /\/([\w.-]+\.js)$/.exec(route.request().url()) ?? [];
      const isScript = file.startsWith('webmcp-forms');
      const contentType = isScript ? 'text/javascript' : 'text/html';
      return route.fulfill({ headers, contentType, body: isScript ? readFileSync(`${dist}${file}`) : html(script) });
    });
    await page.goto(`${origin}/`);
    return page;
  }

  for (const script of scripts) {
    it(`is insecure: it gets no model context, and its forms do not change (${script})`, async () => {
      const page = await open('http://shop.example', script);
      const found = await page.evaluate<unknown>(
        `[isSecureContext, 'modelContext' in document, 'ModelContext' in window, 'modelContext' in navigator, errors]`,
      );
      assert.deepEqual(found, [false, false, false, false, []]);
      await page.close();
    });

    it(`is not origin-keyed: each operation rejects with a SecurityError, and forms are not tools (${script})`, async () => {
      const page = await open('https://shop.example', script, { 'origin-agent-cluster': '?0' });
      assert.equal(await page.evaluate<unknown>('originAgentCluster'), false);
      const found = await page.evaluate<unknown>(operations);
      assert.deepEqual(found, [['SecurityError', 'SecurityError', 'SecurityError'], 0, []]);
      await page.close();
    });
  }
});
