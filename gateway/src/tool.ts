import { type FormDescription, isRecord } from 'webmcp-forms/headless';
import { GatewayError } from './gateway-error.js';

/** A tool as a manifest has it, as far as it is run from. */
export interface GatewayTool {
  readonly name: string;
  readonly title?: string | null;
  readonly description: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly consequentialHint?: boolean };
  /** Absent for a tool that is no form. */
  readonly form?: Omit<FormDescription, 'tool' | 'location'> & { readonly autosubmit: boolean };
}

/** A tool manifest, as far as it is served from. */
export interface GatewayManifest {
  readonly name: string;
  readonly description: string;
  /** A semantic version. */
  readonly version: string;
  readonly pages: readonly {
    /** Relative to the site's base URL; `index.html` stands for its folder. */
    readonly path: string;
    readonly tools: readonly GatewayTool[];
  }[];
}

/** A manifest as it is imported: of JSON, TypeScript knows no more. */
export interface ManifestJson {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly pages: readonly { readonly path: string; readonly tools: readonly object[] }[];
}

/**
 * The manifest that something is.
 *
 * @throws {TypeError} for what is none
 */
export function manifestIn(value: ManifestJson): GatewayManifest {
  const problem = problemOf(value);
  if (problem === undefined) return value as GatewayManifest;
  throw new TypeError(`The manifest is none: ${problem}. Give what webmcp-forms compile has written.`);
}

function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no object';
  const missing = ['name', 'description', 'version'].find((name) => typeof value[name] !== 'string');
  if (missing !== undefined) return `it has no ${missing}`;
  const { pages, manifestVersion = 1 } = value;
  if (manifestVersion !== 1) return 'its manifestVersion is not 1';
  if (!Array.isArray(pages)) return 'it has no pages';
  return pages.every(isPage) ? undefined : 'one of its pages has no path, or tools without a name and a description';
}

const isPage = (page: unknown): boolean =>
  isRecord(page) && typeof page.path === 'string' && Array.isArray(page.tools) && page.tools.every(isTool);

const isTool = (tool: unknown): boolean =>
  isRecord(tool) &&
  typeof tool.name === 'string' &&
  typeof tool.description === 'string' &&
  (tool.form === undefined || (isRecord(tool.form) && Array.isArray(tool.form.controls)));

/** The form of a tool as the compiler has it. */
export function descriptionOf({ name, title = null, description, form }: GatewayTool): FormDescription {
  if (!form) {
    throw new GatewayError('not-submittable', 'The tool is no form, so it can be run in its page alone: by a browser.');
  }
  return { tool: { name, title, description, autosubmit: form.autosubmit }, ...form };
}
