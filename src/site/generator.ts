import { createRequire } from 'node:module';

const { name, version } = createRequire(import.meta.url)('webmcp-forms/package.json') as {
  readonly name: string;
  readonly version: string;
};

export { version };

export const generator = `${name} ${version}`;
