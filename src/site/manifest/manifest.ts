import {
  defaultSensitive,
  type Diagnostic,
  type FormDescription,
  type JsonSchema,
  type ProfileName,
  type Sensitive,
  type SourceLocation,
} from '../../compiler/index.js';
import { generator as thisGenerator } from '../generator.js';
import { UsageError } from '../usage-error.js';

/** The tools of a site's pages. Its shape as a JSON Schema is `webmcp-forms/manifest.schema.json`. */
export interface Manifest {
  readonly manifestVersion: 1;
  /** The package that made it, and its version. */
  readonly generator: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly profile: ProfileName;
  readonly sensitive: Sensitive;
  /** Sorted by path, by code units; pages with neither tools nor diagnostics are left out. */
  readonly pages: readonly ManifestPage[];
}

export interface ManifestPage {
  /** Relative to the site's base URL, separated by `/`; `index.html` stands for its folder. */
  readonly path: string;
  /** In document order; their names are distinct. */
  readonly tools: readonly ManifestTool[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ManifestTool {
  readonly name: string;
  /** Absent when there is no `tooltitle`. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What a `<webmcp-tool>` says of the tool's effects: the hints that are true; a form cannot say it. */
  readonly annotations?: ManifestAnnotations;
  /** Where the start tag of what is annotated stands in the page: of the form, or of the `<webmcp-tool>`. */
  readonly source: SourceLocation;
  /** Absent when a script of the page runs the tool, which a `<webmcp-tool>` declares. */
  readonly form?: ManifestForm;
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-toolannotations */
export interface ManifestAnnotations {
  readonly readOnlyHint?: boolean;
  readonly consequentialHint?: boolean;
  readonly untrustedContentHint?: boolean;
}

/**
 * What execution without a browser needs: the form's description without what the tool says, and without the values of
 * hidden and sensitive controls, of which only the names are here.
 */
export interface ManifestForm extends Omit<FormDescription, 'tool' | 'location'> {
  /** Whether the form has `toolautosubmit`: submitting it needs no person. */
  readonly autosubmit: boolean;
}

export interface ManifestOptions {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The profile that the pages were compiled with. */
  readonly profile: ProfileName;
  /**
   * Whether the pages were compiled with their sensitive controls as parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
  /** @default this package and its version */
  readonly generator?: string;
}

/**
 * Makes a site's manifest of its pages. It depends on nothing but its arguments; the order of the pages is no matter.
 *
 * @throws {UsageError} when two pages have one path
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
  const sorted = [...pages].sort(byPath);
  const twin = sorted.find((page, index) => page.path === sorted[index - 1]?.path);
  if (twin) throw new UsageError(`two pages have the path "${twin.path}": give each page a path of its own`);
  const kept = sorted.filter(saysSomething);
  return { manifestVersion: 1, generator, name, description, version, profile, sensitive, pages: kept };
}

/** Whether a page has a place in a manifest. */
export const saysSomething = ({ tools, diagnostics }: ManifestPage): boolean =>
  tools.length > 0 || diagnostics.length > 0;

/** The order of pages: by path, by code units. */
export const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : Number(one.path > other.path);
