import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { atEnd } from '../support/at-end.js';
import { cpSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { submitForm } from '../../gateway/src/index.js';
import { readManifest } from '../../src/build.js';
import { makeFolder, runInProcess, type Outcome } from '../support/cli/running.js';
import { commandsOf } from '../support/crawl/guide.js';

const password = 'correct horse';
const fixture = fileURLToPath(new URL('../fixtures/express', import.meta.url));

interface Shop {
  readonly app: RequestListener;
  readonly orders: readonly object[];
}

/** Starts the application with views of a folder. */
async function startShop(views: string): Promise<Shop & { readonly site: string }> {
  const path = '../fixtures/express/app.mjs';
  const { createApp } = (await import(path)) as { readonly createApp: (views: string, password: string) => Shop };
  const shop = createApp(views, password);
  const server = createServer(shop.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...shop, site: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe('the guide for Express', () => {
  it('leads from views without annotations to tools that the gateway calls', async () => {
    const cwd = await makeFolder({ 'values.json': JSON.stringify({ user: 'ada', password }) });
    cpSync(join(fixture, 'views'), join(cwd, 'views'), { recursive: true });
    const run = async (args: readonly string[]): Promise<Outcome> => {
      const input = args.includes('--login') ? ['--login-input', 'values.json'] : [];
      const outcome = await runInProcess([...args, ...input], { cwd });
      assert.equal(outcome.code, 0, `${args.join(' ')}: ${outcome.stderr}`);
      assert.doesNotMatch(outcome.stdout + outcome.stderr, new RegExp(password));
      return outcome;
    };
    for (const args of commandsOf('express', 'annotate')) await run(args);
    const { site, orders } = await startShop(join(cwd, 'views'));
    for (const name of ['compile', 'lint', 'types']) {
      const commands = commandsOf('express', name, site);
      assert.ok(commands.length > 0);
      for (const args of commands) await run(args);
    }
    assert.match(readFileSync(join(cwd, 'tools.d.ts'), 'utf8'), /copies\?: number/);

    const { pages } = await readManifest('webmcp.json', cwd);
    assert.deepEqual(
      pages.map(({ path }) => path),
      ['/login', '/order', '/search'],
    );
    const [, order, search] = pages.flatMap(({ path, tools }) => tools.map((tool) => ({ tool, path })));
    assert.ok(order && search);
    const call = (
      { path, tool }: typeof order,
      input: object,
      headers: Record<string, string> = {},
    ): ReturnType<typeof submitForm> =>
      submitForm({
        tool,
        pageUrl: new URL(path, site).href,
        input: { ...input },
        config: { headers },
        allowPrivateAddresses: true,
      });
    assert.match((await call(search, { q: 'solaris' })).text ?? '', /Solaris/);
    const cookie = await sessionOf(site);
    const told = await call(order, { title: 'Solaris', copies: 2 }, { cookie });
    assert.match(JSON.stringify(told), /Your order of 2 was received/);
    assert.deepEqual(
      orders.map((each) => ({ ...each })),
      [{ title: 'Solaris', copies: '2' }],
    );
  });

  it('compiles no page behind the login if it does not log in', async () => {
    const { site } = await startShop(join(fixture, 'views'));
    const cwd = await makeFolder();
    const { code, stderr } = await runInProcess(['compile', '--depth', '1', site], { cwd });
    assert.equal(code, 0);
    assert.match(
      stderr,
      /Skipped http:\S+\/order: it redirects to \/login, which is a login\. Use --login or --cookie/,
    );
    assert.match(stderr, /Skipped http:\S+\/logout: the link could change something or log out/);
  });
});

/** The cookie of a session, as a browser has it after the login. */
async function sessionOf(site: string): Promise<string> {
  const body = new URLSearchParams({ user: 'ada', password });
  const response = await fetch(`${site}login`, { method: 'POST', body, redirect: 'manual' });
  return response.headers.getSetCookie()[0]?.replace(/;.*/, '') ?? '';
}
