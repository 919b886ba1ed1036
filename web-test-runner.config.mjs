import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromeLauncher } from '@web/test-runner-chrome';
import puppeteer from 'puppeteer-core';
import { suiteServer } from './test/conformance/server.mjs';
import { corpus } from './test/corpus.mjs';
import { echo } from './test/echo.mjs';
import { shop } from './test/shop.mjs';
import { bundlePlugin } from './test/transforms.mjs';
import { webtool } from './test/webtool.mjs';
import { engines, firefoxPreferences, missingEngines, wantedEngines } from './tools/browsers.mjs';
import { firefoxPath, headlessChromiumPath } from './tools/programs.mjs';
import { launcherPool } from './tools/launcher-pool.mjs';
import { pageScripts, scriptNames } from './tools/page-scripts.mjs';
import { root } from './tools/run.mjs';
import { webkitLauncher } from './tools/webkit-launcher.mjs';
import { engineReporter } from './tools/wtr-reporter.mjs';

/** Whether pages and frames load the full script instead of the page script. */
const inOnePiece = process.env.SCRIPT === 'full';
const withScripts =
  'test/{browser/forms/{frames-forms,leaks,listening-page},polyfill/{cross-origin,frames,hostile-frames,messages,navigation,other-polyfill,policy}}.test.ts';
/** Slow test files, which wait for timeouts of the package, load frameworks, or have pages with thousands of controls. */
const long =
  'test/{browser/{chromium-faults,conformance,frameworks,hostile-forms,reactive-frameworks,server-frameworks,{adapters/widgets,call/{large-form,restored-forms},forms/text-limits,submission/{script-submissions,taken-over}}},elements/{webmcp-inspector,webmcp-review},polyfill/{cross-origin,hostile-frames,leak}}.test.ts';
const all = inOnePiece ? withScripts : 'test/{browser,polyfill,elements}/**/*.test.ts';
const files = process.env.WITHOUT_LONG_TESTS ? [all, `!${long}`] : [all];

const chromiumFlags = [
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--js-flags=--expose-gc', // test/polyfill/leak.test.ts
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), // Chromium's sandbox does not work for root
];

// Closes popups that a test left open, because they would cover the page of the next file.
function closeLeftOpen(page) {
  const opened = new Set();
  page.on('popup', (popup) => opened.add(popup));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return;
    for (const popup of opened) popup?.close().catch(() => undefined); // it may be closed already
    opened.clear();
  });
}

/** The timeout for starting a browser and for loading a page. On a slow machine, puppeteer's default of 30 seconds is too short. */
const startTimeoutMs = 120_000;

async function newPage(context) {
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(startTimeoutMs);
  return page;
}

// Reports crashed pages, because the runner would wait until its timeout. Each page has its own window, because a background
// tab gets no animation frames.
async function createPage({ context }) {
  const page = await newPage(await context.browser().createBrowserContext());
  closeLeftOpen(page);
  page.once('error', ({ message }) => {
    console.error(`${message} (a crash of the browser's renderer, not a failed test)`);
    void page.close();
  });
  return page;
}

// With a pipe, Chromium exits with this process.
const chromium = (...flags) =>
  chromeLauncher({
    createPage,
    launchOptions: {
      executablePath: headlessChromiumPath(),
      pipe: true,
      networkEnabled: false,
      timeout: startTimeoutMs,
      args: [...chromiumFlags, ...flags],
    },
  });

const firefox = () =>
  chromeLauncher({
    puppeteer,
    createPage: ({ context }) => newPage(context),
    launchOptions: {
      browser: 'firefox',
      executablePath: firefoxPath(),
      extraPrefsFirefox: firefoxPreferences,
      networkEnabled: false,
      timeout: startTimeoutMs,
    },
  });

/** The number of browsers of an engine that has one page per browser. Most tests wait most of the time. */
const slowBrowsers = 3;

/**
 * Saves time: without RenderDocument, Chromium does not replace a frame at each navigation. The engine `webmcp` keeps
 * RenderDocument.
 */
const lighter = ['--in-process-gpu', '--disable-features=RenderDocument'];

const groups = {
  chromium: () => ({ files, launcher: chromium(...lighter) }),
  webmcp: () => ({
    files: inOnePiece ? files : [...files, 'test/native/**/*.test.ts'],
    launcher: chromium('--enable-features=WebMCP'),
  }),
  firefox: () => ({ files, launcher: launcherPool(slowBrowsers, firefox) }),
  webkit: () => ({ files, launcher: launcherPool(slowBrowsers, webkitLauncher) }),
};

function group(name) {
  const { files, launcher } = groups[name]();
  return {
    name,
    files,
    browsers: [Object.assign(launcher, { name: `${engines[name].label}${inOnePiece ? ', one script' : ''}` })],
  };
}

