import { dirname, relative, sep } from 'node:path';
import { isRecord } from '../../json.js';
import { maxConfigBytes } from '../../site/limits.js';
import { createMatcher, globExcess } from '../../site/pages/glob.js';
import { findFileUp, readTextFile } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';
import { nearest } from '../edit-distance.js';
import type { RuleLevel } from '../rules/rule.js';
import { isRuleCode, unknownRule, type RuleLevels } from '../rules/rules.js';
import { configFile } from './config-file.js';

export interface LintConfig {
  readonly folder: string;
  readonly rules: RuleLevels;
  readonly overrides: readonly Override[];
  readonly ignore: PathFilter;
}

interface Override {
  readonly files: PathFilter;
  readonly rules: RuleLevels;
}

/** Whether a path, relative to the folder of the configuration and separated by `/`, matches. */
type PathFilter = (path: string) => boolean;

export const findConfig = (folder: string): string | undefined => findFileUp(configFile, folder);

/**
 * Reads a configuration.
 *
 * @param file - the file's name in error messages
 * @throws {UsageError} if the configuration cannot be read or is invalid
 */
export async function readConfig(path: string, file: string): Promise<LintConfig> {
  return { folder: dirname(path), ...parseConfig(await readTextFile(path, file, maxConfigBytes), file) };
}

/** @throws {UsageError} if the text is not a valid configuration */
export function parseConfig(text: string, file: string): Omit<LintConfig, 'folder'> {
  const fail: Fail = (problem) => {
    throw new UsageError(`Cannot use ${file}: ${problem}`);
  };
  const config = parseObject(parseJson(text, fail), 'the configuration', fail);
  checkKeys(config, 'the configuration', ['$schema', 'rules', 'overrides', 'ignore'], fail);
  return {
    rules: parseRules(config['rules'], 'rules', fail),
    overrides: parseOverrides(config['overrides'] ?? [], fail),
    ignore: parseGlobs(config['ignore'] ?? [], 'ignore', fail),
  };
}

type Fail = (problem: string) => never;

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(`it is not valid JSON (${(error as Error).message}). Correct it.`);
  }
}

const parseObject = (value: unknown, where: string, fail: Fail): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : fail(`${where} is not an object.`);

function checkKeys(object: object, where: string, names: readonly string[], fail: Fail): void {
  const unknown = Object.keys(object).find((key) => !names.includes(key));
  if (unknown !== undefined)
    fail(
      `${where} has the unknown key "${unknown.slice(0, 60)}". ${didYouMean(unknown, names) || `Use ${names.join(', ')}.`}`,
    );
}

const didYouMean = (text: string, names: readonly string[]): string => {
  const near = nearest(text, names);
  return near === undefined ? '' : `Did you mean "${near}"?`;
};

function parseOverrides(value: unknown, fail: Fail): readonly Override[] {
  if (!Array.isArray(value)) return fail('overrides is not an array.');
  if (value.length > maxGlobs)
    return fail(`overrides has more than ${maxGlobs} items. Merge those with the same rules.`);
  return value.map((item: unknown, index) => {
    const where = `overrides[${index}]`;
    const override = parseObject(item, where, fail);
    checkKeys(override, where, ['files', 'rules'], fail);
    if (override['files'] === undefined) return fail(`${where} has no "files". Add the globs of its pages.`);
    return {
      files: parseGlobs(override['files'], `${where}.files`, fail),
      rules: parseRules(override['rules'], `${where}.rules`, fail),
    };
  });
}

function parseGlobs(value: unknown, where: string, fail: Fail): PathFilter {
  const globs: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (globs.length > maxGlobs)
    return fail(`${where} has more than ${maxGlobs} globs. Use a folder instead of its files.`);
  const matchers = globs.map((glob) => {
    if (typeof glob !== 'string') return fail(`${where} is not a glob or an array of globs. Use strings.`);
    if (glob === '') return fail(`${where} contains an empty glob. Use "**" for all pages, or remove it.`);
    const excess = globExcess(glob);
    if (excess !== undefined)
      return fail(`${where}: the glob "${glob.slice(0, 50)}" has ${excess}. Use several globs.`);
    return createMatcher(glob);
  });
  return (path) => matchers.some((matches) => matches(path));
}

/** The maximum number of globs in a list, and of overrides. Each page is compared with each glob. */
const maxGlobs = 1000;
function parseRules(value: unknown, where: string, fail: Fail): RuleLevels {
  const levels = Object.entries(parseObject(value ?? {}, where, fail)).map(([code, level]) => {
    if (!isRuleCode(code)) return fail(`${where}: ${unknownRule(code)}`);
    return [code, parseLevel(level, (problem) => fail(`${where}.${code}: ${problem}`))];
  });
  return Object.fromEntries(levels) as RuleLevels;
}

const ruleLevels: readonly RuleLevel[] = ['off', 'info', 'warning', 'error'];

function parseLevel(level: unknown, fail: Fail): RuleLevel {
  const known = ruleLevels.find((each) => each === level);
  if (known !== undefined) return known;
  if (typeof level !== 'string') return fail(`the value is not a severity (${ruleLevels.join(', ')}).`);
  const near = ruleLevels.find((each) => each.startsWith(level)) ?? nearest(level, ruleLevels);
  const advice = near === undefined ? '' : ` Did you mean "${near}"?`;
  return fail(`"${level}" is not a severity (${ruleLevels.join(', ')}).${advice}`);
}

/** The levels of `--rule code:severity`. The last flag for a rule takes precedence. */
export function parseRuleFlags(flags: readonly string[]): RuleLevels {
  const levels = flags.map((flag) => {
    const fail: Fail = (problem) => {
      throw new UsageError(`Cannot use --rule ${flag}: ${problem}`);
    };
    const [code = '', level] = flag.split(/:(.*)/s);
    if (level === undefined) return fail('it is not CODE:SEVERITY. Use, for example, form-without-tool:warning.');
    return [isRuleCode(code) ? code : fail(unknownRule(code)), parseLevel(level, fail)];
  });
  return Object.fromEntries(levels) as RuleLevels;
}

const relativePath = (folder: string, file: string): string => relative(folder, file).split(sep).join('/');

export const isIgnored = ({ folder, ignore }: LintConfig, file: string): boolean => ignore(relativePath(folder, file));

/** The levels for a file. Later overrides take precedence. */
export function levelsFor({ folder, rules, overrides }: LintConfig, file: string): RuleLevels {
  const path = relativePath(folder, file);
  return Object.assign({}, rules, ...overrides.flatMap((each) => (each.files(path) ? each.rules : []))) as RuleLevels;
}
