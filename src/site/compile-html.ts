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
import { mayContainTools } from './pages/may-contain-tools.js';
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
  /**
   * The label of the page's encoding.
   * @default that of a meta element, or UTF-8
   */
  readonly encoding?: string;
}

/**
 * Compiles the tools of a page from its HTML. Mistakes of its author are diagnostics in the result, not exceptions.
 *
 * @example
 * compileHtml('<form toolname="find" tooldescription="Finds books.">...</form>', { path: 'index.html' }).tools;
 */
export function compileHtml(
  html: string,
  { path, profile = 'precise', sensitive = defaultSensitive(profile), ...headers }: CompileOptions,
): ManifestPage {
  if (!mayContainTools(html)) return { path, tools: [], diagnostics: [] };
  const page = parseWithinLimits(html, 'elements');
  if (page instanceof PageLimitError) return { path, tools: [], diagnostics: [pageLimitDiagnostic(page)] };
  return toManifestPage(path, readTools(page, { profile, sensitive }).tools, page, headers);
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

/** The encoding of a page, unless it is UTF-8. Forms are sent in it. */
function legacyEncoding({ tree, document }: Parse5Page, encoding?: string): { readonly encoding?: string } {
  const label = encoding ?? metaEncoding(tree, document);
  return label === undefined || /^\s*(?:(?:unicode|x-unicode|utf)|$)/i.test(label) ? {} : { encoding: label };
}

/** The label of the first meta element that has one. https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element */
function metaEncoding(tree: Parse5Page['tree'], document: Parse5Node): string | undefined {
  for (const node of descendants(tree, document)) {
    const name = tree.isElement(node) ? tree.localName(node) : '';
    if (name === 'body') return undefined;
    if (name !== 'meta') continue;
    const meta = node as Parse5Element;
    const isType = tree.attribute(meta, 'http-equiv')?.toLowerCase() === 'content-type';
    const content = isType ? (tree.attribute(meta, 'content') ?? '') : '';
    const label = tree.attribute(meta, 'charset') ?? /charset\s*=\s*["']?([^\s;"']+)/i.exec(content)?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

export function toManifestPage(
  path: string,
  readings: readonly ToolReading[],
  page: Parse5Page,
  { contentLanguage, encoding }: Pick<CompileOptions, 'contentLanguage' | 'encoding'> = {},
): ManifestPage {
  const languageOf = languageReader(page.tree, contentLanguage);
  const legacy = legacyEncoding(page, encoding);
  const tools = readings.flatMap(({ tool, element }) => {
    if (!tool) return [];
    const { name, title, description, form, ...rest } = tool;
    const texts = { name, ...(title !== undefined && { title }), description };
    return { ...texts, ...languageOf(element), ...rest, ...(form && { form: { ...form, ...legacy } }) };
  });
  const title = tools.length > 0 ? (findTitle(page)?.text ?? '') : '';
  return { path, ...(title && { title }), tools, diagnostics: readings.flatMap(({ diagnostics }) => diagnostics) };
}
