import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { describe, it } from 'vitest';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lint } from '../../src/build.js';
import { parseConfig } from '../../src/lint/config/config.js';
import { createMatcher } from '../../src/site/pages/glob.js';
import { ruleCodes } from '../../src/lint/rules/rules.js';
import { textFormat } from '../../src/lint/formats.js';
import { makeFolder, runInProcess, toolForm } from '../support/cli/running.js';

const long = toolForm('x'.repeat(31), '<label>Words <input name=q></label>');
const wrong =
  '<form toolname="a b" tooldescription="Sends words"><label>Words <input name=q></label><button>Go</button></form>';
const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../fixtures/lint/${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;
const pages = { 'a.html': wrong, 'b.html': long, 'none.html': '<p>Hello' };

describe('webmcp-forms lint', () => {
  it('lint writes one line for each finding, and a summary', async () => {
    const { code, stdout, stderr } = await runInProcess(['lint', '.'], { cwd: await makeFolder(pages) });
    assert.equal(code, 1);
    assert.equal(
      stdout.split('\n')[0],
      'a.html:1:7 error invalid-tool-name The toolname is invalid. Use 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop. (tool a b)',
    );
    assert.equal(stderr, 'webmcp-forms: 3 pages, 1 tool, 1 error, 2 warnings, 0 info\n');
  });

  it('lint exits with 1 for errors, and for more warnings than --max-warnings', async () => {
    const cwd = await makeFolder(pages);
    const codeOf = async (...argv: string[]): Promise<number> => (await runInProcess(['lint', ...argv], { cwd })).code;
    assert.equal(await codeOf('none.html'), 0);
    assert.equal(await codeOf('b.html'), 0);
    assert.equal(await codeOf('b.html', '--max-warnings', '1'), 1);
    assert.equal(await codeOf('b.html', '--max-warnings', '2', '--quiet'), 0);
    assert.equal(await codeOf('b.html', '--rule', 'tool-name-too-long:error'), 1);
    assert.equal(await codeOf('a.html', '--rule', 'invalid-tool-name:off'), 0);
  });

  it('lint rejects wrong usage in one line with advice', async () => {
    const cwd = await makeFolder(pages);
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /PATH is missing/],
      [['a.html', '--rule', 'invalid-tool-nam:off'], /Did you mean "invalid-tool-name"\?/],
      [['a.html', '--rule', 'invalid-tool-name:warn'], /"warn" is not a severity .*Did you mean "warning"\?/],
      [['a.html', '--rule', 'invalid-tool-name'], /not CODE:SEVERITY/],
      [['a.html', '--max-warnings', '-1'], /non-negative integer/],
      [['a.html', '--format', 'xml'], /text, json, sarif, github/],
      [['a.html', '--config', 'none.json'], /Cannot read none\.json/],
      [['a.html', '--out', 'a.html'], /--out is one of the inputs/],
      [['-', '--fix'], /--fix cannot be used with standard input/],
      [['a.html', 'a.html'], /Two inputs have the path/],
      [['missing.html'], /Cannot read missing\.html/],
    ];
    for (const [argv, message] of cases) {
      const { code, stdout, stderr } = await runInProcess(['lint', ...argv], { cwd });
      assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
    }
  });

  it('lint reads a page from standard input', async () => {
    const { stdout } = await runInProcess(['lint', '-'], { cwd: await makeFolder(), stdin: [wrong] });
    assert.match(stdout, /^<stdin>:1:7 error invalid-tool-name /);
  });

  it('lint --quiet writes only errors', async () => {
    const { stdout } = await runInProcess(['lint', '--quiet', '.'], { cwd: await makeFolder(pages) });
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(' ')[1]),
      ['error', undefined],
    );
  });

  it('lint finds a misspelled annotation on a page without other annotations', async () => {
    const cwd = await makeFolder({ 'a.html': '<form toolnme="send"><button>Go</button></form>' });
    assert.match(
      (await runInProcess(['lint', '.'], { cwd })).stdout,
      /^a\.html:1:7 warning unknown-annotation toolnme /,
    );
  });

  it('lint compares the pages of a site', async () => {
    const other = toolForm('a', '<label>Number <input type=number name=n></label>');
    const { stdout } = await runInProcess(['lint', '.'], {
      cwd: await makeFolder({ 'a.html': toolForm('a'), 'b.html': other }),
    });
    assert.match(stdout, /^b\.html:1:1 warning conflicting-tool-name .* a\.html:1:1 /m);
  });

  it('lint --format json writes the file of each finding', async () => {
    const { stdout } = await runInProcess(['lint', '--format', 'json', '.'], { cwd: await makeFolder(pages) });
    const { findings, summary } = JSON.parse(stdout) as {
      findings: Record<string, unknown>[];
      summary: Record<string, number>;
    };
    assert.deepEqual(findings.map(({ file, code }) => [file, code])[0], ['a.html', 'invalid-tool-name']);
    assert.deepEqual(summary, {
      pages: 3,
      components: 0,
      tools: 1,
      plainForms: 0,
      errors: 1,
      warnings: 2,
      infos: 0,
      fixed: 0,
    });
    const empty = await runInProcess(['lint', '--format', 'json', 'none.html'], { cwd: await makeFolder(pages) });
    assert.deepEqual((JSON.parse(empty.stdout) as { findings: unknown }).findings, []);
  });

  it('lint counts tools and forms without annotations, and names annotate in each format if no form is a tool', async () => {
    const form = '<form action=/find><label>Words <input name=q></label><button>Find</button></form>';
    const cwd = await makeFolder({
      'site 1/a.html': `${form}<form method=dialog><button>Close</button></form><!-- ${form} -->`,
      'site 1/b.html': form,
      'tool.html': toolForm('send') + form,
    });
    const run = (...argv: string[]) => runInProcess(['lint', ...argv], { cwd });
    const notice = "0 tools in 2 forms. Run webmcp-forms annotate 'site 1'.";
    const { code, stderr } = await run('site 1');
    const counts = '2 pages, 0 tools, 2 forms without annotations, 0 errors, 0 warnings, 0 info';
    assert.deepEqual([code, stderr], [0, `webmcp-forms: ${counts}\nwebmcp-forms: ${notice}\n`]);
    const { summary } = JSON.parse((await run('site 1', '--format', 'json')).stdout) as { summary: object };
    assert.deepEqual(summary, {
      pages: 2,
      components: 0,
      tools: 0,
      plainForms: 2,
      errors: 0,
      warnings: 0,
      infos: 0,
      fixed: 0,
      notice,
    });
    assert.equal((await run('site 1', '--format', 'github')).stdout, `::notice::${notice}\n`);
    const sarif = JSON.parse((await run('site 1', '--format', 'sarif')).stdout) as {
      runs: { properties: object; invocations: { toolExecutionNotifications: { message: { text: string } }[] }[] }[];
    };
    assert.equal(sarif.runs[0]?.invocations[0]?.toolExecutionNotifications[0]?.message.text, notice);
    assert.match((await run('.')).stderr, /3 pages, 1 tool, 3 forms without annotations, [^\n]*\n$/);
  });

  it('lint --format sarif writes valid SARIF 2.1.0', async () => {
    const cwd = await makeFolder({ ...pages, 'sub dir/#ü%.html': wrong.replace('a b', ' a ') });
    const { stdout } = await runInProcess(['lint', '--format', 'sarif', '.'], { cwd });
    const log = JSON.parse(stdout) as {
      runs: {
        results: { fixes?: unknown; locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[];
      }[];
    };
    const { id: $id, $schema: _, ...schema } = fixture('sarif-schema-2.1.0.json');
    const ajv = new Ajv({ strict: false, unicodeRegExp: false });
    addFormats.default(ajv);
    const isSarif = ajv.compile({ $id: $id as string, ...schema });
    assert.ok(isSarif(log), JSON.stringify(isSarif.errors));
    assert.ok(!isSarif({ ...log, runs: [{ results: [{}] }] }));
    const results = log.runs[0]?.results ?? [];
    assert.ok(results.some(({ fixes }) => fixes));
    assert.ok(
      results.some(
        ({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri === 'sub%20dir/%23%C3%BC%25.html',
      ),
    );
  });

  it('lint --format github escapes the text of the page', async () => {
    const cwd = await makeFolder({
      'a,b:c%.html':
        '<form tooldescription="Sends &#10;::error::x words, 100%" toolname="a"><button>Go</button><input name="x&#13;&#10;y" required pattern="["></form>',
    });
    const { stdout } = await runInProcess(['lint', '--format', 'github', '.'], { cwd });
    for (const line of stdout.trimEnd().split('\n'))
      assert.match(
        line,
        /^::(?:error|warning|notice) file=a%2Cb%3Ac%25\.html,line=1,col=\d+,endLine=1,title=[a-z-]+::[^\n]+$/,
      );
  });

  it('lint --out writes the findings to a file', async () => {
    const cwd = await makeFolder(pages);
    const { stdout, stderr } = await runInProcess(['lint', '--out', 'findings.txt', 'a.html'], { cwd });
    assert.equal(stdout, '');
    assert.match(stderr, /written to findings\.txt$/m);
    assert.match(await readFile(join(cwd, 'findings.txt'), 'utf8'), /^a\.html:1:7 error /);
  });

  it('textFormat replaces control characters of the page', () => {
    const location = { line: 1, column: 3 };
    const finding = {
      code: 'agent-instruction',
      severity: 'warning',
      message: '\u001b[2Jx\ny',
      tool: '\u009b1m',
      location,
    } as const;
    const file = {
      file: 'a\u001b.html',
      path: 'a',
      findings: [finding],
      lines: new Map([[1, '\u001b]0;x\u0007\u202e form']]),
    };
    const tally = { pages: 1, components: 0, tools: 1, plainForms: 0, errors: 0, warnings: 1, infos: 0, fixed: 0 };
    const plain = [...textFormat((_, text) => text)({ files: [file], tally })].join('');
    assert.match(plain, /^[^\p{Cc}\p{Cf}]*\n {2}1 \|[^\p{Cc}\p{Cf}]*\n {4}\| {3}\^\n$/u);
    const colored = [...textFormat(styleText)({ files: [file], tally })].join('');
    assert.doesNotMatch(colored.replace(/\u001b\[\d+m/g, ''), /[\u001b\u009b]/);
  });
});

describe('lint configuration', () => {
  const config = (value: unknown): string => JSON.stringify(value);

  it('lint uses the nearest configuration above the first PATH, and flags override it', async () => {
    const cwd = await makeFolder({
      'webmcp-forms.config.json': config({
        rules: { 'invalid-tool-name': 'info' },
        overrides: [{ files: ['site/b/**'], rules: { 'invalid-tool-name': 'off' } }],
        ignore: ['site/old/**'],
      }),
      'site/a/index.html': wrong,
      'site/b/index.html': wrong,
      'site/old/index.html': wrong,
    });
    const { code, stdout, stderr } = await runInProcess(['lint', 'site'], { cwd });
    assert.deepEqual(
      [code, stdout.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))],
      [0, ['site/a/index.html:1:7 info', '']],
    );
    assert.match(stderr, /2 pages, 0 tools, 0 errors, 0 warnings, 1 info, 1 ignored$/m);
    assert.equal((await runInProcess(['lint', 'site', '--rule', 'invalid-tool-name:error'], { cwd })).code, 1);
  });

  it('lint rejects an invalid configuration in one line', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['{', /not valid JSON/],
      ['[]', /the configuration is not an object/],
      ['{"rule":{}}', /unknown key "rule".*Did you mean "rules"\?/],
      ['{"__proto__":{}}', /unknown key "__proto__"/],
      ['{"rules":{"__proto__":"off"}}', /The rule "__proto__" does not exist/],
      ['{"rules":{"constructor":"off"}}', /The rule "constructor" does not exist/],
      ['{"rules":{"missing-toolname":"off"}}', /Did you mean "missing-tool-name"\?/],
      ['{"rules":{"missing-tool-name":2}}', /rules\.missing-tool-name: the value is not a severity \(off, /],
      ['{"overrides":{}}', /overrides is not an array/],
      ['{"overrides":[{"rules":{}}]}', /overrides\[0\] has no "files"/],
      ['{"ignore":[1]}', /ignore is not a glob or an array of globs/],
      ['{"ignore":""}', /ignore contains an empty glob\. Use "\*\*" for all pages, or remove it\./],
      ['{"overrides":[{"files":["a",""]}]}', /overrides\[0\]\.files contains an empty glob/],
      [JSON.stringify({ ignore: '*a'.repeat(2000) }), /more than 3 wildcards in a name\. Use several globs\./],
      [JSON.stringify({ ignore: '**/a/'.repeat(500) }), /more than 3 wildcards \*\*/],
      [JSON.stringify({ ignore: '{a,aa}'.repeat(40) }), /more than 10 braces/],
    ];
    for (const [text, message] of cases) {
      const { code, stdout, stderr } = await runInProcess(['lint', '.'], {
        cwd: await makeFolder({ ...pages, 'webmcp-forms.config.json': text }),
      });
      assert.deepEqual([code, stdout], [2, ''], text);
      assert.match(stderr, message);
    }
  });

  it('parseConfig accepts the configurations that its JSON Schema accepts', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../src/lint/config/config.schema.json', import.meta.url), 'utf8'),
    ) as { $defs: { rules: { properties: object } } };
    assert.deepEqual(Object.keys(schema.$defs.rules.properties), ruleCodes);
    const isConfig = new Ajv2020({ strict: true }).compile(schema);
    for (const [isRight, value] of [
      [true, {}],
      [true, { $schema: 'x', rules: { 'no-options': 'off' }, overrides: [{ files: 'a', rules: {} }], ignore: ['b'] }],
      [false, { rules: { nothing: 'off' } }],
      [false, { overrides: [{}] }],
      [false, { ignore: [''] }],
    ] as const) {
      assert.equal(isConfig(value), isRight);
      if (isRight) parseConfig(config(value), 'c');
      else assert.throws(() => parseConfig(config(value), 'c'), { name: 'UsageError' });
    }
  });

  it('globs match whole paths, and brackets match themselves', () => {
    const matching = [
      '*.html',
      '**',
      '**/*.html',
      'a/**',
      'a/b/[id].html',
      'a/?/*',
      '{x,a}/**',
      '**/b/**',
      'a/**/[id].html',
      '{a,c}/{b,d}/*.{html,htm}',
      './a/**',
      'a/',
    ];
    assert.deepEqual(
      matching.filter((glob) => !createMatcher(glob)('a/b/[id].html')),
      ['*.html'],
    );
    for (const glob of ['b/**', 'a/*', 'a/b', '**/c/**', 'A/**'])
      assert.ok(!createMatcher(glob)('a/b/[id].html'), glob);
    assert.ok(!createMatcher('{a,b}'.repeat(40))('x'));
  });
});

