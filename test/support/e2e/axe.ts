import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

export interface AxeOptions {
  /** The selector of the only element that is checked. With it, rules about whole pages do not run. */
  readonly include?: string;
  /** The selectors of elements that are not checked. With any, axe does not run in frames. */
  readonly exclude?: readonly string[];
  /** The rules to run instead of all. */
  readonly rules?: readonly string[];
}

/** The rules whose result depends on the color scheme. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** The violations that axe reports, each with the rule and the markup of its first elements. */
export async function violationsIn(page: Page, options: AxeOptions = {}): Promise<readonly string[]> {
  const { include, exclude = [], rules } = options;
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const context = { ...(include !== undefined && { include }), exclude };
  const settings = {
    ...{ resultTypes: ['violations'], selectors: false, iframes: exclude.length === 0 },
    ...(rules && { runOnly: rules }),
  };
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(settings)})`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
