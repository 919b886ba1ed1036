import { byPath, type ManifestForm, type ManifestTool } from '../site/manifest/manifest.js';
import { urlOf } from '../site/pages/page-path.js';
import { countOf } from '../site/printable.js';
import { UsageError } from '../site/usage-error.js';
import { withoutDisabled, type Disable, type TaggedFinding } from './config/disables.js';
import { byPlace, findingsOf, type Finding } from './finding.js';
import type { Place } from './page/place.js';
import { readPage, type LintOptions, type PageReading } from './read-page.js';
import { isOn, siteRules, type RuleLevels } from './rules/rules.js';

/**
 * Lints the tools of one page. The result depends only on the arguments.
 *
 * `lintSite` also checks the rules that compare pages.
 *
 * @example
 * lint('<form toolname="find">...</form>', { path: 'index.html' }).map(({ code }) => code);
 */
export function lint(html: string, options: LintOptions): readonly Finding[] {
  const { findings, disables } = readPage(html, options);
  const ofPage = disables.filter(({ code }) => !Object.hasOwn(siteRules, code));
  return [...findings, ...unusedDisables(ofPage, options.rules)].sort(byPlace);
}

/** The result of `lintPage`, for `lintSite`. */
export interface LintedPage extends PageFindings, Partial<Pick<PageReading, 'absent' | 'plainForms'>> {
  readonly disables: readonly Disable[];
  readonly tools: readonly ComparedTool[];
  readonly rules?: RuleLevels;
}

interface ComparedTool extends Pick<ManifestTool, 'name' | 'description' | 'inputSchema' | 'source'> {
  /** The URL and method that the form is submitted with; absent for a tool without a form. */
  readonly target?: string;
}

/** The findings of a page, including those of site rules. */
export interface PageFindings {
  readonly path: string;
  readonly findings: readonly Finding[];
}

/** Lints a page for `lintSite`. */
export const lintPage = (html: string, options: LintOptions): LintedPage =>
  toLintedPage(readPage(html, options), options);

export function toLintedPage(
  { page, findings, disables, absent, plainForms }: PageReading,
  { rules = {} }: Pick<LintOptions, 'rules'>,
): LintedPage {
  const tools = page.tools.map(({ name, description, inputSchema, source, form }) => ({
    name,
    description,
    inputSchema,
    source,
    ...(form && { target: targetOf(form, page.path) }),
  }));
  return { path: page.path, findings, disables, tools, absent, plainForms, rules };
}

/** The method and URL of a form. A form without an action is submitted to its page. */
function targetOf({ method, action, base = '' }: ManifestForm, path: string): string {
  const site = 'https://site.invalid/';
  const page = urlOf(path, site) ?? new URL(site);
  const target = action ? urlOf(action, urlOf(base, page) ?? page)?.href : undefined;
  return `${method} ${target ?? action ?? page.href}`;
}

/**
 * Compares the pages of a site, and returns the findings of each page, sorted by path.
 *
 * @throws {UsageError} if two pages have the same path
 * @example
 * lintSite(pages.map(({ path, html }) => lintPage(html, { path })));
 */
export function lintSite(pages: readonly LintedPage[]): readonly PageFindings[] {
  const sorted = [...pages].sort(byPath);
  const duplicate = sorted.find((page, index) => page.path === sorted[index - 1]?.path);
  if (duplicate) throw new UsageError(`Two pages have the path "${duplicate.path}". Give each page its own path.`);
  const firstTools = new Map<string, FirstTool>();
  const settled = new Set(
    sorted.flatMap(({ tools, findings }) => [...tools.map(({ name }) => name), ...findings.map(({ tool }) => tool)]),
  );
  return sorted.map((page) => {
    const disables = page.disables.map((disable) => ({ ...disable })); // `withoutDisabled` modifies them
    const found = [...compareTools(page, firstTools), ...findAbsent(page, settled, sorted.length)];
    const conflicts = withoutDisabled(found, disables);
    const unused = unusedDisables(disables, page.rules);
    return { path: page.path, findings: [...page.findings, ...conflicts, ...unused].sort(byPlace) };
  });
}

interface FirstTool {
  readonly path: string;
  readonly source: Place;
  readonly content: string;
  readonly target: string | undefined;
  /** Whether an equal tool with another target has been reported. */
  isReported: boolean;
}

/**
 * Compares tools with the first tool of their name. Equal tools with different targets are reported once for each name,
 * because thousands of pages can have the form.
 */
function compareTools(
  { path, tools, rules = {} }: LintedPage,
  firstTools: Map<string, FirstTool>,
): readonly TaggedFinding[] {
  return tools.flatMap((tool) => {
    const { name, source, target } = tool;
    const content = contentOf(tool);
    const first = firstTools.get(name);
    if (!first) firstTools.set(name, { path, source, content, target, isReported: false });
    if (!first) return [];
    const where = `${first.path}:${first.source.line}:${first.source.column}`;
    if (first.content !== content) {
      const message = `The tool of this name at ${where} is different. Rename one of them, or make them the same.`;
      return siteFindings(rules, 'conflicting-tool-name', tool, message);
    }
    const isIndistinct = target !== undefined && target !== first.target && isOn(rules, 'indistinct-tools');
    if (!isIndistinct || first.isReported) return [];
    first.isReported = true;
    const message = `The tool of this name at ${where} has the same description, but is submitted to another URL, so agents cannot distinguish them. Describe the subject of the page in the tooldescription.`;
    return siteFindings(rules, 'indistinct-tools', tool, message);
  });
}

const siteFindings = (
  rules: RuleLevels,
  code: keyof typeof siteRules,
  { name: tool, source: location }: Pick<ComparedTool, 'name' | 'source'>,
  message: string,
): readonly TaggedFinding[] =>
  findingsOf(rules, code, [{ message, tool, location }]).map((finding) => ({ finding, startTag: location }));

const contentOf = ({ description, inputSchema }: ComparedTool): string => JSON.stringify([description, inputSchema]);

/**
 * Reports an optional tool once, if no page has its form.
 *
 * @param settled - the names of the tools whose form is on a page, and of reported tools
 */
function findAbsent(
  { absent = [], rules = {} }: LintedPage,
  settled: Set<string | undefined>,
  pages: number,
): readonly TaggedFinding[] {
  if (!isOn(rules, 'optional-form-not-found')) return [];
  return absent.flatMap((tool) => {
    if (settled.size === settled.add(tool.name).size) return [];
    const message = `The form of this optional <webmcp-tool> is on none of ${countOf(pages, 'page')}. Correct its attributes, or lint a page that has the form.`;
    return siteFindings(rules, 'optional-form-not-found', tool, message);
  });
}

function unusedDisables(disables: readonly Disable[], levels: RuleLevels = {}): readonly Finding[] {
  const unused = disables.filter(({ used, code }) => !used && (code === 'every rule' || isOn(levels, code)));
  const problems = unused.map(({ code, location }) => {
    const what = code === 'every rule' ? 'a finding' : `a finding of ${code}`;
    return { message: `The comment does not disable ${what}. Remove it.`, location };
  });
  return findingsOf(levels, 'unused-disable', problems);
}
