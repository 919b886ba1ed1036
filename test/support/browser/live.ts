import { reportTo } from '../../../src/browser/forms/reporting-forms.js';
import { startForms } from '../../../src/browser/forms/start-forms.js';
import { discoverForms, type DiscoveredRoot } from '../../../src/browser/discovery/discover-forms.js';
import { settingsOf, type Settings } from '../../../src/browser/settings.js';
import type { CallException, RegisterFormsOptions } from '../../../src/index.js';
import { LazyPart } from '../../../src/platform/lazy-part.js';
import { apply } from '../../../src/polyfill/index.js';
import type { ExecuteToolOptions, RegisteredTool, ToolHost } from '../../../src/webmcp.js';

export { waitUntil } from '../wait-until.js';

export const isNative = 'modelContext' in Document.prototype && !Object.hasOwn(window, Symbol.for('webmcp-forms'));
export const host: ToolHost | undefined = apply();

/** A suite for browsers without WebMCP: browsers with WebMCP register annotated forms themselves. */
export const whereNotNative = isNative ? describe.skip : describe;

let cleanUp: (() => void)[] = [];
export const afterTest = (undo: () => void): void => void cleanUp.push(undo);
afterEach(() => {
  for (const undo of cleanUp.toReversed()) undo();
  cleanUp = [];
});

type Timeouts = Pick<Settings, 'optionsTimeoutMs' | 'busyTimeoutMs' | 'nextPageTimeoutMs' | 'scriptTimeoutMs'>;

/** Registers the page's forms until the test is over. Scripts have 100 ms unless `timeouts` has another limit. */
export function live(options: RegisterFormsOptions = {}, timeouts: Timeouts = {}): AbortController {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  const { signal } = controller;
  const settings = { ...settingsOf(options, reportTo), scriptTimeoutMs: 100, ...timeouts };
  const forms = new LazyPart(() => ({ startForms: (discovered: DiscoveredRoot) => startForms(discovered, settings) }));
  discoverForms(document, { host, signal, ...options }, forms);
  return controller;
}

/** Adds HTML to the page until the test is over. Returns its first form. */
export function place(html: string): HTMLFormElement {
  const container = document.createElement('div');
  container.innerHTML = html;
  document.body.append(container);
  afterTest(() => container.remove());
  return container.querySelector('form') as HTMLFormElement;
}

/** Adds a form with the tool `t` and some controls. */
export const placeTool = (controls: string, attributes = 'toolautosubmit'): HTMLFormElement =>
  place(`<form toolname=t tooldescription=d action="javascript:void 0" ${attributes}>${controls}</form>`);

export const tools = (): Promise<RegisteredTool[]> => document.modelContext.getTools();
export const names = async (): Promise<string[]> => (await tools()).map(({ name }) => name);
export const tool = async (name = 't'): Promise<RegisteredTool> => {
  const found = (await tools()).find((each) => each.name === name);
  if (!found) throw new Error(`No tool ${name}.`);
  return found;
};
export const call = async (input?: object, options?: ExecuteToolOptions, name?: string): Promise<string | null> =>
  document.modelContext.executeTool(await tool(name), input, options);

/** The reason that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<CallException> =>
  promise.then(
    (value) => {
      throw new Error(`It resolved: ${String(value)}`);
    },
    (reason: unknown) => reason as CallException,
  );

/** The errors of a rejected call, as `parameter: code`. */
export const errorCodes = async (promise: Promise<unknown>): Promise<string[]> =>
  (await rejection(promise)).errors.map(({ parameter, code }) => `${parameter}: ${code}`);

/** Responds to the submissions of a form with its entries, as arrays of name and value. */
export function answerEntries(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith([...new FormData(form, event.submitter)]);
  });
}

export const task = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

const channel = new MessageChannel();
const message = (): Promise<unknown> =>
  new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(undefined);
  });

/** Waits for the effects of a change: several rounds of posted tasks and timers. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await message();
    await task();
  }
}
