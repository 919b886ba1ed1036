import { dirname, relative, sep } from 'node:path';
import * as find from 'empathic/find';
import { readTextFile } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';
import { configFile } from './config-file.js';
import { severities } from '../finding.js';
import { matchesGlob } from './glob.js';
import { nearest } from './nearest.js';
import { isRuleCode, ruleCodes, type RuleCode, type RuleLevel, type RuleLevels } from '../rules/rules.js';

/** What a configuration file says. */
export interface LintConfig {
  /** The folder that its globs start from. */
  readonly folder: string;
  readonly rules: RuleLevels;
  readonly overrides: readonly Override[];
  readonly ignore: readonly string[];
}

export interface Override {
  readonly files: readonly string[];
  readonly rules: RuleLevels;
}

/** The configuration that is nearest to a folder, upwards. */
export function findConfig(folder: string): string | undefined {
  return find.file(configFile, { cwd: folder });
}

/**
 * Reads a configuration; `file` is what a person calls it.
 *
 * @throws {UsageError} that names what is wrong in it
 */
export async function readConfig(at: string, file: string): Promise<LintConfig> {
  const text = await readTextFile(at, file);
  return { folder: dirname(at), ...parseConfig(text, file) };
}

/** @throws {UsageError} */
export function parseConfig(text: string, file: string): Omit<LintConfig, 'folder'> {
  const wrong: Wrong = (what) => {
    throw new UsageError(`cannot use ${file}: ${what}`);
  };
  const config = objectOf(parseJson(text, wrong), 'it', ['$schema', 'rules', 'overrides', 'ignore'], wrong);
  return {
    rules: levelsOf(config['rules'] ?? {}, 'rules', wrong),
    overrides: listOf(config['overrides'] ?? [], 'overrides', wrong).map((each, index) =>
      overrideOf(each, `overrides[${index}]`, wrong),
    ),
    ignore: globsOf(config['ignore'] ?? [], 'ignore', wrong),
  };
}

type Wrong = (what: string) => never;

function parseJson(text: string, wrong: Wrong): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return wrong(`it is not valid JSON: ${(error as Error).message}: correct it`);
  }
}

/** An object as a map, so that no key of it means anything to JavaScript. */
function objectOf(value: unknown, where: string, names: readonly string[] | undefined, wrong: Wrong): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(`${where} is not an object`);
  for (const name of Object.keys(value)) {
    if (names?.includes(name) === false)
      wrong(`${where} has "${name}", which is none of ${names.join(', ')}${meant(name, names)}`);
  }
  return Object.assign(Object.create(null) as Config, value);
}

type Config = Readonly<Record<string, unknown>>;

const meant = (name: string, names: readonly string[]): string => {
  const near = nearest(name, names);
  return near === undefined ? '' : `: did you mean "${near}"?`;
};

const listOf = (value: unknown, where: string, wrong: Wrong): readonly unknown[] =>
  Array.isArray(value) ? value : wrong(`${where} is not a list`);

function globsOf(value: unknown, where: string, wrong: Wrong): readonly string[] {
  const globs = typeof value === 'string' ? [value] : listOf(value, where, wrong);
  return globs.map((glob) =>
    typeof glob === 'string' && glob !== '' ? glob : wrong(`${where} has an entry that is no glob`),
  );
}

function overrideOf(value: unknown, where: string, wrong: Wrong): Override {
  const { files, rules } = objectOf(value, where, ['files', 'rules'], wrong);
  if (files === undefined) return wrong(`${where} has no "files": name the pages that it is for`);
  return { files: globsOf(files, `${where}.files`, wrong), rules: levelsOf(rules ?? {}, `${where}.rules`, wrong) };
}

function levelsOf(value: unknown, where: string, wrong: Wrong): RuleLevels {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(`${where} is not an object`);
  return Object.fromEntries(
    Object.entries(value).map(([code, level]) => [
      ruleCode(code, (what) => wrong(`${where}: ${what}`)),
      ruleLevel(level, (what) => wrong(`${where}: ${code}: ${what}`)),
    ]),
  );
}

/** A rule by its code, or what is wrong with it. */
function ruleCode(code: string, wrong: Wrong): RuleCode {
  if (isRuleCode(code)) return code;
  const near = nearest(code, ruleCodes);
  return wrong(`there is no rule "${code}"${near === undefined ? '' : `: did you mean "${near}"?`}`);
}

export const ruleLevels: readonly RuleLevel[] = ['off', 'info', 'warning', 'error'];
const aliases: Readonly<Partial<Record<string, RuleLevel>>> = Object.assign(Object.create(null), {
  warn: 'warning',
  note: 'info',
  none: 'off',
}) as Record<string, RuleLevel>;

function ruleLevel(level: unknown, wrong: Wrong): RuleLevel {
  const known = ruleLevels.find((each) => each === level);
  if (known !== undefined) return known;
  const near = typeof level === 'string' ? (aliases[level] ?? nearest(level, ruleLevels)) : undefined;
  const said = typeof level === 'string' ? `"${level}"` : 'what it has';
  return wrong(`${said} is none of ${ruleLevels.join(', ')}${near === undefined ? '' : `: did you mean "${near}"?`}`);
}

/** The levels of `--rule code:severity`, the last of a rule being the one that counts. */
export function levelsOfFlags(flags: readonly string[]): RuleLevels {
  return Object.fromEntries(
    flags.map((flag) => {
      const wrong: Wrong = (what) => {
        throw new UsageError(`cannot use --rule ${flag}: ${what}`);
      };
      const colon = flag.indexOf(':');
      if (colon < 0)
        return wrong(`it is not CODE:SEVERITY: write, for example, --rule form-without-tool:${severities[1]}`);
      return [ruleCode(flag.slice(0, colon), wrong), ruleLevel(flag.slice(colon + 1), wrong)];
    }),
  );
}

/** A file's path as a configuration's globs see it. */
const pathIn = (folder: string, at: string): string => relative(folder, at).split(sep).join('/');

export const isIgnored = ({ folder, ignore }: LintConfig, at: string): boolean =>
  ignore.length > 0 && ignore.some((glob) => matchesGlob(pathIn(folder, at), glob));

/** The levels that a configuration has for a file; what comes later counts. */
export function levelsFor({ folder, rules, overrides }: LintConfig, at: string): RuleLevels {
  if (overrides.length === 0) return rules;
  const path = pathIn(folder, at);
  const holding = overrides.filter(({ files }) => files.some((glob) => matchesGlob(path, glob)));
  return Object.assign({}, rules, ...holding.map((override) => override.rules)) as RuleLevels;
}
