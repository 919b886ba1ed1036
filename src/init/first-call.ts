import { searchPattern, WorkBudget, WorkExceededError } from '../headless/constraints/pattern.js';
import type { JsonSchema, JsonValue } from '../json-schema.js';
import type { Manifest } from '../site/manifest/manifest.js';
import { printableJson } from '../site/printable.js';
import { shellWord } from './workflow.js';

/** The tool for the first call. */
export interface FirstTool {
  readonly name: string;
  /** The path of its page; undefined if the page is unknown, as for a template. */
  readonly page?: string;
  /** An example of its input; undefined if its schema is unknown. */
  readonly input?: JsonValue;
  /** Whether the form waits for the user to submit it. */
  readonly isForUser: boolean;
}

/** The first tool with parameters, or else the first tool. Pages whose paths have fewer segments come first. */
export function firstTool({ pages }: Manifest): FirstTool | undefined {
  const depthOf = ({ path }: { readonly path: string }): number => path.split('/').length;
  const topmost = [...pages].sort((one, other) => depthOf(one) - depthOf(other));
  const tools = topmost.flatMap(({ path, tools }) => tools.map((tool) => ({ path, ...tool })));
  const first = tools.find(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}).length > 0) ?? tools[0];
  if (!first) return undefined;
  const { name, path: page, inputSchema, form } = first;
  return { name, page, input: exampleOf(inputSchema), isForUser: form?.autosubmit === false };
}

const samples = [
  ...['example', 'ada@example.com', 'https://example.com/', '12345', '123', '12', '+1 555 0100', 'AB'],
  ...['2030-05-01', '09:30', '2030-05-01T09:30', '2030-05', '2030-W18'],
];

/** An example value for a schema. For a string with a pattern, it is the first matching sample, if any. */
export function exampleOf(schema: JsonSchema): JsonValue {
  const { type, anyOf, minimum = 1, properties = {}, required = [] } = schema;
  const given = schema.default ?? schema.const ?? schema.examples?.[0] ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  if (type === 'object' || schema.properties) {
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
    return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
  }
  if (type === 'array') return schema.items ? [exampleOf(schema.items)] : [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum;
  return sampleOf(schema);
}

function sampleOf({ pattern, minLength = 0, maxLength = Infinity }: JsonSchema): string {
  const budget = new WorkBudget();
  const fits = (text: string): boolean =>
    text.length <= maxLength && (pattern === undefined || searchPattern(pattern, text, budget) === 'match');
  try {
    return samples.map((text) => text.padEnd(minLength, '.')).find(fits) ?? 'example';
  } catch (error) {
    if (error instanceof WorkExceededError) return 'example';
    throw error;
  }
}

/** The lines that call a tool in the console of a browser. */
export const consoleLines = ({ name, input }: FirstTool): readonly string[] => [
  'const tools = await document.modelContext.getTools();',
  `const tool = tools.find(({ name }) => name === ${printableJson(name)});`,
  ...(input === undefined ? ['tool.inputSchema;'] : []),
  `await document.modelContext.executeTool(tool, ${printableJson(input ?? {})});`,
];

/** A command, and a comment about it. */
export type Command = readonly [command: string, comment: string];

export const inspectCommand = (url: string): Command => [
  `npx webmcp-forms inspect ${shellWord(url)}`,
  'the tools of a page, in Chromium (needs playwright-core)',
];

export const serveCommand = (url: string, manifest: string): Command => [
  `npx webmcp-gateway serve --base-url ${shellWord(baseOf(url))}${isLocal(url) ? ' --allow-private' : ''} ${shellWord(manifest)}`,
  'the tools over HTTP and MCP, without a browser',
];

const baseOf = (url: string): string => new URL('.', url).href;

const isLocal = (url: string): boolean => /^(?:localhost|127\.|\[::1\])/.test(new URL(url).host);
