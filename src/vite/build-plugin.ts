import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment, Plugin, Rollup } from 'vite';
import { fileSink } from '../site/output.js';
import { decodePageText } from '../site/pages/page-encoding.js';
import { isPageFile } from '../site/pages/page-extensions.js';
import { oneLine } from '../site/printable.js';
import { reasonOf } from '../site/usage-error.js';
import type { WebmcpFormsOptions } from './options.js';
import type { Outputs } from './outputs.js';
import { problemsOf, problemText, type Problem } from './problems.js';
import { compilePage, pagesBelow, type CompiledPage, type PageFile, type Site } from './site.js';

interface Output {
  readonly files: ReadonlyMap<string, string>;
  readonly paths: ReadonlySet<string>;
}

const emptyOutput: Output = { files: new Map(), paths: new Set() };

/**
 * Emits the manifest of the pages in the bundle. Because other plugins may write more pages, the plugin reads the output
 * folder when the build closes, as the command line does, and writes the outputs that changed.
 */
export function buildPlugin(options: WebmcpFormsOptions, site: Site, outputs: Outputs): Plugin {
  const emitted = new WeakMap<Environment, Output>();
  const written = new WeakMap<Environment, Map<string, Output>>();
  const builderOf = (context: BuildContext): OutputBuilder => new OutputBuilder({ options, site, outputs, context });
  return {
    name: 'webmcp-forms:manifest',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ config }) => outputs.size > 0 && config.consumer === 'client',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const output = await builderOf(this).buildBundle(Object.values(bundle));
        emitted.set(this.environment, output);
        for (const [fileName, source] of output.files) this.emitFile({ type: 'asset', fileName, source });
      },
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir, file }) {
        const { root, build } = this.environment.config;
        const folder = resolve(root, dir ?? (file === undefined ? build.outDir : dirname(file)));
        const folders = written.get(this.environment) ?? new Map<string, Output>();
        const output = emitted.get(this.environment) ?? emptyOutput;
        if (output.paths.size > 0 || !folders.has(folder)) folders.set(folder, output);
        written.set(this.environment, folders);
      },
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const folders = written.get(this.environment) ?? [];
        written.delete(this.environment);
        try {
          for (const [folder, output] of folders) await builderOf(this).updateFolder(folder, output);
        } catch (cause) {
          if (!this.meta.watchMode) throw cause;
          this.warn(oneLine(reasonOf(cause))); // in watch mode, an error here would be an unhandled rejection
        }
      },
    },
  };
}

interface BuildContext {
  readonly environment: Environment;
  readonly meta: object;
  readonly warn: (log: { readonly message: string } & Partial<Problem>) => void;
  readonly error: (log: { readonly message: string } & Partial<Problem>) => never;
}

interface BuildState {
  readonly options: WebmcpFormsOptions;
  readonly site: Site;
  readonly outputs: Outputs;
  readonly context: BuildContext;
}

class OutputBuilder {
  readonly #state: BuildState;

  constructor(state: BuildState) {
    this.#state = state;
  }

  async buildBundle(bundle: readonly (Rollup.OutputAsset | Rollup.OutputChunk)[]): Promise<Output> {
    const { root, publicDir, build } = this.#state.context.environment.config;
    const inBundle = bundle.flatMap((output) => pageOfOutput(output, root));
    if (inBundle.length === 0) return emptyOutput;
    const paths = new Set(inBundle.map(({ path }) => path));
    const inPublic = publicDir && build.copyPublicDir ? await pagesBelow(publicDir) : [];
    const pageFiles = [...inBundle, ...inPublic.filter(({ path }) => !paths.has(path))];
    const pages = await this.#compile(pageFiles);
    await this.#reportProblems(pages);
    return { files: await this.#generate(pages), paths: new Set(pageFiles.map(({ path }) => path)) };
  }

  async updateFolder(folder: string, emitted: Output): Promise<void> {
    const pageFiles = await pagesBelow(folder);
    if (pageFiles.length === 0) return;
    const pages = await this.#compile(pageFiles);
    await this.#reportProblems(pages.filter(({ page }) => !emitted.paths.has(page.path)));
    for (const [path, text] of await this.#generate(pages))
      if (emitted.files.get(path) !== text) await fileSink(join(folder, path), path)([text]);
  }

  async #compile(pageFiles: readonly PageFile[]): Promise<readonly CompiledPage[]> {
    const { site, options, context } = this.#state;
    const onError = (message: string): void =>
      options.strict ? context.error({ message }) : context.warn({ message });
    const pages: CompiledPage[] = [];
    for (const pageFile of pageFiles) {
      const page = await compilePage(pageFile, site, onError);
      if (page) pages.push(page);
    }
    return pages;
  }

  async #generate(pages: readonly CompiledPage[]): Promise<ReadonlyMap<string, string>> {
    const { outputs, context } = this.#state;
    const manifestPages = pages.map(({ page }) => page);
    const files = new Map<string, string>();
    for (const [path, generate] of outputs)
      files.set(path, await generate(manifestPages, context.environment.config.root));
    return files;
  }

  /** Warns of all problems. With `strict`, the first error then fails the build. */
  async #reportProblems(pages: readonly CompiledPage[]): Promise<void> {
    const { options, site, context } = this.#state;
    const problems: Problem[] = [];
    for (const page of pages) problems.push(...(await problemsOf(page, site)));
    const fatal = options.strict ? problems.find(({ severity }) => severity === 'error') : undefined;
    for (const problem of problems) if (problem !== fatal) this.#warn(problem);
    if (fatal) context.error(fatal);
  }

  /** Rollup prints the place before the message; Rolldown does not. Neither prints the code frame. */
  #warn(problem: Problem): void {
    const { context } = this.#state;
    const text = problemText(problem, context.environment.config.root);
    const isPlaced = problem.loc !== undefined && !('rolldownVersion' in context.meta);
    context.warn({ ...problem, message: isPlaced ? text.slice(text.indexOf(problem.message)) : text });
  }
}

function pageOfOutput(output: Rollup.OutputAsset | Rollup.OutputChunk, root: string): readonly PageFile[] {
  if (output.type !== 'asset' || !isPageFile(output.fileName)) return [];
  const { fileName, source } = output;
  const file = join(root, fileName);
  const read = () => (typeof source === 'string' ? source : decodePageText(source, fileName));
  return [{ path: fileName, file: existsSync(file) ? file : undefined, read }];
}
