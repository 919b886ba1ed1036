// @module-tag built
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseFragment } from 'parse5';
import { beforeAll, describe, it } from 'vitest';
import { withCdnTags } from '../../tools/release/cdn-tags.mjs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const page = read('docs/reference/scripts.md');

let hashes: Readonly<Record<string, string>>;
beforeAll(() => {
  hashes = JSON.parse(read('dist/integrity.json')) as typeof hashes;
});

describe('withCdnTags', () => {
  it('writes the tags of a release into the reference of the scripts, with the hashes of its build', () => {
    const text = withCdnTags(page, '1.2.3', hashes);
    const [, html = ''] = /The release writes these tags\. -->\n\n```html\n([^]*?)```/.exec(text) ?? [];
    const tags = parseFragment(html).childNodes.flatMap((node) => ('attrs' in node ? [node.attrs] : []));
    assert.deepEqual(
      tags.map((attributes) => Object.fromEntries(attributes.map(({ name, value }) => [name, value]))),
      [
        {
          src: 'https://cdn.jsdelivr.net/npm/webmcp-forms@1.2.3/dist/webmcp-forms.iife.js',
          integrity: hashes['webmcp-forms.iife.js'],
          'data-integrity': hashes['webmcp-forms.agent.js'],
          crossorigin: '',
        },
        {
          src: 'https://cdn.jsdelivr.net/npm/webmcp-forms@1.2.3/dist/webmcp-forms.full.iife.js',
          integrity: hashes['webmcp-forms.full.iife.js'],
          crossorigin: '',
        },
      ],
    );
    assert.equal(withCdnTags(text, '1.2.3', hashes), text);
    assert.notEqual(withCdnTags(text, '1.2.4', hashes), text);
  });

  it('throws without the block or a hash', () => {
    assert.throws(() => withCdnTags('', '1.2.3', hashes), /has no block for the tags of a CDN/);
    assert.throws(() => withCdnTags(page, '1.2.3', {}), /has no hash of webmcp-forms\./);
  });
});
