/** The versions of Node.js that the packages are tested with: the lowest of `engines`, the newest, and the one that runs this. */
export const nodeVersions: readonly string[];

/** Installs the versions that are missing, and returns the path of each. */
export function installNodeVersions(): Promise<Readonly<Record<string, string>>>;
