import { isRecord, type KnownTool, pathProblem, preview } from 'webmcp-forms/headless';
import { isManifestForm } from './manifest-form.js';

export interface GatewayTool extends KnownTool {
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly consequentialHint?: boolean };
  /** The session in which the page has the tool, if it was read before a login. */
  readonly session?: 'signed-out';
}

/** The members of a tool manifest that the gateway uses. */
export interface GatewayManifest {
  readonly name: string;
  readonly description: string;
  /** A semantic version. */
  readonly version: string;
  readonly pages: readonly {
    /**
     * The path and query of a URL, relative to the site's base URL, or to its origin if it begins with `/`. `index.html`
     * stands for its folder.
     */
    readonly path: string;
    readonly title?: string;
    readonly tools: readonly GatewayTool[];
  }[];
}

/** The type of a manifest that is imported as JSON. */
export interface ManifestJson {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly pages: readonly { readonly path: string; readonly tools: readonly object[] }[];
}

/** @throws {TypeError} if the manifest is invalid */
export function checkManifest(value: ManifestJson): GatewayManifest {
  const problem = problemIn(value);
  if (problem === undefined) return value as GatewayManifest;
  throw new TypeError(`The manifest is invalid: ${problem}. Use the output of webmcp-forms compile.`);
}

function problemIn(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is not an object';
  const missing = ['name', 'description', 'version'].find((name) => typeof value[name] !== 'string');
  if (missing !== undefined) return `its ${missing} is missing`;
  const { pages, manifestVersion = 1 } = value;
  if (manifestVersion !== 1) return 'its manifestVersion is not 1';
  if (!Array.isArray(pages)) return 'its pages are missing';
  if (!pages.every(isPage)) return 'a page has no path, or a tool without a name or description';
  return pathProblemIn(pages) ?? formProblemIn(pages);
}

/** Describes the first form that lacks a member, or has one with another type. */
function formProblemIn(pages: readonly ManifestPage[]): string | undefined {
  for (const { path, tools } of pages) {
    const damaged = tools.find(({ form }) => form !== undefined && !isManifestForm(form));
    if (damaged)
      return `the form of the tool ${preview(damaged.name)} of the page ${preview(path)} is not a description`;
  }
  return undefined;
}

/** Describes the first path that is invalid, such as one that leaves the site's folder. */
export function pathProblemIn(pages: readonly { readonly path: string }[]): string | undefined {
  for (const { path } of pages) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `the path ${preview(path)} of a page ${problem}`;
  }
  return undefined;
}

type ManifestPage = GatewayManifest['pages'][number];

const isPage = (page: unknown): page is ManifestPage =>
  isRecord(page) && typeof page.path === 'string' && Array.isArray(page.tools) && page.tools.every(isTool);

const isTool = (tool: unknown): boolean =>
  isRecord(tool) && typeof tool.name === 'string' && typeof tool.description === 'string';
