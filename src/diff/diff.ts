import { preview } from '../compiler/preview.js';
import { canonicalJson, type JsonRecord } from '../json.js';
import type { Manifest, ManifestTool } from '../site/manifest/manifest.js';
import { percentDecode } from '../site/pages/page-path.js';
import { oneLine } from '../site/printable.js';
import { parseUrl } from '../site/url.js';
import { UsageError } from '../site/usage-error.js';
import type { ChangeCode, ChangeKind, ManifestChange } from './change.js';
import { compareSchemas } from './compare-schemas.js';

/**
 * Compares two manifests, and returns the changes for callers of their tools, in the order of the pages' paths.
 *
 * Names, versions, diagnostics and the locations of forms are not compared. A tool that is renamed or moved to another page
 * is removed and added.
 *
 * @throws {UsageError} if the manifests have different profiles
 * @example
 * diff(released, current).some(({ kind }) => kind === 'breaking');
 */
export function diff(before: Manifest, after: Manifest): readonly ManifestChange[] {
  if (before.profile !== after.profile)
    throw new UsageError(
      `The manifests have different profiles: ${before.profile} and ${after.profile}. Compile both with the same --profile.`,
    );
  const [old, current] = [toolsByPath(before), toolsByPath(after)];
  const paths = [...new Set([...old.keys(), ...current.keys()])].sort();
  const pagesByTool = firstPages(current);
  return paths.flatMap((path) => diffPage(path, old.get(path) ?? [], current.get(path) ?? [], pagesByTool));
}

/** The compared members of a tool. Tools of a live page have no form and no annotations. */
type ComparedTool = Pick<ManifestTool, 'name' | 'title' | 'description' | 'inputSchema'> &
  Partial<Pick<ManifestTool, 'form' | 'annotations'>>;

type ToolsByPath = ReadonlyMap<string, readonly ComparedTool[]>;

const toolsByPath = ({ pages }: Manifest): ToolsByPath => new Map(pages.map(({ path, tools }) => [path, tools]));

const firstPages = (pages: ToolsByPath): ReadonlyMap<string, string> =>
  new Map([...pages].reverse().flatMap(([path, tools]) => tools.map(({ name }) => [name, path] as const)));

/** Compares the tools of a page. @param pagesByTool - the first page with each tool name, for hints */
export function diffPage(
  page: string,
  before: readonly ComparedTool[],
  after: readonly ComparedTool[],
  pagesByTool: ReadonlyMap<string, string> = new Map(),
): readonly ManifestChange[] {
  const [old, current] = [byName(before), byName(after)];
  const removed = before.filter(({ name }) => !current.has(name));
  const added = after.filter(({ name }) => !old.has(name));
  const addedBySchema = removed.length > 0 ? bySchema(added) : new Map<string, ComparedTool>();
  return [
    ...removed.map((tool) => {
      const hint = renameHint(tool, addedBySchema) ?? moveHint(tool, pagesByTool) ?? '';
      return toolChange(page, tool, 'breaking', 'tool-removed', `was removed${hint}`);
    }),
    ...before.flatMap((tool) => {
      const changed = current.get(tool.name);
      return changed ? diffTool(page, tool, changed) : [];
    }),
    ...added.map((tool) => toolChange(page, tool, 'widening', 'tool-added', 'was added')),
  ];
}

const byName = (tools: readonly ComparedTool[]): ReadonlyMap<string, ComparedTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

const bySchema = (tools: readonly ComparedTool[]): ReadonlyMap<string, ComparedTool> =>
  new Map([...tools].reverse().map((tool) => [canonicalJson(tool.inputSchema), tool]));

const toolChange = (
  page: string,
  { name }: ComparedTool,
  kind: ChangeKind,
  code: ChangeCode,
  message: string,
): ManifestChange => ({ kind, code, page, tool: name, place: '', message });

