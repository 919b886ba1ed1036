import { isRecord, parseJson } from '../json.js';
import { version } from '../site/generator.js';

export const scriptName = 'webmcp';

/** The additions to package.json. */
interface PackageAdditions {
  /** The command of the script `webmcp`, unless there is one. */
  readonly script: string | undefined;
  readonly isDependency: boolean;
}

/**
 * Adds a script and the package to package.json, in the format of npm: the indentation and the line breaks stay.
 *
 * @returns undefined if it is not a JSON object
 */
export function addToPackage(source: string, { script, isDependency }: PackageAdditions): string | undefined {
  const content = parseJson(source);
  if (!isRecord(content)) return undefined;
  const scripts = recordIn(content.scripts);
  const isScriptMissing = script !== undefined && scripts[scriptName] === undefined;
  const isPackageMissing = isDependency && packagesMissing(source);
  if (!isScriptMissing && !isPackageMissing) return source;
  const changed = {
    ...content,
    ...(isScriptMissing && { scripts: { ...scripts, [scriptName]: script } }),
    ...(isPackageMissing && { devDependencies: withPackage(recordIn(content.devDependencies)) }),
  };
  const indent = /^\{\s*?\n([ \t]+)/.exec(source)?.[1] ?? '  ';
  const text = JSON.stringify(changed, null, indent) + (/\n\s*$/.test(source) ? '\n' : '');
  return source.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

export const packageName = 'webmcp-forms';

/** npm sorts the dependencies. */
const withPackage = (dependencies: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({ ...dependencies, [packageName]: `^${version}` }).sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Whether package.json does not have the package, so that it has to be installed after it is added. */
export const packagesMissing = (source: string | undefined): boolean => !packagesIn(source).has(packageName);

/** The names of the installed packages. */
export function packagesIn(source: string | undefined): ReadonlySet<string> {
  const content = recordIn(parseJson(source ?? ''));
  const { dependencies, devDependencies } = content;
  return new Set([dependencies, devDependencies].flatMap((each) => Object.keys(recordIn(each))));
}

const recordIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
