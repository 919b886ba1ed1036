// @module-tag built
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, it } from 'vitest';

interface Declaration {
  readonly tagName?: string;
  readonly attributes?: readonly { readonly name: string }[];
  readonly events?: readonly { readonly name: string }[];
}

interface ElementManifest {
  readonly modules: readonly { readonly path: string; readonly declarations: readonly Declaration[] }[];
}

let elements: readonly (Declaration & { readonly path: string; readonly tagName: string })[];
beforeAll(() => {
  const file = new URL('../dist/custom-elements.json', import.meta.url);
  const { modules } = JSON.parse(readFileSync(file, 'utf8')) as ElementManifest;
  elements = modules.flatMap(({ path, declarations }) =>
    declarations.flatMap((each) => (each.tagName ? [{ ...each, path, tagName: each.tagName }] : [])),
  );
});
const element = (name: string): Declaration | undefined => elements.find(({ tagName }) => tagName === name);

describe('custom-elements.json', () => {
  it('lists each element with the path of its module in the package', () => {
    assert.deepEqual(
      elements.map(({ tagName, path }) => [tagName, path]),
      ['inspector', 'param', 'review', 'tool'].map((name) => [`webmcp-${name}`, `dist/elements/webmcp-${name}.js`]),
    );
  });

  it('lists the attributes and events of the elements', () => {
    const attributes = element('webmcp-tool')?.attributes?.map(({ name }) => name) ?? [];
    for (const name of ['name', 'description', 'for', 'autosubmit', 'src', 'version', 'hash', 'readonly-hint'])
      assert.ok(attributes.includes(name), name);
    assert.deepEqual(
      element('webmcp-review')
        ?.events?.map(({ name }) => name)
        .sort(),
      ['webmcp-review-approve', 'webmcp-review-edit', 'webmcp-review-undo'],
    );
  });
});
