import { resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { exceedsDepth, isRecord, maxJsonDepth, type JsonRecord } from '../../json.js';
import { truncate } from '../../visible-text.js';
import { maxManifestBytes, maxSchemaLength } from '../limits.js';
import { pathProblem } from '../pages/page-path.js';
import { parseJson } from '../pages/read-records.js';
import { readTextFile } from '../pages/read-text.js';
import { oneLine } from '../printable.js';
import { reasonOf, UsageError } from '../usage-error.js';
import type { Manifest, ManifestPage, ManifestTool } from './manifest.js';
import schema from './manifest.schema.json' with { type: 'json' };

const validate = new Ajv2020({ strict: false, verbose: true }).compile<Manifest>(schema);

/** Reads a manifest from a file. @param name - the file's name for error messages */
export const readManifest = async (file: string, cwd: string, name = file): Promise<Manifest> =>
  parseManifest(await readTextFile(resolve(cwd, file), name, maxManifestBytes), name);

/**
 * Parses and validates a manifest.
 *
 * @param file - the name of the file in error messages
 * @param advice - the instruction in error messages, as a sentence
 * @throws {UsageError} if the text is not a valid manifest. The message contains the place of the error
 */
export function parseManifest(
  text: string,
  file: string,
  advice = 'Compile it again, or name another file.',
): Manifest {
  const invalid = (reason: string, cause?: unknown): UsageError =>
    new UsageError(`${file} is not a tool manifest: ${oneLine(reason)}. ${advice}`, { cause });
  checkMemory(text, file);
  const value = parseJson(text, (reason, cause) => invalid(`${reason} (${reasonOf(cause)})`, cause));
  if (!validate(value)) throw invalid(isRecord(value) ? schemaProblem(value) : 'it is not a JSON object');
  const problem = manifestProblem(value);
  if (problem !== undefined) throw invalid(problem);
  return value;
}

/** The memory of an object, an array or a member in a parsed manifest, in bytes, rounded up. */
const bytesPerValue = 60;

/** Rejects manifests that do not fit into memory: Node.js cannot catch running out of memory. */
function checkMemory(text: string, file: string): void {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  const isTooLarge = (values: number): boolean => text.length + values * bytesPerValue >= limit - used;
  if (!isTooLarge(text.length)) return;
  const values = countValues(text);
  if (!isTooLarge(values)) return;
  const gigabytes = Math.ceil((text.length + values * bytesPerValue + used) / 1e9);
  throw new UsageError(
    `Cannot read ${file}: its ${values} values need about ${gigabytes} GB of memory. Split it, or set NODE_OPTIONS=--max-old-space-size=${gigabytes * 1000}.`,
  );
}

function countValues(text: string): number {
  let count = 0;
  for (const character of ['{', '[', ','])
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

function schemaProblem({ manifestVersion }: JsonRecord): string {
  if (typeof manifestVersion === 'number' && manifestVersion > 1)
    return `its manifestVersion is ${manifestVersion}, but this version of webmcp-forms supports 1`;
  const { instancePath = '', message, keyword, params } = (validate.errors?.[0] ?? {}) as Partial<ErrorObject>;
  const name = keyword === 'additionalProperties' ? ` "${String(params?.additionalProperty)}"` : '';
  return `${truncate(instancePath, 200)} ${message}${truncate(name, 200)}`.trim();
}

/** A problem that the JSON Schema cannot express. */
function manifestProblem({ pages }: Manifest): string | undefined {
  const path = findDuplicate(pages.map((page) => page.path));
  if (path !== undefined) return `two pages have the path "${path}"`;
  for (const page of pages) {
    const problem = pageProblem(page);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The nesting levels of a manifest around a page. */
const levelsAroundPages = 2;

/** A problem of a page that the JSON Schema cannot express: an invalid path, deep nesting, a duplicate tool, a long schema. */
export function pageProblem({ path, tools, diagnostics }: ManifestPage): string | undefined {
  const problem = pathProblem(path);
  if (problem !== undefined) return `the path "${path.slice(0, 200)}" of a page ${problem}`;
  const levels = maxJsonDepth - levelsAroundPages;
  if (exceedsDepth({ tools, diagnostics }, levels)) return `${path} is nested deeper than ${levels} levels`;
  const name = findDuplicate(tools.map((tool) => tool.name));
  if (name !== undefined) return `two tools of ${path} have the name "${name}"`;
  return tools.map(toolProblem).find((each) => each !== undefined);
}

function toolProblem({ name, inputSchema }: ManifestTool): string | undefined {
  return JSON.stringify(inputSchema).length > maxSchemaLength
    ? `the schema of the tool ${name} has more than ${maxSchemaLength / 1e6} million characters`
    : undefined;
}

function findDuplicate(names: readonly string[]): string | undefined {
  const found = new Set<string>();
  return names.find((name) => found.size === found.add(name).size);
}
