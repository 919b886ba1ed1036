import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lint } from '../../src/build.js';
import { createMatcher, parseConfig } from '../../src/lint/config/config.js';
import { ruleCodes } from '../../src/lint/rules/rules.js';
import { textFormat } from '../../src/lint/formats/text.js';
import { makeFolder, runInProcess, toolForm } from '../cli/running.js';

const long = toolForm('x'.repeat(31), '<label>Words <input name=q></label>');
const wrong =
  '<form toolname="a b" tooldescription="Sends words"><label>Words <input name=q></label><button>Go</button></form>';
const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../fixtures/lint/${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;
const pages = { 'a.html': wrong, 'b.html': long, 'none.html': '<p>Hello' };

describe('webmcp-forms lint', () => {
  it('writes a finding a line, and tells how much it found', async () => {
    const { code, stdout, stderr } = await runInProcess(['lint', '.'], { cwd: await makeFolder(pages) });
    assert.equal(code, 1);
    assert.equal(
      stdout.split('\n')[0],
      'a.html:1:7 error invalid-tool-name The toolname is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop. (tool a b)',
    );
    assert.equal(stderr, 'webmcp-forms: 3 pages, 1 error, 2 warnings, 0 info\n');
  });

  it('exits with 1 for errors, and for more warnings than are allowed', async () => {
    const cwd = await makeFolder(pages);
    const codeOf = async (...argv: string[]): Promise<number> => (await runInProcess(['lint', ...argv], { cwd })).code;
    assert.equal(await codeOf('none.html'), 0);
    assert.equal(await codeOf('b.html'), 0);
    assert.equal(await codeOf('b.html', '--max-warnings', '1'), 1);
    assert.equal(await codeOf('b.html', '--max-warnings', '2', '--quiet'), 0);
    assert.equal(await codeOf('b.html', '--rule', 'tool-name-too-long:error'), 1);
    assert.equal(await codeOf('a.html', '--rule', 'invalid-tool-name:off'), 0);
  });

  it('refuses wrong usage in one line that names the way out', async () => {
    const cwd = await makeFolder(pages);
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /no PATH is given/],
      [['a.html', '--rule', 'invalid-tool-nam:off'], /did you mean "invalid-tool-name"\?/],
      [['a.html', '--rule', 'invalid-tool-name:warn'], /"warn" is none of .*did you mean "warning"\?/],
      [['a.html', '--rule', 'invalid-tool-name'], /not CODE:SEVERITY/],
      [['a.html', '--max-warnings', '-1'], /natural number/],
      [['a.html', '--format', 'xml'], /text, json, sarif, github/],
      [['a.html', '--config', 'none.json'], /cannot read none\.json/],
      [['a.html', '--out', 'a.html'], /it is one of the inputs/],
      [['-', '--fix'], /--fix changes files/],
      [['a.html', 'a.html'], /two inputs have the path/],
      [['missing.html'], /cannot read missing\.html/],
    ];
    for (const [argv, message] of cases) {
      const { code, stdout, stderr } = await runInProcess(['lint', ...argv], { cwd });
      assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
    }
  });

  it('reads a page on standard input', async () => {
    const { stdout } = await runInProcess(['lint', '-'], { cwd: await makeFolder(), stdin: [wrong] });
    assert.match(stdout, /^<stdin>:1:7 error invalid-tool-name /);
  });

  it('leaves warnings out when it is to be quiet', async () => {
    const { stdout } = await runInProcess(['lint', '--quiet', '.'], { cwd: await makeFolder(pages) });
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(' ')[1]),
      ['error', undefined],
    );
  });

  it('finds one name for different tools on the pages of a site', async () => {
    const other = toolForm('a', '<label>Number <input type=number name=n></label>');
    const { stdout } = await runInProcess(['lint', '.'], {
      cwd: await makeFolder({ 'a.html': toolForm('a'), 'b.html': other }),
    });
    assert.match(stdout, /^b\.html:1:1 warning conflicting-tool-name .* a\.html:1:1 /m);
  });

  it('writes JSON that says the file of each finding', async () => {
    const { stdout } = await runInProcess(['lint', '--format', 'json', '.'], { cwd: await makeFolder(pages) });
    const { findings, summary } = JSON.parse(stdout) as {
      findings: Record<string, unknown>[];
      summary: Record<string, number>;
    };
    assert.deepEqual(findings.map(({ file, code }) => [file, code])[0], ['a.html', 'invalid-tool-name']);
    assert.deepEqual(summary, { pages: 3, errors: 1, warnings: 2, infos: 0, fixed: 0 });
    const empty = await runInProcess(['lint', '--format', 'json', 'none.html'], { cwd: await makeFolder(pages) });
    assert.deepEqual((JSON.parse(empty.stdout) as { findings: unknown }).findings, []);
  });

  it('writes SARIF 2.1.0 by its schema', async () => {
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

  it('writes workflow commands that page text cannot break out of', async () => {
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

  it('writes to a file, at once', async () => {
    const cwd = await makeFolder(pages);
    const { stdout, stderr } = await runInProcess(['lint', '--out', 'findings.txt', 'a.html'], { cwd });
    assert.equal(stdout, '');
    assert.match(stderr, /written to findings\.txt$/m);
    assert.match(await readFile(join(cwd, 'findings.txt'), 'utf8'), /^a\.html:1:7 error /);
  });

  it('lets no page text move the cursor of a terminal', () => {
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
    const tally = { pages: 1, errors: 0, warnings: 1, infos: 0, fixed: 0 };
    const plain = [...textFormat(false)({ files: [file], tally })].join('');
    assert.match(plain, /^[^\p{Cc}\p{Cf}]*\n {2}1 \|[^\p{Cc}\p{Cf}]*\n {4}\| {3}\^\n$/u);
    const coloured = [...textFormat(true)({ files: [file], tally })].join('');
    assert.doesNotMatch(coloured.replace(/\u001b\[\d+m/g, ''), /[\u001b\u009b]/);
  });
});

describe('the configuration of webmcp-forms lint', () => {
  const config = (value: unknown): string => JSON.stringify(value);

  it('is found upwards from the first path, and flags count before it', async () => {
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
    assert.match(stderr, /2 pages, 0 errors, 0 warnings, 1 info, 1 ignored$/m);
    assert.equal((await runInProcess(['lint', 'site', '--rule', 'invalid-tool-name:error'], { cwd })).code, 1);
  });

  it('is refused in one line that names what is wrong', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['{', /not valid JSON/],
      ['[]', /it is not an object/],
      ['{"rule":{}}', /has "rule", which is none of .*did you mean "rules"\?/],
      ['{"__proto__":{}}', /has "__proto__"/],
      ['{"rules":{"__proto__":"off"}}', /there is no rule "__proto__"/],
      ['{"rules":{"constructor":"off"}}', /there is no rule "constructor"/],
      ['{"rules":{"missing-toolname":"off"}}', /did you mean "missing-tool-name"\?/],
      ['{"rules":{"missing-tool-name":2}}', /missing-tool-name: what it has is none of off/],
      ['{"overrides":{}}', /overrides is not a list/],
      ['{"overrides":[{"rules":{}}]}', /overrides\[0\] has no "files"/],
      ['{"ignore":[1]}', /ignore has an entry that is no glob/],
    ];
    for (const [text, message] of cases) {
      const { code, stdout, stderr } = await runInProcess(['lint', '.'], {
        cwd: await makeFolder({ ...pages, 'webmcp-forms.config.json': text }),
      });
      assert.deepEqual([code, stdout], [2, ''], text);
      assert.match(stderr, message);
    }
  });

  it('agrees with its JSON Schema', () => {
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

  it('takes globs by whole paths, and brackets as they are', () => {
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

  it('changes what is safe and keeps every other byte, and the mode of the file', async () => {
    const before =
      '\uFEFF<!DOCTYPE html>\r\n<p>é😀\u0000</P>\r\n<FORM\r\n\tToolName=" a\n" data-TOOLNAME=" a\n"\r\n  tooldescription=\'Sends words\'   ><INPUT NAME=q toolparamdescription=""/><label>Words <input name=r data-toolparamdescription ></label><button>Go</button></FORM>\r\n\r\n';
    const after =
      '\uFEFF<!DOCTYPE html>\r\n<p>é😀\u0000</P>\r\n<FORM\r\n\tToolName="a"\r\n  tooldescription=\'Sends words\'   ><INPUT NAME=q /><label>Words <input name=r ></label><button>Go</button></FORM>\r\n\r\n';
    const cwd = await makeFolder({ 'a.html': bytes(before) });
    await chmod(join(cwd, 'a.html'), 0o640);
    const { stderr } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.equal((await readFile(join(cwd, 'a.html'))).toString(), after);
    assert.equal((await stat(join(cwd, 'a.html'))).mode & 0o777, 0o640);
    assert.match(stderr, /^a\.html:4:2 fixed invalid-tool-name Take the white space/m);
    assert.match(stderr, /4 fixed$/m);
    const again = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.doesNotMatch(again.stderr, /fixed/);
  });

  it('fixes a page once that a link leads to as well, and writes nothing where its names are fixed in two ways', async () => {
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
    assert.match(stderr, /cannot fix y\.html and z\.html: they are one file/);
    assert.equal(await readFile(join(other, 'a.html'), 'utf8'), html);
  });

  it('leaves alone what may mean two things', async () => {
    const html =
      '<form toolname=a data-toolname=b tooldescription="Sends words" toolautosubmit="false"><label>x<input name=q toolparamdescription="" data-toolparamdescription="y"></label></form>';
    const cwd = await makeFolder({ 'a.html': html });
    const { stdout } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), html);
    for (const code of ['redundant-annotation', 'empty-annotation', 'autosubmit-value'])
      assert.ok(stdout.includes(code), code);
  });

  it('leaves alone an attribute that is written twice, of which another one would count', async () => {
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

  it('leaves away a fix that would take a tool from another form, and makes the others', async () => {
    const spaced = toolForm('find', '<label>Number <input type=number name=n></label>').replace('"find"', '" find"');
    const html = `${toolForm(' send')}${spaced}${toolForm('find')}${toolForm('ask', '<input name=q aria-label=Words toolparamdescription="">')}`;
    const cwd = await makeFolder({ 'a.html': html });
    const { stderr } = await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    const after = html.replace('" send"', '"send"').replace(' toolparamdescription=""', '');
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), after);
    assert.match(stderr, /2 fixed$/m);
  });

  it('fixes nothing that a comment disables, and writes no file without a fix', async () => {
    const html = `<!-- webmcp-forms-disable redundant-annotation -->\n${toolForm('send').replace('<form', '<form data-toolname=send')}`;
    const cwd = await makeFolder({ 'a.html': html });
    const { ino } = await stat(join(cwd, 'a.html'));
    await runInProcess(['lint', '--fix', 'a.html'], { cwd });
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), html);
    assert.equal((await stat(join(cwd, 'a.html'))).ino, ino);
  });
});

describe('webmcp-forms lint on bad input', () => {
  it('reads broken and empty pages as a browser does', async () => {
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

  it('refuses binary files and folders in place of files, and writes nothing', async () => {
    const cwd = await makeFolder({
      'a.html': wrong.replace('<form', '<form data-toolname="a b"'),
      'b.html': Buffer.from('<form toolname=\xff>', 'latin1'),
      'c.html': Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x3c]),
    });
    const before = await readFile(join(cwd, 'a.html'), 'utf8');
    const { code, stdout, stderr } = await runInProcess(['lint', '--fix', '.'], { cwd });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /cannot read b\.html: it is not valid UTF-8/);
    const { stderr: warned } = await runInProcess(['lint', 'c.html'], { cwd });
    assert.match(warned, /^webmcp-forms: left out c\.html: it is not valid UTF-8, and no annotation is in it\n/);
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), before);
    await mkdir(join(cwd, 'out'));
    assert.match((await runInProcess(['lint', 'a.html', '--out', 'out'], { cwd })).stderr, /it is a folder/);
  });

  it('writes ten thousand findings, each under a comment or not', async () => {
    const form = (index: number): string =>
      `<!-- webmcp-forms-disable-next-line missing-tool-description -->\n<form toolname="t${index} "><button>Go</button></form>\n`;
    const cwd = await makeFolder({ 'a.html': Array.from({ length: 10_000 }, (_, index) => form(index)).join('') });
    const { stdout } = await runInProcess(['lint', 'a.html'], { cwd });
    assert.deepEqual(
      [stdout.split('\n').length, new Set(stdout.split('\n').map((line) => line.split(' ')[2])).size],
      [10_001, 2],
    );
  });

  it('is not held up by thousands of fieldsets with words of their own', () => {
    const words = 'Quux blarg fnord grault garply waldo plugh xyzzy thud corge frobn zargle blimp quorn';
    const group = (index: number): string =>
      `<fieldset toolparamdescription="${words}"><legend>L${index}</legend><input type=checkbox name=n${index} value=1><input type=checkbox name=n${index} value=2></fieldset>`;
    const html = toolForm('find', Array.from({ length: 3000 }, (_, index) => group(index)).join(''));
    assert.ok(!lint(html, { path: 'a' }).some(({ code }) => code === 'description-not-on-page'));
    assert.equal(lint(html + '<form'.repeat(100_000), { path: 'a' }).length > 0, true);
  });

  it('is not held up by texts that are made to', async () => {
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
    const { code } = await runInProcess(['lint', '-', '--profile', 'chromium'], { cwd: await makeFolder(), stdin: [html] });
    assert.equal(code, 1);
  });
});
