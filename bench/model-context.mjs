// Measures registering and listing tools, beside native WebMCP and the peer polyfill, in one run: npm run bench
import { createServer } from 'node:http';
import { answerScript, contestants, launchChromium } from './contestants.mjs';
import { median } from './measure.mjs';

const tools = 1000;
const turns = 15;
const racers = contestants('native', 'ours', 'peer');

/** Runs in the page. Returns milliseconds by measurement. */
async function measure(count) {
  const context = document.modelContext;
  const inputSchema = {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for.' }, limit: { type: 'integer', minimum: 1 } },
    required: ['query'],
  };
  const tool = (index) => ({ name: `tool_${index}`, description: 'Looks.', inputSchema, execute: (input) => input });
  const timed = async (run) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  const together = new AbortController();
  const oneByOne = new AbortController();
  const signal = { signal: together.signal };
  const times = {
    'register, in one task': await timed(() =>
      Promise.all(Array.from({ length: count }, (_, index) => context.registerTool(tool(index), signal))),
    ),
    'list them': await timed(() => context.getTools()),
  };
  const [first] = await context.getTools();
  times['call one'] = await timed(() => context.executeTool(first, { query: 'x' })).catch(() => 'fails');
  together.abort();
  times['register, one by one'] = await timed(async () => {
    for (let index = 0; index < count; index++) await context.registerTool(tool(index), { signal: oneByOne.signal });
  });
  oneByOne.abort();
  return times;
}

const server = createServer((request, response) => {
  if (answerScript(request, response)) return;
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>bench</title>${racers[request.url.slice(1)]?.tag ?? ''}`);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

const pages = {};
const browsers = [];
for (const [name, { flags }] of Object.entries(racers)) {
  const browser = await launchChromium(flags);
  browsers.push(browser);
  pages[name] = await browser.newPage();
  await pages[name].goto(`http://localhost:${port}/${name}`);
}

const rows = {};
for (let turn = -2; turn < turns; turn++) {
  for (const [name, page] of Object.entries(pages)) {
    await page.bringToFront();
    const times = await page.evaluate(measure, tools);
    if (turn < 0) continue;
    for (const [row, time] of Object.entries(times)) ((rows[row] ??= {})[name] ??= []).push(time);
  }
}
await Promise.all(browsers.map((browser) => browser.close()));
server.close();

console.log(`${tools} tools in Chromium, medians of ${turns} turns, over the browser's own (at most 1):`);
console.table(
  Object.fromEntries(
    Object.entries(rows).map(([row, times]) => {
      const over = (name) => {
        const ratio = median(times[name].map((time, turn) => time / times.native[turn]));
        return Number.isFinite(ratio) ? ratio.toFixed(2) : 'fails';
      };
      return [row, { 'native ms': median(times.native).toFixed(1), ours: over('ours'), peer: over('peer') }];
    }),
  ),
);
