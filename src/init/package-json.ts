import { isRecord, parseJson } from '../json.js';
import { version } from '../site/generator.js';

export const scriptName = 'webmcp';

/** The additions to package.json. */
interface PackageAdditions {
  /** The command for the script `webmcp`, if this script does not exist. */
  readonly script: string | undefined;
  readonly isDependency: boolean;
}

/**
 * Adds a script and the package to package.json. As with npm, the indentation and the line breaks do not change.
 *
 * @returns undefined if the source is not a JSON object
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

/** Adds this package to dependencies and sorts them, as npm does. */
const withPackage = (dependencies: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({ ...dependencies, [packageName]: `^${version}` }).sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Whether package.json does not contain this package, so that it must be installed. */
export const packagesMissing = (source: string | undefined): boolean => !packagesIn(source).has(packageName);

/** The names of the dependencies in package.json, including development dependencies. */
export function packagesIn(source: string | undefined): ReadonlySet<string> {
  const content = recordIn(parseJson(source ?? ''));
  const { dependencies, devDependencies } = content;
  return new Set([dependencies, devDependencies].flatMap((each) => Object.keys(recordIn(each))));
}

const recordIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
