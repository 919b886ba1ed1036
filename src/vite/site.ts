import { createFilter } from 'vite';
import type { Finding } from '../lint/finding.js';
import { compiler } from '../site/workers/compile-pages.js';
import { createRunner } from '../site/workers/process-pages.js';
import { defaultPageTimeoutMs } from '../site/limits.js';
import { createManifest, hasContent, type ManifestPage } from '../site/manifest/manifest.js';
import { readSiteMetadata } from '../site/manifest/site-metadata.js';
import { pathOfFile } from '../site/pages/page-path.js';
import type { PageOutcome } from '../site/pages/process-page.js';
import { printableJson } from '../site/printable.js';
import { UsageError } from '../site/usage-error.js';
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
  /** The tools of a page that does not need a path, or the reason why it has none. */
  readonly read: (html: string) => Promise<PageOutcome<Omit<ManifestPage, 'path'>>>;
  /** The text of the manifest. The search for package.json starts at `root`. */
  readonly manifestText: (pages: readonly ManifestPage[], root: string) => Promise<Buffer>;
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
      const manifest = createManifest(pages.filter(hasContent), { name, description, version, ...options });
      return manifestJson({ ...manifest, pages: [] }, manifest.pages);
    },
  };
}

/** Like `JSON.stringify` of a manifest, but reuses the bytes of unchanged pages. */
function manifestJson(head: object, pages: readonly ManifestPage[]): Buffer {
  const text = printableJson(head, 2);
  if (pages.length === 0) return Buffer.from(`${text}\n`);
  const start = Buffer.from(`${text.replace(/\[\]\n\}$/, '')}[\n`);
  const parts = pages.flatMap((page, index) => (index === 0 ? [pageJson(page)] : [comma, pageJson(page)]));
  return Buffer.concat([start, ...parts, end]);
}

const comma = Buffer.from(',\n');
const end = Buffer.from('\n  ]\n}\n');
const pageBytes = new WeakMap<ManifestPage, Buffer>();

function pageJson(page: ManifestPage): Buffer {
  const known = pageBytes.get(page);
  if (known) return known;
  const bytes = Buffer.from(printableJson(page, 2).replace(/^/gm, '    '));
  pageBytes.set(page, bytes);
  return bytes;
}
