/** The bundle of one module of the repository, named by its path from the root. */
export function bundleOnce(entry: string): Promise<{ readonly body: string; readonly type: 'js' }>;
