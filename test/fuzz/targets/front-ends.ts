import type { ControlDescription } from '../../../src/compiler/index.js';
import { parsePage } from '../../../src/parse5/parse5-tree.js';
import { descriptionsOf } from '../../support/readings.js';
import { page } from '../generators/html.js';
import { ChromiumPage } from '../run/chromium.js';
import { hold, outcomeOf, type Outcome, type Runner, type Target } from '../target.js';

/** The descriptions that the parse5 and DOM front ends read are equal. */
export const frontEnds: Target<string> = {
  name: 'front-ends',
  cases: page
    .map((html) => html.slice(0, maxLength).replace(/\p{Surrogate}/gu, '\ufffd'))
    .filter((html) => !isException(html)),
  batch: 200,
  inBrowser: true,
  open: async () => runner(await ChromiumPage.open('front-ends')),
};

const maxLength = 30_000;

const runner = (page: ChromiumPage): Runner<string> => ({
  run: async (cases, begin) => {
    const outcomes: Outcome[] = [];
    const live = page.call<readonly (string | null)[]>('describe', cases, 20_000 + cases.length * 50);
    live.catch(() => undefined);
    for (const [index, html] of cases.entries()) {
      begin(index);
      outcomes.push(await outcomeOf(async () => compare(html, (await live)[index] as string | null)));
    }
    return outcomes;
  },
  close: () => page.close(),
});

function compare(html: string, live: string | null): void {
  if (live === null) return;
  if (isTooDeep(html)) return;
  const { document, tree } = parsePage(html);
  const descriptions = descriptionsOf(tree, document);
  if (descriptions.some(({ controls }) => controls.some(isUndefined))) return;
  const fromSource = JSON.stringify(descriptions);
  if (fromSource === live) return;
  const at = [...fromSource].findIndex((character, index) => character !== live[index]);
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 80);
  hold(
    false,
    'the front ends describe a page equally',
    JSON.stringify({ html: html.slice(0, 900), parse5: around(fromSource), dom: around(live) }),
  );
}

/** Chromium nests elements up to 512 levels deep. */
function isTooDeep(html: string): boolean {
  try {
    parsePage(html, { maxDepth: 500 });
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** Whether a browser does not know a custom element as a control, because no script has defined it. */
const isUndefined = ({ type, element }: ControlDescription): boolean => type === 'custom' && element !== 'x-a';

/** Whether the front ends are known to read a page differently. */
function isException(html: string): boolean {
  return (
    /shadowrootmode=["']?closed/i.test(html) || // scripts cannot read it
    /shadowrootmode.*<(?:t(?:able|body|r|d|h)|col|caption).*<form/is.test(html) || // see parser-differences.ts
    /<script[^>]*src|http-equiv/i.test(html) ||
    /\ufffd.*<frameset/is.test(html) || // in Chromium, only other characters before it keep the body
    (/<x-/i.test(html) && /<script|shadowrootmode/i.test(html)) || // custom elements are defined in one frame only
    hasElementInSelect(html)
  );
}

/** parse5 8 drops the tags of elements inside a select, and the end tags of its ancestors. The standard no longer does. */
const hasElementInSelect = (html: string): boolean =>
  [...html.matchAll(/<select(?=[\s/>])(?:"[^"]*"|'[^']*'|[^>"'])*>(.*?)(?:<\/select(?=[\s/>])|$)/gis)].some(
    ([, content = '']) => /<(?!\/?(?:option|optgroup)[\s>])/i.test(content),
  );
