import { defaultSensitive, type Diagnostic, type ProfileName, type Sensitive } from '../compiler/index.js';
import { languageReader } from '../compiler/html/language.js';
import { collapseWhitespace } from '../compiler/html/text.js';
import { descendants } from '../compiler/tree.js';
import {
  PageLimitError,
  pageLimits,
  parsePage,
  type Parse5Element,
  type Parse5Node,
  type Parse5Page,
} from '../parse5/parse5-tree.js';
import type { ManifestPage } from './manifest/manifest.js';
import { mayContainTools } from './pages/undecoded-page.js';
import type { ToolReading } from './tools/compile-form.js';
import { readTools } from './tools/read-tools.js';

export interface CompileOptions {
  /**
   * The path and query of the page's URL, relative to the site's base URL, or to its origin if it begins with `/`. A `?` in
   * a file name has to be percent-encoded.
   */
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
  /** The `Content-Language` of the page's response: the language of its tools if the page declares none. */
  readonly contentLanguage?: string;
}

/**
 * Compiles the tools of a page from its HTML. Mistakes of its author are diagnostics in the result, not exceptions.
 *
 * @example
 * compileHtml('<form toolname="find" tooldescription="Finds books.">...</form>', { path: 'index.html' }).tools;
 */
export function compileHtml(
  html: string,
  { path, profile = 'precise', sensitive = defaultSensitive(profile), contentLanguage }: CompileOptions,
): ManifestPage {
  if (!mayContainTools(html)) return { path, tools: [], diagnostics: [] };
  const page = parseWithinLimits(html, 'elements');
  if (page instanceof PageLimitError) return { path, tools: [], diagnostics: [pageLimitDiagnostic(page)] };
  return toManifestPage(path, readTools(page, { profile, sensitive }).tools, page, contentLanguage);
}

/** Returns the error of a page that is too large or too deep. */
export function parseWithinLimits(html: string, locations: true | 'elements' = true): Parse5Page | PageLimitError {
  try {
    return parsePage(html, { ...pageLimits, locations });
  } catch (error) {
    if (error instanceof PageLimitError) return error;
    throw error;
  }
}

export const pageLimitDiagnostic = ({ message }: PageLimitError): Diagnostic => ({
  code: 'limit-exceeded',
  severity: 'error',
  message: `${message} Its forms are not read. Split the page.`,
});

const maxTitleLength = 200;

/** Finds the title of a page that has one, or its first heading. */
export function findTitle({ document, tree }: Parse5Page): { element: Parse5Element; text: string } | undefined {
  for (const name of ['title', 'h1']) {
    const isNamed = (node: Parse5Node): node is Parse5Element => tree.isElement(node) && tree.localName(node) === name;
    // Elements in one without text have no text either, so that each is read once.
    const isEmpty = (node: Parse5Node): boolean => isNamed(node) && titleText(tree, node) === '';
    for (const node of descendants(tree, document, isEmpty))
      if (isNamed(node)) return { element: node, text: titleText(tree, node) };
  }
  return undefined;
}

function titleText(tree: Parse5Page['tree'], element: Parse5Element): string {
  let text = '';
  for (const node of descendants(tree, element)) text += tree.text(node) ?? '';
  const start = collapseWhitespace(text).slice(0, maxTitleLength);
  return start.replace(/\p{Surrogate}$/u, '').trim(); // half of the last character
}

export function toManifestPage(
  path: string,
  readings: readonly ToolReading[],
  page: Parse5Page,
  contentLanguage?: string,
): ManifestPage {
  const languageOf = languageReader(page.tree, contentLanguage);
  const tools = readings.flatMap(({ tool, element }) => {
    if (!tool) return [];
    const { name, title, description, ...rest } = tool;
    const texts = { name, ...(title !== undefined && { title }), description };
    return { ...texts, ...languageOf(element), ...rest };
  });
  const title = tools.length > 0 ? (findTitle(page)?.text ?? '') : '';
  return { path, ...(title && { title }), tools, diagnostics: readings.flatMap(({ diagnostics }) => diagnostics) };
}
