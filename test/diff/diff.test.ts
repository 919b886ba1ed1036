import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  compileHtml,
  createManifest,
  diff,
  parseManifest,
  UsageError,
  type Manifest,
  type ProfileName,
} from '../../src/build.js';
import { changesText } from '../../src/diff/print.js';
import { livePagePath } from '../../src/diff/live-page.js';
import { makeFolder, runHere, toolForm } from '../cli/running.js';

/** The manifest of pages, by path. */
const site = (pages: Readonly<Record<string, string>>, profile: ProfileName = 'precise'): Manifest =>
  createManifest(
    Object.entries(pages).map(([path, html]) => compileHtml(html, { path, profile })),
    { name: 'site', description: '', version: '1.0.0', profile },
  );

const said = (before: Manifest, after: Manifest): readonly string[] =>
  diff(before, after).map(({ kind, page, tool, place, message }) => `${kind} ${page} ${tool} ${place} ${message}`);

const ofForms = (before: string, after: string): readonly string[] =>
  said(site({ 'a.html': before }), site({ 'a.html': after }));

const form = (attributes: string, controls = ''): string =>
  `<form toolname="f" tooldescription="Does f." ${attributes}>${controls}<button>Go</button></form>`;

describe('diff', () => {
  it('says which tools are gone and which are new', () => {
    const before = site({ 'a.html': toolForm('one') + toolForm('two', ''), 'b.html': toolForm('three') });
    const after = site({ 'a.html': toolForm('one'), 'c.html': toolForm('four') });
    assert.deepEqual(said(before, after), [
      'breaking a.html two  is gone',
      'breaking b.html three  is gone',
      'widening c.html four  is new',
    ]);
    assert.deepEqual(diff(before, before), []);
  });

  it('does not guess that a tool was renamed or moved, but says what looks so', () => {
    assert.deepEqual(ofForms(toolForm('one'), toolForm('two')), [
      'breaking a.html one  is gone; the new two takes the same input: a tool that is renamed is another tool to agents',
      'widening a.html two  is new',
    ]);
    const moved = said(site({ 'a.html': toolForm('one') }), site({ 'b.html': toolForm('one') }));
    assert.deepEqual(moved, [
      'breaking a.html one  is gone; b.html has a tool of this name',
      'widening b.html one  is new',
    ]);
  });

  it('asks for each tool once, and not for each pair, when many move', () => {
    let asked = 0;
    const moved = (start: number): Manifest => {
      const manifest = site({});
      const schema = { type: 'object' } as const;
      const pages = Array.from({ length: 1000 }, (_, n) => ({
        path: `p${String(start + n).padStart(5, '0')}`,
        get tools() {
          return [tool(`t${n}`)];
        },
        diagnostics: [],
      }));
      const tool = (name: string) => ({
        get name() {
          asked++;
          return name;
        },
        description: '',
        inputSchema: schema,
        source: { line: 1, column: 1 },
      });
      return { ...manifest, pages };
    };
    const changes = diff(moved(0), moved(1000));
    assert.equal(changes.length, 2000);
    assert.match(changes[7]?.message ?? '', /; p01007 has a tool of this name$/);
    assert.ok(asked < 50_000, `${asked} names`);
  });

  it('calls a switched toolautosubmit breaking, either way', () => {
    const [added] = ofForms(form(''), form('toolautosubmit'));
    assert.match(added!, /^breaking .* what waited for a person is submitted at once now$/);
    assert.match(ofForms(form('toolautosubmit'), form(''))[0]!, /^breaking .* waits for a person now$/);
  });

  it('calls another way of sending the form breaking', () => {
    assert.deepEqual(ofForms(form('action="/a"'), form('action="/b" method="post" enctype="text/plain"')), [
      'breaking a.html f  the form\'s method is "post" now, was "get"',
      'breaking a.html f  the form\'s action is "/b" now, was "/a"',
      'breaking a.html f  the form\'s enctype is "text/plain" now, was "application/x-www-form-urlencoded"',
    ]);
  });

  it('calls other annotations breaking', () => {
    const manifest = site({ 'a.html': toolForm('a') });
    const annotated = structuredClone(manifest) as unknown as { pages: { tools: { annotations?: object }[] }[] };
    annotated.pages[0]!.tools[0]!.annotations = { readOnlyHint: true, consequentialHint: false };
    assert.deepEqual(said(manifest, annotated as unknown as Manifest), [
      'breaking a.html a  readOnlyHint is true now, was false',
    ]);
  });

  it('calls other titles and descriptions wording, and other places of a form nothing', () => {
    assert.deepEqual(ofForms(form('tooltitle="F"'), `<p>\n${form('tooltitle="G"').replace('Does f', 'Makes f')}`), [
      'wording a.html f  the title is "G" now, was "F"',
      'wording a.html f  the description is "Makes f." now, was "Does f."',
    ]);
    assert.deepEqual(ofForms(form(''), `<p>\n\n${form('')}`), []);
  });

  for (const profile of ['chromium', 'precise', 'portable'] as const) {
    it(`tells in the profile ${profile} what a change of a form means`, () => {
      const kinds = (before: string, after: string): string =>
        [
          ...new Set(
            diff(site({ a: form('', before) }, profile), site({ a: form('', after) }, profile)).map(({ kind }) => kind),
          ),
        ].join();
      const select = (...options: readonly string[]): string =>
        `<label>S <select name="s">${options.map((option) => `<option>${option}`).join('')}</select></label>`;
      assert.equal(kinds(select('a', 'b'), select('a', 'b', 'c')), 'widening');
      assert.match(kinds(select('a', 'b'), select('a')), /^breaking/);
      assert.equal(kinds('', '<input name="q">'), 'widening');
      assert.equal(kinds('<input name="q">', ''), 'breaking');
      assert.equal(kinds('<input name="q" required>', '<input name="q">'), 'widening');
      assert.match(kinds('<input name="q">', '<input name="q" required>'), /^breaking/);
      assert.equal(
        kinds('<input name="n" type="number" max="9">', '<input name="n" type="number" max="10">'),
        'widening',
      );
      assert.equal(kinds('<label>A <input name="q"></label>', '<label>B <input name="q"></label>'), 'wording');
      assert.equal(kinds('<input name="p"><input name="q">', '<input name="q"><input name="p">'), 'wording');
    });
  }

  it('compares no manifests of different profiles', () => {
    assert.throws(() => diff(site({}, 'precise'), site({}, 'portable')), {
      name: 'UsageError',
      message: /profiles precise and portable.*compile both with one --profile$/,
    });
  });
});

