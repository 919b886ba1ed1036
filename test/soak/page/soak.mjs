// A page with forms that change all the time, and calls of its tools.
import { launch } from 'puppeteer-core';
import { chromiumPath, firefoxPath } from '../../../tools/programs.mjs';
import { Report } from '../report.mjs';
import { startServer } from './server.mjs';

const lanes = 4;
const mutationsPerCall = 9;
const checks = 10;

/** An interrupted soak reports its results so far, so the launcher must not end the process on SIGINT. */
const common = { protocolTimeout: 600_000, handleSIGINT: false };

const browsers = {
  chromium: () =>
    launch({
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--no-first-run',
        '--disable-renderer-backgrounding',
        '--disable-background-timer-throttling',
      ],
      pipe: true,
      ...common,
    }),
  firefox: () => launch({ browser: 'firefox', executablePath: firefoxPath(), headless: true, ...common }),
};

/** The metrics of DevTools after a garbage collection, where the browser has them. */
async function openMetrics(page, browser) {
  if (browser !== 'chromium') return async () => undefined;
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const values = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    const { JSHeapUsedSize, Nodes, JSEventListeners, Documents, Frames, ThreadTime } = values;
    return { heap: JSHeapUsedSize / 1e6, Nodes, JSEventListeners, Documents, Frames, thread: ThreadTime * 1000 };
  };
}

/** Computes the tools of the page in a new page, and returns those that differ. */
async function compareWithFresh(browser, server, page) {
  const tools = await page.evaluate(() => globalThis.soak.listTools());
  server.setFresh(await page.evaluate(() => globalThis.soak.serialize()));
  const fresh = await browser.newPage();
  try {
    await fresh.goto(`${server.url}fresh`);
    await fresh
      .waitForFunction(
        (count) => document.modelContext.getTools().then(({ length }) => length >= count),
        {},
        tools.length,
      )
      .catch(() => undefined);
    const computed = await fresh.evaluate(() => globalThis.soak.listTools());
    return [...tools.filter((tool) => !computed.includes(tool)), ...computed.filter((tool) => !tools.includes(tool))];
  } finally {
    await fresh.close();
    await page.bringToFront();
  }
}

function checkReceived(server, sent) {
  const wrong = sent.filter((call) => server.received.get(call) !== 1);
  const extra = server.received.size - sent.length;
  server.received.clear();
  return wrong.length + Math.max(0, extra);
}

function printProgress({ calls, mutations, violations }, began) {
  const seconds = Math.round((performance.now() - began) / 1000);
  const wrong = Object.values(violations).reduce((sum, count) => sum + count, 0);
  process.stderr.write(`${seconds} s: ${calls} calls, ${mutations} mutations, ${wrong} wrong outcomes\n`);
}

async function soak({ calls, minutes, seed, browser, opened, server, signal }) {
  const page = await opened.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error).slice(0, 500)));
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.soak !== undefined);
  await page.evaluate((...args) => globalThis.soak.start(...args), seed, lanes);
  const metrics = await openMetrics(page, browser);
  const [began, samples, differences] = [performance.now(), [], []];
  const state = { wrongRequests: 0, differences, errors, samples };
  const rounds = Math.max(5, Math.min(250, Math.ceil(calls / lanes / 60)));
  const isOver = () => signal.aborted || (state.calls ?? 0) >= calls || performance.now() - began > minutes * 60_000;
  let nextCheck = calls / checks;
  while (!isOver()) {
    const counted = JSON.parse(
      await page.evaluate((...args) => globalThis.soak.run(...args), rounds, mutationsPerCall),
    );
    Object.assign(state, counted);
    state.wrongRequests += checkReceived(server, counted.sent);
    samples.push({ time: performance.now() - began, ...perNode(await metrics(), counted.nodes) });
    if (state.calls < nextCheck && !isOver()) continue;
    nextCheck += calls / checks;
    printProgress(state, began);
    differences.push(...(await compareWithFresh(opened, server, page)));
    state.compared = (state.compared ?? 0) + 1;
  }
  return { ...state, seconds: (performance.now() - began) / 1000 };
}

/** Browsers count the nodes inside of controls as well, so only the ratio to the nodes of the page is comparable. */
const perNode = (metrics, nodes) => metrics && { ...metrics, nodes: metrics.Nodes / nodes };

const growthLimits = {
  heap: { what: 'JS heap after a garbage collection', share: 0.1, more: 1, unit: ' MB' },
  nodes: { what: 'DOM nodes in memory for each node of the page', share: 0.1, more: 0.1 },
  JSEventListeners: { what: 'event listeners', share: 0.1, more: 50 },
  Documents: { what: 'documents', share: 0, more: 3 },
  Frames: { what: 'frames', share: 0, more: 2 },
};

function reportSoak(state, { calls, browser, seed }) {
  const report = new Report();
  report.note('mutations', state.mutations);
  report.note('calls of executeTool', state.calls);
  report.note('calls of getTools', state.lists);
  report.note('seconds', Math.round(state.seconds));
  report.note('calls a second', Math.round(state.calls / state.seconds));
  const last = state.samples.at(-1);
  if (last?.thread)
    report.note('ms of the main thread a call, with its mutations', (last.thread / state.calls).toFixed(1));
  report.checkLeast('calls of the plan', state.calls, calls);
  report.checkLeast('mutations of the plan', state.mutations, calls * 10);
  const kinds = Object.entries(state.violations);
  report.check(
    'wrong outcomes',
    kinds.reduce((sum, [, count]) => sum + count, 0),
  );
  for (const [what, count] of kinds) report.check(`  ${what}`, count);
  report.check('calls that were submitted after their answer', state.left);
  report.check('requests of fetch mode that were not sent exactly once', state.wrongRequests);
  report.check(`tools that differ from a fresh page (${state.compared} comparisons)`, state.differences.length);
  report.check('uncaught errors in the page', state.errors.length);
  for (const [key, { what, ...limits }] of Object.entries(growthLimits)) {
    const values = state.samples.filter((sample) => sample[key] !== undefined);
    if (values.length === 0) continue; // only Chromium reports it
    report.checkGrowth(
      what,
      values.map((sample) => ({ time: sample.time, value: sample[key] })),
      limits,
    );
  }
  report.examples([
    ...state.examples,
    ...state.differences.slice(0, 6).map((tool) => `differs: ${tool.slice(0, 400)}`),
    ...state.errors.slice(0, 5),
  ]);
  report.print(`\nThe page in ${browser}, seed ${seed}:`);
  return report.isOk;
}

/** @returns whether no limit was exceeded */
export async function soakPage({ calls = 100_000, minutes = 60, seed = 1, browser = 'chromium', signal }) {
  const server = await startServer();
  const opened = await browsers[browser]();
  try {
    return reportSoak(await soak({ calls, minutes, seed, browser, opened, server, signal }), { calls, browser, seed });
  } finally {
    await opened.close();
    server.close();
  }
}
