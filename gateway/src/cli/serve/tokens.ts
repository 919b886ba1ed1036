import { resolve } from 'node:path';
import { UsageError } from 'webmcp-forms/build';
import { readTextFile } from 'webmcp-forms/cli';
import { preview } from 'webmcp-forms/headless';
import { tokenProblem, type Token } from '../../node/access/tokens.js';

/**
 * Reads the tokens of the environment and of `--token-file`. Error messages do not contain them.
 *
 * @throws {UsageError} also for an empty token, which would otherwise allow all callers by mistake
 */
export async function readTokens(
  token: string | undefined,
  file: string | undefined,
  cwd: string,
): Promise<readonly Token[]> {
  const problem = token === undefined ? undefined : tokenProblem(token);
  if (problem !== undefined) throw new UsageError(`WEBMCP_FORMS_TOKEN ${problem}`);
  const own = token === undefined ? [] : [{ token }];
  return file === undefined ? own : [...own, ...parseTokens(await readTextFile(resolve(cwd, file), file), file)];
}

function parseTokens(text: string, file: string): readonly Token[] {
  const tokens = text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), place: `${file}, line ${index + 1}` }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, place }) => parseLine(line, place));
  if (tokens.length === 0) throw new UsageError(`${file} has no tokens. Add lines with NAME:TOKEN.`);
  const names = tokens.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw new UsageError(`${file} repeats the name ${preview(repeated)}. Use one name per client.`);
  return tokens;
}

function parseLine(line: string, place: string): Token & { readonly name: string } {
  const [, name = '', token = ''] = /^([\w.-]{1,64}):(.*)$/.exec(line) ?? [];
  if (name === '') throw new UsageError(`${place} is not NAME:TOKEN. Use letters, digits and -._ in names.`);
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new UsageError(`${place}: the token of ${preview(name)} ${problem}`);
  return { name, token };
}
