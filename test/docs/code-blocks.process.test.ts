import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transform } from 'esbuild';
import { parseFragment, type ParserError } from 'parse5';
import { compile as compileSvelte } from 'svelte/compiler';
import { parse as parseVue, compileTemplate } from 'vue/compiler-sfc';
import { parse as parseYaml } from 'yaml';
import { lint } from '../../src/lint/lint.js';
import { blocks, blocksIn, blocksOf, root, type CodeBlock } from './code-blocks/blocks.js';
import { commandErrors } from './code-blocks/commands.js';
import { typeErrors, type Source } from './code-blocks/type-check.js';

/** The languages that are not checked: output, diagrams, templates of Django and Rails, configuration, and Ruby. */
const notRun = ['text', 'txt', 'jinja', 'ini', 'nginx', 'toml', 'ruby', 'erb'];
const checked = ['html', 'json', 'yaml', 'sh', 'bash', 'js', 'ts', 'tsx', 'vue', 'svelte', 'css', 'php'];

test('every code block has a language that is checked', () => {
  const unknown = blocks.filter(({ language }) => ![...checked, ...notRun].includes(language));
  assert.deepEqual(
    unknown.map(({ place, language }) => `${place}: ${language}`),
    [],
  );
});

/** A comment in the first line can name the file. */
const extensionOf = (code: string): '.js' | '.cjs' => (/^\/\/ \S+\.cjs\n/.test(code) ? '.cjs' : '.js');

const javaScript = (page: readonly CodeBlock[]): readonly Source[] =>
  page.map(({ place, code }) => ({ place, code, extension: extensionOf(code) }));

/** The blocks of the skill run in one console, one after another. */
const skill = 'skills/webmcp/SKILL.md';
const skillSource: Source = {
  place: skill,
  extension: '.js',
  code: blocksOf('js')
    .filter(({ page }) => page === skill)
    .map(({ code }) => code)
    .join('\n'),
};

const scriptsIn = ({ place, code }: CodeBlock): readonly Source[] =>
  [...code.matchAll(/<script(?: type="module")?>\n([^]*?)<\/script>/g)].map(([, script = '']) => ({
    place,
    code: script,
    extension: '.js',
  }));

test('the JavaScript of the documentation has no type errors', () => {
  const js = blocksOf('js').filter(({ page }) => page !== skill);
  const inline = blocksOf('html').flatMap(scriptsIn);
  assert.ok(js.length > 20 && inline.length > 0);
  assert.deepEqual(typeErrors([...javaScript(js), ...inline, skillSource], 'loose'), []);
});

const scriptOf = ({ place, code }: CodeBlock): Source => ({
  place,
  code: /<script[^>]*>\n([^]*?)<\/script>/.exec(code)?.[1] ?? '',
  extension: '.ts',
});

test('the TypeScript of the documentation has no type errors', () => {
  const modules = blocksOf('ts', 'tsx').map(({ place, code, language }): Source => ({
    place,
    code,
    extension: language === 'tsx' ? '.tsx' : '.ts',
  }));
  assert.ok(modules.length > 10);
  assert.deepEqual(typeErrors([...modules, ...blocksOf('vue', 'svelte').map(scriptOf)], 'strict'), []);
});

test('the check of types finds wrong imports, options and arguments', () => {
  const sources = [
    "import { registerForm } from 'webmcp-forms';",
    "import { registerForms } from 'webmcp-forms';\nregisterForms(document, { profile: 'exact' });",
    "import { connectWebtool } from 'webmcp-forms/client';\nawait connectWebtool();",
  ].map((code): Source => ({ place: 'wrong', code, extension: '.js' }));
  assert.equal(typeErrors(sources, 'loose').length, sources.length);
});

test('the components of Vue and Svelte in the documentation compile', () => {
  for (const { place, code } of blocksOf('vue')) {
    const { descriptor, errors } = parseVue(code);
    const template = descriptor.template && { source: descriptor.template.content, filename: place, id: place };
    const found = template ? compileTemplate(template).errors : [];
    assert.deepEqual([...errors, ...found], [], place);
  }
  for (const { place, code } of blocksOf('svelte'))
    assert.deepEqual(compileSvelte(code, { filename: 'block.svelte' }).warnings, [], place);
});

const schema = JSON.parse(readFileSync(`${root}src/site/manifest/manifest.schema.json`, 'utf8')) as object;
const isManifest = new Ajv2020({ strict: false }).compile(schema);

test('the JSON of the documentation is valid', () => {
  for (const { place, code } of blocksOf('json')) {
    const value = JSON.parse(code) as object;
    if ('manifestVersion' in value) assert.ok(isManifest(value), `${place}: ${JSON.stringify(isManifest.errors)}`);
  }
});

/** The parse errors of a fragment. */
function parseErrors(html: string): readonly string[] {
  const errors: string[] = [];
  parseFragment(html, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine }: ParserError) => errors.push(`${code} in line ${startLine}`),
  });
  return errors.filter((error) => !/^(?:missing-doctype|unexpected-doctype|misplaced-doctype)/.test(error));
}

/** The pages of rules have incorrect examples, which test/lint/lint-rules.test.ts checks. */
const isRule = ({ page }: CodeBlock): boolean => page.startsWith('docs/rules/');

test('the HTML of the documentation has no parse errors, and its tools have no errors', () => {
  const found = blocksOf('html').flatMap((block) => {
    const problems = isRule(block) ? [] : lint(block.code, { path: block.page });
    const errors = problems.filter(({ severity, code }) => severity === 'error' && code !== 'form-not-found');
    return [...parseErrors(block.code), ...errors.map(({ message }) => message)].map(
      (each) => `${block.place}: ${each}`,
    );
  });
  assert.deepEqual(found, []);
});

test('the YAML of the documentation is valid', () => {
  for (const { place, code } of blocksOf('yaml')) assert.doesNotThrow(() => parseYaml(code) as unknown, place);
});

test('the commands of the documentation are valid shell scripts with existing commands and options', () => {
  const shell = blocksOf('sh', 'bash');
  assert.ok(shell.length > 20);
  for (const { place, code } of shell) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
    assert.equal(status, 0, `${place}: ${stderr}`);
    assert.deepEqual(commandErrors(code), [], place);
  }
});

test('the check of commands finds unknown commands, options and scripts', () => {
  const wrong =
    '```sh\nnpx webmcp-forms lint --fixes pages\nnpx webmcp-forms lints pages\ncat a | webmcp-gateway serve --bse-url b\nnpm run tests\n```';
  assert.equal(commandErrors(blocksIn('page', wrong)[0]?.code ?? '').length, 4);
});

test('the style sheets of the documentation are valid', async () => {
  for (const { place, code } of blocksOf('css'))
    assert.deepEqual((await transform(code, { loader: 'css' })).warnings, [], place);
});

const hasPhp = spawnSync('php', ['--version']).status === 0;

test('the PHP of the documentation is valid', { skip: !hasPhp }, () => {
  for (const { place, code } of blocksOf('php')) {
    const { status, stdout } = spawnSync('php', ['-l'], { input: code, encoding: 'utf8' });
    assert.equal(status, 0, `${place}: ${stdout}`);
  }
});
