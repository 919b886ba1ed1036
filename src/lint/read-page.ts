import { isHidden } from '../compiler/html/tree-reader.js';
import { isIgnored } from '../compiler/ignored.js';
import { defaultSensitive, readForms, type ProfileName, type Scope, type SourceLocation } from '../compiler/index.js';
import { descendants } from '../compiler/tree.js';
import {
  PageLimitError,
  type Parse5Element,
  type Parse5Node,
  type Parse5Page,
  parseWithinLimits,
} from '../parse5/parse5-tree.js';
import {
  findTitle,
  pageLimitDiagnostic,
  readTools,
  toManifestPage,
  type CompileOptions,
} from '../site/compile-html.js';
import type { ManifestPage } from '../site/manifest/manifest.js';
import { mayContainTools } from '../site/pages/undecoded-page.js';
import type { ToolReading } from '../site/tools/compile-form.js';
import { suggestAnnotations, type FormSuggestion } from '../suggest/index.js';
import { vocabularyOf, type Vocabulary } from '../wording/words.js';
import { readDirectives, withoutDisabled, type Disable, type TaggedFinding } from './config/disables.js';
import { byPlace, findingsOf, type Finding } from './finding.js';
import { HiddenNodes } from './page/hidden-nodes.js';
import { attributeOf, isUnique, placeOf } from './page/place.js';
import { servedOptions } from './page/served-profile.js';
import { checkTool, limited, reportsOf, type Report, type ReportedTools } from './reports.js';
import { isDialog } from './rules/annotations.js';
import type { PageContext } from './rules/rule.js';
import { isOn, levelOf, ruleEntries, type RuleLevels } from './rules/rules.js';

const invisible = new Set(['script', 'style', 'template', 'noscript', ':script', ':style']);
const textAttributes = ['placeholder', 'alt', 'aria-label', 'title', 'label', 'name', 'value', 'action', 'content'];

/**
 * The text of a page and of its labeling attributes, in lower case. Includes hidden parts, which scripts may show
 * later.
 */
function pageText({ document, tree }: Parse5Page): string {
  const parts: string[] = [];
  const roots: Parse5Node[] = [document];
  const skip = (node: Parse5Node): boolean =>
    tree.isElement(node) && (invisible.has(tree.localName(node)) || isIgnored(tree, node));
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const node of descendants(tree, root, skip)) {
      if (!tree.isElement(node)) {
        parts.push(tree.text(node) ?? '');
        continue;
      }
      for (const name of textAttributes) parts.push(attributeOf(node, name) ?? '');
      const shadow = tree.shadowRoot(node);
      if (shadow !== null && !isHidden(tree, node)) roots.push(shadow);
    }
  }
  return parts
    .filter((part) => /\S/.test(part))
    .join(' ')
    .toLowerCase();
}

/** The suggestions for the forms of a page, with unique names. */
class Suggestions {
  readonly #page: Parse5Page;
  readonly #takenNames: Set<string>;
  #scopes: ReadonlyMap<Parse5Element, Scope<Parse5Element>> | undefined;

  constructor(page: Parse5Page, tools: readonly ToolReading[]) {
    this.#page = page;
    this.#takenNames = new Set(tools.flatMap(({ form }) => form.tool.name ?? []));
  }

