import { isRecord, type KnownTool, pathProblem, preview, controlTypes, type JsonRecord } from 'webmcp-forms/headless';

export interface GatewayTool extends KnownTool {
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly consequentialHint?: boolean };
  /** `signed-out` for a tool on a page that was read before the login. */
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

/** Describes the first form with a missing member, or with a member of another type. */
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

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isTextOrNull: Check = (value) => value === null || isText(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const among =
  (...texts: readonly string[]): Check =>
  (value) =>
    texts.includes(value as string);
const recordOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const withMembers =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const isWords = listOf(withMembers({ source: isText, text: isText, visible: optional(isText) }));

const isOption = withMembers({
  value: isText,
  text: isText,
  ...Object.fromEntries(['label', 'group', 'description'].map((name) => [name, optional(isText)])),
});

const isControl = withMembers({
  element: isText,
  type: among(...controlTypes),
  name: isText,
  attributes: recordOf(isText),
  words: isWords,
  groups: listOf(Number.isInteger),
  options: optional(listOf(isOption)),
  suggestions: optional(listOf(isText)),
  defaultText: optional(isText),
  fingerprint: optional(isText),
});

const hasMembers = withMembers({
  method: among('get', 'post', 'dialog'),
  action: isTextOrNull,
  enctype: among('application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'),
  groups: listOf(withMembers({ element: isText, words: isWords })),
  controls: listOf(isControl),
  ...Object.fromEntries(['acceptCharset', 'encoding', 'target', 'base'].map((name) => [name, optional(isText)])),
});

/** Whether the form of a manifest's tool has the members that calls read, with their types. */
const isManifestForm: Check = (form) => hasMembers(form) && hasGroups(form as JsonRecord);

const hasGroups = ({ groups, controls }: JsonRecord): boolean =>
  (controls as readonly { readonly groups: readonly number[] }[]).every((control) =>
    control.groups.every((index) => index >= 0 && index < (groups as readonly unknown[]).length),
  );

/**
 * A manifest that can be replaced while it is served. Each replacement dispatches `change`.
 *
 * @example
 * const live = new LiveManifest(manifest);
 * const handle = createGateway(live, { baseUrl: 'https://shop.example/' });
 * live.update(newManifest);
 */
export class LiveManifest extends EventTarget {
  #current: GatewayManifest;

  /** @throws {TypeError} if the manifest is invalid */
  constructor(manifest: ManifestJson) {
    super();
    this.#current = checkManifest(manifest);
  }

  get current(): GatewayManifest {
    return this.#current;
  }

  /** @throws {TypeError} if the manifest is invalid; the current manifest stays in use */
  update(manifest: ManifestJson): void {
    this.#current = checkManifest(manifest);
    this.dispatchEvent(new Event('change'));
  }
}

export const toLiveManifest = (manifest: ManifestJson | LiveManifest): LiveManifest =>
  manifest instanceof LiveManifest ? manifest : new LiveManifest(manifest);
