import type { ChangeKind } from 'webmcp-forms/build';

/** A semantic version. Its numbers are strings, because their length is not limited. */
export interface Version {
  readonly core: readonly [major: string, minor: string, patch: string];
  /** The identifiers after the hyphen. */
  readonly prerelease: readonly string[];
}

/** https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string */
const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

const maxLength = 100;

/** Returns undefined for an invalid version. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, prerelease] = text.length <= maxLength ? (pattern.exec(text) ?? []) : [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return { core: [major, minor, patch], prerelease: prerelease === undefined ? [] : prerelease.split('.') };
}

/** https://semver.org/#spec-item-11 */
export function compareVersions(a: Version, b: Version): number {
  const core = compareLists(a.core, b.core);
  if (core !== 0 || a.prerelease.length * b.prerelease.length > 0) {
    return core || compareLists(a.prerelease, b.prerelease);
  }
  return Number(a.prerelease.length === 0) - Number(b.prerelease.length === 0);
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const differences = a.slice(0, b.length).map((each, index) => compareIdentifiers(each, b[index] as string));
  return differences.find((difference) => difference !== 0) ?? a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [first, second] = [isNumber(a), isNumber(b)];
  if (first !== second) return first ? -1 : 1;
  if (first && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier);

/** The index of the number that a version increases. */
export type Step = 0 | 1 | 2;

/**
 * The smallest step for a kind of change. Before 1.0.0 it follows npm's caret ranges.
 * https://semver.org/#spec-item-4
 */
export const stepFor = ({ core: [major] }: Version, kind: ChangeKind): Step =>
  (major === '0' ? initialSteps : stableSteps)[kind];

const stableSteps = { breaking: 0, widening: 1, wording: 2 } as const;
const initialSteps = { breaking: 1, widening: 2, wording: 2 } as const;

/** Whether the difference of two versions is at least a step. */
export function isStepAtLeast(before: Version, after: Version, step: Step): boolean {
  const first = before.core.findIndex((number, index) => number !== after.core[index]);
  return first !== -1 && first <= step;
}

/** The version after a step. A prerelease is followed by the next prerelease, because it may change in any way. */
export function nextVersion({ core, prerelease }: Version, step: Step): string {
  if (prerelease.length > 0) return `${core.join('.')}-${nextPrerelease(prerelease).join('.')}`;
  return core.map((number, index) => (index < step ? number : index > step ? '0' : plusOne(number))).join('.');
}

function nextPrerelease(identifiers: readonly string[]): readonly string[] {
  const last = identifiers.at(-1) ?? '';
  return isNumber(last) ? [...identifiers.slice(0, -1), plusOne(last)] : [...identifiers, '1'];
}

const plusOne = (number: string): string => String(BigInt(number) + 1n);
