import { readFileSync } from 'node:fs';
import postcss, { type ChildNode } from 'postcss';

const entry = /<script type="module" src="([^"]*)"><\/script>/;
const styleSheet = /<link rel="preload stylesheet" href="([^"]*)" as="style">/g;
/** VitePress writes the icons of a site, which has none, after its pages. */
const emptySheet = /<link rel="preload stylesheet" href="[^"]*\/vp-icons\.css" as="style">/;
const modulePreload = /<link rel="modulepreload" href="([^"]*)">/g;

/**
 * Lets the browser paint a page as soon as it has it: the rules that the page needs are in it, and the complete style sheet
 * and the scripts of the site are loaded afterwards. The text is complete without them.
 */
export function paintEarly(page: string): string {
  const [, url] = entry.exec(page) ?? [];
  if (url === undefined) return page; // without the script, nothing would load the styles
  const html = page.replace(emptySheet, '');
  const links = [
    ...hrefsOf(html, styleSheet).map((href) => ({ rel: 'stylesheet', href })),
    ...hrefsOf(html, modulePreload).map((href) => ({ rel: 'modulepreload', href })),
  ];
  return html
    .replace(styleSheet, (_, href: string) => `<style>${neededRules(href, html)}</style>`)
    .replace(modulePreload, '')
    .replace(entry, () => startScript(url, links));
}

const hrefsOf = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, href = '']) => href);

/** The rules of a style sheet that a page needs: those whose selectors have only elements, classes and IDs of the page. */
function neededRules(href: string, html: string): string {
  const words = wordsIn(html);
  return rulesOf(href)
    .map((rule) => textFor(rule, words))
    .join('');
}

/** The classes that scripts add before the first paint. */
const addedClasses = ['dark', 'mac'];

function wordsIn(html: string): ReadonlySet<string> {
  const tags = html.matchAll(/<([a-z][\w-]*)|\s(?:class|id)="([^"]*)"/g);
  return new Set([...addedClasses, ...[...tags].flatMap(([, name, list = '']) => name ?? list.split(/\s+/))]);
}

/** A rule, or a conditional group of rules. */
interface Styles {
  readonly text: string;
  /** The elements, classes and IDs of each selector. */
  readonly selectors: readonly (readonly string[])[];
  readonly inner?: readonly Styles[];
}

const sheets = new Map<string, readonly Styles[]>();

function rulesOf(href: string): readonly Styles[] {
  const file = new URL(`../../docs-dist/${href.replace('/docs/', '')}`, import.meta.url);
  const rules = sheets.get(href) ?? postcss.parse(readFileSync(file)).nodes.map(stylesOf);
  sheets.set(href, rules);
  return rules;
}

function stylesOf(node: ChildNode): Styles {
  if (node.type === 'rule') return { text: `${String(node)}\n`, selectors: node.selectors.map(wordsOf) };
  if (node.type === 'atrule' && /^(?:media|supports|layer|container)$/.test(node.name) && node.nodes)
    return { text: `@${node.name} ${node.params}`, selectors: [], inner: node.nodes.map(stylesOf) };
  return { text: `${String(node)}\n`, selectors: [[]] };
}

/** The elements, classes and IDs of a selector, without those in functions such as `:not()`. */
const wordsOf = (selector: string): readonly string[] =>
  selector.replace(/::?[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?|\[[^\]]*\]/g, ' ').match(/[\w-]+/g) ?? [];

function textFor({ text, selectors, inner }: Styles, words: ReadonlySet<string>): string {
  if (!inner) return selectors.some((each) => each.every((word) => words.has(word))) ? text : '';
  const rules = inner.map((each) => textFor(each, words)).join('');
  return rules === '' ? '' : `${text}{${rules}}`;
}

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
