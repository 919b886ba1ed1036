import { preview } from '../compiler/preview.js';
import type { JsonRecord } from '../json.js';
import { canonical } from '../json.js';
import type { Manifest, ManifestPage, ManifestTool } from '../site/manifest/manifest.js';
import { UsageError } from '../site/usage-error.js';
import type { ChangeCode, ChangeKind, ManifestChange } from './change.js';
import { compareSchemas } from './compare-schemas.js';

/**
 * What changed between two manifests for those who call their tools, page by page in the order of the pages' paths.
 *
 * Names, versions, diagnostics and the places of forms in their sources are no changes. A tool that is renamed, or moved
 * to another page, is removed here and added there.
 *
 * @throws {UsageError} when the manifests are of different profiles
 * @example
 * diff(released, current).some(({ kind }) => kind === 'breaking');
 */
export function diff(before: Manifest, after: Manifest): readonly ManifestChange[] {
  if (before.profile !== after.profile) throw differentProfiles(before.profile, after.profile);
  const [old, current] = [pagesOf(before), pagesOf(after)];
  const paths = [...new Set([...old.keys(), ...current.keys()])].sort();
  const homes = homesOf(current);
  return paths.flatMap((path) => diffPage(path, old.get(path) ?? [], current.get(path) ?? [], homes));
}

export const differentProfiles = (before: string, after: string): UsageError =>
  new UsageError(
    `the manifests are of the profiles ${before} and ${after}, which say the same forms differently: ` +
      `compile both with one --profile`,
  );

/** A tool as far as it is compared. A live page does not tell the form and the annotations. */
export type ComparedTool = Pick<ManifestTool, 'name' | 'title' | 'description' | 'inputSchema'> &
  Partial<Pick<ManifestTool, 'form' | 'annotations'>>;

type Pages = ReadonlyMap<string, readonly ComparedTool[]>;

const pagesOf = ({ pages }: Manifest): Pages => new Map(pages.map(({ path, tools }: ManifestPage) => [path, tools]));

/** The first page that has a tool, by the tool's name: for hints. */
type Homes = ReadonlyMap<string, string>;

const homesOf = (pages: Pages): Homes =>
  new Map([...pages].reverse().flatMap(([path, tools]) => tools.map(({ name }) => [name, path] as const)));

/** What changed between the tools of a page. */
export function diffPage(
  page: string,
  before: readonly ComparedTool[],
  after: readonly ComparedTool[],
  homes: Homes = new Map(),
): readonly ManifestChange[] {
  const [old, current] = [byName(before), byName(after)];
  const removed = before.filter(({ name }) => !current.has(name));
  const added = after.filter(({ name }) => !old.has(name));
  const alike = removed.length > 0 ? bySchema(added) : new Map<string, ComparedTool>();
  return [
    ...removed.map((tool) => toolChange(page, tool, 'breaking', 'tool-removed', `is gone${hint(tool, alike, homes)}`)),
    ...before.flatMap((tool) => {
      const now = current.get(tool.name);
      return now ? diffTool(page, tool, now) : [];
    }),
    ...added.map((tool) => toolChange(page, tool, 'widening', 'tool-added', 'is new')),
  ];
}

const byName = (tools: readonly ComparedTool[]): ReadonlyMap<string, ComparedTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

const toolChange = (
  page: string,
  { name }: ComparedTool,
  kind: ChangeKind,
  code: ChangeCode,
  message: string,
): ManifestChange => ({ kind, code, page, tool: name, place: '', message });

/** The first of the tools that take the same input. */
const bySchema = (tools: readonly ComparedTool[]): ReadonlyMap<string, ComparedTool> =>
  new Map([...tools].reverse().map((tool) => [canonical(tool.inputSchema), tool]));

/** What may have become of a tool that its page has no more: it is for a person to know. */
function hint(tool: ComparedTool, added: ReadonlyMap<string, ComparedTool>, homes: Homes): string {
  const alike = added.get(canonical(tool.inputSchema));
  if (alike) return `; the new ${alike.name} takes the same input: a tool that is renamed is another tool to agents`;
  const there = homes.get(tool.name);
  return there === undefined ? '' : `; ${there} has a tool of this name`;
}

function diffTool(page: string, before: ComparedTool, after: ComparedTool): readonly ManifestChange[] {
  const change = (kind: ChangeKind, code: ChangeCode, message: string): ManifestChange =>
    toolChange(page, before, kind, code, message);
  const words = (['title', 'description'] as const).filter((word) => (before[word] ?? '') !== (after[word] ?? ''));
  return [
    ...diffForms(before, after).map(([code, message]) => change('breaking', code, message)),
    ...diffAnnotations(before, after).map((message) => change('breaking', 'annotation', message)),
    ...compareSchemas(before.inputSchema as JsonRecord, after.inputSchema as JsonRecord).map((each) => ({
      page,
      tool: before.name,
      ...each,
    })),
    ...words.map((word) =>
      change('wording', `tool-${word}`, `the ${word} is ${said(after[word])} now, was ${said(before[word])}`),
    ),
  ];
}

const said = (value: string | boolean | null | undefined): string => (value ? preview(value, 300) : 'none');

const formFacts = [
  ['method', 'form-method'],
  ['action', 'form-action'],
  ['enctype', 'form-enctype'],
  ['acceptCharset', 'form-charset'],
  ['base', 'form-base'],
] as const;

type Fact = readonly [code: ChangeCode, message: string];

function diffForms({ form: before }: ComparedTool, { form: after }: ComparedTool): readonly Fact[] {
  if (!before || !after) return [];
  const facts = formFacts.filter(([name]) => (before[name] ?? null) !== (after[name] ?? null));
  return [
    ...(before.autosubmit === after.autosubmit ? [] : [['autosubmit', autosubmitted(after.autosubmit)] as const]),
    ...facts.map(([name, code]): Fact => [
      code,
      `the form's ${name} is ${said(after[name])} now, was ${said(before[name])}`,
    ]),
  ];
}

const autosubmitted = (isNow: boolean): string =>
  isNow
    ? 'toolautosubmit was added: what waited for a person is submitted at once now'
    : 'toolautosubmit is gone: what was submitted at once waits for a person now';

function diffAnnotations(
  { annotations: before = {} }: ComparedTool,
  { annotations: after = {} }: ComparedTool,
): readonly string[] {
  const names = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint'] as const;
  return names
    .filter((name) => (before[name] ?? false) !== (after[name] ?? false))
    .map((name) => `${name} is ${after[name] ?? false} now, was ${before[name] ?? false}`);
}
