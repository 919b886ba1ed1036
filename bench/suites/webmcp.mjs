import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openTab } from '../../test/support/e2e/open.ts';
import { missingEngines } from '../../tools/browsers.mjs';
import { contestants } from '../contestants.mjs';
import { resultOf } from './result.mjs';
import { serveWpt } from './wpt-server.mjs';

const common = {
  name: 'WPT, `webmcp`',
  folder: 'wpt/webmcp',
  source: 'https://github.com/web-platform-tests/wpt',
};

const suiteOf = (subject, engine, script, isComparison = false) => ({
  ...common,
  subject,
  engine,
  isComparison,
  run: async (folder) => await run(folder, engine, script, await failuresOfChromium(folder)),
});

let native;

/** Runs Chromium with WebMCP once, because the other results are compared with its own. */
const runNative = (folder) => (native ??= run(folder, 'webmcp', 'none', new Set()));

/** The names of the tests that Chromium with WebMCP fails. Empty if it is not installed. */
async function failuresOfChromium(folder) {
  const results = missingEngines(['webmcp']).length === 0 ? await runNative(folder) : [];
  return new Set(results.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name));
}

/** The implementations in the engines that are installed. The implementations of others are comparisons. */
export const suites = [
  suiteOf('the page script and the agent script in Chromium', 'chromium', 'ours'),
  suiteOf('the script in one piece in Chromium', 'chromium', 'full'),
  suiteOf('the page script and the agent script in Firefox', 'firefox', 'ours'),
  suiteOf('the page script and the agent script in WebKitGTK', 'webkit', 'ours'),
  { ...suiteOf('Chromium with WebMCP', 'webmcp', 'none', true), run: runNative },
  suiteOf('@mcp-b/webmcp-polyfill in Chromium', 'chromium', 'peer', true),
].filter(({ engine }) => missingEngines([engine]).length === 0);

/** Files of the suite that all tests need. */
const needed = ['resources/testharness.js', 'resources/idlharness.js', 'common/blank.html', 'interfaces/webmcp.idl'];

/** The tests of a folder, each with the origin of its page. */
const testsOf = (folder, [origin, , , insecureOrigin]) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => /\.(?:html|window\.js)$/.test(file) && !/\bresources\b/.test(file))
    .map((file) => [file.replace(/\.js$/, '.html'), file.includes('non-secure') ? insecureOrigin : origin])
    .filter(([, origin]) => origin);

async function run(folder, engine, script, failures) {
  const root = dirname(folder);
  for (const file of needed) statSync(join(root, file));
  const { origins, close } = await serveWpt(root, contestants(script)[script]);
  const results = [];
  let tab = await openTab(engine);
  try {
    for (const [file, origin] of testsOf(folder, origins)) {
      const hasHeaders = existsSync(join(folder, `${file}.headers`));
      if (hasHeaders) tab = await reopened(tab, engine); // the first page decides the agent clusters of an origin
      const url = `${origin}/webmcp/${file}`;
      const outcome = await outcomeOf(tab, url);
      results.push(...resultsOf(file, outcome, { withClasses: await passedWithClasses(tab, url, outcome), failures }));
      if (hasHeaders || outcome.isCrash) tab = await reopened(tab, engine);
    }
  } finally {
    await tab.close();
    close();
  }
  return results;
}

async function reopened(tab, engine) {
  await tab.close().catch(() => undefined); // its browser may have ended
  return await openTab(engine);
}

/** Longer than the time-out of the harness, which ends a test. */
const maxWaitMs = 30_000;

async function outcomeOf(tab, url) {
  try {
    await tab.goto(url);
    if (url.includes('-crash.')) return { subtests: [{ name: 'does not crash', isPassed: await isOver(tab) }] };
    const finished = await whenFound(tab, () => globalThis.finished ?? null);
    return finished ?? { isCrash: true, message: 'did not end' };
  } catch ({ message }) {
    return { isCrash: true, message };
  }
}

/** A test of crashes has the class `test-wait` until it is over. */
const isOver = async (tab) =>
  (await whenFound(tab, () => !document.documentElement.classList.contains('test-wait'))) ?? false;

/** The first truthy result of a function in the page. Undefined after the time-out. */
async function whenFound(tab, read) {
  for (const end = Date.now() + maxWaitMs; Date.now() < end; await wait(50)) {
    const found = await tab.evaluate(read, null);
    if (found) return found;
  }
  return undefined;
}

const isAboutPseudoClass = ({ isPassed, message }) => !isPassed && /:tool-(?:form|submit)-active/.test(message ?? '');

/** The names of the tests that pass with the classes that stand in for the pseudo-classes. */
async function passedWithClasses(tab, url, { subtests = [] }) {
  if (!subtests.some(isAboutPseudoClass)) return [];
  const { subtests: again = [] } = await outcomeOf(tab, `${url}?classes`);
  return again.filter(({ isPassed }) => isPassed).map(({ name }) => name);
}

function resultsOf(file, { subtests = [], message }, { withClasses, failures }) {
  if (subtests.length === 0) return [resultOf(file, false, { details: message ?? 'no test' })];
  return subtests.map((subtest) => {
    const details = subtest.message ?? '';
    const name = `${file}: ${subtest.name}`;
    const isOfChromium = failures.has(name);
    const exception = withClasses.includes(subtest.name) ? pseudoClasses : exceptionOf(file, details, isOfChromium);
    return resultOf(name, subtest.isPassed, { details, exception });
  });
}

const pseudoClasses = 'A script cannot add a pseudo-class. The test passes with the class that stands in for it.';

/** The reasons for which a result may differ from that of the suite. The first reason whose condition holds counts. */
const exceptions = [
  [
    'The test is tentative, and Chromium does not pass it either.',
    (file, _, isOfChromium) => isOfChromium && file.includes('.tentative.'),
  ],
  [
    'Several different forms with one name do not become tools, so that the form of a visitor cannot replace that of the site.',
    (file) => file.includes('duplicate-tool-name'),
  ],
  [
    'The frame may load its page before the agent script has loaded.',
    (file, details) => file.includes('initial-about-blank-shared-tool') && /timed out|is not active/i.test(details),
  ],
  [
    'The browser blocks windows that a page opens without an action of the user.',
    (file, details) => /across-trees|window-open/.test(file) && /null is not an object/.test(details),
  ],
  [
    'The script does not run in an empty window that a page opens.',
    (file, details) => file.includes('exposedTo-window-open') && /getTools/.test(details),
  ],
  [
    'Only in Chromium can a script detect whether agent clusters are keyed by origin.',
    (file, details) =>
      file.includes('document-domain-enabled') &&
      /Should have rejected|tool "dummy" is not available|should not trigger/.test(details),
  ],
  [
    'The test is of a draft with `navigator.modelContext`, and Chromium does not pass it either.',
    (file, details, isOfChromium) =>
      isOfChromium && file.includes('detached-frame-registerTool') && /ModelContext/.test(details),
  ],
  ['The event of a script is not trusted.', (_, details) => /is trusted/.test(details)],
];

const exceptionOf = (file, details, isOfChromium) =>
  exceptions.find(([, matches]) => matches(file, details, isOfChromium))?.[0];
