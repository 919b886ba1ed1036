import { resolve } from 'node:path';
import { UsageError } from 'webmcp-forms/build';
import { readTextFile } from 'webmcp-forms/cli';
import { type JsonRecord, isRecord, preview } from 'webmcp-forms/headless';
import { actionsOf, type Action } from '../webtools/actions.js';
import { configuredHeaders, configuredSettings } from '../submission/config.js';
import { GatewayError } from '../gateway-error.js';
import { twinMember } from '../http/json-text.js';
import type { OperatorConfig } from '../settings.js';
import type { GatewayManifest } from '../tool.js';

/**
 * The operator's configuration in a file, whose values no error tells.
 *
 * @throws {UsageError} with all that is wrong with it
 */
export async function readOperatorConfig(file: string, cwd: string): Promise<OperatorConfig> {
  const text = await readTextFile(resolve(cwd, file), file);
  const config = parse(text, file);
  const mistakes = isRecord(config) ? mistakesIn(config) : ['it is no JSON object'];
  const twin = twinMember(text);
  if (twin) mistakes.unshift(`one of its objects has ${preview(twin.name)} twice`);
  if (mistakes.length > 0) throw wrong(file, mistakes);
  return config as OperatorConfig;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(file, ['it is not valid JSON']); // the error of the platform tells the text
  }
}

const wrong = (file: string, mistakes: readonly string[]): UsageError =>
  new UsageError(`${file} is no configuration: ${mistakes.join('; ')}: see webmcp-gateway serve --help`);

function mistakesIn(config: JsonRecord): string[] {
  const { headers = {}, values = {}, ...others } = config;
  return [
    ...Object.keys(others).map((name) => `it has ${preview(name)}, and may have headers and values`),
    ...(isRecord(headers) ? mistakesInHeaders(headers) : ['its "headers" are no object']),
    ...(isRecord(values) ? mistakesInValues(values) : ['its "values" are no object']),
  ];
}

const anyUrl = new URL('https://site.invalid/');

const mistakesInHeaders = (headers: JsonRecord): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    mistakeOf(() => configuredHeaders({ headers: { [name]: value as string } }, anyUrl)),
  );

const mistakesInValues = (values: JsonRecord): readonly string[] =>
  Object.entries(values).flatMap(([action, controls]) => {
    if (!isRecord(controls)) return [`its values of ${preview(action)} are no object`];
    const names = Object.keys(controls).filter((name) => !isText(controls[name]));
    return names.map((name) => `its value of ${preview(name)} in ${preview(action)} is no text and no list of texts`);
  });

const isText = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

/**
 * What of a configuration a manifest has no use for.
 *
 * @throws {UsageError} with all of it
 */
export function checkConfig({ values = {} }: OperatorConfig, manifest: GatewayManifest, file: string): void {
  const actions = new Map(actionsOf(manifest).actions.map((action) => [action.name, action]));
  const mistakes = Object.entries(values).flatMap(([name, controls]) => {
    const action = actions.get(name);
    return action ? mistakesFor(action, controls) : [`the manifest has no action ${preview(name)}`];
  });
  if (mistakes.length > 0) throw new UsageError(`${file} does not fit the manifest: ${mistakes.join('; ')}`);
}

const mistakesFor = (
  { name, form }: Action,
  controls: Readonly<Record<string, string | readonly string[]>>,
): readonly string[] =>
  Object.entries(controls).flatMap(([control, value]) =>
    mistakeOf(() => configuredSettings(form, { values: { [control]: value } })).map(
      (mistake) => `${preview(name)}: ${mistake}`,
    ),
  );

/** Why something of a configuration is refused, without the beginning and the end of the sentence. */
function mistakeOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof GatewayError) return [error.message.replace(/^[^:]*: |\.$/g, '')];
    throw error;
  }
}
