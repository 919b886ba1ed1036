import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The relative imports of the tests, and the public entries that replace them. */
const publicNames = [
  ["'../../../src/index.js'", "'webmcp-forms'"],
  ["'../../../elements/tool-controller.js'", "'webmcp-forms/elements/tool-controller.js'"],
] as const;

const published = (code: string): string => publicNames.reduce((text, [own, name]) => text.replaceAll(own, name), code);

/** The part of the page of a framework about tools without a form. */
const chapterOf = (framework: string): string =>
  read(`docs/recipes/${framework.toLowerCase()}.md`).split('## Tools without a form\n')[1] ?? '';

/** The first code block of the chapter. */
const recipe = (framework: string): string | undefined => /^```ts\n([^]*?)^```$/m.exec(chapterOf(framework))?.[1];

const sources: Readonly<Record<string, string>> = {
  React: 'react.ts',
  Vue: 'vue.ts',
  Svelte: 'svelte.svelte.ts',
  Angular: 'angular.ts',
  Lit: 'lit.ts',
};
const frameworks = Object.keys(sources);

for (const framework of frameworks) {
  test(`the recipe for ${framework} is the tested code`, () => {
    const code = read(`test/elements/recipes/${sources[framework]}`);
    assert.equal(recipe(framework), published(code));
  });
}

/** The code blocks of the chapter that contain the example. */
function examples(framework: string): readonly string[] {
  return [...chapterOf(framework).matchAll(/^```\w+\n([^]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes('add_to_cart'));
}

for (const framework of frameworks) {
  test(`the example for ${framework} declares its parameter and uses the latest state`, () => {
    const [code = '', ...others] = examples(framework);
    assert.equal(others.length, 0);
    assert.match(code, /execute\b.*\{ pieces \}: \{ pieces: number \}/);
    assert.match(code, /inputSchema: .*pieces: \{ type: 'integer' \}.*required: \['pieces'\]/);
    assert.doesNotMatch(code, /[sS]et(Count)?\((this\.)?count/);
  });
}

test('no recipe imports a file of this repository', () => {
  for (const framework of frameworks)
    assert.doesNotMatch(read(`docs/recipes/${framework.toLowerCase()}.md`), /from '\.\./);
});

test('the elements for tools can be imported on a server', async () => {
  for (const [file, name] of [
    ['tool-controller', 'ToolController'],
    ['webmcp-tool', 'WebmcpTool'],
    ['webmcp-param', 'WebmcpParam'],
  ] as const) {
    const path = `../../elements/${file}.js`; // typed for browsers, which this test is not
    const module = (await import(path)) as Record<string, unknown>;
    assert.equal(typeof module[name], 'function');
  }
});