describe('changesText', () => {
  it('looks at each change a few times, however many tools there are', () => {
    let asked = 0;
    const changes = Array.from({ length: 1000 }, (_, n) => ({
      get page() {
        asked++;
        return `p${n}`;
      },
      kind: 'widening' as const,
      code: 'tool-added' as const,
      tool: 't',
      place: '',
      message: 'is new',
    }));
    assert.equal(changesText(changes, (_, text) => text).split('\n').length, 2001);
    assert.ok(asked < 10_000, `${asked} pages`);
  });

  it('puts the worst first, under its tool, and lets no text of a page reach the terminal as it is', () => {
    const change = { code: 'values', page: 'a\u001b[2J', tool: 'f', place: 'q\nr' } as const;
    const changes = [
      { ...change, kind: 'wording', message: 'one' },
      { ...change, kind: 'breaking', message: 'two\u0007' },
    ] as const;
    assert.equal(
      changesText(changes, (_, text) => text),
      'a [2J f\n  breaking  q r: two\n  wording   q r: one\n',
    );
    assert.match(
      changesText(changes, (style, text) => `<${style}>${text}`),
      /<red>breaking/,
    );
  });
});

interface Editable {
  readonly pages: { tools: object[] }[];
}

describe('parseManifest', () => {
  const manifest = site({ 'a.html': toolForm('a') });
  const wrong = (text: string): string => {
    try {
      parseManifest(text, 'webmcp.json');
    } catch (error) {
      assert.ok(error instanceof UsageError);
      return error.message;
    }
    return '';
  };
  const edited = (edit: (manifest: Editable) => void): string => {
    const copy = structuredClone(manifest) as unknown as Editable;
    edit(copy);
    return wrong(JSON.stringify(copy));
  };

  it('takes what createManifest makes', () => {
    assert.deepEqual(parseManifest(JSON.stringify(manifest), 'webmcp.json'), manifest);
  });

  it('says where a file is wrong', () => {
    assert.match(
      wrong(JSON.stringify(manifest).slice(0, -9)),
      /^webmcp\.json is no tool manifest: it is not valid JSON \(.*position/,
    );
    assert.match(wrong('[]'), /it is not a JSON object: compile it again, or name another file$/);
    assert.match(wrong('null'), /it is not a JSON object/);
    assert.match(wrong('{"manifestVersion": 2}'), /its manifestVersion is 2, and this version of webmcp-forms knows 1/);
    assert.match(wrong('{"manifestVersion": 1}'), /must have required property 'generator'/);
    assert.match(
      edited((copy) => Object.assign(copy, { 'x\u001b[2J': 1 })),
      /additional properties "x \[2J"/,
    );
    assert.match(
      edited(({ pages }) => Object.assign(pages[0]!.tools[0]!, { name: 'a b' })),
      /\/pages\/0\/tools\/0\/name must match/,
    );
    assert.match(
      edited(({ pages }) => pages.push(pages[0]!)),
      /two pages have the path "a\.html"/,
    );
    assert.match(
      edited(({ pages }) => pages[0]!.tools.push(pages[0]!.tools[0]!)),
      /two tools of a\.html have the name "a"/,
    );
    const deep = `${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}`;
    const nested = JSON.stringify(manifest).replace('"inputSchema":{', `"inputSchema":{"not":${deep},`);
    assert.match(wrong(nested), /nested deeper/);
  });
});

describe('livePagePath', () => {
  const manifest = site({
    'index.html': toolForm('a'),
    'book/index.html': toolForm('b'),
    'menu.html': toolForm('c'),
    'été.html': toolForm('d'),
  });
  const pathOf = (url: string, given?: string): string => livePagePath(manifest, url, given);

  it('finds the page that a URL shows, by the names that servers give to pages', () => {
    assert.equal(pathOf('https://example.com'), 'index.html');
    assert.equal(pathOf('https://example.com/?q=1#x'), 'index.html');
    assert.equal(pathOf('https://example.com/book'), 'book/index.html');
    assert.equal(pathOf('https://example.com/book/'), 'book/index.html');
    assert.equal(pathOf('localhost:3000/menu'), 'menu.html');
    assert.equal(pathOf('https://example.com/%C3%A9t%C3%A9.html'), 'été.html');
    assert.equal(pathOf('file:///home/me/site/book/index.html'), 'book/index.html');
    assert.equal(pathOf('https://example.com/else', 'menu.html'), 'menu.html');
  });

  it('says the way out where there is none', () => {
    assert.throws(
      () => pathOf('https://example.com/shop/index.html'),
      /no page shop\/index\.html: give --page .*it has book\/index\.html/,
    );
    assert.throws(() => pathOf('https://example.com/', 'x'), /the manifest has no page x/);
  });
});

describe('webmcp-forms diff', () => {
  it('exits with 0 for words and with 1 for more, and prints the same as JSON', async () => {
    const cwd = await makeFolder({
      'a.json': JSON.stringify(site({ 'a.html': form('', '<label>A <input name="q"></label>') })),
      'words.json': JSON.stringify(site({ 'a.html': form('', '<label>B <input name="q"></label>') })),
      'wider.json': JSON.stringify(site({ 'a.html': form('', '<label>A <input name="q"></label><input name="r">') })),
    });
    const same = await runHere(['diff', 'a.json', 'a.json'], { cwd });
    assert.deepEqual(same, { code: 0, stdout: '', stderr: 'webmcp-forms: no change from a.json to a.json\n' });
    const words = await runHere(['diff', 'a.json', 'words.json'], { cwd });
    assert.deepEqual([words.code, words.stdout], [0, 'a.html f\n  wording   q: the description is "B" now, was "A"\n']);
    const wider = await runHere(['diff', '--json', 'a.json', 'wider.json'], { cwd });
    assert.deepEqual([wider.code, wider.stderr], [1, 'webmcp-forms: 1 widening change from a.json to wider.json\n']);
    assert.deepEqual(JSON.parse(wider.stdout), [
      { page: 'a.html', tool: 'f', kind: 'widening', code: 'parameter-added', place: 'r', message: 'is new' },
    ]);
  });

  it('refuses what it cannot compare', async () => {
    const cwd = await makeFolder({
      'a.json': JSON.stringify(site({})),
      'b.json': '{}',
      'c.json': JSON.stringify(site({}, 'portable')),
    });
    for (const [argv, says] of [
      [['a.json'], /missing required argument 'NEW'/],
      [['a.json', 'none.json'], /cannot read none\.json/],
      [['a.json', 'b.json'], /b\.json is no tool manifest/],
      [['a.json', 'c.json'], /of the profiles precise and portable/],
      [['https://example.com/', 'a.json'], /name the manifest first/],
      [['--page', 'x', 'a.json', 'a.json'], /--page is for a live page/],
      [['--timeout', '0', 'a.json', 'a.json'], /It takes seconds/],
      [['a.json', 'localhost:1/x'], /the manifest has no page x/],
    ] as const) {
      const { code, stdout, stderr } = await runHere(['diff', ...argv], { cwd });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, says);
    }
  });
});
