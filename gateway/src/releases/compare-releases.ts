import { compare as compareVersions, compareBuild, inc, parse, SemVer, type ReleaseType } from 'semver';
import { type ChangeKind, type Manifest, UsageError, diff, parseManifest } from 'webmcp-forms/build';
import { changesSummary, changesText } from 'webmcp-forms/cli';
import type { Release } from './releases.js';

export const newestFirst = (releases: readonly Release[]): readonly Release[] =>
  [...releases].sort((a, b) => compareBuild(versionOf(b), versionOf(a)));

/** Returns null for an invalid version, also for one with a prefix or spaces, although `semver` accepts it. */
export const parseVersion = (text: string): SemVer | null => (/^\d\S*$/.test(text) ? parse(text) : null);

/** Invalid versions are lower than all others. */
const versionOf = ({ version }: { readonly version: string }): SemVer => parseVersion(version) ?? new SemVer('0.0.0-0');

const stableSteps = { breaking: 'major', widening: 'minor', wording: 'patch' } as const;
/** The steps before 1.0.0, as in npm's caret ranges. */
const initialSteps = { breaking: 'minor', widening: 'patch', wording: 'patch' } as const;

/**
 * The lowest version for a kind of change. A prerelease is followed by the next prerelease, because prereleases may
 * change in any way.
 */
function nextVersion(version: SemVer, kind: ChangeKind): string {
  const step: ReleaseType = (version.major === 0 ? initialSteps : stableSteps)[kind];
  return inc(version, version.prerelease.length > 0 ? 'prerelease' : step) as string;
}

/** The changes are undefined if the manifests cannot be compared. */
function compare({ manifest, version }: Release, current: Manifest) {
  try {
    const changes = diff(parseManifest(JSON.stringify(manifest), `release ${version}`), current);
    const kinds = new Set(changes.map(({ kind }) => kind));
    const kind: ChangeKind = (['breaking', 'widening'] as const).find((each) => kinds.has(each)) ?? 'wording';
    return { changes, kind, summary: changesSummary(changes) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { changes: undefined, kind: 'breaking' as const, summary: 'changes that cannot be compared' };
  }
}

export function checkVersionStep(releases: readonly Release[], manifest: Manifest): readonly string[] {
  const version = versionOf(manifest);
  const previous = newestFirst(releases).find((release) => {
    const other = versionOf(release);
    return other.prerelease.length === 0 && compareVersions(other, version) < 0;
  });
  if (!previous) return [];
  const { kind, summary, changes } = compare(previous, manifest);
  const better = nextVersion(versionOf(previous), kind);
  if (changes?.length === 0 || version.compareMain(better) >= 0) return [];
  return [
    `warning: ${manifest.version} is too small a step from ${previous.version}: ${summary}. Use ${better} for these changes.`,
  ];
}

/** Describes the changes since the latest release, for a version that was released with other actions. */
export function describeConflict(
  releases: readonly Release[],
  manifest: Manifest,
  { metadata: { name, version } }: Release,
): { readonly changes: string; readonly lines: readonly string[] } {
  const [latest] = newestFirst(releases) as readonly [Release, ...Release[]];
  const { changes, kind, summary } = compare(latest, manifest);
  const next = nextVersion(versionOf(latest), kind);
  const reason = changes?.length === 0 ? hiddenReason(latest, manifest) : summary;
  return {
    changes: changesText(changes ?? [], (_, text) => text),
    lines: [
      `${name} ${version} is already released with other actions, and releases never change.`,
      `Since ${latest.version}: ${reason}. Set the version of the manifest to ${next}, and release it.`,
    ],
  };
}

/** The reason why the hash differs although the pages are equal. */
const hiddenReason = (latest: Release, { description }: Manifest): string =>
  latest.metadata.description === description
    ? 'another version of webmcp-forms, or other options, derive other actions from the same forms'
    : 'another description, which models see';

/** Describes changes outside of the actions. */
export function describeUnreleasedChanges(released: Release, manifest: Manifest): readonly string[] {
  const { changes, summary } = compare(released, manifest);
  if (changes?.length === 0) return [];
  return [`note: ${summary} since ${released.version} outside of the actions. The release does not change.`];
}
