import { posix } from 'node:path';
import type { ManifestPage } from '../site/manifest/manifest.js';
import { manifestPaths, validatorsPath, type WebmcpFormsOptions } from './options.js';
import type { Site } from './site.js';
import { bundleValidators } from './validators/bundle-validators.js';

/** The generators of the files that depend on the pages, by path below the base URL. */
export type Outputs = ReadonlyMap<string, OutputGenerator>;

type OutputGenerator = (pages: readonly ManifestPage[], root: string) => Promise<string>;

export function createOutputs(options: WebmcpFormsOptions, site: Site): Outputs {
  const { validators } = options;
  const schemas = typeof validators === 'object' ? validators.schemas : {};
  const path = validatorsPath(options);
  const outputs = new Map<string, OutputGenerator>(
    manifestPaths(options).map((manifest) => [manifest, site.manifestText] as const),
  );
  if (path !== undefined) outputs.set(path, (pages) => bundleValidators(pages, schemas));
  return outputs;
}

export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export const relativeUrl = (from: string, to: string): string =>
  encodePath(posix.relative(posix.dirname(`/${from}`), `/${to}`));