const wanted = wantedEngines();
const missing = missingEngines(wanted);
for (const name of missing) console.log(`${engines[name].label} is not installed. Its tests are skipped.`);
const present = wanted.filter((name) => !missing.includes(name)).map(group);

// The runner ignores SIGTERM, and puppeteer's exit listener skips every second browser.
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => {
  const launchers = present.flatMap(({ browsers }) => browsers).flatMap((each) => each.launchers ?? each);
  for (const launcher of launchers) launcher.browser?.process()?.kill('SIGKILL');
});

function launcherOf(session) {
  const launcher = present.flatMap(({ browsers }) => browsers).find((each) => each.isActive(session));
  return launcher.launcherOf?.(session) ?? launcher;
}

/** Middleware that clicks in the page of a test, because browsers do not trust the clicks of scripts. */
async function click(context, next) {
  if (context.path !== '/click') return next();
  const { session } = context.query;
  const points = JSON.parse(context.query.points);
  const launcher = launcherOf(session);
  if (launcher.click) await launcher.click(session, ...points);
  else {
    const { mouse } = launcher.getPage(session);
    for (const each of points) await mouse.move(...each);
    await mouse.down();
    await mouse.up();
  }
  context.body = 'clicked';
}

/** Middleware that presses Enter in the page of a test. The key is held down until it has caused `count` events. */
async function enter(context, next) {
  if (context.path !== '/enter') return next();
  const { session } = context.query;
  const count = Number(context.query.count);
  const launcher = launcherOf(session);
  if (launcher.enter) await launcher.enter(session, count);
  else {
    const { keyboard } = launcher.getPage(session);
    for (let times = 0; times < count; times++) await keyboard.down('Enter');
    await keyboard.up('Enter');
  }
  context.body = 'pressed';
}

/** Middleware that lets browsers cache modules. Without it, they request each module again in every test file. */
async function cacheModules(context, next) {
  await next();
  if (context.response.is('js')) context.set('cache-control', 'max-age=3600');
}

const answerSuite = suiteServer({ tag: '<script src="/webmcp-forms.iife.js"></script>' });

/** Middleware that serves the cases of test/conformance, whose pages load the classic script. */
async function conformance(context, next) {
  if (!/^\/case(?:\/|s\.json$)/.test(context.path) || !answerSuite(context.req, context.res)) return next();
  context.respond = false;
}

const corpusPlugin = {
  name: 'corpus',
  serve: ({ path }) => (path === '/corpus.json' ? { body: JSON.stringify(corpus()), type: 'json' } : undefined),
};

/** The test files, and the modules that their pages and frames load by a tag. */
const modules = [
  ...['browser', 'native', 'polyfill', 'elements'].map((folder) => `test/${folder}/**/*.test.ts`),
  ...['browser', 'polyfill'].map((folder) => `test/${folder}/frames/*.ts`),
  'elements/webmcp-tool.ts',
];

/**
 * The scripts that pages and frames load with a script tag. Complete runs use the scripts in dist/, which they have
 * built.
 */
let scripts;
const builtScripts = async () =>
  Object.fromEntries(scriptNames.map((name) => [name, readFileSync(join(root, 'dist', name), 'utf8')]));

const scriptPlugin = {
  name: 'classic-script',
  async serve({ path }) {
    if (!/^\/webmcp-forms\.[a-z.]+\.js$/.test(path)) return undefined;
    scripts ??= process.env.BUILT_SCRIPTS ? builtScripts() : pageScripts({ isShortened: false });
    const name = inOnePiece ? path.replace(/(?:\.full)?\.iife/, '.full.iife') : path;
    const code = (await scripts)[name.slice(1)];
    return code && { body: code, type: 'js' };
  },
};

export default {
  middleware: [cacheModules, conformance, echo, shop, webtool, click, enter],
  plugins: [corpusPlugin, scriptPlugin, bundlePlugin(modules)],
  // With --files, omits the groups, because the runner would also run their files.
  ...(process.argv.includes('--files')
    ? { browsers: present.flatMap(({ browsers }) => browsers) }
    : { groups: present.toReversed() }), // WebKitGTK and Firefox first, because they have one page at a time
  concurrency: present.length === 1 ? 3 : 2, // pages of one engine at the same time
  concurrentBrowsers: 2,
  testFramework: { config: { timeout: 120_000 } },
  browserStartTimeout: startTimeoutMs,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  staticLogging: true,
  filterBrowserLogs: ({ args }) => !String(args[0]).startsWith('Lit is in dev mode'),
  reporters: [engineReporter(process.env.BROWSER_COUNTS)],
};
