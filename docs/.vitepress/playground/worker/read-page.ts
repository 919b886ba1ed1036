import { annotatePage } from '../../../../src/annotate/annotate-page.js';
import type { FormAnnotation } from '../../../../src/annotate/form-annotation.js';
import { applyInsertions } from '../../../../src/annotate/tags/insertion.js';
import { pageKind } from '../../../../src/annotate/templates/file-kinds.js';
import { profileNames, readForms } from '../../../../src/compiler/index.js';
import { inspect } from '../../../../src/compiler/inspection.js';
import { formViewOf } from '../../../../elements/webmcp-inspector/view/form-view.js';
import type { Place } from '../../../../src/lint/page/place.js';
import { lint } from '../../../../src/lint/lint.js';
import {
  PageLimitError,
  pageLimits,
  parsePage,
  parseWithinLimits,
  type Parse5Element,
  type Parse5Page,
} from '../../../../src/parse5/parse5-tree.js';
import { readTools } from '../../../../src/site/compile-html.js';
import { limits } from '../limits.js';
import { readComparedForm } from '../compared-form.js';
import type { ComparedForm, FormInspection, FormReading, PageReading, Suggestion } from '../reading.js';
import { inertMarkup } from './inert-markup.js';
import { lostMarkup } from './lost-markup.js';

interface Result {
  readonly reading: PageReading;
  /** The forms, to be compared with those of the frame. */
  readonly compared: readonly ComparedForm[];
  /** The page with the suggested annotations. */
  readonly annotated?: Parse5Page;
}

/** Reads the tools, the findings and the suggestions of a page. */
export function readPlaygroundPage(whole: string): Result {
  const source = whole.slice(0, limits.page);
  const cut = whole.length > source.length ? [cutNote(whole.length)] : [];
  const { findings, notes } = findingsIn(source);
  const page = parseWithinLimits(source);
  if (page instanceof PageLimitError)
    return {
      reading: { forms: [], findings, markup: null, hasClosedRoot: false, notes: [...cut, ...notes] },
      compared: [],
    };
  const suggestions = annotatePage(source, { kind: pageKind }).forms;
  const text = applyInsertions(
    source,
    suggestions.flatMap(({ insertions }) => insertions),
  );
  const annotated = text === source ? page : parsePage(text, pageLimits);
  const inert = inertMarkup(text, annotated);
  const lost = lostMarkup(source, page);
  const { forms, compared, count } = readAllForms(page, annotated, suggestions);
  const more = count > forms.length ? [`The page has ${count} forms. The first ${forms.length} are shown.`] : [];
  return {
    reading: {
      ...inert,
      forms,
      findings: [...lost, ...findings].slice(0, limits.findings),
      notes: [...cut, ...more, ...notes, ...inert.notes],
    },
    compared,
    annotated,
  };
}

/** Inspects a form of the annotated page, whose lines are those of the page. */
export function inspectPageForm({ document, tree }: Parse5Page, index: number): FormInspection | undefined {
  const found = readForms(tree, document)[index];
  if (!found) return undefined;
  const inspections = profileNames.map((profile) => ({
    profile,
    inspection: inspect(tree, found.form, { profile }, found.scope),
  }));
  return formViewOf(inspections, (control) => lineOf(control));
}

/** The whole line, because annotations have moved its columns. */
const lineOf = ({ sourceCodeLocation }: Parse5Element): Place => {
  const line = sourceCodeLocation?.startLine ?? 1;
  return { line, column: 1, endLine: line, endColumn: Infinity };
};

const cutNote = (length: number): string =>
  `The text has ${length.toLocaleString('en')} characters. The first ${limits.page.toLocaleString('en')} are read.`;

function findingsIn(source: string): Pick<PageReading, 'findings' | 'notes'> {
  const all = lint(source, { path: 'page.html', rules: { 'form-without-tool': 'info' } });
  const findings = all.slice(0, limits.findings).map(({ code, severity, message, location, tool, parameter }) => ({
    code,
    severity,
    message,
    ...(tool && { tool }),
    ...(parameter && { parameter }),
    ...(location && { place: location }),
  }));
  const isCut = all.length > findings.length;
  const note = `There are ${all.length.toLocaleString('en')} findings. The first ${findings.length} are shown.`;
  return { findings, notes: isCut ? [note] : [] };
}

interface Forms {
  readonly forms: readonly FormReading[];
  readonly compared: readonly ComparedForm[];
  /** The number of all forms of the page. */
  readonly count: number;
}

/** Reads the forms of the annotated page, which has the same forms as the page. */
function readAllForms(page: Parse5Page, annotated: Parse5Page, suggestions: readonly FormAnnotation[]): Forms {
  const found = readForms(page.tree, page.document).map(({ form }) => form);
  const shown = readForms(annotated.tree, annotated.document).slice(0, limits.forms);
  const byStart = new Map(suggestions.map((suggestion) => [suggestion.start, suggestion]));
  const isTool = toolForms(annotated);
  const compared = shown.map(({ form, scope }) => readComparedForm(annotated.tree, form, scope));
  const forms = shown.map(({ form }, index) => {
    const { startLine = 1, startCol = 1, startOffset = -1 } = found[index]?.sourceCodeLocation ?? {};
    const suggestion = byStart.get(startOffset);
    return {
      line: startLine,
      column: startCol,
      isTool: isTool.has(form),
      tools: (compared[index] as ComparedForm).tools,
      ...(suggestion && { suggestion: suggestionOf(suggestion) }),
    };
  });
  return { forms, compared, count: found.length };
}

function toolForms(page: Parse5Page): ReadonlySet<Parse5Element> {
  const { tools } = readTools(page, { profile: 'precise', sensitive: 'exclude' });
  return new Set(tools.flatMap(({ tool, formElement }) => (tool && formElement ? formElement : [])));
}

const suggestionOf = ({ confidence, sensitive, insertions }: FormAnnotation): Suggestion => ({
  confidence,
  ...(sensitive && { sensitive }),
  edits: insertions,
});
