import type { Parse5Element } from '../parse5/parse5-tree.js';
import type { ToolReading } from '../site/tools/compile-form.js';
import { annotationTexts } from './page/tool-texts.js';
import { readDiagnostics } from './rules/diagnostics.js';
import type { PageContext, Violation } from './rules/rule.js';
import { isOn, ruleEntries, type RuleCode, type RuleLevels } from './rules/rules.js';

export interface ReportedTools {
  readonly tools: readonly ToolReading[];
  readonly context: PageContext;
}

export interface Report extends Violation {
  readonly code: RuleCode;
  readonly tool?: string | null;
}

/**
 * Checks the tools and the forms without annotations of a page.
 *
 * @param served - the same tools with the options of the page's script, if they differ. Equal reports are omitted
 */
export function* reportsOf(
  { tools, context }: ReportedTools,
  plainForms: readonly Parse5Element[],
  levels: RuleLevels,
  served?: ReportedTools,
): Generator<Report> {
  const known = new Set<string>();
  for (const tool of tools)
    for (const report of checkTool(tool, context, levels)) {
      if (served) known.add(keyOf(report));
      yield report;
    }
  for (const tool of served?.tools ?? [])
    for (const report of checkTool(tool, served?.context ?? context, levels))
      if (!known.has(keyOf(report)))
        yield {
          ...report,
          message: `${report.message} The page's script uses the profile ${served?.context.profile}.`,
        };
  for (const form of plainForms) yield* checkForm(form, context, levels);
}

const keyOf = ({ code, element, parameter, place }: Report): string =>
  JSON.stringify([code, element.sourceCodeLocation?.startOffset, parameter, place]);

/** The maximum number of findings of a rule on a page. */
const maxFindings = 20_000;

/** Limits the reports of each rule. One report replaces the reports above the limit. */
export function limited(reports: Iterable<Report>): readonly Report[] {
  const counts = new Map<RuleCode, number>();
  const more = new Map<RuleCode, Report>();
  const kept: Report[] = [];
  for (const report of reports) {
    const count = (counts.get(report.code) ?? 0) + 1;
    counts.set(report.code, count);
    if (count <= maxFindings) kept.push(report);
    else if (!more.has(report.code)) more.set(report.code, report);
  }
  for (const [code, { fix: _, ...first }] of more) {
    const message = `${(counts.get(code) ?? 0) - maxFindings} more findings of this rule begin here. Correct the others first.`;
    kept.push({ ...first, message });
  }
  return kept;
}

export function* checkTool(reading: ToolReading, context: PageContext, levels: RuleLevels): Generator<Report> {
  const tool = { ...reading, texts: [...annotationTexts(reading)] };
  const { name } = tool.form.tool;
  for (const violation of readDiagnostics(tool)) yield { ...withElementNames(violation, tool), tool: name };
  for (const [code, { check }] of ruleEntries) {
    if (!check || !isOn(levels, code)) continue;
    for (const violation of check(tool, context)) yield { ...withElementNames(violation, tool), code, tool: name };
  }
}

function* checkForm(form: Parse5Element, context: PageContext, levels: RuleLevels): Generator<Report> {
  for (const [code, rule] of ruleEntries) {
    if (!rule.checkForm || !isOn(levels, code)) continue;
    for (const violation of rule.checkForm(form, context)) yield { ...violation, code };
  }
}

/** The attributes of a `<webmcp-tool>` and of its parameters, by annotation. */
const elementNames: Readonly<Record<string, string>> = {
  toolname: 'name',
  tooldescription: 'description',
  toolautosubmit: 'autosubmit',
  toolparamdescription: 'description',
};

function withElementNames<Type extends Violation>(violation: Type, { element }: ToolReading): Type {
  if (element.tagName !== 'webmcp-tool') return violation;
  const isOnTool = /^webmcp-(?:tool|param)$/.test(violation.element.tagName);
  const attributes = violation.attributes?.map((name) => (isOnTool ? (elementNames[name] ?? name) : name));
  const message = violation.message
    .replace(/\btoolparamdescription\b/g, 'description of a <webmcp-param>')
    .replace(/\btool(?:name|description|autosubmit)\b/g, (name) => elementNames[name] ?? name);
  return { ...violation, message, ...(attributes && { attributes }) };
}
