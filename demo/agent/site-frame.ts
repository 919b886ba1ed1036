import type { RegisteredTool } from 'webmcp-forms';

/** The frame of the site and its tools, as a visitor's agent sees them. */
export interface SiteFrame {
  readonly frame: HTMLIFrameElement;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;

export const documentOf = ({ frame }: SiteFrame): Document => frame.contentDocument as Document;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Polls until there is a result, the time limit is reached or the signal aborts. */
async function until<Found>(
  { signal }: SiteFrame,
  what: string,
  ask: () => Promise<Found | undefined>,
): Promise<Found> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await pause(50)) {
    signal.throwIfAborted();
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come in ${timeoutMs / 1000} seconds.`);
}

export const loadOf = ({ frame, signal }: SiteFrame): Promise<void> =>
  new Promise((resolve, reject) => {
    frame.addEventListener('load', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

export async function open(site: SiteFrame, path: string): Promise<void> {
  const loaded = loadOf(site);
  site.frame.src = path;
  await loaded;
}

export async function toolsOf({ frame }: SiteFrame): Promise<readonly RegisteredTool[]> {
  const tools = await document.modelContext.getTools();
  return tools.filter(({ window }) => window === frame.contentWindow);
}

export const toolNamed = (site: SiteFrame, name: string): Promise<RegisteredTool> =>
  until(site, `The tool ${name}`, async () => (await toolsOf(site)).find((tool) => tool.name === name));

export async function anyTools(site: SiteFrame): Promise<readonly RegisteredTool[]> {
  return until(site, 'A tool', async () => {
    const tools = await toolsOf(site);
    return tools.length > 0 ? tools : undefined;
  });
}

/** Calls `onWait` when a form awaits the user, unless the signal has aborted. */
export function onWaiting(site: SiteFrame, signal: AbortSignal, onWait: () => void): void {
  documentOf(site).addEventListener('webmcp-await-user', onWait, { once: true, signal });
}
