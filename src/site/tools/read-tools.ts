import { annotation } from '../../compiler/describe/label-text.js';
import { describeForm, readForms, type Diagnostic, type FoundForm, type SourceLocation } from '../../compiler/index.js';
import { omit } from '../../compiler/profiles/redact.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import { readForm, type ReadToolsOptions, type ToolReading } from './read-form.js';
import { ToolElementReader } from './read-tool-element.js';
import { findToolElements, type ToolElements } from './tool-elements.js';

export interface ToolsReading {
  /** In document order. */
  readonly tools: readonly ToolReading[];
  /** The forms without annotations. */
  readonly plainForms: readonly Parse5Element[];
}

/** Reads the tools of a parsed page. As in a browser, annotated forms get their names before any `<webmcp-tool>`. */
export function readTools(page: Parse5Page, options: ReadToolsOptions): ToolsReading {
  const forms = readForms(page.tree, page.document);
  const { found, order }: ToolElements = page.mayHaveToolElements
    ? findToolElements(page)
    : { found: [], order: new Map() };
  const scopes = new Map(found.length > 0 ? forms.map(({ form, scope }) => [form, scope] as const) : []);
  const elements = found.map((each) => new ToolElementReader(page.tree, each, options).read(scopes));
  const claimed = new Set(elements.flatMap(({ formElement }) => formElement ?? []));
  const unclaimed = forms.filter(({ form }) => !claimed.has(form));
  const isAnnotated = ({ form }: FoundForm<Parse5Element>): boolean =>
    ['toolname', 'tooldescription'].some((name) => annotation(page.tree, form, name) !== null);
  const annotated = unclaimed.filter(isAnnotated).map((each) => readAnnotatedForm(page, each, options));
  const positionOf = ({ element }: ToolReading): number => order.get(element) ?? 0;
  return {
    tools: withDistinctNames([...annotated, ...elements]).sort((a, b) => positionOf(a) - positionOf(b)),
    plainForms: unclaimed.filter((each) => !isAnnotated(each)).map(({ form }) => form),
  };
}

function readAnnotatedForm(
  { tree }: Parse5Page,
  { form, scope }: FoundForm<Parse5Element>,
  options: ReadToolsOptions,
): ToolReading {
  const { description, controls } = describeForm(tree, form, scope);
  return { element: form, formElement: form, controls, ...readForm(description, options) };
}

/** Removes and reports tools that have the name of an earlier tool. */
function withDistinctNames(readings: readonly ToolReading[]): ToolReading[] {
  const firstByName = new Map<string, ToolReading>();
  return readings.map((reading) => {
    const { tool } = reading;
    const first = tool && firstByName.get(tool.name);
    if (tool && !first) firstByName.set(tool.name, reading);
    if (!tool || !first?.tool) return reading;
    const diagnostic = duplicateName(tool.name, tool.source, first.element.tagName, first.tool.source);
    return { ...omit(reading, 'tool'), diagnostics: [...reading.diagnostics, diagnostic] };
  });
}

const duplicateName = (tool: string, location: SourceLocation, tag: string, first: SourceLocation): Diagnostic => ({
  code: 'duplicate-tool-name',
  severity: 'error',
  message: `The ${tag === 'form' ? tag : `<${tag}>`} at ${first.line}:${first.column} has the same name, so this one is not a tool. Rename one of them.`,
  tool,
  location,
});
