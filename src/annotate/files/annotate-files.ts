import { createHash } from 'node:crypto';
import type { Pool } from '../../site/workers/pool.js';
import {
  createRunner,
  isReadHere,
  processPages,
  type PageProcessor,
  type ProcessOptions,
} from '../../site/workers/process-pages.js';
import { readInputs, type PageInput, type ReadInput } from '../../site/pages/find-pages.js';
import type { PageContent } from '../../site/pages/undecoded-page.js';
import { changedProblem } from '../../site/rewrite-file.js';
import type { PageOutcome } from '../../site/pages/process-page.js';
import type { AnnotatedPage } from '../annotate-page.js';
import { emptyPage, type FormValues, type PageAnnotations } from '../form-annotation.js';
import { hasConflict, isWanted, takenNames, type Choice, type SiteTools } from '../site-tools.js';
import { unknownEncoding, mayContainForms, type AnnotateTask } from './annotate-task.js';

/** A file and its suggested annotations. */
export interface AnnotatedFile extends PageAnnotations {
  readonly input: PageInput;
  /** The reason why the file cannot be read, as sentences. */
  readonly problem?: string;
  /** Identifies the content that was read. */
  readonly hash: string;
  /** The text of a page that is not a file. */
  readonly source?: string;
}

interface AnnotateFilesOptions extends ProcessOptions {
  readonly isPrefixed?: boolean;
  /** The criteria for the forms to annotate. */
  readonly choice: Choice;
  readonly onFile?: (count: number) => void;
}

const processor: PageProcessor<AnnotateTask, string> = {
  worker: 'annotate/worker',
  name: 'annotateInThread',
  verb: 'annotate',
  load: async ({ file }) => (await import('./annotate-task.js')).loadAnnotate(file),
};

export const hashOf = (content: PageContent): string => createHash('sha256').update(content).digest('base64');

/** Suggests annotations for the forms of files. Different tools of the site get different names. */
export async function annotateFiles(
  inputs: readonly PageInput[],
  options: AnnotateFilesOptions,
): Promise<readonly AnnotatedFile[]> {
  const files: AnnotatedFile[] = [];
  const names = new SiteNames(options);
  const distinct: AnnotatedFile[] = [];
  const annotated = processPages(readInputs(inputs), options, processor, (read, run) =>
    annotateInput(read, { ...options, ...(distinct.length === files.length && names.siteFor(read)) }, run),
  );
  try {
    // Makes names unique while a page's tree is in memory. After the first page with existing tools, `renameAll` does this.
    for await (const { renamed, ...file } of annotated) {
      files.push(file);
      options.onFile?.(files.length);
      if (files.length - distinct.length !== 1 || file.tools.length > 0) continue;
      distinct.push(await names.rename(file, renamed));
    }
    return distinct.length === files.length ? distinct : await names.renameAll(files);
  } finally {
    await names.end();
  }
}

type Run = (task: AnnotateTask) => Promise<PageOutcome<string>>;

type RenamedFile = AnnotatedFile & Pick<AnnotatedPage, 'renamed'>;

async function annotateInput(
  { input, content, problem }: ReadInput,
  { isPrefixed = false, takenNames, values, site }: Partial<AnnotateTask>,
  run: Run,
): Promise<RenamedFile> {
  const file = { ...emptyPage, input, hash: hashOf(content), ...(typeof content === 'string' && { source: content }) };
  if (problem !== undefined) return { ...file, problem };
  if (!mayContainForms(content)) return file;
  const encoding = unknownEncoding(content);
  if (encoding !== undefined) return { ...file, problem: encoding };
  const options = { isPrefixed, ...(takenNames && { takenNames }), ...(values && { values }), ...(site && { site }) };
  const outcome = await run({ content, file: input.file, ...options });
  return 'problem' in outcome
    ? { ...file, problem: outcome.problem }
    : { ...file, ...(JSON.parse(outcome.result) as AnnotatedPage) };
}

/** Makes the names of a site's tools unique, page by page. */
class SiteNames {
  readonly #options: AnnotateFilesOptions;
  readonly #runner: Pool<AnnotateTask, string>;
  /** The contents of tools by name. */
  readonly #known = new Map<string, string>();

  constructor(options: AnnotateFilesOptions) {
    this.#options = options;
    this.#runner = createRunner(processor, { ...options, jobs: 1 });
  }

  readonly end = (): Promise<void> => this.#runner.end();

  /** Makes the names of all pages unique. The names of existing tools are reserved first. */
  async renameAll(files: readonly AnnotatedFile[]): Promise<readonly AnnotatedFile[]> {
    this.#known.clear();
    for (const { tools } of files)
      for (const { name, content } of tools) if (!this.#known.has(name)) this.#known.set(name, content);
    const distinct: AnnotatedFile[] = [];
    for (const file of files) distinct.push(await this.rename(file));
    return distinct;
  }

  /**
   * The tools of earlier pages. Undefined with several jobs, because earlier pages may not be ready, and for a page that
   * another thread reads, because the tools would be copied to that thread.
   */
  siteFor({ content }: ReadInput): { readonly site: SiteTools } | undefined {
    const { jobs, choice } = this.#options;
    return jobs === 1 && isReadHere({ content }) ? { site: { known: this.#known, choice } } : undefined;
  }

  /** Annotates a file again if a tool of an earlier page has the name of one of its tools. */
  async rename(file: AnnotatedFile, renamed?: PageAnnotations): Promise<AnnotatedFile> {
    const { choice } = this.#options;
    const result = renamed ? { ...file, ...renamed } : await this.#withoutConflict(file);
    for (const form of result.forms) if (isWanted(form, choice)) this.#known.set(form.name, form.content);
    return result;
  }

  async #withoutConflict(file: AnnotatedFile): Promise<AnnotatedFile> {
    const { isPrefixed = false, choice } = this.#options;
    const site = { known: this.#known, choice };
    if (!hasConflict(file.forms, site)) return file;
    const names = [...takenNames(file.forms, site)];
    return await readAgain(file, { takenNames: names, isPrefixed }, this.#runner.run);
  }
}

/** Annotates a file again. If the file has changed, returns it with a problem. */
async function readAgain(
  file: AnnotatedFile,
  options: Parameters<typeof annotateInput>[1],
  run: Run,
): Promise<AnnotatedFile> {
  for await (const read of readInputs([fixedInput(file)])) {
    if (hashOf(read.content) !== file.hash)
      return { ...emptyPage, input: file.input, hash: file.hash, problem: changedProblem };
    return { ...(await annotateInput({ ...read, input: file.input }, options, run)) };
  }
  return file;
}

/** The input with the source that was read, because standard input and responses can be read only once. */
const fixedInput = ({ input, source }: AnnotatedFile): PageInput =>
  source === undefined ? input : { ...input, read: () => Promise.resolve(source) };

/** Annotates one file again with other values for some forms. */
export async function annotateWithValues(
  file: AnnotatedFile,
  values: Readonly<Record<number, FormValues>>,
  options: ProcessOptions & { readonly isPrefixed?: boolean; readonly takenNames?: readonly string[] },
): Promise<AnnotatedFile> {
  const runner = createRunner(processor, { ...options, jobs: 1 });
  try {
    return await readAgain(file, { ...options, values }, runner.run);
  } finally {
    await runner.end();
  }
}
