import { fileURLToPath } from 'node:url';
import { until } from '../until.js';
import { openChromium, openFirefox } from './open.js';
import { serveFiles } from './serve-files.js';

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** A page with a form that waits for the user. Its tool is called as soon as it is listed. */
const formPage = (names: readonly string[], attribute = ''): string => `<!doctype html><title>Form</title>
<script src="webmcp-forms.iife.js"></script><script type=module src="webmcp-elements.js"></script>
<form toolname=order tooldescription="Orders.">${names.map((name) => `<input name=${name}>`).join('')}<button>Order</button></form>
<webmcp-review ${attribute}></webmcp-review>
<script>
  let submitted = 0, pressed = 0;
  addEventListener('pointerdown', () => pressed++, true);
  document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); submitted++; });
  const input = { ${names.map((name) => `${name}: 'x'`).join()} };
  // A busy page around the frame replies late.
  const call = () => document.modelContext.getTools().then(([tool]) => document.modelContext.executeTool(tool, input))
    .catch(({ name }) => name === 'NotSupportedError' && setTimeout(call, 100));
  call();
</script>`;

const gamePage = (formUrl: string): string => `<!doctype html><title>Game</title>
<script src="webmcp-forms.iife.js"></script>
<body style="margin:0"><div style="position:absolute;width:2000px;height:2000px;overflow:hidden">
<iframe allow=tools src="${formUrl}" style="position:absolute;left:0;top:0;width:700px;height:500px;border:0"></iframe></div>`;

export interface Frame {
  evaluate(expression: string): Promise<unknown>;
}

/** The functions that the drivers of both browsers have. */
export interface Page extends Frame {
  close(): Promise<void>;
  bringToFront(): Promise<void>;
  goto(url: string): Promise<unknown>;
  setDefaultTimeout(ms: number): void;
  frames(): readonly Frame[];
  readonly mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  readonly keyboard: { press(key: 'Enter'): Promise<void> };
}

interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export const browsers = [
  { label: 'Chromium', program: 'chromium', open: (): Promise<Browser> => openChromium(false) },
  { label: 'Firefox', program: 'firefox', open: (): Promise<Browser> => openFirefox() },
] as const;

/** A browser, and the URLs of pages with a review or with a frame that has one, of the same or of another origin. */
export interface ReviewSite {
  readonly browser: Browser;
  readonly urls: Readonly<
    Record<'form' | 'clobberedForm' | 'own' | 'game' | 'nestedGame' | 'clobberedGame' | 'partner', string>
  >;
  close(): Promise<void>;
}

export async function openReviewSite(open: () => Promise<Browser>): Promise<ReviewSite> {
  const ends: (() => Promise<void>)[] = [];
  const test = { onTestFinished: (steps: () => Promise<void>) => void ends.push(steps) };
  let formUrl = '';
  const pages: Readonly<Record<string, () => string>> = {
    'form.html': () => formPage(['item']),
    'clobbered-form.html': () => formPage(['item']).replace('<form', '<img name=documentElement><form'),
    'allowed.html': () => formPage(['item'], 'allow-embedding'),
    'nested.html': () => gamePage('form.html'),
    'clobbered.html': () => gamePage('form.html').replace('<iframe', '<img name=defaultView><iframe'),
    'six.html': () => formPage([...'abcdef']),
    'own.html': () => gamePage('six.html').replace('top:0', 'top:145.19px'),
    'game.html': () => gamePage(`${formUrl}form.html`),
    'nested-game.html': () => gamePage(`${formUrl}nested.html`),
    'clobbered-game.html': () => gamePage(`${formUrl}clobbered.html`),
    'partner.html': () => gamePage(`${formUrl}allowed.html`),
  };
  const servers = [1, 2].map(() =>
    serveFiles(test, dist, (path, _, response) => {
      const html = pages[path]?.();
      if (html === undefined) return false;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(html);
      return true;
    }),
  );
  const [browser, outer, inner] = await Promise.all([open(), ...servers] as const);
  formUrl = inner?.url ?? '';
  const url = outer?.url ?? '';
  return {
    browser,
    urls: {
      ...{
        form: `${url}form.html`,
        clobberedForm: `${url}clobbered-form.html`,
        own: `${url}own.html`,
        game: `${url}game.html`,
      },
      ...{ nestedGame: `${url}nested-game.html`, clobberedGame: `${url}clobbered-game.html` },
      ...{ partner: `${url}partner.html` },
    },
    async close() {
      await browser.close();
      for (const end of ends) await end();
    },
  };
}

export const part = (name: string): string =>
  `document.querySelector('webmcp-review').shadowRoot?.querySelector('[part=${name}]')`;
export const submittedIn = (frame: Frame): Promise<unknown> => frame.evaluate('submitted');
export const problemIn = async (frame: Frame): Promise<string> =>
  (await frame.evaluate(`${part('problem')}?.textContent ?? ''`)) as string;
const isEnabled = (frame: Frame): Promise<unknown> =>
  frame.evaluate(`${part('approve')} ? !${part('approve')}.hasAttribute('aria-disabled') : undefined`);

export const enabled = (frame: Frame): Promise<boolean> => until(async () => (await isEnabled(frame)) === true);
export const disabled = (frame: Frame): Promise<boolean> => until(async () => (await isEnabled(frame)) === false);

export async function click({ mouse }: Page): Promise<void> {
  await mouse.down();
  await mouse.up();
}

/** The delay of Approve. */
export const delayMs = 500;

/** The middle of Approve in its frame. */
export async function middleOf(frame: Frame): Promise<readonly [x: number, y: number]> {
  const rectangle = `${part('approve')}.getBoundingClientRect()`;
  const read = `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${rectangle})`;
  return (await frame.evaluate(read)) as [number, number];
}
