import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

export interface AxeOptions {
  /** The selectors of elements that are not checked. With any, axe does not run in frames. */
  readonly exclude?: readonly string[];
  /** The rules to run instead of all. */
  readonly rules?: readonly string[];
}

/** The violations that axe reports, each with the rule and the markup of its first elements. */
export async function violationsIn(page: Page, { exclude = [], rules }: AxeOptions = {}): Promise<readonly string[]> {
  await page.evaluate(axe);
  const options = { resultTypes: ['violations'], iframes: exclude.length === 0, ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${JSON.stringify({ exclude })}, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
