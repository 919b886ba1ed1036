import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'vitest';
import { v0_3 } from '@anthropic-ai/mcpb/schemas';
import { validate } from 'dockerfile-utils';

const gateway = resolve(import.meta.dirname, '../../../gateway');
const read = (file: string): string => readFileSync(join(gateway, file), 'utf8');

interface Argument {
  readonly type: 'positional' | 'named';
  readonly name?: string;
  readonly value?: string;
}

const { name, version, packages } = JSON.parse(read('distribution/server.json')) as {
  readonly name: string;
  readonly version: string;
  readonly packages: readonly {
    readonly identifier: string;
    readonly version: string;
    readonly packageArguments: readonly Argument[];
  }[];
};
const npm = JSON.parse(read('package.json')) as Readonly<Record<'name' | 'version' | 'mcpName', string>>;

describe('the entry for the registry of MCP servers', () => {
  it('names the npm package, which names the entry', () => {
    assert.equal(name, npm.mcpName);
    assert.deepEqual(
      packages.map(({ identifier }) => identifier),
      [npm.name],
    );
  });

  it('has the version of the package', () => {
    assert.deepEqual([version, packages[0]?.version], [npm.version, npm.version]);
  });

  it('has only options that the program accepts', () => {
    const program = ['serve.ts', 'release.ts'].map((file) => read(join('src/cli', file))).join('\n');
    const options = (packages[0]?.packageArguments ?? []).flatMap((each) => each.name ?? []);
    assert.ok(options.length > 0);
    for (const option of options) assert.ok(program.includes(`'${option} `) || program.includes(`'${option}'`), option);
  });
});

describe('the manifest of the bundle for desktop hosts', () => {
  const manifest: unknown = JSON.parse(read('distribution/manifest.json'));

  it('is valid', () => assert.deepEqual(v0_3.McpbManifestSchema.safeParse(manifest).error?.issues, undefined));

  it('has the version of the package', () => assert.equal((manifest as typeof npm).version, npm.version));
});

describe('the Dockerfile', () => {
  const file = read('distribution/Dockerfile');

  it('has no problems', () => assert.deepEqual(validate(file), []));

  it('installs the version of the package', () => assert.ok(file.includes(` ${npm.name}@${npm.version} `)));
});
