import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { engines, wantedEngines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { openTab, type Tab } from '../support/e2e/open.js';
import { serveFiles, type FileServer } from '../support/e2e/serve-files.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const page = 'webmcp-forms.iife.js';
const agent = 'webmcp-forms.agent.js';
const full = 'webmcp-forms.full.iife.js';
const hashes = JSON.parse(readFileSync(`${dist}integrity.json`, 'utf8')) as Record<string, string>;

const tag = (attributes = '', src = page): string => `<script src="${src}" ${attributes}></script>`;
const form = '<form toolname=find tooldescription="Finds books." toolautosubmit><input name=q maxlength=5></form>';

/** Answers submissions, and counts the errors of the page. */
const site = `<script nonce=n>
  window.errors = [];
  addEventListener('error', ({ message }) => errors.push(message));
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
  addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith('Found ' + new FormData(event.target).get('q'));
  });
</script>`;

interface Page {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default 'utf-8' */
  readonly charset?: string;
  /** The responses to the requests of each file, in order. `undefined` and later requests serve the file in `dist`. */
  readonly files?: Readonly<Record<string, readonly (((response: ServerResponse) => void) | undefined)[]>>;
}

const missing = (response: ServerResponse): void => void response.writeHead(404).end();
const sends = (code: string) => (response: ServerResponse) =>
  void response.setHeader('content-type', 'text/javascript').end(code);

for (const engine of wantedEngines().filter((name) => name !== 'webmcp')) {
  const { label, program } = engines[engine];
  describe(`the scripts of a page in ${label}`, { skip: skipWithout(program) }, () => {
    let tab: Tab;
    let close: () => Promise<void>;
    let server: FileServer;
    let served: Page = { html: '' };
    let answered = new Map<string, number>();

    beforeAll(async () => {
      tab = await openTab(engine);
      server = await serveFiles({ onTestFinished: (steps) => (close = steps) }, dist, (path, _, response) => {
        if (path.endsWith('.html')) {
          for (const [name, value] of Object.entries(served.headers ?? {})) response.setHeader(name, value);
          response.setHeader('content-type', `text/html; charset=${served.charset ?? 'utf-8'}`);
          response.setHeader('cache-control', 'no-store');
          response.end(`<!doctype html><title>Shop</title>${path === 'page.html' ? served.html : tag()}`);
          return true;
        }
        response.setHeader('cache-control', 'no-store');
        const count = answered.get(path) ?? 0;
        answered.set(path, count + 1);
        const answer = served.files?.[path]?.[count];
        answer?.(response);
        return answer !== undefined;
      });
    });
    afterAll(async () => {
      await tab.close();
      await close();
    });
    afterEach(async () => {
      await tab.goto('about:blank');
    });

    const open = async (next: Page): Promise<void> => {
      served = next;
      answered = new Map();
      server.requested.length = 0;
      await tab.goto(`${server.url}page.html`);
    };
    /** The scripts that were loaded, after a while in which other scripts could be loaded. */
    const loaded = async (): Promise<readonly string[]> => {
      await wait(150);
      return server.requested.filter((path) => path.endsWith('.js') && path !== page);
    };
    const untilRequested = (path: string): Promise<boolean> => until(() => server.requested.includes(path));
    const names = (): Promise<readonly string[]> =>
      tab.evaluate(async () => (await document.modelContext.getTools()).map(({ name }) => name), null);
    const call = (): Promise<string | null> =>
      tab.evaluate(async () => {
        const [tool] = await document.modelContext.getTools();
        return tool ? document.modelContext.executeTool(tool, { q: 'tea' }) : null;
      }, null);
    const failure = (): Promise<readonly string[]> =>
      tab.evaluate(async () => {
        try {
          await document.modelContext.getTools();
          return [];
        } catch (error) {
          const { name, message } = error as DOMException;
          return [name, message];
        }
      }, null);
    const errors = (): Promise<readonly string[]> =>
      tab.evaluate(() => (window as unknown as { errors: string[] }).errors, null);

    for (const charset of ['shift_jis', 'koi8-r', 'gb18030'])
      it(`are read in a page of ${charset}, whose encoding applies to scripts without a declared encoding`, async () => {
        const password = '&#1087;&#1072;&#1088;&#1086;&#1083;&#1100;'; // in Russian
        const login = `<form toolname=enter tooldescription=Enters.><label>${password} <input name=a></label><input name=b title=b></form>`;
        for (const script of [page, full]) {
          const files = [page, agent, full].map((name) => [name, [sends(readFileSync(`${dist}${name}`, 'utf8'))]]);
          const answers = Object.fromEntries(files) as NonNullable<Page['files']>;
          await open({ html: tag('data-profile=precise', script) + login, charset, files: answers });
          const parameters = await tab.evaluate(async () => {
            const [tool] = await document.modelContext.getTools();
            const { properties = {} } = (tool?.inputSchema ?? {}) as { readonly properties?: object };
            return Object.keys(properties);
          }, null);
          assert.deepEqual(parameters, ['b'], script);
        }
      });

    it('load the agent script when an agent lists the tools, and nothing when it calls one', async () => {
      await open({ html: tag() + site + form });
      assert.deepEqual(await loaded(), []);
      assert.deepEqual(await names(), ['find']);
      assert.deepEqual(await loaded(), [agent]);
      assert.deepEqual([await call(), await loaded()], ['Found tea', [agent]]);
      assert.deepEqual(await errors(), []);
    });

    it('list the tools of the page, although a frame with forms is removed in the task of the first use', async () => {
      for (const script of [page, 'webmcp-forms.full.iife.js']) {
        const frame = `<iframe srcdoc="${form.replaceAll('"', "'").replace('find', 'below')}"></iframe>`;
        await open({ html: tag('', script) + site + form + frame });
        await until(async () => await tab.evaluate(() => frames[0]?.document.forms.length === 1, null));
        const listed = await tab.evaluate(async () => {
          const tools = document.modelContext.getTools();
          document.querySelector('iframe')?.remove();
          return (await tools).map(({ name }) => name);
        }, null);
        assert.deepEqual([listed, await names(), await errors()], [['find'], ['find'], []], script);
      }
    });

    const silent: Readonly<Record<string, () => unknown>> = {
      'registers and unregisters a tool': async () => {
        const controller = new AbortController();
        const tool = { name: 'own', description: 'd', execute: () => 'done' };
        await document.modelContext.registerTool(tool, { signal: controller.signal });
        controller.abort();
      },
      'adds, renames and removes a form': () => {
        const added = document.createElement('form');
        added.setAttribute('toolname', 'added');
        added.setAttribute('tooldescription', 'd');
        document.body.append(added);
        added.setAttribute('toolname', 'other');
        added.remove();
      },
      'detects the API': () => ['modelContext' in document, 'modelContext' in navigator, 'ModelContext' in window],
      'submits its form': () => document.querySelector('form')?.requestSubmit(),
      'listens to other events': () => document.modelContext.addEventListener('click', () => undefined),
    };
    for (const [what, steps] of Object.entries(silent)) {
      it(`are not loaded if a page ${what}`, async () => {
        await open({ html: tag() + site + form });
        await tab.evaluate(steps, null);
        assert.deepEqual([await loaded(), await errors()], [[], []]);
      });
    }

    const uses: Readonly<Record<string, () => unknown>> = {
      'reads navigator.modelContext': () => void navigator.modelContext,
      'listens to toolchange': () => document.modelContext.addEventListener('toolchange', () => undefined),
      'listens to toolactivated': () => document.modelContext.addEventListener('toolactivated', () => undefined),
      'listens to toolcancel': () => document.modelContext.addEventListener('toolcancel', () => undefined),
      'sets ontoolchange': () => void (document.modelContext.ontoolchange = () => undefined),
      'is queried by developer tools': () => window.dispatchEvent(new CustomEvent('devtoolstooldiscovery')),
    };
    for (const [what, steps] of Object.entries(uses)) {
      it(`load the agent script if a page ${what}`, async () => {
        await open({ html: tag() + site + form });
        await tab.evaluate(steps, null);
        await untilRequested(agent);
        assert.deepEqual([await loaded(), await errors()], [[agent], []]);
      });
    }

    it('load the agent script if a page of another origin has asked for its tools', async () => {
      const other = server.url.replace('127.0.0.1', 'localhost');
      await open({ html: `${tag()}${site}<iframe allow=tools src="${other}frame.html"></iframe>` });
      assert.deepEqual(await loaded(), []);
      assert.deepEqual(await names(), []);
      await until(() => server.requested.filter((path) => path === agent).length === 2);
      assert.deepEqual(await loaded(), [agent, agent]);
    });

    it('describe the current state of a form that has changed often', async () => {
      await open({ html: tag('data-profile=precise') + site + form });
      const found = await tab.evaluate(async () => {
        const element = document.querySelector('form') as HTMLFormElement;
        for (let count = 1; count <= 10; count++) {
          (element.q as HTMLInputElement).maxLength = count;
          await new Promise((resolve) => setTimeout(resolve));
        }
        const [tool] = await document.modelContext.getTools();
        return JSON.stringify(tool?.inputSchema);
      }, null);
      assert.match(found, /"maxLength":10/);
    });

    it('reject a new tool with the name of a form without loading the agent script', async () => {
      await open({ html: tag() + site + form });
      const outcomes = await tab.evaluate(async () => {
        const register = async (): Promise<string> => {
          try {
            await document.modelContext.registerTool({ name: 'find', description: 'd', execute: () => 'done' });
            return 'registered';
          } catch (error) {
            return (error as DOMException).name;
          }
        };
        const taken = await register();
        document.querySelector('form')?.remove();
        return [taken, await register()];
      }, null);
      assert.deepEqual(outcomes, ['InvalidStateError', 'registered']);
      assert.deepEqual([await loaded(), await errors()], [[], []]);
    });

    it('register a waiting form when a script unregisters the tool of the same name', async () => {
      await open({ html: tag() + site });
      const outcome = await tab.evaluate(async () => {
        const controller = new AbortController();
        const tool = { name: 'find', description: 'd', execute: () => 'done' };
        await document.modelContext.registerTool(tool, { signal: controller.signal });
        document.body.innerHTML += '<form toolname=find tooldescription=f toolautosubmit><input name=q></form>';
        await new Promise((resolve) => setTimeout(resolve, 50));
        controller.abort();
        return document.modelContext.registerTool(tool).then(
          () => 'registered',
          (error: unknown) => (error as DOMException).name,
        );
      }, null);
      assert.equal(outcome, 'InvalidStateError');
      assert.deepEqual([await loaded(), await call()], [[], 'Found tea']);
    });

    it('dispatch toolchange for forms that are added after its listener, and not for those before', async () => {
      await open({ html: tag() + site + form });
      const counts = await tab.evaluate(async () => {
        let count = 0;
        document.modelContext.addEventListener('toolchange', () => count++);
        await new Promise((resolve) => setTimeout(resolve, 200));
        const before = count;
        document.body.insertAdjacentHTML('beforeend', '<form toolname=added tooldescription=d></form>');
        while (count === before) await new Promise((resolve) => setTimeout(resolve, 20));
        await new Promise((resolve) => setTimeout(resolve, 100));
        return [before, count];
      }, null);
      assert.deepEqual(counts, [0, 1]);
    });

    it('dispatch toolchange for a form that is added while the agent script loads', async () => {
      await open({ html: tag() + site + form });
      const count = await tab.evaluate(async () => {
        let events = 0;
        document.modelContext.addEventListener('toolchange', () => events++);
        document.body.insertAdjacentHTML('beforeend', '<form toolname=added tooldescription=d></form>');
        while (events === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        await new Promise((resolve) => setTimeout(resolve, 100));
        return events;
      }, null);
      assert.equal(count, 1);
    });

    const changesWhileLoading: Readonly<Record<string, readonly [number, () => unknown]>> = {
      'an attribute of a control': [1, () => document.querySelector('input')?.setAttribute('required', '')],
      'the text of a label outside of the form': [
        1,
        () => ((document.querySelector('label')?.firstChild as Text).data = 'Words to find'),
      ],
      'a removed control': [1, () => document.querySelector('input')?.remove()],
      'a value that a user types': [0, () => (document.querySelector('input') as HTMLInputElement).select()],
      'another element of the page': [0, () => document.querySelector('p')?.setAttribute('class', 'open')],
    };
    for (const [what, [expected, change]] of Object.entries(changesWhileLoading)) {
      it(`dispatch ${expected} toolchange events for a change while the agent script loads: ${what}`, async () => {
        const labelled = form.replace('<input', '<input id=i');
        let release: (() => void) | undefined;
        const hold = (response: ServerResponse): void =>
          void (release = () => sends(readFileSync(`${dist}${agent}`, 'utf8'))(response));
        await open({
          html: `${tag()}${site}${labelled}<label for=i>Words</label><p>Other</p>`,
          files: { [agent]: [hold] },
        });
        await tab.evaluate(() => {
          Reflect.set(window, 'count', 0);
          const add = (): boolean => Reflect.set(window, 'count', (Reflect.get(window, 'count') as number) + 1);
          document.modelContext.addEventListener('toolchange', add);
        }, null);
        await until(() => release !== undefined);
        await tab.evaluate(change, null);
        release?.();
        assert.deepEqual(await names(), ['find']);
        await wait(100);
        const events = await tab.evaluate(() => Reflect.get(window, 'count') as number, null);
        assert.deepEqual([events, await errors()], [expected, []]);
      });
    }

    it('load in a page with elements that have the names of the properties of a document', async () => {
      const names = ['currentScript', 'baseURI', 'documentElement', 'createElement', 'readyState', 'head', 'body'];
      const clobbering = names.map((name) => `<img name=${name} data-chunk=evil.js>`).join('');
      await open({ html: clobbering + tag() + site + form });
      assert.equal(await call(), 'Found tea');
      assert.deepEqual(await loaded(), [agent]);
    });

    it('load in a page that has patched built-ins after the page script', async () => {
      const patches = `<script nonce=n>
        const broken = () => { throw new Error('patched') };
        const { bind, call } = Function.prototype;
        const context = document.modelContext;
        window.result = (async () => {
          Function.prototype.bind = Function.prototype.call = Node.prototype.appendChild = broken;
          Document.prototype.createElement = document.createElement = broken;
          Object.prototype.integrity = Object.prototype.once = 'polluted';
          const [tool] = await context.getTools();
          const result = await context.executeTool(tool, { q: 'tea' });
          delete Object.prototype.integrity;
          delete Object.prototype.once;
          Object.assign(Function.prototype, { bind, call });
          void fetch('done.js');
          return result;
        })();
      </script>`;
      await open({ html: tag() + site + form + patches });
      await untilRequested('done.js'); // the test's driver needs the built-ins too
      assert.equal(
        await tab.evaluate(() => (window as unknown as { result: Promise<string> }).result, null),
        'Found tea',
      );
      assert.deepEqual(await errors(), []);
    });

    it('load as modules in a page whose Promise is not that of the browser, as with zone.js', async () => {
      const replace = `<script>
        const Native = Promise;
        const statics = Object.getOwnPropertyNames(Native).filter((name) => typeof Native[name] === 'function');
        window.Promise = function (steps) { return new Native(steps); };
        for (const name of statics) window.Promise[name] = Native[name].bind(Native);
      </script>`;
      await open({ html: `${replace}<script type=module src=auto.js></script>${site}${form}` });
      await until(() => tab.evaluate(() => 'modelContext' in document, null));
      assert.equal(await call(), 'Found tea');
      assert.deepEqual(await errors(), []);
    });

    it('report the URL of a missing agent script, and load it at the next use of the tools', async () => {
      await open({ html: tag() + site + form, files: { [agent]: [missing, missing] } });
      const [name, message] = await failure();
      assert.equal(name, 'NetworkError');
      assert.match(message ?? '', new RegExp(`^${server.url}${agent} could not be loaded\\. .*data-chunk`));
      const registered = await tab.evaluate(async () => {
        const tool = { name: 'own', description: 'd', execute: () => 'done' };
        const registering = document.modelContext.registerTool(tool);
        await registering;
        return 'registered';
      }, null);
      assert.equal(registered, 'registered');
      assert.equal((await failure())[0], 'NetworkError');
      assert.deepEqual([...(await names())].toSorted(), ['find', 'own']);
      assert.deepEqual(await errors(), []);
    });

    it('reject a script of another version', async () => {
      const code = readFileSync(dist + agent, 'utf8').replace(/"\d+\.\d+\.\d+"/, '"0.0.1"');
      await open({ html: tag() + site + form, files: { [agent]: [sends(code)] } });
      assert.match((await failure()).join(' '), /NetworkError .* has version 0\.0\.1 instead of \d/);
      assert.deepEqual(await names(), ['find']);
    });

    it('reject an agent script that throws, and one that registers nothing', async () => {
      await open({ html: tag() + form, files: { [agent]: [sends('throw new Error("broken")'), sends('')] } });
      for (const _ of [1, 2]) assert.match((await failure()).join(' '), /NetworkError .* could not be loaded/);
      assert.deepEqual(await names(), ['find']);
    });

    it('load the agent script from the URL of data-chunk', async () => {
      const files = { 'other.js': [sends(readFileSync(dist + agent, 'utf8'))] };
      await open({ html: tag('data-chunk=other.js') + site + form, files });
      assert.equal(await call(), 'Found tea');
      assert.deepEqual(await loaded(), ['other.js']);
    });

    const strict = (policy: string) => ({ 'content-security-policy': policy });
    const allowed: Readonly<Record<string, Page>> = {
      'their own origin': { html: tag() + form, headers: strict("script-src 'self'") },
      'a nonce': { html: tag('nonce=n') + site + form, headers: strict("script-src 'nonce-n'") },
      'a nonce and strict-dynamic': {
        html: tag('nonce=n') + site + form,
        headers: strict("script-src 'nonce-n' 'strict-dynamic'"),
      },
      'trusted types': {
        html: tag() + form,
        headers: strict("script-src 'self'; require-trusted-types-for 'script'; trusted-types webmcp-forms"),
      },
      hashes: {
        html: tag(`integrity="${hashes[page]}" data-integrity="${hashes[agent]}"`) + site + form,
      },
    };
    for (const [what, next] of Object.entries(allowed)) {
      it(`load in a page that requires ${what}`, async () => {
        await open(next);
        assert.deepEqual(await names(), ['find']);
        assert.deepEqual(await loaded(), [agent]);
      });
    }

    it('report a script with a wrong hash', async () => {
      await open({ html: tag(`data-integrity="${hashes[page]}"`) + site + form });
      assert.match((await failure()).join(' '), /NetworkError .* could not be loaded/);
      assert.deepEqual(await errors(), []);
    });

    it('load again in a page that was left and restored', async () => {
      await open({ html: tag() + site + form });
      await tab.evaluate(() => void document.modelContext.getTools().catch(() => undefined), null);
      await tab.goto(`${server.url}page.html?next`);
      await tab.evaluate(() => history.back(), null).catch(() => undefined);
      const isBack = (): boolean => location.search === '' && document.readyState === 'complete';
      await until(() => tab.evaluate(isBack, null).catch(() => false));
      assert.deepEqual(await names(), ['find']);
      assert.equal(await call(), 'Found tea');
    });
  });
}
