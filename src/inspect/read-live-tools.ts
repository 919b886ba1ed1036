import type { Page } from 'playwright-core';
import type { JsonSchema } from '../compiler/index.js';
import { deepestJson, isDeeperThan, isRecord } from '../json.js';
import { oneLine } from '../site/report.js';
import { reasonOf, UsageError } from '../site/usage-error.js';

/** A tool that a page offers. */
export interface LiveTool {
  readonly name: string;
  /** Absent when it has none. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether a form of the page is annotated with its name. */
  readonly isForm: boolean;
}

/** The tools of a page's document, by name; undefined if the page has no model context. */
export async function readTools(page: Page): Promise<readonly LiveTool[] | undefined> {
  const value = parse(await page.evaluate(inPage).catch(refused));
  if (value === null) return undefined;
  if (!isRecord(value) || !Array.isArray(value.tools) || !Array.isArray(value.forms)) throw strange();
  const forms = new Set(value.forms);
  return value.tools.map((tool) => liveTool(tool, forms)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A page may have made its own of what is asked. */
function refused(cause: unknown): never {
  const [reason = ''] = reasonOf(cause).split('\n');
  if (/crash|has been closed|context was destroyed|navigation/i.test(reason)) throw cause;
  throw new UsageError(`the page's document.modelContext fails: ${oneLine(reason)}: see what its scripts do to it`, {
    cause,
  });
}

function parse(text: unknown): unknown {
  try {
    const value = JSON.parse(String(text)) as unknown;
    if (!isDeeperThan(value, deepestJson)) return value;
  } catch {
    // Not JSON is as wrong as too deep.
  }
  throw strange();
}

const strange = (): UsageError =>
  new UsageError(
    'the page answers for document.modelContext with what is no list of tools: see what its scripts do to it',
  );

function liveTool(tool: unknown, forms: ReadonlySet<unknown>): LiveTool {
  if (!isRecord(tool)) throw strange();
  const { name, title, description, inputSchema } = tool;
  const schema = typeof inputSchema === 'string' ? parse(inputSchema) : (inputSchema ?? {});
  if (typeof name !== 'string' || typeof description !== 'string' || !isRecord(schema)) throw strange();
  return {
    name,
    ...(typeof title === 'string' && title !== '' && { title }),
    description,
    inputSchema: schema,
    isForm: forms.has(name),
  };
}

/** Whether the page may have tools at all. */
export const isSecure = async (page: Page): Promise<boolean> => page.evaluate<boolean>('window.isSecureContext');

/** A text, because what compiles this file may add to functions what the page does not have. */
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
