import type { Page } from 'playwright-core';
import { exceedsDepth, isRecord, parseJson } from '../json.js';
import type { ManifestTool } from '../site/manifest/manifest.js';
import { oneLine } from '../site/printable.js';
import { reasonOf, UsageError } from '../site/usage-error.js';

export interface LiveTool extends Pick<ManifestTool, 'name' | 'title' | 'description' | 'inputSchema'> {
  /** Whether an annotated form of the page has this tool name. */
  readonly isForm: boolean;
}

/** Reads the tools of a page's document, sorted by name; undefined without a model context. */
export async function readTools(page: Page): Promise<readonly LiveTool[] | undefined> {
  const value = parse(await page.evaluate(inPage).catch(throwContextError));
  if (value === null) return undefined;
  if (isRecord(value) && typeof value.limit === 'string')
    throw new UsageError(
      `The page lists ${oneLine(value.limit).slice(0, 100)}. Remove tools, or shorten their descriptions and schemas.`,
    );
  if (!isRecord(value) || !Array.isArray(value.tools) || !Array.isArray(value.forms)) throw invalidTools();
  const forms = new Set(value.forms);
  return value.tools.map((tool) => liveTool(tool, forms)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reports a page that has replaced `document.modelContext` by an object that throws. */
function throwContextError(cause: unknown): never {
  const [reason = ''] = reasonOf(cause).split('\n');
  if (/crash|has been closed|context was destroyed|navigation/i.test(reason)) throw cause;
  throw new UsageError(`The page's document.modelContext failed: ${oneLine(reason)}. Check the scripts of the page.`, {
    cause,
  });
}

function parse(text: unknown): unknown {
  const value = typeof text === 'string' && text.length <= 4 * maxCharacters ? parseJson(text) : undefined;
  if (value !== undefined && !exceedsDepth(value)) return value;
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

/** Whether a page has a secure context, which WebMCP requires. */
export const isSecure = async (page: Page): Promise<boolean> => page.evaluate<boolean>('window.isSecureContext');

/** The maximum number of tools of a page, and of characters in their strings and schemas. The page may be hostile. */
const maxTools = 10_000;
const maxCharacters = 20_000_000;

/** The code that runs in the page. It is a string, because a compiled function may call helpers that the page does not have. */
const inPage = `(async () => {
  // A visitor's image named modelContext shadows the attribute.
  const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'modelContext') ?? {};
  const context = get ? get.call(document) : document.modelContext;
  if (!context) return 'null';
  const roots = [document];
  const forms = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (element.localName === 'form' && forms.length < ${maxTools})
        forms.push(element.getAttribute('toolname') ?? element.getAttribute('data-toolname'));
    }
  }
  const listed = await context.getTools();
  const texts = [];
  let length = 0;
  for (let index = 0; index < listed.length; index++) {
    if (index >= ${maxTools}) return '{"limit":"more than ${maxTools} tools"}';
    const { name, title, description, inputSchema, window: owner } = listed[index];
    if (owner !== undefined && owner !== window) continue;
    for (const part of [name, title, description, inputSchema]) length += typeof part === 'string' ? part.length : 0;
    if (length > ${maxCharacters}) break;
    const text = JSON.stringify({ name, title, description, inputSchema });
    length += String(text).length;
    if (length > ${maxCharacters}) break;
    texts.push(text);
  }
  if (length > ${maxCharacters}) return '{"limit":"tools of more than ${maxCharacters / 1e6} million characters"}';
  return '{"tools":[' + texts.join(',') + '],"forms":' + JSON.stringify(forms) + '}';
})()`;
