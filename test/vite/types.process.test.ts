import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { makeSite } from '../support/vite/sites.js';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const config = `
import { defineConfig } from 'vite';
import { webmcpForms } from '${checkout}src/vite/index.js';
import { loadValidators, validate } from 'virtual:webmcp-forms/validators';
export default defineConfig({ plugins: [webmcpForms({ inject: { profile: 'precise' } }), ...webmcpForms()] });
export const check: Promise<(input: object) => readonly { path: string }[]> = validate({}, { name: 'a' });
export const isValid: Promise<boolean> = loadValidators().then(({ validators }) => validators.a!({}));
// @ts-expect-error unknown option
webmcpForms({ manifests: 'a.json' });
`;

const packages = { vite6: 'test/node_modules/vite6', vite7: 'test/node_modules/vite7', vite: 'node_modules/vite' };

describe('the types of webmcpForms', () => {
  for (const [name, folder] of Object.entries(packages)) {
    it(`webmcpForms type-checks with ${name}`, async () => {
      const root = await makeSite({ 'vite.config.ts': config });
      const options = {
        extends: join(checkout, 'tsconfig.base.json'),
        compilerOptions: {
          types: ['node'],
          typeRoots: [join(checkout, 'node_modules/@types')],
          paths: {
            vite: [join(checkout, folder, 'dist/node/index.d.ts')],
            '*': [join(checkout, 'node_modules/*')],
          },
          rootDir: '/',
          composite: false,
          emitDeclarationOnly: false,
          noEmit: true,
        },
        files: ['vite.config.ts', join(checkout, 'src/vite/client.d.ts')],
      };
      writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(options));
      const tsc = join(checkout, 'node_modules/typescript7/bin/tsc');
      const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', root], { encoding: 'utf8' });
      assert.equal(stdout, '');
      assert.equal(status, 0);
    });
  }
});
