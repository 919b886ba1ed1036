import type { ToolEntry } from './tools.js';

/** JSON as JavaScript that is safe in a script tag too, and means the same: `__proto__` is no member there. */
function literal(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
    .replace(/<(?=[!/]|script)/gi, '\\u003c')
    .replace(/-->/g, '--\\u003e')
    .replace(/[\u2028\u2029]/g, (separator) => `\\u${separator.charCodeAt(0).toString(16)}`);
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g, (all, string: string, colon = '') =>
    colon && JSON.parse(string) === '__proto__' ? `[${string}]${String(colon)}` : all,
  );
}

const schemaOf = ({ schema }: ToolEntry): object | undefined => (schema ? (JSON.parse(schema) as object) : undefined);

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A call of `registerTool` that registers a tool like this one, with nothing done yet. */
export function toCode(entry: ToolEntry): string {
  const { name, title, description } = entry;
  const hints = Object.fromEntries(entry.hints.map((hint) => [hint, true]));
  const members: Readonly<Record<string, unknown>> = {
    ...{ name, title: title || undefined, description, inputSchema: schemaOf(entry) },
    annotations: Object.keys(hints).length > 0 ? hints : undefined,
  };
  const lines = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${key}: ${indented(literal(value))},\n`);
  return `document.modelContext.registerTool({
${lines.join('')}  async execute(input, { signal }) {
    // Do what the description says, and return the result: a string, or anything that JSON can hold.
    // return { done: true };
  },
});
`;
}

/**
 * The tool as MCP lists it. A hint that is not given is not known, so it is left out.
 * https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool
 */
export function toMcp(entry: ToolEntry): string {
  const { name, title, description, hints } = entry;
  const annotations = {
    ...(hints.includes('readOnlyHint') && { readOnlyHint: true }),
    ...(hints.includes('consequentialHint') && { destructiveHint: true }),
  };
  const tool = {
    ...{ name, ...(title && { title }), description },
    inputSchema: { type: 'object', ...schemaOf(entry) },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  return JSON.stringify(tool, null, 2);
}
