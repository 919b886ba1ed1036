import { expect } from '@open-wc/testing';
import {
  openResponsiveFrame,
  retryInFrames,
  UnresponsiveFrameError,
  withNativeTimeout,
} from '../support/browser/responsive-frame.js';
import { isNative, waitUntil } from '../support/browser/live.js';

/** A tool of a manifest or a page. */
interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: object | string;
  readonly annotations?: Readonly<Record<string, boolean>>;
}

interface Page {
  readonly path: string;
  readonly html: string;
  readonly chromium: { readonly tools: readonly ListedTool[] };
  readonly precise: { readonly tools: readonly ListedTool[] };
}

const pages = (await (
  await fetch(new URL('../fixtures/elements/tools.json', import.meta.url))
).json()) as readonly Page[];

/** Opens a page in a frame, with the browser's parser and the published scripts. */
async function open(html: string, profile: string): Promise<ModelContext> {
  const frame = await openResponsiveFrame(() => load(html, profile));
  return (frame.contentDocument as Document).modelContext;
}

async function load(html: string, profile: string): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  const script = `<script src="/webmcp-forms.iife.js" data-profile="${profile}"></script>`;
  frame.srcdoc = `<!doctype html>${script}<script type="module" src="/elements/webmcp-tool.ts"></script>${html}`;
  document.body.append(frame);
  afterTests.push(() => frame.remove());
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  return frame;
}

type ModelContext = Document['modelContext'];
const afterTests: (() => void)[] = [];
afterEach(() => afterTests.splice(0).forEach((undo) => undo()));

/** Elements ignore the profile of the page's script, so it is added to each. */
const inProfile = (html: string, profile: string): string =>
  profile === 'chromium' ? html : html.replace(/(<webmcp-tool\b[^>]*)>/gi, `$1 profile="${profile}">`);

const hints = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'];

/** The definition of a tool as text. */
function textOf({ name, title, description, inputSchema, annotations }: ListedTool, hasHints: boolean): string {
  const schema = typeof inputSchema === 'string' ? inputSchema : JSON.stringify(inputSchema);
  const shown = hasHints ? hints.filter((hint) => annotations?.[hint]) : [];
  return JSON.stringify([name, title ?? '', description, schema, shown]);
}

const byName = (tools: readonly ListedTool[]): ListedTool[] => [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The tools of a page, once it has tools with these names; without these names, its tools at the timeout. */
async function listWith(context: ModelContext, names: string): Promise<ListedTool[]> {
  let tools: ListedTool[] = [];
  const hasNames = (): boolean => tools.map(({ name }) => name).join() === names;
  await waitUntil(async () => {
    tools = byName(await withNativeTimeout(context.getTools()));
    return hasNames();
  }).catch((error: unknown) => {
    if (error instanceof UnresponsiveFrameError) throw error;
  });
  return tools;
}

describe('<webmcp-tool> and its manifest', () => {
  for (const { path, html, ...manifest } of pages) {
    for (const profile of ['chromium', 'precise'] as const) {
      it(`the page registers the tools of its manifest: ${path}, ${profile}`, async function () {
        if (isNative && profile === 'precise' && html.includes(' toolname=')) this.skip(); // the browser's own schemas
        const expected = byName(manifest[profile].tools);
        const names = expected.map(({ name }) => name).join();
        const tools = await retryInFrames(async () => {
          const context = await open(inProfile(html, profile), profile);
          return listWith(context, names);
        });
        const hasHints = tools.some(({ annotations }) => annotations);
        expect(tools.map((tool) => textOf(tool, hasHints))).to.deep.equal(
          expected.map((tool) => textOf(tool, hasHints)),
        );
      });
    }
  }
});
