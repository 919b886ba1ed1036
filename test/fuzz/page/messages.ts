import { apply } from '../../../src/polyfill/index.js';
import type { RegisteredTool } from '../../../src/webmcp.js';
import { harnessKey, type MessageCase } from './message-case.js';

apply();

const other = `http://127.0.0.1:${location.port}`;
const errors: string[] = [];
let ownCalls = 0;

addEventListener(
  'error',
  ({ message, error }) => void errors.push(error instanceof Error ? (error.stack ?? message) : message),
);
addEventListener(
  'unhandledrejection',
  ({ reason }) =>
    void errors.push(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`),
);

const description = 'A tool.';
const execute = (): string => 'done';
const register = (name: string, run: (input: unknown) => string, exposedTo?: string[]): unknown =>
  document.modelContext.registerTool({ name, description, execute: run }, exposedTo ? { exposedTo } : {});
const ready = Promise.all([
  register('own', () => {
    ownCalls++;
    return 'secret';
  }),
  register('open', execute, [other]),
]);

/** The number of cases that share a frame, so that it has a history. */
const casesOfFrame = 10;

/** The first broken invariant of each case. */
export async function play(cases: readonly MessageCase[]): Promise<readonly (string | null)[]> {
  await ready;
  const results: (string | null)[] = [];
  let frame: HTMLIFrameElement | undefined;
  for (const [index, each] of cases.entries()) {
    if (index % casesOfFrame === 0) {
      frame?.remove();
      frame = await openFrame(index % (2 * casesOfFrame) === 0);
    }
    results.push((await failureOf((frame as HTMLIFrameElement).contentWindow as Window, each)) ?? null);
  }
  frame?.remove();
  return results;
}

const openFrame = (isAllowed: boolean): Promise<HTMLIFrameElement> =>
  new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.allow = isAllowed ? 'tools' : '';
    frame.src = `${other}/frame`;
    frame.addEventListener('load', () => resolve(frame), { once: true });
    document.body.append(frame);
  });

async function failureOf(window: Window, each: MessageCase): Promise<string | undefined> {
  errors.length = 0;
  ownCalls = 0;
  const done = new Promise<void>((resolve) => {
    const listener = ({ data, source }: MessageEvent<unknown>): void => {
      if (source !== window || (data as Record<string, unknown> | null)?.[harnessKey] !== 'done') return;
      removeEventListener('message', listener);
      resolve();
    };
    addEventListener('message', listener);
  });
  window.postMessage({ [harnessKey]: each }, '*');
  await done;
  await task();
  const tools = await document.modelContext.getTools({ fromOrigins: [other] });
  const problem = checkTools(tools, window) ?? (await checkCall(tools));
  await task();
  if (problem !== undefined) return problem;
  if (ownCalls > 0) return 'a tool that is not exposed ran';
  return errors.length > 0 ? `the page has an error: ${errors.join('\n')}` : undefined;
}

const task = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

const maxTools = 10_000;

function checkTools(tools: readonly RegisteredTool[], window: Window): string | undefined {
  const own = tools.filter((tool) => tool.window === globalThis.window).map(({ name }) => name);
  if (own.sort().join() !== 'open,own') return `the page's own tools are ${own.join()}`;
  if (tools.length > maxTools) return `there are ${tools.length} tools`;
  const foreign = tools.filter((tool) => tool.window !== globalThis.window);
  const isText = (value: unknown): boolean => typeof value === 'string';
  for (const tool of foreign) {
    const { name, title, description: text, origin, inputSchema } = tool;
    if (tool.window !== window || origin !== other) return `a tool has the origin ${String(origin)}`;
    if (![name, title, text].every(isText)) return 'a member of a tool is not a text';
    if (inputSchema !== undefined && (typeof inputSchema !== 'object' || inputSchema === null))
      return 'a schema is not an object';
  }
  return undefined;
}

/** Calls a foreign tool, whose answer is a text, null, or an error. */
async function checkCall(tools: readonly RegisteredTool[]): Promise<string | undefined> {
  const tool = tools.find((each) => each.window !== globalThis.window);
  if (!tool) return undefined;
  const result = await document.modelContext.executeTool(tool, {}).catch((error: unknown) => error);
  const isValid = typeof result === 'string' || result === null || result instanceof Error;
  return isValid ? undefined : `a call returned ${typeof result}`;
}
