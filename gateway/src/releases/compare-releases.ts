import {
  type ChangeKind,
  type Manifest,
  type ManifestChange,
  UsageError,
  diff,
  parseManifest,
} from 'webmcp-forms/build';
import { changesSummary, changesText } from 'webmcp-forms/cli';
import type { Release } from './releases.js';
import { compareVersions, isStepAtLeast, nextVersion, parseVersion, stepFor, type Version } from './version.js';

/** The releases whose versions can be compared, the newest first. */
export const newestFirst = (releases: readonly Release[]): readonly Release[] =>
  [...releases].sort((a, b) => compareVersions(versionOf(b), versionOf(a)) || (a.version < b.version ? 1 : -1));

/** What is no version comes before all. */
const versionOf = ({ version }: { readonly version: string }): Version =>
  parseVersion(version) ?? { core: ['0', '0', '0'], prerelease: ['0'] };

/** What changed since a release. */
interface Difference {
  /** Undefined where the two cannot be compared. */
  readonly changes: readonly ManifestChange[] | undefined;
  readonly kind: ChangeKind;
  readonly summary: string;
}

function differenceFrom({ manifest: before, version }: Release, after: Manifest): Difference {
  try {
    const changes = diff(parseManifest(JSON.stringify(before), `release ${version}`), after);
    return { changes, kind: kindOf(changes), summary: changesSummary(changes) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { changes: undefined, kind: 'breaking', summary: 'changes that cannot be compared' };
  }
}

const kindOf = (changes: readonly ManifestChange[]): ChangeKind =>
  (['breaking', 'widening'] as const).find((kind) => changes.some((change) => change.kind === kind)) ?? 'wording';

/** A warning, where the step of a new version is smaller than what changed since the release before it. */
export function checkVersionStep(releases: readonly Release[], manifest: Manifest): readonly string[] {
  const version = versionOf(manifest);
  const earlier = newestFirst(releases).filter((each) => compareVersions(versionOf(each), version) < 0);
  const before = earlier.find((each) => versionOf(each).prerelease.length === 0);
  if (!before) return [];
  const { kind, summary, changes } = differenceFrom(before, manifest);
  const step = stepFor(versionOf(before), kind);
  if (changes?.length === 0 || isStepAtLeast(versionOf(before), version, step)) return [];
  const better = nextVersion(versionOf(before), step);
  return [
    `warning: ${manifest.version} is too small a step from ${before.version}: ${summary}: ${better} would say so`,
  ];
}

/** Why other actions cannot be released in a version that is released: what changed, and the version that says so. */
export function describeConflict(
  releases: readonly Release[],
  manifest: Manifest,
  { metadata: { name, version } }: Release,
): { readonly changes: string; readonly lines: readonly string[] } {
  const [latest] = newestFirst(releases) as readonly [Release, ...Release[]];
  const { changes, kind, summary } = differenceFrom(latest, manifest);
  const next = nextVersion(versionOf(latest), stepFor(versionOf(latest), kind));
  const what =
    changes?.length === 0
      ? 'the same forms make other actions, by another version of webmcp-forms or other options'
      : summary;
  return {
    changes: changesText(changes ?? [], (_, text) => text),
    lines: [
      `${name} ${version} is released already, with other actions, and no release is ever changed`,
      `since ${latest.version}: ${what}: give the manifest the version ${next}, and release it`,
    ],
  };
}

/** What a release has not of a manifest that has the same actions: which form is sent where, for example. */
export function describeUnreleasedChanges(released: Release, manifest: Manifest): readonly string[] {
  const { changes, summary } = differenceFrom(released, manifest);
  if (changes?.length === 0) return [];
  return [`note: ${summary} since ${released.version} that the actions do not show: the release stays as it is`];
}
