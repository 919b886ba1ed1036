import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { chmod, link, lstat, readFile, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it } from 'vitest';
import { run } from '../../src/cli/cli.js';
import { rewriteFile } from '../../src/site/rewrite-file.js';
import { hashOf } from '../../src/annotate/files/annotate-files.js';
import { assertOnlyAttributes } from '../support/annotate/annotating.js';
import { answerQuestions, Collector, makeFolder, runInProcess } from '../support/cli/running.js';

const search = '<form action="/books"><label>Title <input name="q"></label><button>Search books</button></form>';
const contact =
  '<h2>Contact us</h2><form action="/contact" method="post"><label>Message <textarea name="m"></textarea></label><button>Send message</button></form>';
const login =
  '<form action="/login" method="post"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Log in</button></form>';
const page = (...forms: readonly string[]): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Books</title></head><body><h1>Books</h1>\n${forms.join('\n')}\n</body></html>\n`;

/** Encodes a character of ASCII or of Russian. */
const windows1251 = (character: string): number => {
  const code = character.charCodeAt(0);
  return code < 0x80 ? code : code - 0x410 + 0xc0;
};

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly forms: readonly { readonly file: string; readonly toolname: string; readonly written: boolean }[];
  readonly notAnnotated: readonly { readonly file: string; readonly line?: number; readonly reason: string }[];
}

describe('webmcp-forms annotate', () => {
  it('prints a table and a diff that patch programs read, and changes nothing', async () => {
    const cwd = await makeFolder({ 'site/a.html': page(search, login) });
    const { code, stdout, stderr } = await runInProcess(['annotate', 'site'], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /^site\/a\.html:3:1 +\w+ +search_books +agent +\S/m);
    assert.match(
      stdout,
      /^site\/a\.html:4:1 .*\[left out: login, for a person to submit; --include-sensitive writes it\]/m,
    );
    assert.match(stdout, /^--- a\/site\/a\.html\n\+\+\+ b\/site\/a\.html\n@@ -1,\d+ \+1,\d+ @@$/m);
    assert.match(stdout, /^\+<form toolname="search_books" /m);
    assert.match(
      stderr,
      /^webmcp-forms: 1 form to annotate in 1 file, 1 left out as sensitive \(--include-sensitive\)\n$/,
    );
    assert.equal(await readFile(join(cwd, 'site/a.html'), 'utf8'), page(search, login));
  });

  it('prints no control character of a page, and writes its exact diff to a file', async () => {
    const escape = '\u001b[2J\u009b31m';
    const files = {
      'a.html': page(`<p>${escape}</p>`, search),
      'b.html': page(contact),
      'c.html': page('<p>rm \r x</p>', search),
      'd.html': page('<p>\u202e</p>', search),
    };
    const cwd = await makeFolder(files);
    const { code, stdout, stderr } = await runInProcess(['annotate', '.'], { cwd });
    assert.equal(code, 1);
    assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]/u);
    assert.deepEqual(stdout.match(/^--- .*/gm), ['--- a/b.html']);
    assert.match(
      stderr,
      /^webmcp-forms: The diff of a\.html is not printed, because .* with --out, or add --write\.$/m,
    );
    const terminal = Object.assign(new Collector(), { isTTY: true });
    const streams = { stdin: new PassThrough(), stdout: terminal, stderr: new Collector() };
    assert.equal(await run(['annotate', '.'], { ...streams, cwd }), 0);
    assert.deepEqual(terminal.text.match(/^--- .*/gm)?.length, 4);
    assert.doesNotMatch(terminal.text, /[^\P{Cc}\n]/u);
    const patched = await runInProcess(['annotate', '--out', 'x.patch', '.'], { cwd });
    assert.equal(patched.code, 0);
    assert.ok((await readFile(join(cwd, 'x.patch'), 'utf8')).includes(` <p>${escape}</p>`));
  });

  it('creates a linted manifest from a folder of pages without annotations in two commands', async () => {
    const files = {
      'a.html': page(search, contact),
      'b/c.html': page(search, login),
      'd.html': page('<p>Nothing</p>'),
    };
    const cwd = await makeFolder(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`site/${name}`, text])),
    );
    const written = await runInProcess(['annotate', '--write', 'site'], { cwd });
    assert.equal(written.code, 0);
    assert.match(
      written.stderr,
      /3 forms annotated, 2 of 2 files written, 1 left out as sensitive \(--include-sensitive\)\n$/,
    );
    const compiled = await runInProcess(['compile', '--strict', '--out', 'webmcp.json', 'site'], { cwd });
    assert.deepEqual([compiled.code, /0 errors, 0 warnings/.test(compiled.stderr)], [0, true]);
    const linted = await runInProcess(['lint', '--max-warnings', '0', 'site'], { cwd });
    assert.deepEqual([linted.code, linted.stdout], [0, '']);
    for (const [name, text] of Object.entries(files))
      assertOnlyAttributes(text, await readFile(join(cwd, 'site', name), 'utf8'), name);
    const again = await runInProcess(['annotate', '--write', 'site'], { cwd });
    assert.match(
      again.stderr,
      /^webmcp-forms: 3 files, nothing to annotate, 1 left out as sensitive \(--include-sensitive\)\n$/,
    );
  });

  it('assigns different tools of several pages distinct names, and equal tools the same name', async () => {
    const other = search.replace('Title', 'Author').replace('"q"', '"author"');
    const cwd = await makeFolder({ 'a.html': page(search), 'b.html': page(other), 'c.html': page(search) });
    const { stdout } = await runInProcess(['annotate', '--format', 'json', '.'], { cwd });
    const names = (JSON.parse(stdout) as Report).forms.map(({ toolname }) => toolname);
    assert.equal(names[0], names[2]);
    assert.notEqual(names[0], names[1]);
    await runInProcess(['annotate', '--write', '.'], { cwd });
    assert.equal((await runInProcess(['lint', '--max-warnings', '0', '.'], { cwd })).code, 0);
  });

  for (const jobs of ['1', '2'])
    it(`reserves the names of equal tools before it names the other forms of a page, with ${jobs} threads`, async () => {
      const [one, two] = ['Author', 'Publisher'].map((label) =>
        search.replace('Title', label).replace('"q"', `"${label.toLowerCase()}"`),
      );
      const cwd = await makeFolder({ 'a.html': page(search, one ?? ''), 'b.html': page(two ?? '', one ?? '') });
      await runInProcess(['annotate', '--write', '--jobs', jobs, '.'], { cwd });
      const linted = await runInProcess(['lint', '--max-warnings', '0', '.'], { cwd });
      assert.equal(linted.code, 0, linted.stdout);
    });

  it('writes the data- spelling with --data, and sensitive forms with --include-sensitive', async () => {
    const cwd = await makeFolder({ 'a.html': page(search, login) });
    const { code } = await runInProcess(['annotate', '--write', '--data', '--include-sensitive', 'a.html'], { cwd });
    const text = await readFile(join(cwd, 'a.html'), 'utf8');
    assert.deepEqual([code, text.match(/<form data-toolname="\w+"/g)?.length, /\stool/.test(text)], [0, 2, false]);
    assertOnlyAttributes(page(search, login), text);
    assert.equal((await runInProcess(['lint', '--max-warnings', '0', 'a.html'], { cwd })).code, 0);
  });

  it('prints the suggestions and their origins as JSON', async () => {
    const cwd = await makeFolder({ 'a.html': page(search, login), 'b.php': `<?php echo '${search}';` });
    const { code, stdout } = await runInProcess(['annotate', '--format', 'json', '.'], { cwd });
    const report = JSON.parse(stdout) as Report;
    assert.equal(code, 1);
    assert.deepEqual(report.summary, { files: 2, forms: 1, low: 0, sensitive: 1, unsafe: 1, unreadable: 0 });
    assert.deepEqual(
      report.forms.map(({ file, toolname, written }) => [file, toolname, written]),
      [
        ['a.html', 'search_books', false],
        ['a.html', 'log_in', false],
      ],
    );
    assert.deepEqual(
      report.notAnnotated.map(({ file, line }) => [file, line]),
      [['b.php', 1]],
    );
  });

  it('does not annotate a form that lint would report, except with --with-findings', async () => {
    const form = '<form action="/a" method="post"><h2>Contact</h2><label>Message <input name="m"></label></form>';
    const cwd = await makeFolder({ 'a.html': page(form) });
    const { code, stderr } = await runInProcess(['annotate', '--write', 'a.html'], { cwd });
    assert.equal(code, 1);
    assert.match(stderr, /^a\.html:3:1 not annotated: .*missing-submit-button: /m);
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), page(form));
    assert.equal((await runInProcess(['annotate', '--write', '--with-findings', 'a.html'], { cwd })).code, 0);
    assert.match(await readFile(join(cwd, 'a.html'), 'utf8'), /<form toolname=/);
  });

  it('names the flags with which a form is not left out, and reports if --include-sensitive alone is not enough', async () => {
    const payment = `<form action="/pay" method="post"><h2>Payment</h2><label>Card number <input name="card" autocomplete="cc-number" required></label><button>Pay</button></form>`;
    const cwd = await makeFolder({ 'a.html': page(login), 'b.html': page(payment) });
    const annotate = (...flags: readonly string[]) => runInProcess(['annotate', ...flags, '.'], { cwd });
    const { stdout, stderr } = await annotate();
    assert.match(stdout, /^a\.html.*\[left out: login, [^\]]*; --include-sensitive writes it\]/m);
    assert.match(stdout, /^b\.html.*\[left out: payment, [^\]]*; --include-sensitive and --with-findings write it\]/m);
    assert.match(stderr, /2 left out as sensitive \(--include-sensitive\)\n$/);
    const sensitive = await annotate('--include-sensitive');
    assert.match(
      sensitive.stderr,
      /^webmcp-forms: --include-sensitive leaves out the forms that lint would report\. Add --with-findings /,
    );
    const both = await annotate('--include-sensitive', '--with-findings');
    assert.deepEqual([both.code, both.stderr], [0, 'webmcp-forms: 2 forms to annotate in 2 files\n']);
    const low = page('<form action="/x"><label>A <input name="a"></label><button>Go</button></form>');
    const confident = await runInProcess(['annotate', '--min-confidence', 'high', '-'], { cwd, stdin: [low] });
    assert.match(confident.stdout, /\[left out: (low|medium) confidence; --min-confidence \1 writes it\]/);
  });

  it('reads a page on standard input, and does not write it', async () => {
    const cwd = await makeFolder();
    const { code, stdout } = await runInProcess(['annotate', '-'], { cwd, stdin: [page(search)] });
    assert.deepEqual([code, /^\+<form toolname=/m.test(stdout)], [0, true]);
    const written = await runInProcess(['annotate', '--write', '-'], { cwd, stdin: [page(search)] });
    assert.match(
      written.stderr,
      /^webmcp-forms: --write cannot be used with standard input\. Name files or folders\.\n$/,
    );
    assert.equal(written.code, 2);
  });

  it('finds templates in folders, and skips named files of unknown types', async () => {
    const cwd = await makeFolder({
      'a.erb': search,
      'b/c.vue': `<template>${search}</template>`,
      'd.rb': search,
      'e.css': '',
    });
    const folder = await runInProcess(['annotate', '--format', 'json', '.'], { cwd });
    assert.deepEqual(
      (JSON.parse(folder.stdout) as Report).forms.map(({ file }) => file),
      ['a.erb', 'b/c.vue'],
    );
    const named = await runInProcess(['annotate', 'a.erb', 'd.rb'], { cwd });
    assert.match(named.stderr, /^webmcp-forms: Skipped d\.rb: it is neither a page nor a known kind of template\.$/m);
    const unknown = await runInProcess(['annotate', 'd.rb'], { cwd });
    assert.deepEqual([unknown.code, /No PATH is a page or a known kind/.test(unknown.stderr)], [2, true]);
  });

  it('has the same result with several threads', { tags: 'long' }, async () => {
    const files = Array.from({ length: 12 }, (_, index): [string, string] => [
      `site/${index}.html`,
      page(search.replace('Title', `Title ${index % 3}`), contact),
    ]);
    const cwd = await makeFolder(Object.fromEntries(files));
    const one = await runInProcess(['annotate', '--jobs', '1', 'site'], { cwd });
    assert.deepEqual(await runInProcess(['annotate', '--jobs', '2', 'site'], { cwd }), one);
  });
});

describe('webmcp-forms annotate --write, with difficult files', () => {
  const write = (cwd: string, ...paths: readonly string[]) => runInProcess(['annotate', '--write', ...paths], { cwd });

  it('preserves a byte order mark, CRLF, tabs, quotes and the mode of a file', async () => {
    const source = `\uFEFF<!doctype html>\r\n<title>Bücher</title>\r\n<form\r\n\t\taction='/books'\r\n\t\tclass=a>\r\n<label>Title <input name='q'></label>\r\n<button>Search books</button></form>\r\n`;
    const cwd = await makeFolder({ 'a.html': source });
    await chmod(join(cwd, 'a.html'), 0o640);
    assert.equal((await write(cwd, 'a.html')).code, 0);
    const text = await readFile(join(cwd, 'a.html'), 'utf8');
    assertOnlyAttributes(source, text);
    assert.match(
      text,
      /^\uFEFF[^]*<form\r\n\t\ttoolname='\w+'\r\n\t\ttooltitle='[^']+'\r\n\t\ttooldescription='[^']+'\r\n\t\ttoolautosubmit\r\n\t\taction='\/books'\r\n/,
    );
    assert.equal((await stat(join(cwd, 'a.html'))).mode & 0o777, 0o640);
  });

  it('reports files whose encoding is unknown, and changes the others', async () => {
    const source = page(search.replace('Title', 'Café'));
    const unknown = Buffer.from(source.replace('<meta charset="utf-8">', ''), 'latin1');
    const utf16 = Buffer.from(source, 'utf16le');
    const files = { 'a.html': unknown, 'b.html': utf16 };
    const cwd = await makeFolder({ ...files, 'd.html': page(search) });
    const { code, stderr } = await write(cwd, '.');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^a\.html The file is not valid UTF-8 and declares no encoding\. Declare it in a <meta charset>, or save it as UTF-8\.$/m,
    );
    assert.match(stderr, /^b\.html The page has null characters, as in UTF-16 [^\n]+ Save it as UTF-8\.$/m);
    assert.match(stderr, /1 form annotated, 1 of 1 file written, 2 files not read\n$/);
    for (const [name, bytes] of Object.entries(files)) assert.deepEqual(await readFile(join(cwd, name)), bytes);
  });

  it('writes a file in its encoding, and changes no other bytes', async () => {
    const cells = '<td>Название<td><input name=q>';
    const russian = page(`<form action=/books><table><tr>${cells}</table><button>Search books</button></form>`);
    const insert = async (bytes: Buffer, decode: (bytes: Buffer) => string, source: string): Promise<void> => {
      const cwd = await makeFolder({ 'a.html': bytes });
      assert.equal((await write(cwd, 'a.html')).code, 0);
      const text = decode(await readFile(join(cwd, 'a.html')));
      assertOnlyAttributes(source, text);
      assert.match(text, /="&#1053;&#1072;&#1079;/);
    };
    const cyrillic = russian.replace('utf-8', 'windows-1251');
    const encoded = Buffer.from(Array.from(cyrillic, windows1251));
    await insert(encoded, (bytes) => new TextDecoder('windows-1251').decode(bytes), cyrillic);
    const decode16 = (bytes: Buffer): string => bytes.toString('utf16le').replace(/^\uFEFF/, '');
    await insert(Buffer.from(`\uFEFF${russian}`, 'utf16le'), decode16, russian);
    await insert(Buffer.from(cyrillic), (bytes) => bytes.toString(), cyrillic); // UTF-8 that declares another encoding
  });

  it('does not write a file with bytes that are invalid in its encoding', async () => {
    const source = Buffer.from(page(search.replace('Title', 'Caf\xff')).replace('utf-8', 'euc-kr'), 'latin1');
    const cwd = await makeFolder({ 'a.html': source });
    const { code, stderr } = await write(cwd, 'a.html');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^webmcp-forms: Cannot write a\.html: its encoding cannot represent it\. Save it as UTF-8\.$/m,
    );
    assert.deepEqual(await readFile(join(cwd, 'a.html')), source);
  });

  it('does not print a diff in UTF-8 of a file in another encoding', async () => {
    const source = page(search.replace('Title', 'Café')).replace('utf-8', 'windows-1252');
    const cwd = await makeFolder({ 'a.html': Buffer.from(source, 'latin1') });
    const { stderr } = await runInProcess(['annotate', 'a.html'], { cwd });
    assert.match(
      stderr,
      /^webmcp-forms: The diff of a\.html is not printed, because a diff is UTF-8, but the encoding of the file is windows-1252\. Add --write\.$/m,
    );
  });

  it('reports a read-only file, writes the others, and exits with 2', async () => {
    const cwd = await makeFolder({ 'a.html': page(search), 'b.html': page(search) });
    await chmod(join(cwd, 'a.html'), 0o444);
    const { code, stderr } = await write(cwd, '.');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^webmcp-forms: Cannot write a\.html: it is read-only\. Make it writable, or omit --write\.$/m,
    );
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), page(search));
    assert.match(await readFile(join(cwd, 'b.html'), 'utf8'), /toolname/);
  });

  it('writes the target of symbolic links once, and the links stay', async () => {
    const cwd = await makeFolder({ 'real/a.html': page(search) });
    await symlink('real/a.html', join(cwd, 'b.html'));
    await symlink('real/a.html', join(cwd, 'c.html'));
    const { code, stderr } = await write(cwd, 'b.html', 'c.html');
    assert.deepEqual([code, /Cannot/.test(stderr)], [0, false]);
    assert.ok((await lstat(join(cwd, 'b.html'))).isSymbolicLink());
    const text = await readFile(join(cwd, 'real/a.html'), 'utf8');
    assert.equal(text.match(/toolname/g)?.length, 1);
    assertOnlyAttributes(page(search), text);
    const target = await realpath(join(cwd, 'real/a.html'));
    assert.ok(stderr.includes(`b.html leads to ${target} through a symbolic link. That file was written.`), stderr);
  });

  it('writes no file outside of a folder or a glob, whichever link leads to it', async () => {
    const outside = await makeFolder({ 'a.html': page(search), 'in/b.html': page(search) });
    for (const [argument, name] of [
      ['site', 'link.html'],
      ['site/*.html', 'link.html'],
      ['site', 'folder/b.html'],
      ['site/**/*.html', 'folder/b.html'],
      ['up', '../site/link.html'],
    ] as const) {
      const cwd = await makeFolder({ 'site/own.html': page(search), 'up/own.html': page(search) });
      await symlink(join(outside, 'a.html'), join(cwd, 'site/link.html'));
      await symlink(join(outside, 'in'), join(cwd, 'site/folder'));
      await symlink('../site/link.html', join(cwd, 'up/link.html'));
      const { code, stderr } = await write(cwd, argument);
      assert.equal(code, 2);
      const target = await realpath(join(cwd, 'site', name));
      const problem = `a symbolic link leads to ${target}, outside of the folder. Name that file to write it.`;
      assert.ok(stderr.includes(problem), stderr);
      for (const file of ['a.html', 'in/b.html'])
        assert.equal(await readFile(join(outside, file), 'utf8'), page(search));
      assert.match(await readFile(join(cwd, argument.split('/')[0] ?? '', 'own.html'), 'utf8'), /toolname/);
    }
  });

  it('does not write a file that another program changed in the meantime', async () => {
    const cwd = await makeFolder({ 'a.html': page(contact) });
    const at = join(cwd, 'a.html');
    const isExpected = (bytes: Buffer): boolean => hashOf(bytes) === hashOf(Buffer.from(page(search)));
    const writing = rewriteFile(await realpath(at), 'a.html', isExpected, (text) => `x${text}`);
    await assert.rejects(writing, {
      message: 'Cannot write a.html: Another program changed the file. Run the command again.',
    });
    assert.equal(await readFile(at, 'utf8'), page(contact));
    assert.deepEqual(await readdir(cwd), ['a.html']);
  });

  it('does not follow a link that takes the place of the file or its folder before it is written', async () => {
    const outside = await makeFolder({ 'a.html': page(search) });
    for (const isFolder of [true, false]) {
      const cwd = await realpath(await makeFolder({ 'site/a.html': page(search) }));
      const [folder, at] = [join(cwd, 'site'), join(cwd, 'site/a.html')];
      const swap = (text: string): string => {
        rmSync(isFolder ? folder : at, { recursive: true });
        if (isFolder) symlinkSync(outside, folder);
        else symlinkSync(join(outside, 'a.html'), at);
        return `x${text}`;
      };
      await assert.rejects(
        rewriteFile(at, 'a.html', () => true, swap),
        /Another program changed the file/,
      );
      assert.equal(await readFile(join(outside, 'a.html'), 'utf8'), page(search));
      assert.deepEqual(await readdir(outside), ['a.html']);
    }
  });

  it('leaves nothing behind if it cannot write', async () => {
    const cwd = await makeFolder({ 'a.html': page(search) });
    await link(join(cwd, 'a.html'), join(cwd, 'b.html'));
    await write(cwd, 'a.html');
    assert.deepEqual((await readdir(cwd)).sort(), ['a.html', 'b.html']);
    assert.equal(await readFile(join(cwd, 'b.html'), 'utf8'), page(search));
  });

  it('annotates a form in a huge page, and reports a page that is too deep', { tags: 'long' }, async () => {
    const filler = '<p>Words of a long page.</p>\n'.repeat(40_000);
    const cwd = await makeFolder({ 'a.html': page(filler, search), 'b.html': page('<div>'.repeat(600), search) });
    const { code, stderr } = await write(cwd, '.');
    assert.equal(code, 1);
    assert.match(stderr, /^b\.html:1:1 not annotated: The page is nested more than 512 deep\. Split the page\.$/m);
    assertOnlyAttributes(page(filler, search), await readFile(join(cwd, 'a.html'), 'utf8'));
  });
});

describe('webmcp-forms annotate --interactive', () => {
  const answer = (cwd: string, answers: Parameters<typeof answerQuestions>[2]) =>
    answerQuestions(['annotate', '--interactive', '.'], cwd, answers);

  const enter = '\r';

  it('accepts, edits and skips forms, and writes after the last answer', async () => {
    const cwd = await makeFolder({ 'a.html': page(search, contact, login) });
    const { code } = await answer(cwd, [
      [/Annotate this form/, enter],
      [/a\.html:4:\d+[^]*Annotate this form/, `e${enter}`],
      [/toolname/, `_now${enter}`],
      [/tooltitle/, enter],
      [/tooldescription/, enter],
      [/Submit without/, enter],
      [/_now[^]*Annotate this form/, enter],
      [/login[^]*Annotate this form/, enter],
      [/Write the annotations of 2 forms/, enter],
    ]);
    const text = await readFile(join(cwd, 'a.html'), 'utf8');
    assert.equal(code, 0);
    assert.match(text, /<form toolname="search_books"[^]*<form toolname="\w+_now"[^]*<form action="\/login"/);
    assertOnlyAttributes(page(search, contact, login), text);
  });

  it('does not report a form as left out if a person has chosen it', async () => {
    const cwd = await makeFolder({ 'a.html': page(login) });
    const { code, stdout, stderr } = await answer(cwd, [
      [/login[^]*Annotate this form/, `a${enter}`],
      [/Write the annotations of 1 form/, enter],
    ]);
    assert.equal(code, 0);
    assert.match(await readFile(join(cwd, 'a.html'), 'utf8'), /<form toolname="log_in"/);
    assert.doesNotMatch(stdout + stderr, /--include-sensitive/);
  });

  it('writes nothing if the last question is answered with no', async () => {
    const cwd = await makeFolder({ 'a.html': page(search, contact) });
    await answer(cwd, [
      [/Annotate this form/, enter],
      [/a\.html:4:\d+[^]*Annotate this form/, '\x03'],
      [/Write the annotations of 1 form\?/, `n${enter}`],
    ]);
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), page(search, contact));
  });

  it('needs a terminal', async () => {
    const cwd = await makeFolder({ 'a.html': page(search) });
    const { code, stderr } = await runInProcess(['annotate', '--interactive', '.'], { cwd });
    assert.deepEqual([code, /--interactive needs a terminal/.test(stderr)], [2, true]);
  });
});
