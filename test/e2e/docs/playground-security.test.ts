import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import type { Page } from 'playwright-core';
import { chromiumPath, skipWithout } from '../../../tools/programs.mjs';
import { openChromium } from '../../support/e2e/open.js';
import { until } from '../../support/until.js';
import { serveBuiltSite } from './built-site.js';
import { openPlayground, paste, renderedFrame, serveOtherSite, sharedUrl, untilEqual } from './playground-page.js';

const options = { skip: skipWithout('chromium') };
const site = await serveBuiltSite();
/** The site with the time limit for scripts, for tests in which it stops them. */
const strictSite = await serveBuiltSite({ readMs: 600_000, frameMs: 600_000 });
const other = await serveOtherSite();
const browser = options.skip ? undefined : await openChromium(false, chromiumPath());
afterAll(() => browser?.close());

const open = (html: string, at = site) => openPlayground(browser!, sharedUrl(at, html));

/** The value that a script of the page has written into its window. */
const written = (page: Page): Promise<unknown> =>
  renderedFrame(page)
    .locator('body')
    .evaluate(() => Reflect.get(window, 'written') as unknown);

/** Runs the scripts of the page. A slow machine may stop them before this returns. */
async function startScripts(page: Page): Promise<void> {
  await page.getByLabel('Run the page’s scripts').click();
  await page
    .getByText(/The scripts of the page run in the frame\.|It was stopped/)
    .first()
    .waitFor();
}

async function runScripts(page: Page): Promise<void> {
  await page.getByLabel('Run the page’s scripts').click();
  await page.getByText('The scripts of the page run in the frame.').waitFor();
}

/** Waits until the scripts of the page were stopped. */
const untilStopped = (page: Page): Promise<void> =>
  page.locator('.pg-notes').getByText('It was stopped, and the page is shown without its scripts.').waitFor();

/** Waits until the page renders, which it cannot while a script blocks its thread. */
const untilRendered = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));

test('scripts of a pasted page do not run by default', options, async () => {
  const { page, close } = await open(`<title>Hostile</title>
    <script>window.written = 'script'; parent.document.title = 'hacked'</script>
    <script type="module">window.written = 'module'</script>
    <img src="missing" onerror="window.written = 'onerror'">
    <svg onload="window.written = 'svg'"></svg>
    <input autofocus onfocus="window.written = 'onfocus'">
    <a href="javascript:void(window.written = 'link')">link</a>
    <form action="javascript:void(window.written = 'action')"><button>send</button></form>
    <iframe srcdoc="<script>parent.written = 'srcdoc'</script>"></iframe>`);
  await renderedFrame(page).getByText('link').click();
  await renderedFrame(page).getByRole('button', { name: 'send' }).click();
  await page.getByText(/Blocked in the frame: .*a script/).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await written(page), undefined);
  assert.match(await page.title(), /^Playground/);
  await close();
});

test('a pasted page sends nothing, and does not leave the frame', options, async () => {
  const { url } = other;
  const { page, foreign, close } = await open(`<base href="${url}/base/">
    <meta http-equiv="refresh" content="0;url=${url}/refresh">
    <META/HTTP-EQUIV=refresh CONTENT="0;url=${url}/refresh2">
    <link rel="preconnect" href="${url}"><link rel="stylesheet" href="${url}/style">
    <LINK/rel=dns-prefetch href="${url}"><link http-equiv="refresh" content="0;url=${url}/refresh3">
    <select><link rel="preconnect" href="${url}"></select>
    <svg><title><link rel="preconnect" href="${url}"></title></svg>
    <img src="${url}/image" srcset="${url}/srcset 2x"><video src="${url}/video" poster="${url}/poster"></video>
    <style>@import "${url}/import"; body { background: url(${url}/background) }</style>
    <iframe src="${url}/frame"></iframe><IFRAME/src="${url}/frame2"></IFRAME><object data="${url}/object"></object><embed src="${url}/embed">
    <form action="${url}/form" target="_top"><button>send</button></form>
    <a href="${url}/link" ping="${url}/ping" target="_top">link</a>`);
  await renderedFrame(page).getByText('link').click();
  await renderedFrame(page).getByRole('button', { name: 'send' }).click();
  await page.waitForTimeout(1000);
  assert.ok(await renderedFrame(page).getByRole('button', { name: 'send' }).isVisible());
  assert.deepEqual(foreign, []);
  assert.deepEqual(other.requested, []);
  assert.equal(other.connections(), 0);
  await close();
});

