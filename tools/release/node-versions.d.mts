/** The versions of Node.js for tests of the packages: the lowest version in `engines`, the newest and the current version. */
export const nodeVersions: readonly string[];

/** Installs the versions that are missing, and returns the path of each version. */
export function installNodeVersions(): Promise<Readonly<Record<string, string>>>;
