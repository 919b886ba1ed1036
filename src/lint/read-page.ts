import { defaultSensitive } from '../compiler/index.js';
import { mayHoldTools, pageOf, type CompileOptions } from '../site/compile-html.js';
import type { ManifestPage } from '../site/manifest/manifest.js';
import { parsePage } from '../parse5/parse5-tree.js';
import { pageContext, type Found, type PageContext } from './page/context.js';
import { diagnosed } from './page/diagnosed.js';
import {
  mayHoldDirectives,
  readDirectives,
  withoutDisabled,
  type Disable,
  type Mistake,
  type Tagged,
} from './config/disables.js';
import { byPlace, type Finding } from './finding.js';
import { isWrittenOnce, placeOf } from './page/place.js';
import { inItsWords } from './page/element-names.js';
import { readTools, type ToolsReading } from '../site/tools/read-tools.js';
import { agentRules } from './rules/agents.js';
import { annotationRules } from './rules/annotations.js';
import { budgetRules } from './rules/budgets.js';
import { contradictionRules } from './rules/contradictions.js';
import { exposureRules } from './rules/exposure.js';
import { plainFormRules } from './rules/forms.js';
import { parameterRules } from './rules/parameters.js';
import { submissionRules } from './rules/submission.js';
import { valueRules } from './rules/values.js';
import { wordingRules } from './rules/wording.js';
import { annotationTexts } from './page/annotation-texts.js';
import { isOn, levelOf, type RuleLevels } from './rules/rules.js';

export interface LintOptions extends CompileOptions {
  /**
   * The levels of rules, by their codes.
   * @default the rules' own
   */
  readonly rules?: RuleLevels;
}

/** A page's tools and what is wrong with them, as plain data. */
export interface PageReading {
  /** What `compileHtml` gives. */
  readonly page: ManifestPage;
  /** Those that no comment of the page disables, by place; what compares pages, and comments without use, come later. */
  readonly findings: readonly Finding[];
  /** The page's comments that disable something. */
  readonly disables: readonly Disable[];
}

/** Compiles and lints a page: one parse, one description of each form. */
export function readPage(html: string, options: LintOptions): PageReading {
  const { path, profile = 'precise', sensitive = defaultSensitive(profile), rules = {} } = options;
  if (!isWorthReading(html, rules)) return { page: { path, tools: [], diagnostics: [] }, findings: [], disables: [] };
  const parsed = parsePage(html);
  const { tools, plainForms } = readTools(parsed, { profile, sensitive });
  const { disables, mistakes } = readDirectives(html, parsed);
  const found = lintTools({ tools, plainForms }, pageContext(html, parsed, profile, rules));
  const findings = [...withoutDisabled(found, disables), ...mistaken(mistakes, rules)].sort(byPlace);
  return { page: pageOf(path, tools), findings, disables };
}

/** Whether a page's text has anything for us: most pages have not, and need not be parsed. */
const isWorthReading = (html: string, levels: RuleLevels): boolean =>
  mayHoldTools(html) ||
  /tool-(?:name|description)|<form[^<>]*[\s"'/](?:data-)?tool/i.test(html) ||
  mayHoldDirectives(html) ||
  (isOn(levels, 'form-without-tool') && /<form/i.test(html));

const toolRules = [
  diagnosed,
  budgetRules,
  parameterRules,
  wordingRules,
  contradictionRules,
  submissionRules,
  exposureRules,
  agentRules,
  valueRules,
  annotationRules,
];

/** The rules that ask nothing of a form. */
const formlessRules = [diagnosed, budgetRules, wordingRules, agentRules, valueRules, annotationRules];

function lintTools({ tools, plainForms }: ToolsReading, context: PageContext): readonly Tagged[] {
  const tagged: Tagged[] = [];
  for (const reading of tools) {
    const tool = { ...reading, texts: annotationTexts(reading) };
    for (const rule of tool.formElement ? toolRules : formlessRules)
      for (const found of rule(tool, context)) add(tagged, inItsWords(found, tool), context, tool.form.tool.name);
  }
  for (const form of plainForms) for (const found of plainFormRules(form, context)) add(tagged, found, context, null);
  return tagged;
}

function add(tagged: Tagged[], found: Found, { html, levels }: PageContext, tool: string | null): void {
  const { code, message, element, attributes = [], parameter, fix } = found;
  const level = levelOf(levels, code, found.severity);
  if (level === 'off') return;
  const location = found.place ?? placeOf(element, ...attributes);
  const finding: Finding = {
    code,
    severity: level,
    message,
    ...(tool && { tool }),
    ...(parameter && { parameter }),
    ...(location && { location }),
    ...(fix && isWrittenOnce(html, element, fix.attribute) && { fix }),
  };
  tagged.push({ finding, tag: placeOf(element) });
}

function mistaken(mistakes: readonly Mistake[], levels: RuleLevels): readonly Finding[] {
  const level = levelOf(levels, 'unused-disable');
  return level === 'off' ? [] : mistakes.map((mistake) => ({ code: 'unused-disable', severity: level, ...mistake }));
}
