import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Replaces the relative imports of a test by the public entries. */
const publicNames = [
  ["'../../../src/index.js'", "'webmcp-forms'"],
  ["'../../../elements/tool-controller.js'", "'webmcp-forms/elements/tool-controller.js'"],
] as const;

const published = (code: string): string => publicNames.reduce((text, [own, name]) => text.replaceAll(own, name), code);

/** The first code block of the section of a framework. */
const recipe = (framework: string): string | undefined =>
  new RegExp(`^## ${framework}\\n[^]*?^\`\`\`ts\\n([^]*?)^\`\`\`$`, 'm').exec(read('docs/recipes/frameworks.md'))?.[1];

for (const framework of ['React', 'Vue', 'Angular', 'Lit']) {
  test(`the recipe for ${framework} is the tested code`, () => {
    const code = read(`test/elements/recipes/${framework.toLowerCase()}.ts`);
    assert.equal(recipe(framework), published(code));
  });
}

/** The code blocks of the section of a framework that contain the example. */
function examples(framework: string): readonly string[] {
  const chapter =
    read('docs/recipes/frameworks.md')
      .split(/^## /m)
      .find((each) => each.startsWith(`${framework}\n`)) ?? '';
  return [...chapter.matchAll(/^```\w+\n([^]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes('add_to_cart'));
}

for (const framework of ['React', 'Vue', 'Angular', 'Lit']) {
  test(`the example for ${framework} declares its parameter and uses the latest state`, () => {
    const [code = '', ...others] = examples(framework);
    assert.equal(others.length, 0);
    assert.match(code, /execute\b.*\{ pieces \}: \{ pieces: number \}/);
    assert.match(code, /inputSchema: .*pieces: \{ type: 'integer' \}.*required: \['pieces'\]/);
    assert.doesNotMatch(code, /[sS]et(Count)?\((this\.)?count/);
  });
}

test('no recipe imports a file of this repository', () => {
  assert.doesNotMatch(read('docs/recipes/frameworks.md'), /from '\.\./);
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
