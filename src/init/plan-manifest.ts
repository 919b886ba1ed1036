import { join } from 'node:path';
import {
  createManifest,
  hasContent,
  manifestText,
  type Manifest,
  type ManifestPage,
} from '../site/manifest/manifest.js';
import { parseManifest } from '../site/manifest/read-manifest.js';
import { readSiteMetadata } from '../site/manifest/site-metadata.js';
import { readInputs, type PageInput } from '../site/pages/find-pages.js';
import { UsageError } from '../site/usage-error.js';
import { compilePages, type UncompiledPage } from '../site/workers/compile-pages.js';
import { processOptions } from '../site/workers/process-pages.js';
import { readIfExists } from './changes.js';
import type { PlannedPart } from './plan-init.js';

export const manifestFile = 'webmcp.json';
const profile = 'precise';

interface PlannedSource {
  readonly input: PageInput;
  /** The changed text of the page. */
  readonly text: string | undefined;
}

/** Compiles planned pages as the command `compile` will compile the written pages. */
export async function compileSite(folder: string, sources: readonly PlannedSource[], cwd: string): Promise<Manifest> {
  const pages: ManifestPage[] = [];
  const options = { ...processOptions({}, sources.length), cache: undefined, options: { profile } } as const;
  for await (const compiled of compilePages(pagesOf(sources), options))
    if ('page' in compiled && hasContent(compiled.page)) pages.push(compiled.page);
  return createManifest(pages, { ...(await readSiteMetadata(folder, cwd, {})), profile });
}

async function* pagesOf(sources: readonly PlannedSource[]): AsyncGenerator<UncompiledPage> {
  const texts = new Map(sources.map(({ input, text }) => [input, text]));
  for await (const { input, content, problem } of readInputs(sources.map(({ input }) => input))) {
    const { path, file } = input;
    yield { path, file, where: file, content: texts.get(input) ?? content, problem };
  }
}

/** Plans the manifest. Replaces a manifest of this package. Does not change any other file with its name. */
export async function manifestChange(root: string, { pages, ...options }: Manifest): Promise<PlannedPart> {
  const before = await readIfExists(join(root, manifestFile));
  if (before && !isManifest(before.toString()))
    return {
      note: `${manifestFile} is not a manifest of webmcp-forms, so it was left. Move it away, and run the command again.`,
    };
  let text = '';
  for await (const chunk of manifestText(options, pages)) text += chunk;
  const after = Buffer.from(text);
  return before?.equals(after)
    ? {}
    : { change: { file: manifestFile, before, after, isGenerated: true, purpose: 'manifest' } };
}

function isManifest(text: string): boolean {
  try {
    parseManifest(text, manifestFile, '');
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
