import type { ToolCallEvent, WebmcpTool } from '../../elements/webmcp-tool.js';
import { afterTest, isNative, names, settled as tasksDone, waitUntil } from '../browser/live.js';

const { modelContext } = document;

/** Lets all that follows from a change happen. A browser answers in its own time: what it is asked later it answers later. */
export async function settled(): Promise<void> {
  for (let round = isNative ? 5 : 0; round > 0; round--) {
    await tasksDone();
    await modelContext.getTools();
  }
  await tasksDone();
}

/** Waits until what the first tool of a form loads is there. */
export async function formsLoaded(): Promise<void> {
  const container = document.createElement('div');
  container.innerHTML = '<webmcp-tool name=first description=d><form></form></webmcp-tool>';
  document.body.append(container);
  await waitUntil(async () => (await names()).includes('first'));
  container.remove();
  await waitUntil(async () => (await names()).length === 0);
}

/** Puts a `<webmcp-tool>` into the page until the test is over. */
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

/** How many toolchange events a tool makes that is registered anew: in Chromium one for the removal, and one for the registration. */
export const registeredAnew = isNative ? 2 : 1;

/** Counts toolchange events from now on; each reading waits for as many as are awaited, and begins anew. */
export async function toolChanges(): Promise<(awaited?: number) => Promise<number>> {
  let count = 0;
  const listener = (): void => void count++;
  await settled();
  modelContext.addEventListener('toolchange', listener);
  afterTest(() => modelContext.removeEventListener('toolchange', listener));
  return async (awaited = 0) => {
    await waitUntil(() => count >= awaited);
    await settled();
    const counted = count;
    count = 0;
    return counted;
  };
}
