import { defaultSensitive, type ProfileName, type Sensitive } from '../compiler/index.js';
import { readTools, type ToolReading } from './tools/read-tools.js';
import type { ManifestPage } from './manifest/manifest.js';
import { parsePage } from '../parse5/parse5-tree.js';
import { mayHoldTools } from './pages/may-hold-tools.js';

export interface CompileOptions {
  /** The page's path, relative to the site's base URL and separated by `/`. */
  readonly path: string;
  /**
   * Which schemas the tools get.
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
 * Reads a page's tools from its HTML. It depends on nothing but its arguments.
 *
 * Author mistakes are diagnostics in the result; nothing is thrown for them.
 *
 * @example
 * compileHtml('<form toolname="find" tooldescription="Finds books.">...</form>', { path: 'index.html' }).tools;
 */
export function compileHtml(
  html: string,
  { path, profile = 'precise', sensitive = defaultSensitive(profile) }: CompileOptions,
): ManifestPage {
  if (!mayHoldTools(html)) return { path, tools: [], diagnostics: [] };
  const { tools } = readTools(parsePage(html), { profile, sensitive });
  return pageOf(path, tools);
}

/** A page of a manifest. */
export const pageOf = (path: string, tools: readonly ToolReading[]): ManifestPage => ({
  path,
  tools: tools.flatMap(({ tool }) => tool ?? []),
  diagnostics: tools.flatMap(({ diagnostics }) => diagnostics),
});

export { mayHoldTools };
