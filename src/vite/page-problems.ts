import { relative } from 'node:path';
import { oneLine } from '../site/report.js';
import { reasonOf } from '../site/usage-error.js';
import type { WebmcpFormsOptions } from './options.js';
import type { PageFile } from './page-files.js';
import { problemsOf, problemText, type CompiledPage, type Problem } from './problems.js';
import type { Site } from './site.js';

/** What a build gives its plugins to speak with. */
export interface Speaker {
  readonly meta: object;
  readonly warn: (log: { readonly message: string } & Partial<Problem>) => void;
  readonly error: (log: { readonly message: string } & Partial<Problem>) => never;
}

/** Compiles pages; one that cannot be read is left out with a warning, or ends a strict build. */
export async function compilePages(
  files: readonly PageFile[],
  site: Site,
  { strict }: WebmcpFormsOptions,
  speaker: Speaker,
): Promise<readonly CompiledPage[]> {
  const pages: CompiledPage[] = [];
  for (const { path, file, read } of files) {
    if (!site.has(path)) continue;
    try {
      pages.push(site.compile(path, await read(), file));
    } catch (cause) {
      const message = `${oneLine(reasonOf(cause))}; the page is not in the manifest`;
      if (strict) speaker.error({ message });
      speaker.warn({ message });
    }
  }
  return pages;
}

interface Telling {
  readonly site: Site;
  readonly options: WebmcpFormsOptions;
  readonly root: string;
  readonly speaker: Speaker;
}

/** Warns of all problems; then the first error ends a strict build. */
export async function tellProblems(pages: readonly CompiledPage[], telling: Telling): Promise<void> {
  const { site, options, speaker } = telling;
  const problems: Problem[] = [];
  for (const page of pages) problems.push(...(await problemsOf(page, site.options)));
  const fatal = options.strict ? problems.find(({ severity }) => severity === 'error') : undefined;
  for (const problem of problems) if (problem !== fatal) warn(problem, telling);
  if (fatal) speaker.error(fatal);
}

/** Rollup puts the place before the message, and Rolldown does not; neither adds the frame. */
function warn(problem: Problem, { root, speaker }: Telling): void {
  const isPlaced = problem.loc !== undefined && !('rolldownVersion' in speaker.meta);
  const text = problemText(problem, nameOf(problem.id, root));
  speaker.warn({ ...problem, message: isPlaced ? text.slice(text.indexOf(problem.message)) : text });
}

/** What a person calls a file. */
export const nameOf = (id: string, root: string): string => {
  const path = relative(root, id);
  return path === '' ? id : path;
};
