import { fileURLToPath } from 'node:url';
import Beasties from 'beasties';

const styles = new Beasties({
  path: fileURLToPath(new URL('../../docs-dist', import.meta.url)),
  publicPath: '/docs/',
  pruneSource: false,
  mergeStylesheets: false,
  preload: 'media',
  inlineFonts: false,
  preloadFonts: false,
  logLevel: 'warn',
  // Classes that are added before the first paint, and a selector that is not understood.
  allowRules: [/\.(?:dark|mac)\b/, /:not\(pre\)/],
});

const entry = /<script type="module" src="([^"]*)"><\/script>/;
const preloadedSheet = /<link rel="preload stylesheet"( href="[^"]*") as="style">/g;
/** VitePress writes the icons of a site, which has none, after its pages. */
const emptySheet = /<link rel="stylesheet" href="[^"]*\/vp-icons\.css">/;
const lateSheet = /<link rel="stylesheet" href="([^"]*)" media="print"[^>]*>/g;
const modulePreload = /<link rel="modulepreload" href="([^"]*)">/g;

/**
 * Lets the browser paint a page as soon as it has it: the rules that the page needs are in it, and the other ones and the
 * scripts of the site are loaded afterwards. The text is complete without them.
 */
export async function paintEarly(html: string): Promise<string> {
  const [, url] = entry.exec(html) ?? [];
  if (url === undefined) return html; // without the script, nothing would load the styles
  const sheets = html.replace(preloadedSheet, '<link rel="stylesheet"$1>').replace(emptySheet, '');
  const withStyles = await styles.process(sheets);
  const links = [
    ...hrefsOf(withStyles, lateSheet).map((href) => ({ rel: 'stylesheet', href })),
    ...hrefsOf(html, modulePreload).map((href) => ({ rel: 'modulepreload', href })),
  ];
  return withStyles
    .replace(lateSheet, '')
    .replace(modulePreload, '')
    .replace(entry, () => startScript(url, links));
}

const hrefsOf = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, href = '']) => href);

interface Link {
  readonly rel: string;
  readonly href: string;
}

/** The scripts change what a page shows, so that they wait for its styles. */
const startScript = (url: string, links: readonly Link[]): string => `<script type="module">
requestAnimationFrame(() => setTimeout(async () => {
  const elements = ${JSON.stringify(links)}.map((link) => Object.assign(document.createElement('link'), link));
  const sheets = elements.filter(({ rel }) => rel === 'stylesheet');
  const areLoaded = sheets.map((sheet) => new Promise((resolve) => (sheet.onload = sheet.onerror = resolve)));
  document.head.append(...elements);
  await Promise.all(areLoaded);
  await import(${JSON.stringify(url)});
}));
</script>`;
