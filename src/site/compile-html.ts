import { defaultSensitive, type ProfileName, type Sensitive } from '../compiler/index.js';
import { parsePage } from '../parse5/parse5-tree.js';
import type { ManifestPage } from './manifest/manifest.js';
import { mayContainTools } from './pages/may-contain-tools.js';
import type { ToolReading } from './tools/read-form.js';
import { readTools } from './tools/read-tools.js';

export interface CompileOptions {
  /** The page's path, relative to the site's base URL and separated by `/`. */
  readonly path: string;
  /**
   * The profile of the input schemas.
   * @default 'precise'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
}

/**
 * Compiles the tools of a page from its HTML. Mistakes of its author are diagnostics in the result, not exceptions.
 *
 * @example
 * compileHtml('<form toolname="find" tooldescription="Finds books.">...</form>', { path: 'index.html' }).tools;
 */
export function compileHtml(
  html: string,
  { path, profile = 'precise', sensitive = defaultSensitive(profile) }: CompileOptions,
): ManifestPage {
  if (!mayContainTools(html)) return { path, tools: [], diagnostics: [] };
  return toManifestPage(path, readTools(parsePage(html), { profile, sensitive }).tools);
}

export const toManifestPage = (path: string, tools: readonly ToolReading[]): ManifestPage => ({
  path,
  tools: tools.flatMap(({ tool }) => tool ?? []),
  diagnostics: tools.flatMap(({ diagnostics }) => diagnostics),
});
