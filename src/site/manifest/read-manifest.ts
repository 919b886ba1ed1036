import { resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { exceedsDepth, isRecord, maxJsonDepth, type JsonRecord } from '../../json.js';
import { pathProblem } from '../pages/page-path.js';
import { parseJson } from '../pages/read-records.js';
import { readTextFile } from '../pages/read-text.js';
import { oneLine } from '../printable.js';
import { reasonOf, UsageError } from '../usage-error.js';
import type { Manifest, ManifestPage } from './manifest.js';
import schema from './manifest.schema.json' with { type: 'json' };

const validate = new Ajv2020({ strict: false, verbose: true }).compile<Manifest>(schema);

/** Reads a manifest from a file. */
export const readManifest = async (file: string, cwd: string): Promise<Manifest> =>
  parseManifest(await readTextFile(resolve(cwd, file), file), file);

/**
 * Parses and validates a manifest.
 *
 * @param file - the name of the text in error messages
 * @param advice - the instruction in error messages, as a sentence
 * @throws {UsageError} if the text is not a valid manifest, with the place of the error
 */
export function parseManifest(
  text: string,
  file: string,
  advice = 'Compile it again, or name another file.',
): Manifest {
  const invalid = (reason: string, cause?: unknown): UsageError =>
    new UsageError(`${file} is not a tool manifest: ${oneLine(reason)}. ${advice}`, { cause });
  const value = parseJson(text, (reason, cause) => invalid(`${reason} (${reasonOf(cause)})`, cause));
  if (!validate(value)) throw invalid(isRecord(value) ? schemaProblem(value) : 'it is not a JSON object');
  const problem = manifestProblem(value);
  if (problem !== undefined) throw invalid(problem);
  return value;
}

function schemaProblem({ manifestVersion }: JsonRecord): string {
  if (typeof manifestVersion === 'number' && manifestVersion > 1)
    return `its manifestVersion is ${manifestVersion}, but this version of webmcp-forms supports 1`;
  const { instancePath = '', message, keyword, params } = (validate.errors?.[0] ?? {}) as Partial<ErrorObject>;
  const name = keyword === 'additionalProperties' ? ` "${String(params?.additionalProperty)}"` : '';
  return `${truncate(instancePath)} ${message}${truncate(name)}`.trim();
}

const truncate = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);

/** A problem that the JSON Schema cannot express. */
function manifestProblem({ pages }: Manifest): string | undefined {
  const path = findDuplicate(pages.map((page) => page.path));
  if (path !== undefined) return `two pages have the path "${path}"`;
  return pages.map(pageProblem).find((problem) => problem !== undefined);
}

/** The nesting levels of a manifest around a page. */
const levelsAroundPages = 2;

/** A problem of a page that the JSON Schema cannot express: its path, duplicate tool names or excessive nesting. */
export function pageProblem({ path, tools, diagnostics }: ManifestPage): string | undefined {
  const problem = pathProblem(path);
  if (problem !== undefined) return `the path "${path.slice(0, 200)}" of a page ${problem}`;
  const levels = maxJsonDepth - levelsAroundPages;
  if (exceedsDepth({ tools, diagnostics }, levels)) return `${path} is nested deeper than ${levels} levels`;
  const name = findDuplicate(tools.map((tool) => tool.name));
  return name === undefined ? undefined : `two tools of ${path} have the name "${name}"`;
}

function findDuplicate(names: readonly string[]): string | undefined {
  const found = new Set<string>();
  return names.find((name) => found.size === found.add(name).size);
}
