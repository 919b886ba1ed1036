import { resolve } from 'node:path';
import { type Manifest, UsageError, readManifest } from 'webmcp-forms/build';
import { readTextFile } from 'webmcp-forms/cli';
import {
  type JsonRecord,
  SubmissionError,
  configuredAssignments,
  configuredHeaders,
  findDuplicateKey,
  isRecord,
  parseJson,
  preview,
} from 'webmcp-forms/headless';
import { checkManifest, type GatewayManifest } from '../manifest.js';
import type { OperatorConfig } from '../settings.js';
import { actionsOf } from '../webtools/actions.js';

/**
 * Reads the operator's configuration. Error messages do not contain its values.
 *
 * @throws {UsageError} with all problems
 */
export async function readOperatorConfig(file: string, cwd: string): Promise<OperatorConfig> {
  const text = await readTextFile(resolve(cwd, file), file);
  const config = parseJson(text);
  if (config === undefined) throw invalid(file, ['it is not valid JSON']);
  const problems = isRecord(config) ? problemsIn(config) : ['it is not a JSON object'];
  const duplicate = findDuplicateKey(text);
  if (duplicate) problems.unshift(`an object repeats the key ${preview(duplicate.name)}`);
  if (problems.length > 0) throw invalid(file, problems);
  return config as OperatorConfig;
}

const invalid = (file: string, problems: readonly string[]): UsageError =>
  new UsageError(`${file} is not a valid configuration: ${problems.join('; ')}. See webmcp-gateway serve --help.`);

function problemsIn(config: JsonRecord): string[] {
  const { headers = {}, values = {}, fresh = {}, ...others } = config;
  return [
    ...Object.keys(others).map((name) => `its member ${preview(name)} is unknown. Use headers, values and fresh`),
    ...(isRecord(headers) ? headerProblems(headers) : ['its "headers" are not an object']),
    ...(isRecord(values) ? valueProblems(values) : ['its "values" are not an object']),
    ...(isRecord(fresh) ? freshProblems(fresh) : ['its "fresh" is not an object']),
  ];
}

const anyUrl = new URL('https://site.invalid/');

const headerProblems = (headers: JsonRecord): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    problemOf(() => configuredHeaders({ headers: { [name]: value as string } }, anyUrl)),
  );

const valueProblems = (values: JsonRecord): readonly string[] =>
  Object.entries(values).flatMap(([action, controls]) => {
    if (!isRecord(controls)) return [`its values of ${preview(action)} are not an object`];
    const names = Object.keys(controls).filter((name) => !isTextOrTexts(controls[name]));
    return names.map(
      (name) => `its value of ${preview(name)} in ${preview(action)} is not a string or an array of strings`,
    );
  });

const freshProblems = (fresh: JsonRecord): readonly string[] =>
  Object.keys(fresh)
    .filter((action) => !Array.isArray(fresh[action]) || !isTextOrTexts(fresh[action]))
    .map((action) => `its fresh names of ${preview(action)} are not an array of strings`);

const isTextOrTexts = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

/**
 * Checks that all actions and controls of a configuration exist in the manifest.
 *
 * @throws {UsageError} with all problems
 */
export function checkConfig(
  { values = {}, fresh = {} }: OperatorConfig,
  manifest: GatewayManifest,
  file: string,
): void {
  const actions = new Map(actionsOf(manifest).actions.map((action) => [action.name, action]));
  const problems = Object.entries(values).flatMap(([name, controls]) => {
    const form = actions.get(name)?.form;
    if (!form) return [`the manifest has no action ${preview(name)}`];
    return Object.entries(controls)
      .flatMap(([control, value]) => problemOf(() => configuredAssignments(form, { values: { [control]: value } })))
      .map((problem) => `${preview(name)}: ${problem}`);
  });
  problems.push(
    ...Object.keys(fresh).flatMap((name) => (actions.has(name) ? [] : `the manifest has no action ${preview(name)}`)),
  );
  if (problems.length > 0) throw new UsageError(`${file} does not match the manifest: ${problems.join('; ')}.`);
}

/** Reads a manifest that the gateway can serve. @throws {UsageError} */
export async function readServableManifest(file: string, cwd: string): Promise<Manifest> {
  const manifest = await readManifest(file, cwd);
  try {
    checkManifest(manifest);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${file}: ${error.message}`, { cause: error });
  }
  return manifest;
}

function problemOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof SubmissionError) return [error.message.replace(/^[^:]*: |\.$/g, '')];
    throw error;
  }
}
