import { createRequire } from 'node:module';

const { name, version } = createRequire(import.meta.url)('webmcp-forms/package.json') as {
  readonly name: string;
  readonly version: string;
};

/** The version of this package. */
export { version };

/** The `generator` of manifests. */
export const generator = `${name} ${version}`;
