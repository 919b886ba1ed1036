import type { JsonSchema, JsonValue } from '../json-schema.js';
import type { Manifest } from '../site/manifest/manifest.js';
import { printableJson } from '../site/printable.js';
import { shellWord } from './workflow.js';

/** A tool to call first. */
export interface FirstTool {
  readonly name: string;
  /** The path of its page; undefined if the page is unknown, as for a template. */
  readonly page?: string;
  /** An example of its input; undefined if its schema is unknown. */
  readonly input?: JsonValue;
  /** Whether the form waits for the user to submit it. */
  readonly isForUser: boolean;
}

/** The first tool of a manifest, preferably one with parameters. */
export function firstTool({ pages }: Manifest): FirstTool | undefined {
  const tools = pages.flatMap(({ path, tools }) => tools.map((tool) => ({ path, ...tool })));
  const first = tools.find(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}).length > 0) ?? tools[0];
  if (!first) return undefined;
  const { name, path: page, inputSchema, form } = first;
  return { name, page, input: exampleOf(inputSchema), isForUser: form?.autosubmit === false };
}

const examples: Readonly<Record<string, JsonValue>> = {
  email: 'ada@example.com',
  uri: 'https://example.com/',
  date: '2030-05-01',
  time: '09:30',
  'date-time': '2030-05-01T09:30:00Z',
};

/** A value that a schema allows, as far as an example can know: patterns and dates have further rules. */
export function exampleOf(schema: JsonSchema): JsonValue {
  const { type, anyOf, format = '', minimum = 1, minLength = 0, properties = {}, required = [] } = schema;
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
  return Object.hasOwn(examples, format) ? (examples[format] ?? '') : 'example'.padEnd(minLength, '.');
}

/** The calls of a tool for the console of a browser. */
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
