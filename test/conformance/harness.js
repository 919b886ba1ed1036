// Runs cases in frames of a page. It uses nothing but the interfaces that it tests.

/** The time that an implementation has for each expected outcome, in milliseconds. */
let patience = 10_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** JSON with sorted keys, in which the order of keys does not matter. */
export const canonical = (value) =>
  JSON.stringify(value, (_key, each) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

/** Reads a value until it is the expected one or the time limit is reached, and returns the last value. */
async function settle(read, expected, limit = patience) {
  const end = performance.now() + limit;
  for (let ms = 5; ; ms = Math.min(ms * 2, 100)) {
    const value = await read();
    if (canonical(value) === canonical(expected) || performance.now() > end) return value;
    await pause(ms);
  }
}

const within = (promise, otherwise, limit = patience) => Promise.race([promise, pause(limit).then(() => otherwise)]);

function loadFrame(frame, url) {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = url;
  return within(loaded, undefined, 3 * patience);
}

/** The tools of a window itself. Browsers list the tools of its frames, too. */
async function listTools(window) {
  const context = window.document.modelContext;
  if (!context) throw new Error('document.modelContext is undefined.');
  const tools = await within(context.getTools(), undefined, 2 * patience);
  if (!tools) throw new Error('getTools() does not settle.');
  return tools.filter((tool) => !tool.window || tool.window === window);
}

const asObject = (schema) => (typeof schema === 'string' ? JSON.parse(schema) : schema);

const describeTool = ({ name, title, description, inputSchema }) => ({
  name,
  title: title ?? '',
  description,
  inputSchema: asObject(inputSchema),
});

const describeTools = async (window) =>
  (await listTools(window)).map(describeTool).sort((a, b) => (a.name < b.name ? -1 : 1));

/** The values of the named controls of the first form. */
function valuesOf({ document }) {
  const entries = [...document.forms[0].elements].map((control) => {
    if (control.type === 'checkbox' || control.type === 'radio')
      return [`${control.name}=${control.value}`, control.checked];
    if (control.multiple) return [control.name, [...control.selectedOptions].map(({ value }) => value)];
    return [control.name, control.value];
  });
  return Object.fromEntries(entries.filter(([name]) => name && name !== '='));
}

const actions = {
  abort: (_window, controller) => controller.abort(),
  submit: ({ document }) => document.forms[0].requestSubmit(),
  reset: ({ document }) => document.forms[0].reset(),
  remove: ({ document }) => document.forms[0].remove(),
};

/** Whether a call is pending: after 300 ms if it should be, otherwise after `patience`, because a machine may be slow. */
const isPending = async (outcome, expected) =>
  (await within(outcome, 'pending', expected ? 300 : patience)) === 'pending';

const readRequest = async (url) => (await fetch(`${url}requests`)).json();

/** Makes a call, and returns the actual outcomes under the keys that the case expects. */
async function runCall(window, url, { tool: name, input, act, before, ...expected }, options) {
  const tool = await findTool(window, name);
  if (!tool) return { missing: name };
  const controller = new window.AbortController();
  if (before === 'abort') controller.abort();
  const given = options.input === 'text' ? JSON.stringify(input) : input;
  const outcome = window.document.modelContext.executeTool(tool, given, { signal: controller.signal }).then(
    (result) => ({ result }),
    (error) => ({ error: error?.name ?? String(error) }),
  );
  const actual = {};
  if (expected.values) actual.values = await settle(() => valuesOf(window), expected.values);
  if (act) {
    await settle(() => window.log?.includes('toolactivated') ?? true, true);
    actions[act](window, controller);
  }
  if (expected.request === null) await pause(200); // a request that must not arrive has time to arrive
  if (expected.request !== undefined) actual.request = await settle(() => readRequest(url), expected.request);
  if ('pending' in expected) actual.pending = await isPending(outcome, expected.pending);
  if ('result' in expected || 'error' in expected) Object.assign(actual, await within(outcome, { timeout: true }));
  if (expected.log) actual.log = await settle(() => window.log ?? [], expected.log);
  return actual;
}

async function findTool(window, name) {
  for (const end = performance.now() + patience; ; await pause(10)) {
    const tool = (await listTools(window)).find((each) => each.name === name);
    if (tool || performance.now() > end) return tool;
  }
}

const steps = ['tool', 'input', 'act', 'before'];

const expectationOf = (call) => Object.fromEntries(Object.entries(call).filter(([key]) => !steps.includes(key)));

/** The outcomes that a case expects, in the form in which `runCase` returns the actual ones. */
export const expectedOf = ({ tools, calls = [] }) => ({
  ...(tools && { tools }),
  ...(calls.length > 0 && { calls: calls.map(expectationOf) }),
});

/** Whether a window lists its tools or rejects the call, instead of never answering. */
function isResponsive(window) {
  const listed = Promise.resolve().then(() => window.document.modelContext.getTools());
  return within(
    listed.then(
      () => true,
      () => true,
    ),
    false,
  );
}

/**
 * Opens a page in a frame. Retries in another frame, because Chromium 156 does not respond to about one of several hundred
 * frames. Returns all frames that it has added, the open page last.
 */
async function openFrames(url) {
  const frames = [];
  for (;;) {
    const frame = document.body.appendChild(document.createElement('iframe')); // another one may still be submitting its form
    frames.push(frame);
    await loadFrame(frame, url);
    if (frames.length === 3 || (await isResponsive(frame.contentWindow))) return frames;
  }
}

async function observe(window, url, { tools, calls = [] }, options) {
  const actual = {};
  if (tools?.length === 0) await pause(200); // tools that must not appear have time to appear
  if (tools) actual.tools = await settle(() => describeTools(window), tools);
  for (const call of calls) (actual.calls ??= []).push(await runCall(window, url, call, options));
  return actual;
}

/** Runs a case in a frame. Returns its name, whether it passed, and the actual and the expected outcomes. */
async function runCase(testCase, options) {
  const { kind, group, name } = testCase;
  const url = `/case/${options.run}/${kind}/${group}/${name}/`;
  const frames = await openFrames(url);
  const { contentWindow } = frames.at(-1);
  const actual = await observe(contentWindow, url, testCase, options).catch((error) => ({ error: String(error) }));
  for (const frame of frames) frame.remove();
  const expected = expectedOf(testCase);
  return { kind, group, name, passed: canonical(actual) === canonical(expected), actual, expected };
}

/**
 * Runs cases in several frames at once, and resolves with their results in the order of the cases.
 *
 * @param options.patienceMs - the time for each expected outcome
 */
export async function runCases(
  cases,
  { frames = 6, input = 'object', patienceMs = patience, onResult = () => undefined } = {},
) {
  patience = patienceMs;
  const options = { input, run: Math.random().toString(36).slice(2) };
  const results = [];
  const waiting = cases.entries();
  const work = async () => {
    for (const [index, testCase] of waiting) {
      results[index] = await runCase(testCase, options);
      onResult(results[index]);
    }
  };
  await Promise.all(Array.from({ length: frames }, work));
  return results;
}
