import { expect } from '@open-wc/testing';
import { openResponsiveFrame } from '../browser/responsive-frame.js';
import { isNative, waitUntil } from '../browser/live.js';

/** A tool as its manifest, or a page, tells it. */
interface Told {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: object | string;
  readonly annotations?: Readonly<Record<string, boolean>>;
}

interface Page {
  readonly path: string;
  readonly html: string;
  readonly chromium: { readonly tools: readonly Told[] };
  readonly precise: { readonly tools: readonly Told[] };
}

const pages = (await (
  await fetch(new URL('../fixtures/elements/tools.json', import.meta.url))
).json()) as readonly Page[];

/** A page of its own, read by the browser's parser, whose scripts are those that an author loads. */
async function open(html: string, profile: string): Promise<ModelContext> {
  const frame = await openResponsiveFrame(() => load(html, profile));
  return (frame.contentDocument as Document).modelContext;
}

async function load(html: string, profile: string): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  const script = `<script src="/webmcp-forms.full.iife.js" data-profile="${profile}"></script>`;
  frame.srcdoc = `<!doctype html>${script}<script type="module" src="/elements/webmcp-tool.ts"></script>${html}`;
  document.body.append(frame);
  afterTests.push(() => frame.remove());
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  return frame;
}

type ModelContext = Document['modelContext'];
const afterTests: (() => void)[] = [];
afterEach(() => afterTests.splice(0).forEach((undo) => undo()));

/** An element says its own profile: what a page of another one says is added to those that do not. */
const inProfile = (html: string, profile: string): string =>
  profile === 'chromium' ? html : html.replace(/(<webmcp-tool\b[^>]*)>/gi, `$1 profile="${profile}">`);

const hints = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'];

/** What a tool says, in one form whoever tells it. */
function said({ name, title, description, inputSchema, annotations }: Told, hasHints: boolean): string {
  const schema = typeof inputSchema === 'string' ? inputSchema : JSON.stringify(inputSchema);
  const shown = hasHints ? hints.filter((hint) => annotations?.[hint]) : [];
  return JSON.stringify([name, title ?? '', description, schema, shown]);
}

const byName = (tools: readonly Told[]): Told[] => [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));

describe('the tools of a page with elements', () => {
  for (const { path, html, ...manifest } of pages) {
    for (const profile of ['chromium', 'precise'] as const) {
      it(`are those of its manifest: ${path}, ${profile}`, async function () {
        if (isNative && profile === 'precise' && html.includes(' toolname=')) this.skip(); // the browser's own schemas
        const expected = byName(manifest[profile].tools);
        const names = expected.map(({ name }) => name).join();
        const context = await open(inProfile(html, profile), profile);
        const listed = async (): Promise<Told[]> => byName((await context.getTools()) as unknown as readonly Told[]);
        await waitUntil(async () => (await listed()).map(({ name }) => name).join() === names).catch(() => undefined);
        const tools = await listed();
        const hasHints = tools.some(({ annotations }) => annotations);
        expect(tools.map((tool) => said(tool, hasHints))).to.deep.equal(expected.map((tool) => said(tool, hasHints)));
      });
    }
  }
});
