import { annotation } from '../compiler/describe-words.js';
import { toolName } from '../compiler/diagnostics.js';
import {
  describeForm,
  defaultSensitive,
  diagnose,
  readForms,
  synthesizeParameters,
  synthesizeTool,
  type Diagnostic,
  type FormDescription,
  type ProfileName,
  type Sensitive,
  type SourceLocation,
  type ToolDefinition,
} from '../compiler/index.js';
import { redactForm, without } from '../compiler/redact.js';
import type { ManifestPage, ManifestTool } from './manifest.js';
import { parsePage, type Parse5Element, type Parse5Page } from './parse5-tree.js';

export interface CompileOptions {
  /** The page's path, relative to the site's base URL and separated by `/`. */
  readonly path: string;
  /**
   * Which schemas the tools get.
   * @default 'precise'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes become parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
}

/**
 * Reads a page's tools from its HTML. It depends on nothing but its arguments.
 *
 * Author mistakes are diagnostics in the result; nothing is thrown for them.
 *
 * @example
 * compileHtml('<form toolname="find" tooldescription="Finds books.">...</form>', { path: 'index.html' }).tools;
 */
export function compileHtml(
  html: string,
  { path, profile = 'precise', sensitive = defaultSensitive(profile) }: CompileOptions,
): ManifestPage {
  const reading: Reading = { profile, sensitive, taken: new Map(), tools: [], diagnostics: [] };
  if (mayHoldTools(html)) for (const form of annotatedForms(parsePage(html))) readTool(reading, form);
  return { path, tools: reading.tools, diagnostics: reading.diagnostics };
}

/**
 * Whether a page's text has an annotation's name in it. Attribute names cannot be written with character references, so
 * a page without one has no tool and need not be parsed.
 */
export const mayHoldTools = (html: string): boolean => /tool(?:name|description)/i.test(html);

/** One reading of a page. */
interface Reading {
  readonly profile: ProfileName;
  readonly sensitive: Sensitive;
  /** Where the tool of each name stands. */
  readonly taken: Map<string, SourceLocation>;
  readonly tools: ManifestTool[];
  readonly diagnostics: Diagnostic[];
}

function* annotatedForms({ document, tree }: Parse5Page): Generator<FormDescription> {
  const isAnnotated = (form: Parse5Element): boolean =>
    annotation(tree, form, 'toolname') !== null || annotation(tree, form, 'tooldescription') !== null;
  for (const { form, scope } of readForms(tree, document)) {
    if (isAnnotated(form)) yield describeForm(tree, form, scope).description;
  }
}

function readTool(reading: Reading, form: FormDescription): void {
  const redacted = redactForm(form, reading.sensitive);
  const parameters = synthesizeParameters(redacted, reading);
  reading.diagnostics.push(...diagnose(form, reading, parameters));
  const { name, description } = form.tool;
  if (name === null || !toolName.test(name) || description === null) return;
  const source = form.location as SourceLocation; // no form is without a start tag
  const first = reading.taken.get(name);
  if (first) {
    reading.diagnostics.push(duplicate(name, source, first));
  } else {
    reading.taken.set(name, source);
    reading.tools.push(manifestTool(redacted, source, synthesizeTool(redacted, reading, parameters)));
  }
}

const duplicate = (tool: string, location: SourceLocation, first: SourceLocation): Diagnostic => ({
  code: 'duplicate-tool-name',
  severity: 'error',
  message: `The form at ${first.line}:${first.column} is the tool of this name, so this one is none: rename one of them.`,
  tool,
  location,
});

function manifestTool(
  redacted: FormDescription,
  source: SourceLocation,
  { name, title, description, inputSchema }: ToolDefinition,
): ManifestTool {
  return {
    name,
    ...(title && { title }),
    description,
    inputSchema,
    source,
    form: { autosubmit: redacted.tool.autosubmit, ...without(redacted, 'tool', 'location') },
  };
}