test('scripts that a visitor runs cannot touch the page or send anything', options, async () => {
  const { url } = other;
  const { page, close } = await open(`<title>Hostile</title><p>shown</p><script>
    const attempt = (steps) => { try { return String(steps()); } catch ({ name }) { return name; } };
    window.written = [
      attempt(() => parent.document.title = 'hacked'),
      attempt(() => localStorage.length),
      attempt(() => document.cookie),
      attempt(() => eval('1 + 1')),
      attempt(() => open('${url}/open')),
      attempt(() => new Worker('${url}/worker')),
      attempt(() => top.location = '${url}/top'),
    ].join();
    fetch('${url}/fetch').catch(() => {});
    navigator.sendBeacon('${url}/beacon');
    new WebSocket('${url.replace('http', 'ws')}');
    new Image().src = '${url}/image';
  </script>`);
  await runScripts(page);
  await page.getByText(/Blocked in the frame: .*a request of a script/).waitFor();
  assert.match(
    String(await written(page)),
    /^SecurityError,SecurityError,SecurityError,EvalError,null,SecurityError,SecurityError$/,
  );
  assert.match(await page.title(), /^Playground/);
  assert.deepEqual(other.requested, []);
  await close();
});

test('a script that leaves the frame is stopped, and the page is shown without scripts', options, async () => {
  const { page, close } = await open(`<p>shown</p><script>location = '${other.url}/location'</script>`, strictSite);
  await startScripts(page);
  await untilStopped(page);
  await renderedFrame(page).getByText('shown').waitFor();
  assert.deepEqual(other.requested, []);
  await close();
});

test('scripts can run after a page that was busy while it measured the frame', options, async () => {
  const context = await browser!.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const blockNext = (): void =>
      void setTimeout(() => {
        for (const end = Date.now() + 60; Date.now() < end;);
      });
    document.addEventListener('load', ({ target }) => target instanceof HTMLIFrameElement && blockNext(), true);
    addEventListener('message', blockNext);
  });
  await page.goto(sharedUrl(site, '<p>shown</p><script>window.written = 1</script>'));
  await runScripts(page);
  await context.close();
});

test('an endless loop in a script is stopped, and the page answers meanwhile and afterwards', options, async () => {
  const { page, close } = await open('<p>shown</p><script>for (;;);</script>', strictSite);
  await startScripts(page);
  await page.waitForTimeout(600);
  await untilRendered(page);
  await untilStopped(page);
  assert.equal(await page.getByLabel('Run the page’s scripts').isChecked(), false);
  await renderedFrame(page).getByText('shown').waitFor();
  await paste(page, '<form toolname="ping" tooldescription="Pings."><button>Ping</button></form>');
  await page.locator('webmcp-inspector [role=option]', { hasText: 'ping' }).waitFor();
  await close();
});

