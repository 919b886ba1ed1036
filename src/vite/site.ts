import { createFilter } from 'vite';
import type { CompileOptions } from '../site/compile-html.js';
import { jsonText } from '../site/json-record.js';
import { createManifest, saysSomething, type ManifestPage } from '../site/manifest/manifest.js';
import { compileSource } from '../site/pages/page-source.js';
import { siteWords } from '../site/manifest/site-metadata.js';
import type { WebmcpFormsOptions } from './options.js';
import type { CompiledPage } from './problems.js';

/** What compiles the pages of one plugin instance, each once for each text. */
export interface Site {
  readonly options: Omit<CompileOptions, 'path'>;
  readonly profile: NonNullable<WebmcpFormsOptions['profile']>;
  /** Whether a path is one of the pages that the options ask for. */
  readonly has: (path: string) => boolean;
  readonly compile: (path: string, html: string, file: string | undefined) => CompiledPage;
  /** The text of the manifest; `root` is where package.json is looked for. */
  readonly manifestText: (pages: readonly ManifestPage[], root: string) => Promise<Buffer>;
}

export function createSite(given: WebmcpFormsOptions): Site {
  const { profile = 'precise', sensitive } = given;
  const options = { profile, ...(sensitive && { sensitive }) };
  const compiled = new Map<string, CompiledPage>();
  return {
    options,
    profile,
    has: createFilter(given.include ?? null, given.exclude ?? null, { resolve: false }),
    compile(path, text, file) {
      const html = text.replace(/^\uFEFF/, ''); // as a file is read
      const known = compiled.get(path);
      if (known?.html === html) return known.file === file ? known : { ...known, file };
      const page = compileSource({ path, html, file: path, where: file ?? path }, options);
      const result = { html, page, file };
      compiled.set(path, result);
      return result;
    },
    async manifestText(pages, root) {
      const words = await siteWords(root, root, wordsOf(given));
      const { pages: sorted, ...head } = createManifest(pages.filter(saysSomething), { ...words, ...options });
      return manifestJson({ ...head, pages: [] }, sorted);
    },
  };
}

const wordsOf = ({ name, description, version }: WebmcpFormsOptions) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(version !== undefined && { version }),
});

const bytes = new WeakMap<ManifestPage, Buffer>();

/** `JSON.stringify` of the whole, but a page that stays is neither written nor encoded again. */
function manifestJson(head: object, pages: readonly ManifestPage[]): Buffer {
  const text = jsonText(head, 2);
  if (pages.length === 0) return Buffer.from(`${text}\n`);
  const start = Buffer.from(`${text.replace(/\[\]\n\}$/, '')}[\n`);
  const parts = pages.flatMap((page, index) => (index === 0 ? [pageJson(page)] : [comma, pageJson(page)]));
  return Buffer.concat([start, ...parts, end]);
}

const comma = Buffer.from(',\n');
const end = Buffer.from('\n  ]\n}\n');

function pageJson(page: ManifestPage): Buffer {
  const known = bytes.get(page);
  if (known) return known;
  const made = Buffer.from(jsonText(page, 2).replace(/^/gm, '    '));
  bytes.set(page, made);
  return made;
}
