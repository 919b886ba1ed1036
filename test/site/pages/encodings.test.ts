import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { decodeBytes, decodePage } from '../../../src/site/pages/charset.js';
import type { Manifest } from '../../../src/site/manifest/manifest.js';
import { makeFolder, runInProcess } from '../../support/cli/running.js';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The declaration before a label, the bytes of the label, their encoding, and the text that browsers show. */
const pages: readonly (readonly [declaration: string, bytes: string, encoding: string, text: string])[] = [
  ['<meta charset=windows-1251>', '\xc8\xec\xff', 'windows-1251', 'Имя'],
  ['<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', '\xe9\xcd\xd1', 'koi8-r', 'Имя'],
  ['<meta charset=latin1>', '\x80 \x93', 'windows-1252', '€ “'],
  ['<meta charset=iso-8859-2>', '\xb1', 'iso-8859-2', 'ą'],
  ['<meta charset=gb2312>', '\xd0\xd5', 'gbk', '姓'],
  ['<meta charset=big5>', '\xa9\x6d', 'big5', '姓'],
  ['<meta charset=shift_jis>', '\x96\xbc', 'shift_jis', '名'],
  ['<meta charset=euc-kr>', '\xc0\xcc \x8c\x63', 'euc-kr', '이 똠'],
  ['<meta charset=iso-2022-jp>', '\x1b$BL>\x1b(B', 'iso-2022-jp', '名'],
  ['<meta charset=utf-16>', '\xc3\xa9', 'utf-8', 'é'],
  ['<meta charset=x-user-defined>', '\xe9', 'windows-1252', 'é'],
  ['<meta charset=unknown><meta charset=windows-1251>', '\xc8', 'windows-1251', 'И'],
  ['<!-- <meta charset=windows-1251> -->', '\xe9', 'windows-1252', 'é'],
  ['<a title="<meta charset=windows-1251>">', '\xe9', 'windows-1252', 'é'],
  [' '.repeat(1024) + '<meta charset=windows-1251>', '\xc8', 'windows-1251', 'И'],
  [' '.repeat(1024) + '<body><meta charset=windows-1251>', '\xe9', 'windows-1252', 'é'],
  [' '.repeat(1024) + '<!-- <meta charset=windows-1251> -->', '\xe9', 'windows-1252', 'é'],
  ['\xef\xbb\xbf<meta charset=windows-1251>', '\xc3\xa9', 'utf-8', 'é'],
  ['', '\xe9', 'windows-1252', 'é'],
  ['', '\xc3\xa9', 'utf-8', 'é'],
];

describe('decodePage', () => {
  for (const [declaration, bytes, encoding, text] of pages)
    it(`reads ${escape(bytes)} after ${declaration.replace(' '.repeat(1024), '1,024 spaces, ') || 'no declaration'} as ${text}`, () => {
      const page = decodePage(bytesOf(`${declaration}<b>${bytes}`));
      assert.deepEqual([page.encoding, page.text.split('<b>')[1]], [encoding, text]);
      const served = decodeBytes(bytesOf(`${declaration}<b>${bytes}`), 'text/html');
      assert.deepEqual([served.encoding, served.text], [page.encoding, page.text]);
    });

  it('reads UTF-16 with a byte order mark', () => {
    assert.equal(decodePage(Buffer.from('\uFEFF<b>é', 'utf16le')).text, '<b>é');
    assert.equal(decodePage(Buffer.from('\uFEFF<b>é', 'utf16le').swap16()).text, '<b>é');
  });

  it('reads UTF-8 that declares another encoding as UTF-8, unless a server sends it without a charset', () => {
    const bytes = Buffer.from('<meta charset=windows-1251><b>é');
    assert.equal(decodePage(bytes).text, '<meta charset=windows-1251><b>é');
    assert.equal(decodeBytes(bytes, 'text/html; charset=utf-8').text, '<meta charset=windows-1251><b>é');
    assert.equal(decodeBytes(bytes, 'text/html').text, '<meta charset=windows-1251><b>Г©');
  });
});

describe('webmcp-forms with pages in other encodings', () => {
  const form = (label: string): string =>
    `<form toolname=search tooldescription="Finds books."><label>${label} <input name=q></label><button>Go</button></form>`;
  const labelOf = (manifest: string): string =>
    /"description": "([^"]*)"[^"]*"maxLength|"q": \{[^}]*"description": "([^"]*)"/.exec(manifest)?.[2] ?? '';

  it('compile reads the labels, and lint no longer reports the page as unreadable', async () => {
    const cwd = await makeFolder({ 'a.html': bytesOf(`<meta charset=windows-1251>${form('\xc8\xec\xff')}`) });
    const { code, stdout, stderr } = await runInProcess(['compile', '.'], { cwd });
    assert.deepEqual([code, labelOf(stdout)], [0, 'Имя']);
    assert.doesNotMatch(stderr, /windows-1251|UTF-8/);
    const { pages } = JSON.parse(stdout) as Manifest;
    assert.equal(pages[0]?.tools.length, 1);
    assert.doesNotMatch((await runInProcess(['lint', '.'], { cwd })).stdout, /unreadable-page/);
    const stdin = [bytesOf(`<meta charset=windows-1251>${form('\xc8\xec\xff')}`)];
    assert.equal(labelOf((await runInProcess(['compile', '-'], { cwd, stdin })).stdout), 'Имя');
  });

  it('compile and lint warn of pages that browsers may show with wrong characters', async () => {
    const cwd = await makeFolder({
      'a.html': bytesOf(form('\xe9')),
      'b.html': `<meta charset=windows-1251>${form('é')}`,
      'c.html': bytesOf(`<meta charset=utf-8>${form('\xe9')}`),
    });
    for (const command of ['compile', 'lint']) {
      const { stderr } = await runInProcess([command, '.'], { cwd });
      assert.match(
        stderr,
        /^webmcp-forms: a\.html is not valid UTF-8 and declares no encoding\. It was read as windows-1252, the default of browsers\. Declare its encoding in a <meta charset>\.\nwebmcp-forms: b\.html is UTF-8, but declares the encoding windows-1251\. [^\n]+ Declare <meta charset="utf-8">\.\nwebmcp-forms: c\.html has bytes that are invalid in its encoding, utf-8\. /m,
      );
    }
  });

  it('lint --fix writes a page in its encoding', async () => {
    const source = `<meta charset=windows-1251>${form('\xc8\xec\xff')}`.replace(
      'toolname',
      'data-toolname=search toolname',
    );
    const cwd = await makeFolder({ 'a.html': bytesOf(source) });
    await runInProcess(['lint', '.', '--fix'], { cwd });
    const fixed = await readFile(join(cwd, 'a.html'), 'latin1');
    assert.notEqual(fixed, source);
    assert.match(fixed, /<label>\xc8\xec\xff <input/);
  });
});
