import { timeouts } from '../../../src/polyfill/agent/cross-origin/limits.js';
import type { ModelContextTool, RegisterToolOptions } from '../../../src/webmcp.js';
import type { Commands } from '../../polyfill/frames/commands.js';
import { withNativeTimeout } from '../browser/responsive-frame.js';

/** Whether the browser has a native model context. Imports are evaluated before the polyfill is applied. */
export const isNative = 'ModelContext' in window;

export type FrameWindow = Window & typeof globalThis;

/** The origins of the tests. The test server listens on every name of the loopback interface. */
export const here = location.origin;
export const other = `http://127.0.0.1:${location.port}`;
export const third = `http://third.localhost:${location.port}`;

const pages = '/test/polyfill/frames';
/** The standard time limits for replies of other pages. In this page and in the frames that it serves, they are longer. */
const { policy, response } = timeouts;
Object.assign(timeouts, { policy: 60_000, response: 60_000 });

/** The URL of a page in the folder, whose script has longer time limits for replies of other pages. */
export const extendedPage = (name: string, origin: string): string =>
  `${origin}${pages}/${name}.html?extend=${policy}&extend=${response}`;
/** The URLs of a page with the script and the longer limits, with the script and the standard limits, and without it. */
export const withScript = (origin = here): string => extendedPage('tools', origin);
export const withLimits = (origin = here): string => `${origin}${pages}/tools.html`;
export const withoutScript = (origin = here): string => `${origin}${pages}/plain.html`;

const task = (delay = 0) => new Promise<void>((resolve) => setTimeout(resolve, delay));

let undo: (() => unknown)[] = [];

/** Runs an action after the test. */
export const afterTest = (action: () => unknown): void => void undo.push(action);

// In about one frame in a thousand, the browser process of Chromium 156 does not answer, and calls hang.
beforeEach(function () {
  if (isNative) this.currentTest?.timeout(40_000).retries(2);
});

afterEach(async () => {
  const actions = undo.reverse();
  undo = [];
  for (const action of actions) await action();
});

export interface FrameAttributes {
  readonly name?: string;
  readonly src?: string;
  readonly srcdoc?: string;
  readonly allow?: string;
  readonly sandbox?: string;
}

/** Adds a frame to a document, until the end of the test. */
export function addFrame(attributes: FrameAttributes = {}, page: Document = document): HTMLIFrameElement {
  const frame = page.createElement('iframe');
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value as string);
  page.body.append(frame);
  afterTest(() => frame.remove());
  return frame;
}

export const loaded = (frame: HTMLIFrameElement): Promise<Event> =>
  new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));

/** Adds a frame and waits until it has loaded. */
export async function openFrame(attributes: FrameAttributes, page?: Document): Promise<HTMLIFrameElement> {
  const frame = addFrame(attributes, page);
  await loaded(frame);
  return frame;
}

/** Opens a frame of another origin that loads the script and may use tools. */
export const openOther = (origin = other, allow = 'tools'): Promise<HTMLIFrameElement> =>
  openFrame({ src: withScript(origin), allow });

export const windowOf = (frame: HTMLIFrameElement): FrameWindow => frame.contentWindow as FrameWindow;

/** Runs a command of commands.ts in a page. Rejects with an error that has the name of the error there. */
export function ask<Name extends keyof Commands>(
  window: Window,
  name: Name,
  ...args: Parameters<Commands[Name]>
): Promise<Awaited<ReturnType<Commands[Name]>>> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<{ value: Awaited<ReturnType<Commands[Name]>>; error?: Error }>) => {
      port1.close();
      if (data.error) reject(Object.assign(new Error(data.error.message), { name: data.error.name }));
      else resolve(data.value);
    };
    window.postMessage({ ask: name, args }, '*', [port2]);
  });
}

/** Whether a document is active. In Firefox, an inactive document keeps its window. */
function isShown(page: Document): boolean {
  try {
    return page.defaultView?.document === page;
  } catch {
    return false; // the window shows a page of another origin
  }
}

/** Registers a tool in a document, until the end of the test. */
export async function register(
  page: Document,
  tool: Pick<ModelContextTool, 'name'> & Partial<ModelContextTool>,
  options?: RegisterToolOptions,
): Promise<AbortController> {
  const controller = new AbortController();
  afterTest(async () => {
    if (!isShown(page)) return; // Chromium 156 crashes when a tool of an inactive document is unregistered
    controller.abort();
    if (!isNative) return;
    // It also crashes if the document is unloaded first. The list resolves after the tool is unregistered.
    await withNativeTimeout(page.modelContext.getTools()).catch(() => undefined);
  });
  await page.modelContext.registerTool(
    { description: 'd', execute: (input: unknown) => input, ...tool },
    { signal: controller.signal, ...options },
  );
  return controller;
}

/** The names of the listed tools. */
export async function namesIn(page: Document, fromOrigins?: readonly string[]): Promise<readonly string[]> {
  const tools = await page.modelContext.getTools(fromOrigins && { fromOrigins });
  return tools.map(({ name }) => name);
}

/** The listed tool of a name. */
export async function toolIn(page: Document, name: string, fromOrigins: readonly string[] = []) {
  const tools = await page.modelContext.getTools({ fromOrigins });
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`${name} is not among ${tools.map((listed) => listed.name).join(', ')}`);
  return tool;
}

/** Logs the events of a document's model context with a label. */
export function record(page: Document, label = '', log: string[] = []): string[] {
  const context = page.modelContext;
  for (const type of ['toolchange', 'toolactivated', 'toolcancel']) {
    const listener = (event: Event) => {
      const { toolName } = event as Event & { toolName?: string };
      log.push([label, type, toolName].filter(Boolean).join(' '));
    };
    context.addEventListener(type, listener);
    afterTest(() => context.removeEventListener(type, listener));
  }
  return log;
}

/** The rejection reason of a promise. Not chained, because inactive documents run no callbacks of chained promises. */
export function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const noError = Object.assign(new Error('It did not reject.'), { name: 'no error' });
  return new Promise((resolve) => void promise.then(() => resolve(noError), resolve));
}

/** The name of the error that a promise rejects with. */
export const errorOf = async (promise: Promise<unknown>): Promise<string> =>
  ((await rejectionOf(promise)) as Error).name;

/** Waits until a condition is true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await task(5);
}

/** Waits until pending messages have arrived, here and in other windows, before a test expects that nothing happened. */
export async function settle(...windows: readonly Window[]): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await Promise.all([task(10), ...windows.map((window) => ask(window, 'log'))]);
  }
}

/** Opens a frame of another origin that is connected already. */
export async function openWindow(origin = other) {
  const frame = windowOf(await openOther(origin));
  await ask(frame, 'list');
  await ask(frame, 'clearLog');
  return frame;
}
