import {
  defaultSensitive,
  type Diagnostic,
  type FormDescription,
  type JsonSchema,
  type ProfileName,
  type Sensitive,
  type SourceLocation,
} from '../../compiler/index.js';
import type { TextLanguage } from '../../compiler/html/language.js';
import { generator as thisGenerator } from '../generator.js';
import { pathProblem } from '../pages/page-path.js';
import { printableJson } from '../printable.js';
import { UsageError } from '../usage-error.js';

/** The tools of a site's pages. The JSON Schema is `webmcp-forms/manifest.schema.json`. */
export interface Manifest {
  readonly manifestVersion: 1;
  /** The package that created the manifest, and its version. */
  readonly generator: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly profile: ProfileName;
  readonly sensitive: Sensitive;
  /** The pages that have tools or diagnostics, sorted by the code units of their paths. */
  readonly pages: readonly ManifestPage[];
}

export interface ManifestPage {
  /**
   * The path and query of the page's URL, relative to the site's base URL, or to its origin if it begins with `/`.
   * `index.html` stands for its folder.
   */
  readonly path: string;
  /** The title of a page with tools, or its first heading; absent if it has neither. */
  readonly title?: string;
  /** In document order, with distinct names. */
  readonly tools: readonly ManifestTool[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ManifestTool extends TextLanguage {
  readonly name: string;
  /** Absent without a `tooltitle`. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The hints of a `<webmcp-tool>` that are true; absent for forms. */
  readonly annotations?: ManifestAnnotations;
  /** The location of the form's or the `<webmcp-tool>`'s start tag. */
  readonly source: SourceLocation;
  /** `signed-out` for a tool on a page that was read before the login. */
  readonly session?: 'signed-out';
  /** Absent for a `<webmcp-tool>` without a form, which a script of the page executes. */
  readonly form?: ManifestForm;
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-toolannotations */
export interface ManifestAnnotations {
  readonly readOnlyHint?: boolean;
  readonly consequentialHint?: boolean;
  readonly untrustedContentHint?: boolean;
}

/**
 * The form's description, for execution without a browser. It does not contain the values of hidden and sensitive controls.
 */
export interface ManifestForm extends Omit<FormDescription, 'tool' | 'location'> {
  /** Whether the form has `toolautosubmit`, so that it is submitted without the user. */
  readonly autosubmit: boolean;
}

export interface ManifestOptions {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The profile of the pages. */
  readonly profile: ProfileName;
  /**
   * Whether sensitive controls are parameters in the pages.
   * @default 'include' for the profile chromium, 'exclude' for the other profiles
   */
  readonly sensitive?: Sensitive;
  /** @default this package and its version */
  readonly generator?: string;
}

/**
 * Creates a site's manifest from its pages, in any order.
 *
 * @throws {UsageError} if two pages have the same path, or a path is invalid
 * @example
 * createManifest([compileHtml(html, { path: 'index.html' })], { name: 'shop', description: '', version: '1.0.0', profile: 'precise' });
 */
export function createManifest(
  pages: readonly ManifestPage[],
  {
    name,
    description,
    version,
    profile,
    sensitive = defaultSensitive(profile),
    generator = thisGenerator,
  }: ManifestOptions,
): Manifest {
  for (const { path } of pages) checkPath(path);
  const sorted = [...pages].sort(byPath);
  const duplicate = sorted.find((page, index) => page.path === sorted[index - 1]?.path);
  if (duplicate)
    throw new UsageError(`Two pages have the path "${duplicate.path}". Use a distinct path for each page.`);
  return {
    manifestVersion: 1,
    generator,
    name,
    description,
    version,
    profile,
    sensitive,
    pages: sorted.filter(hasContent),
  };
}

function checkPath(path: string): void {
  const problem = pathProblem(path);
  if (problem !== undefined) throw new UsageError(`The path "${path.slice(0, 200)}" of a page ${problem}.`);
}

export const hasContent = ({ tools, diagnostics }: ManifestPage): boolean => tools.length > 0 || diagnostics.length > 0;

/** Compares pages by the code units of their paths. */
export const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : Number(one.path > other.path);

const minChunkLength = 64 * 1024;
const emptyEnd = '[]\n}';

/**
 * Serializes a manifest page by page. The pages have to be sorted and have distinct paths.
 *
 * @param textOf - a cache of `pageText`, for pages that are serialized again
 */
export async function* manifestText(
  options: ManifestOptions,
  pages: AsyncIterable<ManifestPage> | Iterable<ManifestPage>,
  textOf: typeof pageText = pageText,
): AsyncGenerator<string> {
  let text = printableJson(createManifest([], options), 2).slice(0, -emptyEnd.length);
  let separator = '[\n    ';
  for await (const page of pages) {
    if (!hasContent(page)) continue;
    text += separator + textOf(page);
    separator = ',\n    ';
    if (text.length < minChunkLength) continue;
    yield text;
    text = '';
  }
  yield `${text}${separator.startsWith('[') ? emptyEnd : '\n  ]\n}'}\n`;
}

export const pageText = (page: ManifestPage): string => printableJson(page, 2).replaceAll('\n', '\n    ');
