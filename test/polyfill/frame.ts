import type { ModelContextTool, RegisterToolOptions } from '../../src/webmcp.js';
import type { Commands } from './frames/commands.js';

/** Whether the browser itself has the API. Imports are evaluated before the polyfill is applied. */
export const isNative = 'ModelContext' in window;

export type FrameWindow = Window & typeof globalThis;

/** The origins of the tests: the test server answers to every name of this machine. */
export const here = location.origin;
export const other = `http://127.0.0.1:${location.port}`;
export const third = `http://third.localhost:${location.port}`;

const pages = '/test/polyfill/frames';
/** A page with the script, and one without it, at an origin. */
export const withScript = (origin = here): string => `${origin}${pages}/tools.html`;
export const withoutScript = (origin = here): string => `${origin}${pages}/plain.html`;

const task = (delay = 0) => new Promise<void>((resolve) => setTimeout(resolve, delay));

let undo: (() => unknown)[] = [];

/** Does something after the test. */
export const afterTest = (action: () => unknown): void => void undo.push(action);

// The browser process of Chromium 156 never hears of one frame in a thousand: what is asked there hangs.
beforeEach(function () {
  if (isNative) this.currentTest?.timeout(10_000).retries(2);
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

/** A frame in the page, or in the page of another frame, until the test is over. */
export function addFrame(attributes: FrameAttributes = {}, page: Document = document): HTMLIFrameElement {
  const frame = page.createElement('iframe');
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value as string);
  page.body.append(frame);
  afterTest(() => frame.remove());
  return frame;
}

export const loaded = (frame: HTMLIFrameElement): Promise<Event> =>
  new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));

/** A frame that has loaded. */
export async function openFrame(attributes: FrameAttributes, page?: Document): Promise<HTMLIFrameElement> {
  const frame = addFrame(attributes, page);
  await loaded(frame);
  return frame;
}

/** A frame of another origin that may use tools, with the script in it. */
export const openOther = (origin = other, allow = 'tools'): Promise<HTMLIFrameElement> =>
  openFrame({ src: withScript(origin), allow });

export const windowOf = (frame: HTMLIFrameElement): FrameWindow => frame.contentWindow as FrameWindow;

/** Asks a page of the tests to do something; rejects with an error of the name that the page saw. */
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

/** Whether a page is in its window. Firefox leaves the window to a page that it shows no more. */
function isShown(page: Document): boolean {
  try {
    return page.defaultView?.document === page;
  } catch {
    return false; // the window shows a page of another origin
  }
}

/** Registers a tool in a page, until the test is over. */
export async function register(
  page: Document,
  tool: Pick<ModelContextTool, 'name'> & Partial<ModelContextTool>,
  options?: RegisterToolOptions,
): Promise<AbortController> {
  const controller = new AbortController();
  afterTest(async () => {
    if (!isShown(page)) return; // Chromium 156 crashes when a tool is unregistered in a page that is gone
    controller.abort();
    if (isNative) await task(20); // or when the page goes before it is
  });
  await page.modelContext.registerTool(
    { description: 'd', execute: (input: unknown) => input, ...tool },
    { signal: controller.signal, ...options },
  );
  return controller;
}

/** What `getTools` lists, by name. */
export async function namesIn(page: Document, fromOrigins?: readonly string[]): Promise<readonly string[]> {
  const tools = await page.modelContext.getTools(fromOrigins && { fromOrigins });
  return tools.map(({ name }) => name);
}

/** The tool of a name, as `getTools` lists it. */
export async function toolIn(page: Document, name: string, fromOrigins: readonly string[] = []) {
  const tools = await page.modelContext.getTools({ fromOrigins });
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`${name} is not among ${tools.map((listed) => listed.name).join(', ')}`);
  return tool;
}

/** A list that the events of a page's model context are added to, each with the page's label. */
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

/** What a promise rejects with. A page that is gone runs no callbacks of its own promises: do not chain them. */
export function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const none = Object.assign(new Error('It did not reject.'), { name: 'no error' });
  return new Promise((resolve) => void promise.then(() => resolve(none), resolve));
}

/** The name of the error that a promise rejects with. */
export const errorOf = async (promise: Promise<unknown>): Promise<string> =>
  ((await rejectionOf(promise)) as Error).name;

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await task(5);
}

/** Waits until what is under way has arrived, here and in pages of the tests: for saying that something did not happen. */
export async function settle(...windows: readonly Window[]): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await Promise.all([task(10), ...windows.map((window) => ask(window, 'log'))]);
  }
}

/** The window of a frame of another origin, which has used tools already. */
export async function openWindow(origin = other) {
  const frame = windowOf(await openOther(origin));
  await ask(frame, 'list');
  await ask(frame, 'clearLog');
  return frame;
}