describe('webmcp-forms lint --fix', () => {
  const bytes = (text: string): Buffer => Buffer.from(text);

  it('lint --fix makes safe fixes, and preserves every other byte and the mode of the file', async () => {
    const before =
      '\uFEFF<!DOCTYPE html>\r\n<p>é😀\u0000</P>\r\n<FORM\r\n\tToolName=" a\n" data-TOOLNAME=" a\n"\r\n  tooldescription=\'Sends words\'   ><INPUT NAME=q toolparamdescription=""/><label>Words <input name=r data-toolparamdescription ></label><button>Go</button></FORM>\r\n\r\n';
    const after =
      '\uFEFF<!DOCTYPE html>\r\n<p>é😀\u0000</P>\r\n<FORM\r\n\tToolName="a"\r\n  tooldescription=\'Sends words\'   ><INPUT NAME=q /><label>Words <input name=r ></label><button>Go</button></FORM>\r\n\r\n';
    const cwd = await makeFolder({ 'a.html': bytes(before) });
    await chmod(join(cwd, 'a.html'), 0o640);
    const { stderr } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.equal((await readFile(join(cwd, 'a.html'))).toString(), after);
    assert.equal((await stat(join(cwd, 'a.html'))).mode & 0o777, 0o640);
    assert.match(stderr, /^a\.html:4:2 fixed invalid-tool-name Remove the white space/m);
    assert.match(stderr, /4 fixed$/m);
    const again = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.doesNotMatch(again.stderr, /fixed/);
  });

  it('lint --fix writes a linked file once, and writes nothing if its names have different fixes', async () => {
    const html = toolForm('send').replace('toolname="send"', 'toolname=" send "');
    const files = { 'a.html': html, 'b.html': html };
    const cwd = await makeFolder(files);
    await symlink('a.html', join(cwd, 'link.html'));
    assert.equal((await runInProcess(['lint', '--fix', '.'], { cwd })).code, 0);
    for (const file of ['a.html', 'b.html', 'link.html'])
      assert.equal(await readFile(join(cwd, file), 'utf8'), toolForm('send'));
    const overrides = [{ files: ['z.html'], rules: { 'redundant-annotation': 'off' } }];
    const other = await makeFolder({
      'a.html': html,
      'y.html': html.replace('<form', '<form data-toolname=" send "'),
      'webmcp-forms.config.json': JSON.stringify({ overrides }),
    });
    await symlink('y.html', join(other, 'z.html'));
    const { code, stderr } = await runInProcess(['lint', '--fix', '.'], { cwd: other });
    assert.equal(code, 2);
    assert.match(stderr, /Cannot fix y\.html and z\.html: they are the same file/);
    assert.equal(await readFile(join(other, 'a.html'), 'utf8'), html);
  });

  it('lint --fix writes nothing if a symbolic link leads out of the folder', async () => {
    const html = toolForm('send').replace('toolname="send"', 'toolname=" send "');
    const outside = await makeFolder({ 'b.html': html });
    const cwd = await makeFolder({ 'a.html': html });
    await symlink(join(outside, 'b.html'), join(cwd, 'b.html'));
    const { code, stderr } = await runInProcess(['lint', '--fix', '.'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /Cannot write b\.html: a symbolic link leads to \S+b\.html, outside of the folder\. Name /);
    for (const file of [join(outside, 'b.html'), join(cwd, 'a.html')]) assert.equal(await readFile(file, 'utf8'), html);
  });

  it('lint --fix does not fix ambiguous annotations', async () => {
    const html =
      '<form toolname=a data-toolname=b tooldescription="Sends words" toolautosubmit="false"><label>x<input name=q toolparamdescription="" data-toolparamdescription="y"></label></form>';
    const cwd = await makeFolder({ 'a.html': html });
    const { stdout } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), html);
    for (const code of ['redundant-annotation', 'empty-annotation', 'autosubmit-value'])
      assert.ok(stdout.includes(code), code);
  });

  it('lint --fix does not fix an attribute that occurs twice in a tag', async () => {
    const pages = [
      ['toolparamdescription="" toolparamdescription="Real words"', 'empty-annotation'],
      ['data-toolparamdescription="" DATA-toolparamdescription="Real words"', 'empty-annotation'],
      ['toolparamdescription="a" data-toolparamdescription="a"/data-toolparamdescription=b', 'redundant-annotation'],
    ] as const;
    for (const [attributes, code] of pages) {
      const html = toolForm('find', `<label>Words <input name=q ${attributes}></label>`);
      const cwd = await makeFolder({ 'a.html': html });
      const { stdout, stderr } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
      assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), html);
      assert.ok(stdout.includes(code), stdout);
      assert.doesNotMatch(stderr, /fixed/);
      assert.ok(lint(html, { path: 'a' }).every(({ fix }) => fix === undefined));
    }
  });

  it('lint --fix omits a fix that would replace the tool of another form', async () => {
    const spaced = toolForm('find', '<label>Number <input type=number name=n></label>').replace('"find"', '" find"');
    const html = `${toolForm(' send')}${spaced}${toolForm('find')}${toolForm('ask', '<input name=q aria-label=Words toolparamdescription="">')}`;
    const cwd = await makeFolder({ 'a.html': html });
    const { stderr } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    const after = html.replace('" send"', '"send"').replace(' toolparamdescription=""', '');
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), after);
    assert.match(stderr, /2 fixed$/m);
  });

  it('lint --fix does not fix disabled findings, and does not write files without fixes', async () => {
    const html = `<!-- webmcp-forms-disable redundant-annotation -->\n${toolForm('send').replace('<form', '<form data-toolname=send')}`;
    const cwd = await makeFolder({ 'a.html': html });
    const { ino } = await stat(join(cwd, 'a.html'));
    await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), html);
    assert.equal((await stat(join(cwd, 'a.html'))).ino, ino);
  });
});

