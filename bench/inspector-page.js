// The part of bench/inspector.mjs that runs in its pages, as a classic script: globalThis.bench.

const count = 1000;
const inputSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    order: { enum: ['price', 'name', 'date'] },
  },
  required: ['query'],
};
const controllers = [];

function register(index, round = 0) {
  const controller = new AbortController();
  controllers[index] = controller;
  const name = `tool_${String(index).padStart(4, '0')}`;
  const description = `Looks for things of kind ${index} in the stock, round ${round}.`;
  return document.modelContext.registerTool(
    { name, description, inputSchema, annotations: { readOnlyHint: index % 2 === 0 }, execute: (input) => input },
    { signal: controller.signal },
  );
}

/** @param kind - the inspector to insert before measuring */
async function prepare(kind = 'none') {
  await Promise.all(Array.from({ length: count }, (_, index) => register(index)));
  await import('/inspector.js');
  await place(kind);
  await wait(800);
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

async function painted() {
  await frame();
  const channel = new MessageChannel();
  await new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(undefined);
  });
}

const isListed = (element) =>
  element.shadowRoot?.querySelector('[role=option]')?.getAttribute('aria-setsize') === String(count);

function listed(element) {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isListed(element)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(element.shadowRoot, { childList: true, subtree: true });
  });
}

async function open() {
  const before = performance.now();
  await document.modelContext.getTools();
  const getTools = performance.now() - before;
  await frame();
  const start = performance.now();
  const element = document.createElement('webmcp-inspector');
  document.body.append(element);
  await listed(element);
  await painted();
  return { 'first paint': performance.now() - start, getTools };
}

async function place(kind) {
  if (kind === 'none') return;
  const element = document.createElement('webmcp-inspector');
  if (kind === 'chosen') element.tool = 'tool_0007';
  const parent = document.createElement(kind === 'hidden' ? 'details' : 'div');
  document.body.append(parent);
  parent.append(element);
  if (kind !== 'hidden') await listed(element);
}

async function gapsUntil(signal) {
  const gaps = [];
  for (let last = await frame(); !signal.aborted;) {
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  return gaps.sort((a, b) => a - b);
}

async function change() {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const over = new AbortController();
  const gaps = gapsUntil(over.signal);
  const start = performance.now();
  for (let turn = 0; performance.now() - start < 5000; turn++) {
    const index = (turn * 37) % count;
    controllers[index].abort();
    void register(index, turn);
    await wait(Math.max(0, start + turn * 20 - performance.now()));
  }
  over.abort();
  const sorted = await gaps;
  await wait(100);
  observer.disconnect();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return {
    'longest task': Math.max(0, ...tasks),
    'frame gap p95': at(0.95),
    'frame gap p99': at(0.99),
    'in long tasks': tasks.reduce((sum, each) => sum + each, 0),
  };
}

globalThis.bench = { prepare, open, change };
