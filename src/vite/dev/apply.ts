import { relative } from 'node:path';
import { annotateFiles, hashOf, type AnnotatedFile } from '../../annotate/files/annotate-files.js';
import type { FormAnnotation } from '../../annotate/form-annotation.js';
import { applyInsertions } from '../../annotate/tags/insertion.js';
import { defaultPageTimeoutMs } from '../../site/limits.js';
import { readPageFile } from '../../site/pages/page-encoding.js';
import { isInside, rewriteFile, writableFile } from '../../site/rewrite-file.js';
import { UsageError } from '../../site/usage-error.js';
import type { Problem } from '../problems.js';

/** A form of a source file that the server can annotate. */
export interface ApplicableForm {
  readonly file: string;
  readonly form: FormAnnotation;
}

/** Whether a file belongs to the project, so that its annotations may be written. */
export const isOfProject = (file: string, root: string): boolean =>
  isInside(file, root) && !/[\\/]node_modules[\\/]/.test(file);

const inputOf = (file: string, root: string) => ({
  path: relative(root, file),
  file: relative(root, file),
  at: file,
  folder: root,
  read: () => readPageFile(file, file),
});

async function annotateFile(file: string, root: string): Promise<AnnotatedFile | undefined> {
  const [annotated] = await annotateFiles([inputOf(file, root)], {
    jobs: 1,
    timeoutMs: defaultPageTimeoutMs,
    choice: { minConfidence: 'low', includeSensitive: false, withFindings: false },
  });
  return annotated;
}

/** Finds the form of each problem in its source file. Omits problems whose form cannot be annotated safely. */
export async function applicableForms(
  problems: readonly Problem[],
  root: string,
): Promise<ReadonlyMap<Problem, ApplicableForm>> {
  const found = new Map<Problem, ApplicableForm>();
  for (const file of new Set(problems.flatMap(({ loc }) => loc?.file ?? []))) {
    const annotated = isOfProject(file, root) ? await annotateFile(file, root).catch(() => undefined) : undefined;
    for (const problem of problems) {
      const { loc, message } = problem;
      const form = annotated?.forms.find(({ line, column }) => line === loc?.line && column === loc.column + 1);
      const isSafe = form?.problems.length === 0 && form.sensitive === undefined;
      if (loc?.file === file && form && isSafe && message.includes(form.description))
        found.set(problem, { file, form });
    }
  }
  return found;
}

/**
 * Writes the annotations of a form into its source file.
 *
 * @throws {UsageError} if the form has changed, or the file cannot be written
 */
export async function applyAnnotation({ file, form }: ApplicableForm, root: string): Promise<void> {
  const input = inputOf(file, root);
  const annotated = await annotateFile(file, root);
  const same = annotated?.forms.find(({ start }) => start === form.start);
  if (!annotated || !same || JSON.stringify(same.insertions) !== JSON.stringify(form.insertions))
    throw new UsageError(`Cannot write ${input.file}: the form has changed. Save the file, and reload the page.`);
  const { path } = await writableFile(input, 'Apply');
  await rewriteFile(
    path,
    input.file,
    (bytes) => hashOf(bytes) === annotated.hash,
    (text) => applyInsertions(text, same.insertions),
  );
}
