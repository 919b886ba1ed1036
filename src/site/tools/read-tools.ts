import { annotation } from '../../compiler/describe/label-text.js';
import { describeForm, readForms, type Diagnostic, type FoundForm, type SourceLocation } from '../../compiler/index.js';
import { without } from '../../compiler/profiles/redact.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import { readForm, type FormReading, type ReadToolsOptions } from './read-form.js';
import { readToolElement } from './read-tool-element.js';
import { findToolElements, type ToolElements } from './tool-elements.js';

/** A form, or a `<webmcp-tool>`, that wants to be a tool; its form has no controls if there is none. */
export interface ToolReading extends FormReading {
  /** What carries the tool's annotations. */
  readonly element: Parse5Element;
  /** The form's own element; absent if there is no form. */
  readonly formElement?: Parse5Element;
  /** The elements of the form's `controls`, in their order. */
  readonly controls: readonly Parse5Element[];
  /** The parameters of a `<webmcp-tool>`. */
  readonly params?: readonly Parse5Element[];
}

/** What a page has for agents. */
export interface ToolsReading {
  /** In document order. */
  readonly tools: readonly ToolReading[];
  /** The forms that are no tool and have no annotation. */
  readonly plainForms: readonly Parse5Element[];
}

/**
 * Reads the tools of a parsed page: the one place where a page's elements become tools.
 *
 * As in a browser, annotated forms have their names before any `<webmcp-tool>` has.
 */
export function readTools(page: Parse5Page, options: ReadToolsOptions): ToolsReading {
  const forms = readForms(page.tree, page.document);
  const { found, order }: ToolElements = page.mayDeclare ? findToolElements(page) : nothing;
  const scopes = new Map(found.length > 0 ? forms.map(({ form, scope }) => [form, scope] as const) : []);
  const elements = found.map((each) => readToolElement(page, each, scopes, options));
  const given = new Set(elements.flatMap(({ formElement }) => formElement ?? []));
  const own = forms.filter(({ form }) => !given.has(form));
  const isAnnotated = ({ form }: FoundForm<Parse5Element>): boolean =>
    ['toolname', 'tooldescription'].some((name) => annotation(page.tree, form, name) !== null);
  const annotated = own.filter(isAnnotated).map((each) => readAnnotated(page, each, options));
  const place = ({ element }: ToolReading): number => order.get(element) ?? 0;
  return {
    tools: distinct([...annotated, ...elements]).sort((one, other) => place(one) - place(other)),
    plainForms: own.filter((each) => !isAnnotated(each)).map(({ form }) => form),
  };
}

const nothing: ToolElements = { found: [], order: new Map() };

function readAnnotated(
  { tree }: Parse5Page,
  { form, scope }: FoundForm<Parse5Element>,
  options: ReadToolsOptions,
): ToolReading {
  const { description, controls } = describeForm(tree, form, scope);
  return { element: form, formElement: form, controls, ...readForm(description, options) };
}

/** The readings, in which the first tool of a name is the only one. */
function distinct(readings: readonly ToolReading[]): ToolReading[] {
  const taken = new Map<string, ToolReading>();
  return readings.map((reading) => {
    const { tool } = reading;
    const first = tool && taken.get(tool.name);
    if (tool && !first) taken.set(tool.name, reading);
    if (!tool || !first?.tool) return reading;
    const diagnostic = duplicate(tool.name, tool.source, first.element.tagName, first.tool.source);
    return { ...without(reading, 'tool'), diagnostics: [...reading.diagnostics, diagnostic] };
  });
}

const duplicate = (tool: string, location: SourceLocation, tag: string, first: SourceLocation): Diagnostic => ({
  code: 'duplicate-tool-name',
  severity: 'error',
  message: `The ${tag === 'form' ? tag : `<${tag}>`} at ${first.line}:${first.column} is the tool of this name, so this one is none: rename one of them.`,
  tool,
  location,
});