  /** The suggestion for a form. Should be called once for each form of the page, in document order. */
  of(form: Parse5Element): FormSuggestion<Parse5Element> | null {
    const { tree, document } = this.#page;
    this.#scopes ??= new Map(readForms(tree, document).map((found) => [found.form, found.scope]));
    const scope = this.#scopes.get(form);
    const suggestion = suggestAnnotations(tree, form, { takenNames: this.#takenNames, ...(scope && { scope }) });
    if (suggestion) this.#takenNames.add(suggestion.toolName.value);
    return suggestion;
  }
}

export interface LintOptions extends CompileOptions {
  /**
   * The levels of rules, by their codes.
   * @default the level of each rule
   */
  readonly rules?: RuleLevels;
}

export interface PageReading {
  readonly page: ManifestPage;
  /** The findings that no comment disables, by place; excludes site rules and unused comments. */
  readonly findings: readonly Finding[];
  readonly disables: readonly Disable[];
  /** The optional tools whose forms are not on the page. */
  readonly absent: readonly AbsentTool[];
  /** The number of forms without annotations that could be tools. */
  readonly plainForms: number;
}

interface AbsentTool {
  readonly name: string;
  readonly source: SourceLocation;
}

/** Compiles and lints a page with one parse. */
export function readPage(html: string, options: LintOptions): PageReading {
  const { path, rules: levels = {} } = options;
  if (!mayContainForms(html)) return emptyReading(path);
  const parsed = parseWithinLimits(html, hints.test(html) ? true : 'elements');
  if (!(parsed instanceof PageLimitError)) return readParsed(html, parsed, options);
  const isReported = mayContainTools(html) || isOn(levels, 'form-without-tool');
  return isReported ? ofLargePage(path, parsed, levels) : emptyReading(path);
}

/** Matches pages that need all locations. On other pages, all findings are at start tags. */
const hints = /tool|webmcp-forms/i;

const emptyReading = (path: string): PageReading => ({
  page: { path, tools: [], diagnostics: [] },
  findings: [],
  disables: [],
  absent: [],
  plainForms: 0,
});

/** The differences of templates and components from pages. */
interface TemplateReader {
  /** Whether the annotations of a tool are known. A template may compute them. */
  readonly isKnown: (tool: ToolReading) => boolean;
  /** The findings besides those of the rules. */
  readonly findIn: (tools: readonly ToolReading[]) => readonly TaggedFinding[];
}

const pageReader: TemplateReader = { isKnown: () => true, findIn: () => [] };

/** Compiles and lints a parsed page, whose locations are those of `html`. */
export function readParsed(
  html: string,
  parsed: Parse5Page,
  options: LintOptions,
  { isKnown, findIn }: TemplateReader = pageReader,
): PageReading {
  const { path, profile = 'precise', sensitive = defaultSensitive(profile), rules: levels = {} } = options;
  const { tools: all, plainForms } = readTools(parsed, { profile, sensitive });
  const tools = all.filter((tool) => !tool.isAbsent && isKnown(tool));
  const { disables, mistakes } = readDirectives(html, parsed);
  const context = createContext(html, parsed, { tools, profile });
  const served = servedTools(html, parsed, context, { profile, sensitive });
  const reports = limited(reportsOf({ tools, context }, plainForms, levels, served));
  const found = withoutDisabled(
    [...reports.flatMap((report) => toFinding(report, html, levels)), ...findIn(all)],
    disables,
  );
  const findings = [...found, ...findingsOf(levels, 'unused-disable', mistakes)].sort(byPlace);
  const absent = all.flatMap(({ isAbsent, form: { tool, location } }) =>
    isAbsent && location ? [{ name: tool.name ?? '', source: location }] : [],
  );
  const page = toManifestPage(path, tools, parsed);
  return { page, findings, disables, absent, plainForms: plainForms.filter((form) => !isDialog(form)).length };
}

/** The tools of a page as its script creates them, if the options of the script differ. */
function servedTools(
  html: string,
  page: Parse5Page,
  context: PageContext,
  { profile, sensitive }: Required<Pick<LintOptions, 'profile' | 'sensitive'>>,
): ReportedTools | undefined {
  const served = servedOptions(html, page);
  if (!served || (served.profile === profile && served.sensitive === sensitive)) return undefined;
  const tools = readTools(page, served).tools.filter(({ isAbsent }) => !isAbsent);
  return { tools, context: { ...context, profile: served.profile, once: createOnce() } };
}

/** Turns off the rules that only make suggestions. */
const withoutInfo: RuleLevels = Object.fromEntries(
  ruleEntries.flatMap(([code, { level }]) => (level === 'info' ? [[code, 'off']] : [])),
);

export interface CheckedTool {
  readonly reading: ToolReading;
  readonly problems: readonly Pick<Finding, 'code' | 'severity' | 'message'>[];
}

/** Returns a function that finds errors and warnings of a page's tools, also after changes of their annotations. */
export function createChecker(
  html: string,
  page: Parse5Page,
  profile: ProfileName,
): (tools: readonly ToolReading[]) => readonly CheckedTool[] {
  const facts = createContext(html, page, { tools: [], profile });
  return (tools) => {
    const context = { ...facts, once: createOnce() };
    return tools.map((reading) => ({ reading, problems: problemsOf(reading, context) }));
  };
}

const problemsOf = (reading: ToolReading, context: PageContext): CheckedTool['problems'] =>
  [...checkTool(reading, context, withoutInfo)].flatMap(({ code, severity, message }) => {
    const level = levelOf({}, code, severity);
    return level === 'off' || level === 'info' ? [] : [{ code, severity: level, message }];
  });

function ofLargePage(path: string, error: PageLimitError, levels: RuleLevels): PageReading {
  const diagnostic = pageLimitDiagnostic(error);
  const { code, message } = diagnostic;
  const findings = findingsOf(levels, code, [{ message }], diagnostic.severity);
  return { ...emptyReading(path), page: { path, tools: [], diagnostics: [diagnostic] }, findings };
}

/** A fast pretest: pages without forms and tools have no findings, and need not be parsed. */
export const mayContainForms = (html: string): boolean =>
  /tool-?(?:name|description)|<webmcp-tool|webmcp-forms-|<form/i.test(html);

interface ContextOptions {
  readonly tools: readonly ToolReading[];
  readonly profile: ProfileName;
}

function createContext(html: string, page: Parse5Page, { tools, profile }: ContextOptions): PageContext {
  let vocabulary: Vocabulary | undefined;
  let hiddenNodes: HiddenNodes | undefined;
  let suggestions: Suggestions | undefined;
  return {
    profile,
    vocabulary: () => (vocabulary ??= vocabularyOf(pageText(page))),
    hiddenNodes: () => (hiddenNodes ??= new HiddenNodes(html, page)),
    title: findTitle(page),
    suggest: (form) => (suggestions ??= new Suggestions(page, tools)).of(form),
    once: createOnce(),
  };
}

function createOnce(): PageContext['once'] {
  const keys = new Set<string>();
  return (key) => keys.size !== keys.add(key).size;
}

function toFinding(report: Report, html: string, levels: RuleLevels): readonly TaggedFinding[] {
  const { code, message, element, attributes, parameter, fix, suggestion, tool } = report;
  const severity = levelOf(levels, code, report.severity);
  if (severity === 'off') return [];
  const location = report.place ?? placeOf(element, attributes);
  const finding: Finding = {
    code,
    severity,
    message,
    ...(tool && { tool }),
    ...(parameter && { parameter }),
    ...(location && { location }),
    ...(fix && isUnique(html, element, fix.attribute) && { fix }),
    ...(suggestion && { suggestion }),
  };
  return [{ finding, startTag: placeOf(element) }];
}
