import type { ToolCallEvent, WebmcpTool } from '../../../elements/webmcp-tool.js';
import { afterTest, isNative, names, settled as tasksDone, waitUntil } from '../browser/live.js';

const { modelContext } = document;

/** Waits for the effects of a change. A native implementation answers asynchronously, in order. */
export async function settled(): Promise<void> {
  for (let round = isNative ? 5 : 0; round > 0; round--) {
    await tasksDone();
    await modelContext.getTools();
  }
  await tasksDone();
  await import('../../../src/index.js'); // takes as many tasks as the same import by an element with a form
  await tasksDone();
}

/** Waits until the first tool of a form has loaded its modules. */
export async function formsLoaded(): Promise<void> {
  const container = document.createElement('div');
  container.innerHTML = '<webmcp-tool name=first description=d><form></form></webmcp-tool>';
  document.body.append(container);
  await waitUntil(async () => (await names()).includes('first'));
  container.remove();
  await waitUntil(async () => (await names()).length === 0);
}

/** Adds a `<webmcp-tool>` to the page until the end of the test. */
export async function addTool(
  attributes: string,
  children: readonly string[] = [],
  parent: Element | ShadowRoot = document.body,
  where: 'afterbegin' | 'beforeend' = 'beforeend',
): Promise<WebmcpTool> {
  const container = document.createElement('div');
  container.innerHTML = `<webmcp-tool ${attributes}>${children.join('')}</webmcp-tool>`;
  const element = container.querySelector('webmcp-tool') as WebmcpTool;
  if (where === 'beforeend') parent.append(element);
  else parent.prepend(element);
  afterTest(() => element.remove());
  await settled();
  return element;
}

export const answer = (element: Element, listener: (event: ToolCallEvent) => void): void =>
  (element as WebmcpTool).addEventListener('toolcall', listener);

export const codes = ({ diagnostics }: WebmcpTool): string[] => diagnostics.map(({ code }) => code);

/** The number of `toolchange` events of a registration that is replaced: Chromium reports the removal separately. */
export const changesOfReplacement = isNative ? 2 : 1;

/** Returns a function that waits for `toolchange` events, and returns their number since its last call. */
export async function toolChanges(): Promise<(expected?: number) => Promise<number>> {
  let count = 0;
  const listener = (): void => void count++;
  await settled();
  modelContext.addEventListener('toolchange', listener);
  afterTest(() => modelContext.removeEventListener('toolchange', listener));
  return async (expected = 0) => {
    await waitUntil(() => count >= expected);
    await settled();
    const counted = count;
    count = 0;
    return counted;
  };
}
