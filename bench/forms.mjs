// Measures the cost of forms that are tools, beside native WebMCP and the peer polyfill, in one run: npm run bench.
// One part of it: node bench/forms.mjs --only changes|follows|loads
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerScript, contestants, launchChromium } from './contestants.mjs';
import { body } from './form-page.mjs';
import { median } from './measure.mjs';

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const sizes = [
  [20, 5_000],
  [100, 5_000],
  [100, 20_000],
  [1_000, 20_000],
];
const inPage = fileURLToPath(new URL('forms-in-page.js', import.meta.url));
const names = ['none', 'native', 'ours', 'full', 'peer'];
const racers = contestants(...names);
const notes = new Set(names.filter((name) => !(name in racers)).map((name) => `${name}: skipped, it is not built`));

/** The peer's cost is quadratic: with 1,000 forms, a change takes half a minute. */
const isTooSlow = (name, forms) => name === 'peer' && forms >= 1_000;

async function serve() {
  const server = createServer((request, response) => {
    if (answerScript(request, response)) return;
    const [, name, forms, others] = request.url.split('/');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (!racers[name]) return response.writeHead(404).end();
    response.end(
      `<!doctype html><html><head>${racers[name].tag}<title>bench</title></head><body>${body(+forms, +others)}`,
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const server = await serve();
const browsers = {};
for (const [name, { flags }] of Object.entries(racers)) browsers[name] = await launchChromium(flags);

/**
 * Opens a new page with a clock that stops while the main thread waits or other programs use the processor. Each load
 * needs a new page, because Chromium's clock stops at a second navigation.
 */
async function open(name, forms, others) {
  const page = await browsers[name].newPage();
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`http://localhost:${server.address().port}/${name}/${forms}/${others}`, { timeout: 120_000 });
  const clock = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const { ThreadTime, ScriptDuration } = Object.fromEntries(
      metrics.map((metric) => [metric.name, metric.value * 1000]),
    );
    return { thread: ThreadTime, script: ScriptDuration };
  };
  return { name, page, clock, fastest: {} };
}

/** Waits for the timers, rendering and idle work of a load. */
const settle = (page) =>
  page.evaluate(async () => {
    for (let count = 0; count < 2; count++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await new Promise((resolve) => requestIdleCallback(resolve));
    }
  });

/** Whether any form is a tool. Adds a note if forms are not tools. */
async function hasTools({ name, page }, forms) {
  if (name === 'none') return true;
  const tools = await page.evaluate(async () => (await document.modelContext?.getTools())?.length ?? 0);
  if (tools < forms) notes.add(`${name}: ${tools} tools of ${forms} forms`);
  return tools > 0;
}

async function openOne(name, forms, others) {
  if (isTooSlow(name, forms)) return { unfit: 'not run' };
  const opened = await open(name, forms, others);
  await settle(opened.page);
  await opened.page.addScriptTag({ path: inPage });
  return { ...opened, unfit: (await hasTools(opened, forms)) ? undefined : 'no forms' };
}

async function openAll(who, forms, others) {
  const opened = await Promise.all(who.map(async (name) => [name, await openOne(name, forms, others)]));
  return Object.fromEntries(opened);
}

const closeAll = (pages) => Promise.all(Object.values(pages).map(({ page }) => page?.close()));

/**
 * The times of the contestants, which run in turns so that noise affects all of them. A contestant that returns a string
 * instead of a time is not run again.
 */
async function inTurns(pages, run, { turns, warmUp = 1 }) {
  const times = {};
  for (let turn = -warmUp; turn < turns; turn++) {
    for (const [name, page] of Object.entries(pages)) {
      if (typeof times[name] === 'string') continue;
      const outcome = page.unfit ?? (await run(page));
      if (typeof outcome === 'string') times[name] = outcome;
      else if (turn >= 0) (times[name] ??= []).push(outcome);
    }
  }
  return times;
}

/** The milliseconds that one change takes on the main thread. Each turn makes as many changes as its time permits. */
async function costOfChange({ page, clock, fastest }, kind) {
  const budget = 60;
  const count = Math.min(300, Math.max(1, Math.round(budget / (fastest[kind] ?? budget))));
  const before = await clock();
  const outcome = await page.evaluate((...args) => globalThis.bench.change(...args), kind, count);
  const after = await clock();
  fastest[kind] = Math.min(fastest[kind] ?? Infinity, outcome / count);
  return (after.thread - before.thread) / count;
}

async function changes() {
  const rows = {};
  for (const [forms, others] of sizes) {
    const pages = await openAll(Object.keys(racers), forms, others);
    for (const kind of ['attribute', 'text', 'child']) {
      const run = (page) => costOfChange(page, kind);
      rows[`${kind}, ${forms} forms, ${others} others`] = await inTurns(pages, run, { turns: 5, warmUp: 2 });
    }
    await closeAll(pages);
  }
  return rows;
}

/** Wall-clock times from bench/forms-in-page.js, because some of the work is not on the main thread. */
const measureInPage = (row, what, count) => async (opened) => {
  const result = await opened.page.evaluate((name, times) => globalThis.bench[name](times), what, count);
  if (!result.fails) return result;
  notes.add(`${opened.name}: ${row} fails: ${result.fails}`);
  return 'fails';
};

async function follows() {
  const pages = await openAll(
    Object.keys(racers).filter((name) => name !== 'none'),
    100,
    5_000,
  );
  const rows = {};
  for (const [row, what, count] of [
    ['call', 'call', 10],
    ['call with JSON text', 'callWithText', 10],
    ['getTools() alone', 'list', 10],
    ['label edit', 'editLabel', 10],
    ['rename', 'rename', 10],
  ]) {
    rows[row] = await inTurns(pages, measureInPage(row, what, count), { turns: 7 });
  }
  await closeAll(pages);
  return rows;
}

async function costOfLoad({ name }, forms) {
  if (isTooSlow(name, forms)) return 'not run';
  const opened = await open(name, forms, 0);
  await settle(opened.page);
  const cost = await opened.clock();
  const measured = await hasTools(opened, forms);
  await opened.page.close();
  return measured ? cost : 'no forms';
}

/**
 * The first list of a page, with all scripts in the browser's cache: milliseconds until it is there, and main-thread
 * milliseconds of the page since its navigation; `no forms` if it is empty.
 */
async function firstList({ name }) {
  const { page, clock } = await open(name, 100, 0);
  await settle(page);
  const wall = await page.evaluate(async () => {
    const start = performance.now();
    const tools = await document.modelContext?.getTools();
    return tools?.length === 0 ? undefined : performance.now() - start;
  });
  const { thread } = await clock();
  await page.close();
  return wall === undefined ? 'no forms' : { wall, thread };
}

/** Main-thread milliseconds of 1,000 forms that a script appends, each in its own task, before the first getTools(). */
async function costOfAppending({ name }) {
  if (isTooSlow(name, 1000)) return 'not run';
  const { page, clock } = await open(name, 1, 0);
  await settle(page);
  const before = await clock();
  await page.evaluate(async () => {
    // Without boxes and with one control each: layout and the browser's autofill take much longer than the measured
    // work.
    const place = document.body.appendChild(Object.assign(document.createElement('div'), { hidden: true }));
    for (let count = 0; count < 1000; count++) {
      const form = document.createElement('form');
      form.setAttribute('toolname', `added_${count}`);
      form.setAttribute('tooldescription', 'Subscribes to the newsletter.');
      form.innerHTML = '<label>Address <input type="email" name="address"></label> <button>Subscribe</button>';
      place.append(form);
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  await settle(page);
  const after = await clock();
  await page.close();
  return after.thread - before.thread;
}

const pick = (times, key) =>
  Object.fromEntries(
    Object.entries(times).map(([name, turns]) => [name, Array.isArray(turns) ? turns.map((turn) => turn[key]) : turns]),
  );

async function loads() {
  const pages = Object.fromEntries(Object.keys(racers).map((name) => [name, { name }]));
  const few = await inTurns(pages, (page) => costOfLoad(page, 3), { turns: 15 });
  const hundred = await inTurns(pages, (page) => costOfLoad(page, 100), { turns: 7 });
  const scripted = Object.fromEntries(Object.entries(pages).filter(([name]) => racers[name].tag));
  const firstLists = await inTurns(pages, firstList, { turns: 9, warmUp: 2 });
  const { none: _, ...askedFirst } = firstLists;
  const thousand = await inTurns(scripted, (page) => costOfLoad(page, 1_000), { turns: 1, warmUp: 0 });
  const scripts = pick(hundred, 'script');
  return {
    thread: { '3 forms': pick(few, 'thread'), '100 forms': pick(hundred, 'thread') },
    appended: { '1000 forms appended': await inTurns(pages, costOfAppending, { turns: 5, warmUp: 0 }) },
    first: { '100 forms': pick(firstLists, 'thread') },
    firstWall: { '100 forms': pick(askedFirst, 'wall') },
    script: {
      '3 forms': Object.fromEntries(Object.keys(scripted).map((name) => [name, pick(few, 'script')[name]])),
      '100 forms': Object.fromEntries(Object.keys(scripted).map((name) => [name, scripts[name]])),
      '1000 forms': pick(thousand, 'script'),
    },
  };
}

const difference = { label: '-', of: (time, other) => time - other };
const ratio = { label: '/', of: (time, other) => time / other };

/** The median of the turns, or the text that replaces it. */
const cell = (times) => (typeof times === 'string' ? times : median(times).toFixed(3));

const compare = (times, others, of) =>
  Array.isArray(times) && Array.isArray(others) ? cell(times.map((time, turn) => of(time, others[turn]))) : '';

/** Prints the milliseconds, and the median of their difference from, or ratio to, the baseline of the same turn. */
function table(rows, baseline, { label, of }) {
  const line = (row) => {
    const inOrder = names.filter((name) => name in row);
    const beside = inOrder.filter((name) => name !== baseline);
    return Object.fromEntries([
      ...inOrder.map((name) => [name, cell(row[name])]),
      ...beside.map((name) => [`${name} ${label} ${baseline}`, compare(row[name], row[baseline], of)]),
    ]);
  };
  console.table(Object.fromEntries(Object.entries(rows).map(([row, times]) => [row, line(times)])));
}

const parts = {
  async changes() {
    console.log(
      'One change of an element that has nothing to do with forms: main-thread milliseconds of it and of all',
    );
    console.log('that follows (asked: ours - none at most 0.3, whatever the size of the page):');
    table(await changes(), 'none', difference);
  },
  async follows() {
    const { call, 'call with JSON text': callWithText, ...edits } = await follows();
    console.log('Milliseconds from an edit until getTools() shows it, which is in each; 100 forms, 5000 others');
    console.log('(asked: label at most 2, rename / native at most 1; stale: not within 250 ms):');
    table(edits, 'native', ratio);
    console.log('Milliseconds of a call end to end, of a form of 10 controls with toolautosubmit and respondWith');
    console.log('(asked: nothing; native takes objects alone, the peer JSON text alone):');
    table({ call, 'call with JSON text': callWithText }, 'native', ratio);
  },
  async loads() {
    const { thread, script, appended, first, firstWall } = await loads();
    console.log(
      'Main-thread milliseconds of a load with its rendering, while nobody asks (asked: with 3 forms at most half of the',
    );
    console.log("peer's over none, with 100 forms at most a tenth of native's):");
    table(thread, 'none', difference);
    console.log('Main-thread milliseconds of appending forms, while nobody asks (asked: at most 1.2 times none):');
    table(appended, 'none', ratio);
    console.log("Main-thread milliseconds of a load and of the first getTools() together (asked: at most native's):");
    table(first, 'none', difference);
    console.log(
      'Milliseconds from the first getTools() to its answer, with the scripts in the cache. Natively, forms are',
    );
    console.log('described while the page loads:');
    table(firstWall, 'native', ratio);
    console.log("Of these, the scripts. With 1000 forms, Chromium's own autofill takes seconds of the main thread:");
    table(script, 'peer', ratio);
  },
};

try {
  const started = performance.now();
  for (const part of only ? [only] : Object.keys(parts)) await parts[part]();
  for (const note of notes) console.log(note);
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} seconds`);
} finally {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
  server.close();
}
