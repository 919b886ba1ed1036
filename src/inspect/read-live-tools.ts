import type { Page } from 'playwright-core';
import type { JsonSchema } from '../compiler/index.js';
import { exceedsDepth, isRecord } from '../json.js';
import { oneLine } from '../site/printable.js';
import { reasonOf, UsageError } from '../site/usage-error.js';

export interface LiveTool {
  readonly name: string;
  /** Absent if it is empty. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether an annotated form of the page has this tool name. */
  readonly isForm: boolean;
}

/** Reads the tools of a page's document, sorted by name; undefined without a model context. */
export async function readTools(page: Page): Promise<readonly LiveTool[] | undefined> {
  const value = parse(await page.evaluate(inPage).catch(throwContextError));
  if (value === null) return undefined;
  if (!isRecord(value) || !Array.isArray(value.tools) || !Array.isArray(value.forms)) throw invalidTools();
  const forms = new Set(value.forms);
  return value.tools.map((tool) => liveTool(tool, forms)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A page may replace `document.modelContext` by an object that throws. */
function throwContextError(cause: unknown): never {
  const [reason = ''] = reasonOf(cause).split('\n');
  if (/crash|has been closed|context was destroyed|navigation/i.test(reason)) throw cause;
  throw new UsageError(`The page's document.modelContext failed: ${oneLine(reason)}. Check the scripts of the page.`, {
    cause,
  });
}

function parse(text: unknown): unknown {
  try {
    const value = JSON.parse(String(text)) as unknown;
    if (!exceedsDepth(value)) return value;
  } catch {
    // invalid JSON
  }
  throw invalidTools();
}

const invalidTools = (): UsageError =>
  new UsageError("The page's document.modelContext did not return a list of tools. Check the scripts of the page.");

function liveTool(tool: unknown, forms: ReadonlySet<unknown>): LiveTool {
  if (!isRecord(tool)) throw invalidTools();
  const { name, title, description, inputSchema } = tool;
  const schema = typeof inputSchema === 'string' ? parse(inputSchema) : (inputSchema ?? {});
  if (typeof name !== 'string' || typeof description !== 'string' || !isRecord(schema)) throw invalidTools();
  return {
    name,
    ...(typeof title === 'string' && title !== '' && { title }),
    description,
    inputSchema: schema,
    isForm: forms.has(name),
  };
}

/** WebMCP requires a secure context. */
export const isSecure = async (page: Page): Promise<boolean> => page.evaluate<boolean>('window.isSecureContext');

/** A string, because a compiler may add code to functions that does not exist in the page. */
const inPage = `(async () => {
  const context = document.modelContext;
  if (!context) return 'null';
  const roots = [document];
  const forms = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (element.localName !== 'form') continue;
      forms.push(element.getAttribute('toolname') ?? element.getAttribute('data-toolname'));
    }
  }
  const listed = await context.getTools();
  const tools = listed
    .filter((tool) => tool.window === undefined || tool.window === window)
    .map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }));
  return JSON.stringify({ tools, forms });
})()`;