describe('lint of bad input', () => {
  it('lint parses broken and empty pages as a browser does', async () => {
    const cwd = await makeFolder({
      'a.html': '',
      'b.html': `<table><form toolname=a><tr><td></form <<!--`,
      'c.html': `</form></p>${wrong}`.slice(0, -9),
      'd.html': '<form toolname',
    });
    const { code, stdout } = await runInProcess(['lint', '.'], { cwd });
    assert.equal(code, 1);
    assert.match(stdout, /^b\.html:1:\d+ error missing-tool-description/m);
    assert.match(stdout, /^c\.html:1:\d+ error invalid-tool-name/m);
  });

  it('lint reports files with annotations that are not text, and rejects a folder as --out', async () => {
    const cwd = await makeFolder({
      'a.html': wrong,
      'b.html': Buffer.from('<form toolname=\xff>', 'utf16le'),
      'c.html': Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x3c]),
    });
    const { code, stdout } = await runInProcess(['lint', '.'], { cwd });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^b\.html error unreadable-page The page has null characters, as in UTF-16 without a byte order mark\. Save it as UTF-8\.$/m,
    );
    const { stderr: skipped } = await runInProcess(['lint', 'c.html'], { cwd });
    assert.match(skipped, /^webmcp-forms: 1 page, 0 tools, 0 errors/);
    await mkdir(join(cwd, 'out'));
    assert.match((await runInProcess(['lint', 'a.html', '--out', 'out'], { cwd })).stderr, /it is a folder/);
  });

  it('lint writes three thousand findings, and disables three thousand', { tags: 'long' }, async () => {
    const form = (index: number): string =>
      `<!-- webmcp-forms-disable-next-line missing-tool-description -->\n<form toolname="t${index} "><button>Go</button></form>\n`;
    const cwd = await makeFolder({ 'a.html': Array.from({ length: 3000 }, (_, index) => form(index)).join('') });
    const { stdout } = await runInProcess(['lint', 'a.html'], { cwd });
    assert.deepEqual(
      [stdout.split('\n').length, new Set(stdout.split('\n').map((line) => line.split(' ')[2])).size],
      [3001, 2],
    );
  });

  it('lint is fast with thousands of described fieldsets', { tags: 'long' }, () => {
    const words = 'Quux blarg fnord grault garply waldo plugh xyzzy thud corge frobn zargle blimp quorn';
    const group = (index: number): string =>
      `<fieldset toolparamdescription="${words}"><legend>L${index}</legend><input type=checkbox name=n${index} value=1><input type=checkbox name=n${index} value=2></fieldset>`;
    const html = toolForm('find', Array.from({ length: 3000 }, (_, index) => group(index)).join(''));
    assert.ok(!lint(html, { path: 'a' }).some(({ code }) => code === 'description-not-on-page'));
    assert.equal(lint(html + '<form'.repeat(100_000), { path: 'a' }).length > 0, true);
  });

  it('lint is fast with strings that provoke backtracking', { tags: 'long' }, async () => {
    const texts = [
      'ignore ',
      'all previous ',
      'a@',
      '1 to ',
      '{',
      '<',
      'https://',
      ' ',
      '\u200d',
      'never tell ',
      '(',
      'é',
    ].map((part) => part.repeat(20_000));
    const html = texts
      .map(
        (text, index) =>
          `<form method=post toolautosubmit toolname="${text}${index}" tooldescription="${text}"><label>${text}<input type=number min=1 required name="q" toolparamdescription="${text}"></label><input type=hidden name=h value="${text}" toolparamdescription=x></form>`,
      )
      .join('');
    const { code } = await runInProcess(['lint', '-', '--profile', 'chromium'], {
      cwd: await makeFolder(),
      stdin: [html],
    });
    assert.equal(code, 1);
  });
});
