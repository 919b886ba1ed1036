import { existsSync } from 'node:fs';
import { createFilter } from 'vite';
import type { Finding } from '../lint/finding.js';
import { defaultPageTimeoutMs } from '../site/limits.js';
import {
  byPath,
  createManifest,
  hasContent,
  manifestText,
  pageText,
  type ManifestPage,
} from '../site/manifest/manifest.js';
import { readSiteMetadata } from '../site/manifest/site-metadata.js';
import { folderSearch, pagesIn } from '../site/pages/find-pages.js';
import { pathOfFile } from '../site/pages/page-path.js';
import type { PageOutcome } from '../site/pages/process-page.js';
import { throwReadError } from '../site/pages/read-text.js';
import { oneLine } from '../site/printable.js';
import { reasonOf, UsageError } from '../site/usage-error.js';
import { compiler } from '../site/workers/compile-pages.js';
import { createRunner } from '../site/workers/process-pages.js';
import type { WebmcpFormsOptions } from './options.js';

export interface CompiledPage {
  readonly html: string;
  readonly page: ManifestPage;
  readonly file: string | undefined;
  /** The suggestions for forms without annotations, in dev. */
  readonly suggestions?: readonly Finding[];
}

/** Compiles pages for one plugin instance. Unchanged pages are compiled once. */
export interface Site {
  /** Whether `include` and `exclude` select a path. */
  readonly has: (path: string) => boolean;
  /** Rejects with a `UsageError` if the page takes too much time or memory. */
  readonly compile: (path: string, html: string, file: string | undefined) => Promise<CompiledPage>;
  /** The tools and diagnostics of a page without its path, or the reason why it could not be compiled. */
  readonly read: (html: string) => Promise<PageOutcome<Omit<ManifestPage, 'path'>>>;
  /** Serializes the manifest. The default name and version come from the nearest package.json in or above `root`. */
  readonly manifestText: (pages: readonly ManifestPage[], root: string) => Promise<string>;
}

export function createSite({
  profile = 'precise',
  sensitive,
  include,
  exclude,
  ...metadata
}: WebmcpFormsOptions): Site {
  const options = { profile, ...(sensitive && { sensitive }) };
  const compiled = new Map<string, CompiledPage>();
  const runner = createRunner(compiler, { jobs: 1, timeoutMs: defaultPageTimeoutMs }); // Node.js does not wait for its idle thread
  const read: Site['read'] = async (content) => {
    const outcome = await runner.run({ content, options });
    return 'problem' in outcome ? outcome : { result: JSON.parse(outcome.result) as Omit<ManifestPage, 'path'> };
  };
  return {
    read,
    has: createFilter(include ?? null, exclude ?? null, { resolve: false }),
    async compile(path, text, file) {
      const html = text.replace(/^\uFEFF/, '');
      const known = compiled.get(path);
      if (known?.html === html) return { ...known, file };
      const outcome = await read(html);
      if ('problem' in outcome) throw new UsageError(`Cannot compile ${file ?? path}: ${outcome.problem}`);
      const page = { path: pathOfFile(path), ...outcome.result };
      compiled.set(path, { html, page, file });
      return { html, page, file };
    },
    async manifestText(pages, root) {
      const { name, description, version } = await readSiteMetadata(root, root, metadata);
      const manifestOptions = { name, description, version, ...options };
      const manifest = createManifest(pages.filter(hasContent), manifestOptions);
      let text = '';
      for await (const chunk of manifestText(manifestOptions, manifest.pages, cachedPageText)) text += chunk;
      return text;
    },
  };
}

const pageTexts = new WeakMap<ManifestPage, string>();

/** Caches the text of a page, so that unchanged pages are serialized once. */
function cachedPageText(page: ManifestPage): string {
  const text = pageTexts.get(page) ?? pageText(page);
  pageTexts.set(page, text);
  return text;
}

export interface PageFile {
  readonly path: string;
  readonly file: string | undefined;
  readonly read: () => string | Promise<string>;
}

/** The pages in a folder, as the command line finds them. `read` throws for an unreadable page. */
export async function pagesBelow(folder: string): Promise<readonly PageFile[]> {
  if (!existsSync(folder)) return [];
  const unreadable: PageFile[] = [];
  const pages = await pagesIn(folder, folder, folderSearch(), (path, file, cause) => {
    unreadable.push({ path, file: undefined, read: () => throwReadError(file, cause) });
  });
  const readable = pages.map(({ path, at, file, read }) => ({ path, file: at ?? file, read }));
  return [...readable, ...unreadable].sort(byPath);
}

/** Compiles a page that belongs to the site. Calls `onError` if the page cannot be read or compiled. */
export async function compilePage(
  { path, file, read }: PageFile,
  site: Site,
  onError: (message: string) => void,
): Promise<CompiledPage | undefined> {
  if (!site.has(path)) return undefined;
  try {
    return await site.compile(path, await read(), file);
  } catch (cause) {
    onError(`${path} is not in the manifest: ${oneLine(reasonOf(cause))}`);
    return undefined;
  }
}
