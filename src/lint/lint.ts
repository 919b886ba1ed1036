import type { JsonSchema } from '../compiler/index.js';
import { stringify } from '../json.js';
import { byPath, type ManifestPage } from '../site/manifest/manifest.js';
import { UsageError } from '../site/usage-error.js';
import { withoutDisabled, type Disable, type Tagged } from './config/disables.js';
import { byPlace, type Finding, type Place } from './finding.js';
import { readPage, type LintOptions, type PageReading } from './read-page.js';
import { levelOf, siteRules, type RuleLevels } from './rules/rules.js';

/**
 * Finds what is wrong with the tools of a page, and what could be better. It depends on nothing but its arguments.
 *
 * What compares pages needs `lintSite`.
 *
 * @example
 * lint('<form toolname="find">...</form>', { path: 'index.html' }).map(({ code }) => code);
 */
export function lint(html: string, options: LintOptions): readonly Finding[] {
  const { findings, disables } = readPage(html, options);
  const judged = disables.filter(({ code }) => code === 'every rule' || !siteRules.has(code));
  return [...findings, ...unused(judged, options.rules)].sort(byPlace);
}

/** A page with what `lintSite` needs of it. */
export interface LintedPage {
  readonly path: string;
  readonly findings: readonly Finding[];
  readonly disables: readonly Disable[];
  readonly tools: readonly ToolMark[];
  /** The levels that the page was read with. */
  readonly rules?: RuleLevels;
}

/** What one tool is compared by. */
export interface ToolMark {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly source: Place;
}

/** A page's findings, those that compare it with others among them. */
export interface PageFindings {
  readonly path: string;
  readonly findings: readonly Finding[];
}

/** Reads a page for `lintSite`. */
export const lintPage = (html: string, options: LintOptions): LintedPage =>
  linted(readPage(html, options), options.rules);

/** What `lintSite` needs of a page that was read. */
export const linted = ({ page, findings, disables }: PageReading, rules: RuleLevels = {}): LintedPage => ({
  path: page.path,
  findings,
  disables,
  tools: page.tools.map(toolMark),
  rules,
});

const toolMark = ({ name, description, inputSchema, source }: ManifestPage['tools'][number]): ToolMark => ({
  name,
  description,
  inputSchema,
  source,
});

/**
 * Compares the pages of a site and gives the findings of each, sorted by path.
 *
 * @throws {UsageError} when two pages have one path
 * @example
 * lintSite(pages.map(({ path, html }) => lintPage(html, { path })));
 */
export function lintSite(pages: readonly LintedPage[]): readonly PageFindings[] {
  const sorted = [...pages].sort(byPath);
  const twin = sorted.find((page, index) => page.path === sorted[index - 1]?.path);
  if (twin) throw new UsageError(`two pages have the path "${twin.path}": give each page a path of its own`);
  const first = new Map<string, FirstTool>();
  return sorted.map((page) => {
    const disables = page.disables.map((disable) => ({ ...disable }));
    const found = withoutDisabled(conflicts(page, first), disables);
    return {
      path: page.path,
      findings: [...page.findings, ...found, ...unused(disables, page.rules)].sort(byPlace),
    };
  });
}

/** The first tool of a name on a site. */
interface FirstTool {
  readonly path: string;
  readonly source: Place;
  readonly says: string;
}

function conflicts({ path, tools, rules = {} }: LintedPage, first: Map<string, FirstTool>): readonly Tagged[] {
  const code = 'conflicting-tool-name';
  const severity = levelOf(rules, code);
  return tools.flatMap(({ name, source, ...rest }) => {
    const says = stringify([rest.description, rest.inputSchema as never]);
    const before = first.get(name);
    if (!before) first.set(name, { path, source, says });
    if (!before || before.says === says || severity === 'off') return [];
    const where = `${before.path}:${before.source.line}:${before.source.column}`;
    const message = `The tool of this name at ${where} is another one: give each its own name, or make them the same.`;
    return { finding: { code, severity, message, tool: name, location: source }, tag: source };
  });
}

/** The comments that disabled nothing. */
function unused(disables: readonly Disable[], levels: RuleLevels = {}): readonly Finding[] {
  const severity = levelOf(levels, 'unused-disable');
  if (severity === 'off') return [];
  return disables
    .filter(({ used, code }) => !used && (code === 'every rule' || levelOf(levels, code) !== 'off'))
    .map(({ code, location }) => {
      const what = code === 'every rule' ? 'Nothing is' : `No finding of ${code} is`;
      return {
        code: 'unused-disable',
        severity,
        message: `${what} where the comment disables it: take it away.`,
        location,
      };
    });
}
