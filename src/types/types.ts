import type { JsonRecord } from '../json.js';
import type { Manifest, ManifestTool } from '../site/manifest/manifest.js';
import { harmless, jsdoc } from './jsdoc.js';
import { key, membersOf } from './schema-type.js';

/**
 * A TypeScript declaration file of what a site's tools take, which needs no other: an interface for each tool's input, a map
 * of the tools' names to them, and typed calls.
 *
 * @example
 * types(manifest); // export interface BookTableInput { readonly guests: number; ...
 */
export function types(manifest: Manifest): string {
  const tools = toolsOf(manifest);
  const inputs = tools.flatMap((tool) => tool.inputs);
  return [
    `// The tools of ${harmless(manifest.name) || 'a site'}, as webmcp-forms types made them. Changes made here are lost.\n`,
    ...inputs.map(({ name, words, body }) => `${jsdoc(words)}export interface ${name} {${body}}\n`),
    toolInputs(tools),
    calls,
  ].join('\n');
}

/** The tools of one name, on whichever pages. */
interface NamedTool {
  readonly name: string;
  readonly words: readonly string[];
  /** Distinct; a name may stand for another input on another page. */
  readonly inputs: readonly Input[];
}

interface Input {
  /** The interface's. */
  readonly name: string;
  readonly words: readonly string[];
  readonly body: string;
}

/** A tool with its page. */
interface Found {
  readonly path: string;
  readonly tool: ManifestTool;
}

function toolsOf({ pages }: Manifest): readonly NamedTool[] {
  const byName = new Map<string, Found[]>();
  for (const { path, tools } of pages) for (const tool of tools) add(byName, tool.name, { path, tool });
  const taken: Taken = new Map();
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, found]) => ({
      name,
      words: [...new Set(found.map(({ tool }) => tool.description)), pagesText(found)],
      inputs: inputsOf(name, found, taken),
    }));
}

function inputsOf(name: string, found: readonly Found[], taken: Taken): readonly Input[] {
  const byBody = new Map<string, Found[]>();
  for (const each of found) {
    const body = membersOf(each.tool.inputSchema as JsonRecord, { levels: 0, indent: '' });
    add(byBody, body, each);
  }
  return [...byBody].map(([body, same]) => ({
    name: freeName(`${pascalCase(name)}Input`, taken),
    words: [`What ${name} takes.`, pagesText(same)],
    body,
  }));
}

function add(found: Map<string, Found[]>, key: string, one: Found): void {
  const same = found.get(key);
  if (same) same.push(one);
  else found.set(key, [one]);
}

const pagesText = (found: readonly Found[]): string => {
  const paths = found.slice(0, 10).map(({ path }) => path);
  return `On ${paths.join(', ')}${found.length > 10 ? ` and ${found.length - 10} more pages` : ''}.`;
};

/** The names that are taken, each with the number that was last put to it. */
type Taken = Map<string, number>;

function freeName(name: string, taken: Taken): string {
  let count = taken.get(name) ?? 0;
  let candidate = name;
  while (taken.has(candidate)) candidate = `${name}${(count = Math.max(count, 1) + 1)}`;
  taken.set(name, count).set(candidate, taken.get(candidate) ?? 0);
  return candidate;
}

/** `book_table` becomes `BookTable`. A name begins with no digit. */
const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=\d)/, 'Tool');

function toolInputs(tools: readonly NamedTool[]): string {
  const lines = tools.map(
    ({ name, words, inputs }) =>
      `${jsdoc(words, '  ')}  ${key(name)}: ${inputs.map((input) => input.name).join(' | ')};\n`,
  );
  return `/** What each tool takes, by the tool's name. */\nexport interface ToolInputs {\n${lines.join('')}}\n`;
}

const calls = `export type ToolName = keyof ToolInputs;

/** A tool of the site, as \`getTools\` lists it. */
export interface Tool<Name extends ToolName = ToolName> {
  readonly name: Name;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: object;
  readonly window: Window;
  readonly origin: string;
}

/** Any tool, as \`getTools\` lists it. */
export interface ListedTool extends Omit<Tool, 'name'> {
  readonly name: string;
}

/**
 * \`document.modelContext\` with calls that are checked:
 *
 *     const context: SiteModelContext = document.modelContext;
 *     const tools = await context.getTools();
 *     const tool = tools.find((tool): tool is Tool<'...'> => tool.name === '...');
 *     if (tool) await context.executeTool(tool, { ... });
 */
export interface SiteModelContext {
  getTools(): Promise<readonly ListedTool[]>;
  executeTool<Name extends ToolName>(
    tool: Tool<Name>,
    input: ToolInputs[Name],
    options?: { readonly signal?: AbortSignal },
  ): Promise<string | null>;
}
`;
