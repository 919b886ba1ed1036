// @module-tag long
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { profileNames } from '../../src/compiler/index.js';
import { corpus } from '../corpus.mjs';
import { makeFolder, manifestOf } from '../support/cli/running.js';

function strictAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  return ajv;
}

describe('webmcp-forms compile on the pages of govuk-frontend and USWDS', async () => {
  const { published } = corpus();
  const cwd = await makeFolder(Object.fromEntries(published.map(({ page }, index) => [`${index}.html`, page])));
  const schema = JSON.parse(
    readFileSync(new URL('../../src/site/manifest/manifest.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const isManifest = strictAjv().compile(schema);

  for (const profile of profileNames) {
    it(`creates a valid manifest with a tool for every page, ${profile}`, async () => {
      const manifest = await manifestOf(['compile', '--profile', profile, '.'], { cwd });
      assert.ok(isManifest(manifest), JSON.stringify(isManifest.errors));
      assert.equal(manifest.pages.flatMap(({ tools }) => tools).length, published.length);
    });
  }

  for (const profile of ['precise', 'portable']) {
    it(`creates schemas that Ajv compiles in strict mode, ${profile}`, async () => {
      const manifest = await manifestOf(['compile', '--profile', profile, '.'], { cwd });
      const ajv = strictAjv();
      for (const { path, tools } of manifest.pages) {
        for (const { inputSchema } of tools) assert.doesNotThrow(() => ajv.compile(inputSchema), path);
      }
    });
  }
});