test('a loop that begins with a call is stopped too', options, async () => {
  const { page, close } = await open(
    `<form toolname="loop" tooldescription="Loops." toolautosubmit onsubmit="for (;;);">
    <label>Name <input name="name"></label><button>Send</button></form>`,
    strictSite,
  );
  await startScripts(page);
  await page.getByRole('tab', { name: 'Call' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await untilStopped(page);
  await close();
});

test('scripts open no connection between peers, and no document whose scripts could open one', options, async () => {
  const { page, close } = await open(`<p>shown</p><script>
    const results = [];
    const attempt = (name, steps) => { try { steps(); results.push(name); } catch ({ name }) { } };
    const text = '<script>top.postMessage("nested", "*")<\\/script>';
    const frame = () => document.body.appendChild(document.createElement('iframe'));
    attempt('peer', () => new RTCPeerConnection());
    attempt('xslt', () => new XSLTProcessor());
    attempt('property', () => (frame().srcdoc = text));
    attempt('attribute', () => frame().setAttribute('srcdoc', text));
    attempt('node', () => {
      const node = document.createAttribute('srcdoc');
      const element = frame();
      element.setAttributeNode(node);
      node.value = text;
      element.attributes.srcdoc.nodeValue = text;
      element.attributes.srcdoc.textContent = text;
    });
    attempt('html', () => document.body.insertAdjacentHTML('beforeend', \`<IFRAME srcdoc='\${text}'></iframe>\`));
    attempt('unsafe', () => document.body.setHTMLUnsafe(\`<iframe srcdoc='\${text}'></iframe>\`));
    attempt('xml', () => {
      const xml = \`<i:iframe xmlns:i="http://www.w3.org/1999/xhtml" srcdoc='\${text.replaceAll('<', '&lt;')}'/>\`;
      document.body.append(new DOMParser().parseFromString(xml, 'text/xml').documentElement);
    });
    document.write('<p>written</p>');
    attempt('parts', () => { document.write('<ifr'); document.write('ame srcdoc="' + text.replaceAll('"', "'") + '">'); });
    window.written = results.join();
  </script>`);
  await page.evaluate(() =>
    addEventListener('message', ({ data }) => data === 'nested' && Reflect.set(window, 'nested', true)),
  );
  await runScripts(page);
  await page.getByText(/Blocked in the frame: .*a document in a frame/).waitFor();
  assert.equal(await written(page), '');
  assert.ok(await renderedFrame(page).getByText('written').isVisible());
  await page.waitForTimeout(4000);
  assert.equal(await page.evaluate(() => Reflect.get(window, 'nested') as unknown), undefined);
  await close();
});

test('a script that takes the focus again and again is stopped', options, async () => {
  const { page, close } = await open(
    '<input id="field"><script>setInterval(() => { field.focus(); window.focus(); field.blur(); }, 10)</script>',
    strictSite,
  );
  await page.locator('.cm-content').click();
  await page.getByLabel('Run the page’s scripts').focus();
  await page.keyboard.press('Space');
  await untilStopped(page);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
  await close();
});

test('a script that takes the focus once leaves it in the editor', options, async () => {
  const { page, close } = await open(
    '<p>shown</p><input id="field"><script>field.focus(); window.written = document.body.innerHTML.length</script>',
  );
  await runScripts(page);
  const untilWritten = () => until(async () => (await written(page).catch(() => undefined)) !== undefined);
  await untilWritten();
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.mouse.move(0, 0);
  await renderedFrame(page)
    .locator('body')
    .evaluate(() => Reflect.set(window, 'written', undefined));
  await page.keyboard.insertText('text'); // one change, so that the page is shown once more
  await untilWritten();
  await page.waitForTimeout(500);
  await until(() => editor.evaluate((element) => document.activeElement === element));
  await page.keyboard.type('more');
  assert.match(await page.locator('.cm-content').innerText(), /textmore/);
  await close();
});

test('scripts do not run in a page that a link opens', options, async () => {
  const { page, close } = await open('<p>first</p><script>window.written = 1</script>');
  await runScripts(page);
  await renderedFrame(page).getByText('first').waitFor();
  const hash = new URL(sharedUrl(site, '<p>second</p><script>window.written = 2</script>')).hash;
  await page.evaluate((next) => (location.hash = next), hash);
  await renderedFrame(page).getByText('second').waitFor();
  assert.equal(await written(page), undefined);
  assert.equal(await page.getByLabel('Run the page’s scripts').isChecked(), false);
  assert.equal(await page.getByText('The scripts of the page run in the frame.').count(), 0);
  await close();
});

test('the playground reports a page that is not rendered, and does not call its tool', options, async () => {
  const { page, close } = await open('<p>short</p>');
  await paste(
    page,
    `<form toolname="find" tooldescription="Finds books."><input name="a"><button>Find</button></form>${'<b></b>'.repeat(20_001)}`,
  );
  await page.getByText(/Pages with more than 20,000 are not rendered/).waitFor();
  assert.equal(await page.locator('.pg-comparison').count(), 0);
  await page.getByRole('tab', { name: 'Call' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('The page is not rendered, so its tool cannot be called.').waitFor();
  await close();
});

const floods = {
  'to the page': `<script>setInterval(() => { for (let count = 0; count < 5000; count++) parent.postMessage('', '*') })</script>`,
  'about calls': `<form toolname="flood" tooldescription="Floods."><button>Send</button></form><script>
    const button = document.querySelector('button');
    setInterval(() => { for (let count = 0; count < 5000; count++) button.click() });
  </script>`,
};
for (const [what, html] of Object.entries(floods))
  test(`a flood of messages ${what} does not block the page`, options, async () => {
    const { page, close } = await open(`<p>shown</p>${html}`, strictSite);
    await startScripts(page);
    await untilStopped(page);
    await untilRendered(page);
    await renderedFrame(page).getByText('shown').waitFor();
    await close();
  });

test('scripts of a pasted page handle a call', options, async () => {
  const { page, close } = await open(`<form toolname="sum" tooldescription="Adds two numbers." toolautosubmit>
    <label>A <input type="number" name="a"></label><label>B <input type="number" name="b"></label><button>Add</button>
    </form><script>
      document.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault();
        const data = new FormData(event.target);
        event.respondWith({ sum: Number(data.get('a')) + Number(data.get('b')) });
      });
    </script>`);
  await runScripts(page);
  await page.getByRole('tab', { name: 'Call' }).click();
  await page.getByRole('radio', { name: 'JSON' }).check();
  await page.getByLabel('Input', { exact: true }).fill('{"a": 2, "b": 3}');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('"sum": 5').waitFor();
  await close();
});

test('a call that begins while the frame is replaced is sent to the new frame', options, async () => {
  const { page, close } = await open(`<form toolname="where" tooldescription="Returns a value." toolautosubmit>
    <label>A <input name="a"></label><button>Send</button></form><script>
      document.querySelector('form').onsubmit = (event) => {
        event.preventDefault();
        event.respondWith('from the new frame');
      };
    </script>`);
  await page.getByRole('tab', { name: 'Call' }).click();
  await page.getByRole('button', { name: 'Run' }).waitFor();
  await page.getByLabel('Run the page’s scripts').evaluate((scripts: HTMLElement) => {
    scripts.click();
    const { shadowRoot } = document.querySelector('webmcp-inspector')!;
    [...shadowRoot!.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Run')!.click();
  });
  await page.locator('webmcp-inspector').getByText('from the new frame').first().waitFor();
  await close();
});

test('five megabytes of tag soup are cut, and the page answers', options, async () => {
  const { page, close } = await open('<p>short</p>', await serveBuiltSite({}));
  const soup = '<table><form><div></table><input name=a><select><option>b<b></p></form><ul><li toolname=x>'.repeat(
    58_000,
  );
  const pasting = paste(page, soup);
  await pasting;
  await page
    .locator('.pg-notes', {
      hasText: /The text has 5,\d\d\d,\d\d\d characters\. The first 1,000,000 are read\.|stopped/,
    })
    .waitFor();
  await untilRendered(page);
  await paste(page, '<form toolname="ping" tooldescription="Pings."><button>Ping</button></form>');
  await page.locator('webmcp-inspector [role=option]', { hasText: 'ping' }).waitFor();
  await close();
});

test('patterns that take exponential time are not matched in the rendered form', options, async () => {
  const value = `${'a'.repeat(40)}!`;
  const patterns = [
    '(a+)+',
    '(a|a)*',
    '(?:a?){40}a{40}',
    'a{0,40}'.repeat(20),
    'a{1,999999999}',
    '[\\q{a|aa}]+',
    `${'a?'.repeat(13)}a*a*a*b`,
    '(?:(?:a{1,9999}){1,9999}){1,9999}',
  ];
  const inputs = patterns.map((pattern, index) => `<input name="i${index}" pattern="${pattern}" value="${value}">`);
  const { page, close } = await open(
    `<style>:invalid { color: red }</style><form toolname="match" tooldescription="Matches texts.">${inputs.join('')}<button>Send</button></form>`,
  );
  await page.getByText(/patterns that may take very long to match are not checked in the rendered form/).waitFor();
  await untilEqual(page);
  await page.getByRole('tab', { name: 'Call' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page
    .locator('webmcp-inspector')
    .getByText(/waits for the user|failed/)
    .first()
    .waitFor();
  await close();
});

test('names of elements do not replace the methods that the playground calls', options, async () => {
  const names = ['close', 'write', 'open', 'querySelectorAll', 'addEventListener', 'adoptedStyleSheets', 'body'];
  const { page, close } = await open(`${names.map((name) => `<img name="${name}">`).join('')}
    <form toolname="find" tooldescription="Finds books." toolautosubmit><label>Author <input name="author" value="Austen"></label>
    ${['getAttribute', 'matches', 'elements', 'closest', 'attributes'].map((name) => `<input type="hidden" name="${name}">`).join('')}
    <button name="click">Find</button></form>`);
  await untilEqual(page);
  await page.getByRole('tab', { name: 'Call' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('author').last().waitFor();
  await page
    .locator('.pg-result')
    .getByText(/GET|submi/i)
    .first()
    .waitFor();
  await close();
});

test('text that looks like tags of resources is shown unchanged', options, async () => {
  const text = '<link rel="icon"> <meta charset="utf-8"> <iframe src="x"></iframe> <frame src="y">';
  const escaped = text.replaceAll('"', '&quot;');
  const { page, close } = await open(`<form toolname="send" tooldescription="Sends ${escaped}">
    <label>Text <textarea name="text">${text}</textarea></label>
    <label>Code <input name="code" value="${escaped}"></label><button>Send</button></form>`);
  await untilEqual(page);
  assert.equal(await renderedFrame(page).getByLabel('Text').inputValue(), text);
  assert.equal(await renderedFrame(page).getByLabel('Code').inputValue(), text);
  await close();
});

test('a URL fragment that is longer than the fragments of shared links is not read', options, async () => {
  const { page, close } = await open('<p>short</p>');
  await page.evaluate(() => (location.hash = `#html=${'A'.repeat(300_000)}`));
  await page.getByText('The page in the link cannot be read. Copy all of the link.').waitFor();
  await close();
});
