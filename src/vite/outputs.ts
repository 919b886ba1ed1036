import type { ManifestPage } from '../site/manifest/manifest.js';
import { filePath, manifestPaths, type ValidatorsOptions, type WebmcpFormsOptions } from './options.js';
import type { Site } from './site.js';
import { bundleValidators } from './validators/bundle-validators.js';

/** Where the code of the validators goes, if it is asked for. */
export function validatorsPath({ validators }: WebmcpFormsOptions): string | undefined {
  if (!validators) return undefined;
  return filePath(validatorsOptions(validators).file ?? 'webmcp-validators.js', 'validators.file');
}

const validatorsOptions = (validators: true | ValidatorsOptions): ValidatorsOptions =>
  validators === true ? {} : validators;

/** The files that are made of the pages, by their paths below the base URL; each text is made when it is asked for. */
export type Outputs = ReadonlyMap<string, (pages: readonly ManifestPage[], root: string) => Promise<Buffer>>;

export function createOutputs(options: WebmcpFormsOptions, site: Site): Outputs {
  const { validators } = options;
  const path = validatorsPath(options);
  return new Map([
    ...manifestPaths(options).map((path) => [path, site.manifestText] as const),
    ...(validators && path !== undefined
      ? [
          [
            path,
            async (pages: readonly ManifestPage[]) =>
              Buffer.from(await bundleValidators(pages, validatorsOptions(validators).schemas)),
          ] as const,
        ]
      : []),
  ]);
}
