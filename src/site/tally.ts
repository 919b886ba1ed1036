import type { ManifestPage } from './manifest/manifest.js';
import { countOf } from './printable.js';

export interface Tally {
  readonly pages: number;
  readonly pagesWithTools: number;
  readonly tools: number;
  readonly errors: number;
  readonly warnings: number;
}

export const emptyTally: Tally = { pages: 0, pagesWithTools: 0, tools: 0, errors: 0, warnings: 0 };

export const addPage = (tally: Tally, { tools, diagnostics }: ManifestPage): Tally => ({
  pages: tally.pages + 1,
  pagesWithTools: tally.pagesWithTools + Number(tools.length > 0),
  tools: tally.tools + tools.length,
  errors: tally.errors + diagnostics.filter(({ severity }) => severity === 'error').length,
  warnings: tally.warnings + diagnostics.filter(({ severity }) => severity === 'warning').length,
});

export const summaryOf = ({ pages, pagesWithTools, tools, errors, warnings }: Tally): string =>
  `${countOf(tools, 'tool')} on ${pagesWithTools} of ${countOf(pages, 'page')}, ` +
  `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`;
