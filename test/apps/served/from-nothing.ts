import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until, type LiveTab } from '../live.js';

const program = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url));
const execute = promisify(execFile);

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built webmcp-forms in a folder. The environment has the values of `--login`. */
export const runProgram = (cwd: string, args: readonly string[], login: object = {}): Promise<ProgramOutput> =>
  execute(process.execPath, [program, ...args], {
    cwd,
    maxBuffer: 2 ** 27,
    env: { ...process.env, WEBMCP_FORMS_LOGIN: JSON.stringify(login) },
  });

const annotations =
  /\s+(?:data-)?(?:tool(?:name|title|description|autosubmit)|webmcp-response)(?:="[^"]*")?(?=[\s/>])/g;

/** Removes the annotations from the templates in a folder, so that they are as their author wrote them. */
export function removeAnnotations(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const file = join(folder, name);
    const before = readFileSync(file, 'utf8');
    const forms = before.replace(/<form\b[^>]*>/g, (tag) => tag.replace(annotations, ''));
    if (forms !== before) writeFileSync(file, forms);
  }
}

interface CompiledPage {
  readonly path: string;
  readonly tools: readonly { readonly name: string }[];
}

/** The names of the tools of a manifest, by page. */
export function toolsOf(manifest: string): Readonly<Record<string, readonly string[]>> {
  const { pages } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly pages: readonly CompiledPage[] };
  return Object.fromEntries(pages.map(({ path, tools }) => [path, tools.map(({ name }) => name)]));
}

/** Calls a tool whose form waits for the user, presses its button as the user, and waits for a text of the next page. */
export async function callAndPress(tab: LiveTab, tool: string, input: object, expected: string): Promise<void> {
  await until(
    tab,
    async ([name, values]) => {
      const tools = await document.modelContext?.getTools();
      const found = tools?.find((each) => each.name === name);
      if (!found) return false;
      void document.modelContext?.executeTool(found, values).catch(() => undefined);
      return true;
    },
    [tool, input] as const,
  );
  const [[name, value]] = Object.entries(input) as [[string, unknown]];
  await until(
    tab,
    ([named, wanted]) => document.querySelector<HTMLInputElement>(`[name="${named}"]`)?.value === wanted,
    [name, String(value)] as const,
  );
  await tab.evaluate((tool) => {
    document
      .querySelector<HTMLElement>(`form[toolname="${tool}"] button, form[toolname="${tool}"] [type=submit]`)
      ?.click();
  }, tool);
  await until(tab, (text) => document.body.innerText.includes(text), expected);
}

/** Expects that a program has printed no secret. */
export function printsNo(secret: string, ...outputs: readonly ProgramOutput[]): void {
  for (const { stdout, stderr } of outputs) assert.ok(!(stdout + stderr).includes(secret));
}