function renameHint(tool: ComparedTool, addedBySchema: ReadonlyMap<string, ComparedTool>): string | undefined {
  const same = addedBySchema.get(canonicalJson(tool.inputSchema));
  return same && `; the new tool ${same.name} has the same input, but a renamed tool is another tool to agents`;
}

function moveHint({ name }: ComparedTool, pagesByTool: ReadonlyMap<string, string>): string | undefined {
  const page = pagesByTool.get(name);
  return page === undefined ? undefined : `; ${page} has a tool with this name`;
}

function diffTool(page: string, before: ComparedTool, after: ComparedTool): readonly ManifestChange[] {
  const change = (kind: ChangeKind, code: ChangeCode, message: string): ManifestChange =>
    toolChange(page, before, kind, code, message);
  const texts = (['title', 'description'] as const).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
  return [
    ...diffForms(before, after).map(([code, message]) => change('breaking', code, message)),
    ...diffAnnotations(before, after).map((message) => change('breaking', 'annotation', message)),
    ...compareSchemas(before.inputSchema as JsonRecord, after.inputSchema as JsonRecord).map((each) => ({
      page,
      tool: before.name,
      ...each,
    })),
    ...texts.map((name) =>
      change('wording', `tool-${name}`, `the ${name} is ${show(after[name])} now, was ${show(before[name])}`),
    ),
  ];
}

const show = (value: string | null | undefined): string => (value ? preview(value, 300) : 'empty');

const formMembers = [
  ['method', 'form-method'],
  ['action', 'form-action'],
  ['enctype', 'form-enctype'],
  ['acceptCharset', 'form-charset'],
  ['encoding', 'form-charset'],
  ['base', 'form-base'],
] as const;

type FormChange = readonly [code: ChangeCode, message: string];

function diffForms({ form: before }: ComparedTool, { form: after }: ComparedTool): readonly FormChange[] {
  if (!before || !after) return [];
  const autosubmit: FormChange = after.autosubmit
    ? ['autosubmit', 'toolautosubmit was added: the form no longer waits for the user']
    : ['autosubmit', 'toolautosubmit was removed: the form waits for the user now'];
  return [
    ...(before.autosubmit === after.autosubmit ? [] : [autosubmit]),
    ...formMembers
      .filter(([name]) => (before[name] ?? null) !== (after[name] ?? null))
      .map(([name, code]): FormChange => [
        code,
        `the form's ${name} is ${show(after[name])} now, was ${show(before[name])}`,
      ]),
  ];
}

function diffAnnotations(
  { annotations: before = {} }: ComparedTool,
  { annotations: after = {} }: ComparedTool,
): readonly string[] {
  const names = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'] as const;
  return names
    .filter((name) => (before[name] ?? false) !== (after[name] ?? false))
    .map((name) => `${name} is ${after[name] ?? false} now, was ${before[name] ?? false}`);
}

/**
 * Finds the manifest path of a live page. A `file:` URL is matched by the end of its path.
 */
export function livePagePath({ pages }: Manifest, url: string, page: string | undefined): string {
  const paths = pages.map(({ path }) => path);
  const candidates = page === undefined ? candidatesOf(parseUrl(url)) : [page];
  const path = candidates.find((each) => paths.includes(each));
  if (path !== undefined) return path;
  const [list, more] = [paths.slice(0, 5).join(', '), paths.length > 5 ? ', ...' : ''];
  const advice = paths.length === 0 ? 'It has no pages.' : `Set --page to one of its pages: ${list}${more}.`;
  throw new UsageError(oneLine(`The manifest has no page "${candidates[0]}". ${advice}`));
}

function candidatesOf({ protocol, pathname }: URL): readonly string[] {
  const path = percentDecode(pathname.slice(1));
  if (protocol !== 'file:') return pathsOf(path);
  const parts = path.split('/');
  return parts.flatMap((_, index) => pathsOf(parts.slice(index).join('/')));
}

/** The files that servers respond with for a path: `a/` is `a/index.html`; `a` is `a`, `a.html` or `a/index.html`. */
const pathsOf = (path: string): readonly string[] =>
  path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
