import { resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Manifest, ManifestPage } from './manifest.js';
import schema from './manifest.schema.json' with { type: 'json' };
import { readTextFile } from '../pages/read-text.js';
import { deepestJson, isDeeperThan, isRecord } from '../../json.js';
import { oneLine } from '../report.js';
import { UsageError } from '../usage-error.js';

const validate = new Ajv2020({ strict: false, verbose: true }).compile<Manifest>(schema);

/** The manifest in a file. */
export const readManifest = async (file: string, cwd: string): Promise<Manifest> =>
  parseManifest(await readTextFile(resolve(cwd, file), file), file);

/**
 * The manifest that a text is.
 *
 * @param file - what the text is called in an error
 * @param advice - the way out that the error names
 * @throws {UsageError} when it is none, with the place
 */
export function parseManifest(text: string, file: string, advice = 'compile it again, or name another file'): Manifest {
  const wrong = (reason: string, cause?: unknown): UsageError =>
    new UsageError(`${file} is no tool manifest: ${oneLine(reason)}: ${advice}`, { cause });
  const value = parseJson(text, wrong);
  if (!validate(value))
    throw wrong(isRecord(value) ? reasonFor(value, validate.errors?.[0]) : 'it is not a JSON object');
  const problem = problemOf(value);
  if (problem !== undefined) throw wrong(problem);
  return value;
}

function parseJson(text: string, wrong: (reason: string, cause: unknown) => UsageError): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrong(`it is not valid JSON (${cause instanceof Error ? cause.message : ''})`, cause);
  }
}

function reasonFor(value: Readonly<Record<string, unknown>>, error: ErrorObject | undefined): string {
  const { manifestVersion } = value;
  if (typeof manifestVersion === 'number' && manifestVersion > 1) {
    return `its manifestVersion is ${manifestVersion}, and this version of webmcp-forms knows 1`;
  }
  const { instancePath = '', message = 'wrong', keyword, params } = error ?? {};
  const what = keyword === 'additionalProperties' ? ` "${String(params?.additionalProperty)}"` : '';
  const place = instancePath === '' ? '' : `${shorten(instancePath)} `;
  return `${place}${message}${shorten(what)}`;
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);

/** What is wrong with a manifest that its JSON Schema cannot say: the names that tell pages and tools apart, and depth. */
function problemOf({ pages }: Manifest): string | undefined {
  const path = twin(pages.map((page) => page.path));
  if (path !== undefined) return `two pages have the path "${path}"`;
  return pages.map(problemOfPage).find((problem) => problem !== undefined);
}

/** The same of one page. */
export function problemOfPage({ path, tools, diagnostics }: ManifestPage): string | undefined {
  const levels = deepestJson - levelsOfPages;
  if (isDeeperThan({ tools, diagnostics }, levels)) return `${path} is nested deeper than ${levels} levels`;
  const name = twin(tools.map((tool) => tool.name));
  return name === undefined ? undefined : `two tools of ${path} have the name "${name}"`;
}

/** How deep a page is in its manifest. */
const levelsOfPages = 2;

const twin = (names: readonly string[]): string | undefined =>
  new Set(names).size === names.length ? undefined : names.find((name, index) => names.indexOf(name) < index);
