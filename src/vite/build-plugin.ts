import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment, Plugin, Rollup } from 'vite';
import { fileSink } from '../site/output.js';
import { decodeUtf8 } from '../site/pages/read-text.js';
import { oneLine } from '../site/report.js';
import { reasonOf } from '../site/usage-error.js';
import { createOutputs, type Outputs } from './outputs.js';
import type { WebmcpFormsOptions } from './options.js';
import { pagesBelow, type PageFile } from './page-files.js';
import { compilePages, tellProblems, type Speaker } from './page-problems.js';
import type { CompiledPage } from './problems.js';
import type { Site } from './site.js';

/** One plugin instance in one build, of which others may run at the same time. */
interface Making {
  readonly options: WebmcpFormsOptions;
  readonly site: Site;
  readonly outputs: Outputs;
  readonly config: Environment['config'];
}

/** What was made of the pages of one output: the files by their paths, and the paths of the pages. */
interface Made {
  readonly texts: ReadonlyMap<string, Buffer>;
  readonly pages: ReadonlySet<string>;
}

const nothing: Made = { texts: new Map(), pages: new Set() };

/**
 * Makes the manifest of the pages that a build puts out. Other plugins may write pages until the build closes: then the
 * folder is read once more, as the command line would, and what differs is written again.
 */
export function buildPlugin(options: WebmcpFormsOptions, site: Site): Plugin {
  const outputs = createOutputs(options, site);
  const made = new WeakMap<object, Made>();
  const written = new WeakMap<object, Map<string, Made>>();
  const makingOf = ({ config }: Environment): Making => ({ options, site, outputs, config });
  return {
    name: 'webmcp-forms:manifest',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ config }) => outputs.size > 0 && config.consumer === 'client',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const result = await makeOfBundle(Object.values(bundle), makingOf(this.environment), this);
        made.set(this.environment, result);
        for (const [fileName, source] of result.texts) this.emitFile({ type: 'asset', fileName, source });
      },
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir, file }) {
        const { root, build } = this.environment.config;
        const folder = resolve(root, dir ?? (file === undefined ? build.outDir : dirname(file)));
        const folders = written.get(this.environment) ?? new Map<string, Made>();
        const result = made.get(this.environment) ?? nothing;
        if (result.pages.size > 0 || !folders.has(folder)) folders.set(folder, result);
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
          for (const [folder, before] of folders) await readAgain(folder, before, makingOf(this.environment), this);
        } catch (cause) {
          if (!this.meta.watchMode) throw cause;
          this.warn(oneLine(reasonOf(cause))); // nobody waits for what fails here
        }
      },
    },
  };
}

async function makeOfBundle(
  bundle: readonly (Rollup.OutputAsset | Rollup.OutputChunk)[],
  making: Making,
  speaker: Speaker,
): Promise<Made> {
  const { root, publicDir, build } = making.config;
  const ofBundle = bundle.flatMap((output) => pageOfOutput(output, root));
  if (ofBundle.length === 0) return nothing;
  const paths = new Set(ofBundle.map(({ path }) => path));
  const ofPublic = publicDir && build.copyPublicDir ? await pagesBelow(publicDir) : [];
  const files = [...ofBundle, ...ofPublic.filter(({ path }) => !paths.has(path))];
  const pages = await compilePages(files, making.site, making.options, speaker);
  await tellProblems(pages, { ...making, root, speaker });
  return { texts: await makeTexts(pages, making), pages: new Set(files.map(({ path }) => path)) };
}

async function readAgain(folder: string, before: Made, making: Making, speaker: Speaker): Promise<void> {
  const files = await pagesBelow(folder);
  if (files.length === 0) return;
  const pages = await compilePages(files, making.site, making.options, speaker);
  const late = pages.filter(({ page }) => !before.pages.has(page.path));
  await tellProblems(late, { ...making, root: making.config.root, speaker });
  for (const [path, text] of await makeTexts(pages, making)) {
    const known = before.texts.get(path);
    if (known?.equals(text) !== true) await fileSink(join(folder, path), path)([text.toString()]);
  }
}

async function makeTexts(
  pages: readonly CompiledPage[],
  { outputs, config }: Making,
): Promise<ReadonlyMap<string, Buffer>> {
  const compiled = pages.map(({ page }) => page);
  const texts = new Map<string, Buffer>();
  for (const [path, make] of outputs) texts.set(path, await make(compiled, config.root));
  return texts;
}

function pageOfOutput(output: Rollup.OutputAsset | Rollup.OutputChunk, root: string): readonly PageFile[] {
  const { type, fileName } = output;
  if (type !== 'asset' || !/\.html$/i.test(fileName)) return [];
  const { source } = output;
  const file = join(root, fileName);
  const read = () => (typeof source === 'string' ? source : decodeUtf8(source, fileName));
  return [{ path: fileName, file: existsSync(file) ? file : undefined, read }];
}
