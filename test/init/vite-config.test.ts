import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { addVitePlugin } from '../../src/init/vite-config.js';

const added = (source: string): string | undefined => addVitePlugin(source, '{ inject: true }');

describe('addVitePlugin', () => {
  it('adds the plugin after the last one, and its import after the last import', () => {
    const source = `import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],
});
`;
    assert.equal(
      added(source),
      `import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
import { webmcpForms } from 'webmcp-forms/vite';

// https://vite.dev/config/
export default defineConfig({
  plugins: [react(), webmcpForms({ inject: true })],
});
`,
    );
  });

  it('keeps the quotes, the semicolons, the line breaks and the style of a list on several lines', () => {
    const source =
      'import vue from "@vitejs/plugin-vue"\r\nexport default {\r\n  plugins: [\r\n    vue(),\r\n  ],\r\n}\r\n';
    assert.equal(
      added(source),
      'import vue from "@vitejs/plugin-vue"\r\nimport { webmcpForms } from "webmcp-forms/vite"\r\nexport default {\r\n  plugins: [\r\n    vue(),\r\n    webmcpForms({ inject: true }),\r\n  ],\r\n}\r\n',
    );
  });

  it('adds a list of plugins to a configuration without one', () => {
    assert.equal(
      added('export default {\n  base: "/shop/",\n};\n'),
      'import { webmcpForms } from \'webmcp-forms/vite\';\nexport default {\n  plugins: [webmcpForms({ inject: true })],\n  base: "/shop/",\n};\n',
    );
    assert.match(
      added('export default {};') ?? '',
      /export default \{ plugins: \[webmcpForms\(\{ inject: true \}\)\] \};/,
    );
    assert.match(added('export default { plugins: [] };') ?? '', /\[webmcpForms\(\{ inject: true \}\)\]/);
  });

  const configurations = {
    'an arrow function': 'export default defineConfig(({ mode }) => ({ plugins: [a(mode)] }));',
    'a function with variables':
      'export default defineConfig(() => {\n  const x = 1;\n  return { plugins: [a(x)] };\n});',
    'a variable with a type': 'const config: UserConfig = { plugins: [a()] };\nexport default config;',
    'a type assertion': 'export default { plugins: [a()] } satisfies UserConfig;',
  };
  for (const [kind, source] of Object.entries(configurations))
    it(`finds the list of plugins in ${kind}`, () => {
      assert.match(added(source) ?? '', /\[a\(\w*\), webmcpForms\(\{ inject: true \}\)\]/);
    });

  const unusual = {
    'computed plugins': 'export default { plugins: all.filter(Boolean) };',
    'an unknown function': 'export default mergeConfig(base, { plugins: [] });',
    'a condition': 'export default defineConfig(() => { if (x) return {}; return { plugins: [] }; });',
    CommonJS: 'module.exports = { plugins: [] };',
    'a syntax error': 'export default {',
    'a variable that refers to itself': 'const config = config;\nexport default config;',
  };
  for (const [kind, source] of Object.entries(unusual))
    it(`returns undefined for ${kind}`, () => assert.equal(added(source), undefined));

  it('does not change a configuration that has the plugin', () => {
    const source = "import { webmcpForms } from 'webmcp-forms/vite';\nexport default { plugins: [webmcpForms()] };";
    assert.equal(added(source), source);
  });
});
