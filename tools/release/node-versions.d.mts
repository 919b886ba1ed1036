/** The versions of Node.js that the packages are tested with: the lowest of `engines`, and the newest of each line. */
export const nodeVersions: readonly string[];

/** Installs the versions that are missing, and returns the path of each. */
export function installNodeVersions(): Promise<Readonly<Record<string, string>>>;
