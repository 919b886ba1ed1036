import { createRequire } from 'node:module';

const { name, version } = createRequire(import.meta.url)('webmcp-forms/package.json') as {
  readonly name: string;
  readonly version: string;
};

/** The version of this package. */
export { version };

/** What a manifest says it was made by. */
export const generator = `${name} ${version}`;
