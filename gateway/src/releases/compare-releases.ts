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

export const newestFirst = (releases: readonly Release[]): readonly Release[] =>
  [...releases].sort((a, b) => compareVersions(versionOf(b), versionOf(a)) || (a.version < b.version ? 1 : -1));

/** Invalid versions are lower than all others. */
const versionOf = ({ version }: { readonly version: string }): Version =>
  parseVersion(version) ?? { core: ['0', '0', '0'], prerelease: ['0'] };

interface Difference {
  /** Undefined if the manifests cannot be compared. */
  readonly changes: readonly ManifestChange[] | undefined;
  readonly kind: ChangeKind;
  readonly summary: string;
}

function compare({ manifest, version }: Release, current: Manifest): Difference {
  try {
    const changes = diff(parseManifest(JSON.stringify(manifest), `release ${version}`), current);
    const kinds = new Set(changes.map(({ kind }) => kind));
    const kind = (['breaking', 'widening'] as const).find((each) => kinds.has(each)) ?? 'wording';
    return { changes, kind, summary: changesSummary(changes) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { changes: undefined, kind: 'breaking', summary: 'changes that cannot be compared' };
  }
}

/** Warns if the version is too low for the changes since the previous release. */
export function checkVersionStep(releases: readonly Release[], manifest: Manifest): readonly string[] {
  const version = versionOf(manifest);
  const previous = newestFirst(releases).find((release) => {
    const other = versionOf(release);
    return other.prerelease.length === 0 && compareVersions(other, version) < 0;
  });
  if (!previous) return [];
  const { kind, summary, changes } = compare(previous, manifest);
  const previousVersion = versionOf(previous);
  const step = stepFor(previousVersion, kind);
  if (changes?.length === 0 || isStepAtLeast(previousVersion, version, step)) return [];
  const better = nextVersion(previousVersion, step);
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
  const next = nextVersion(versionOf(latest), stepFor(versionOf(latest), kind));
  const reason = changes?.length === 0 ? hiddenReason(latest, manifest) : summary;
  return {
    changes: changesText(changes ?? [], (_, text) => text),
    lines: [
      `${name} ${version} is already released with other actions, and releases never change.`,
      `Since ${latest.version}: ${reason}. Set the version of the manifest to ${next}, and release it.`,
    ],
  };
}

/** The reason of another hash of equal pages. */
const hiddenReason = (latest: Release, { description }: Manifest): string =>
  latest.metadata.description === description
    ? 'another version of webmcp-forms, or other options, derive other actions from the same forms'
    : 'another description, which models see';

/** Describes changes that are not part of the actions, such as the destination of a form. */
export function describeUnreleasedChanges(released: Release, manifest: Manifest): readonly string[] {
  const { changes, summary } = compare(released, manifest);
  if (changes?.length === 0) return [];
  return [`note: ${summary} since ${released.version} outside of the actions. The release does not change.`];
}
