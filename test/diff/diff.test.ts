import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  compileHtml,
  createManifest,
  diff,
  parseManifest,
  UsageError,
  type Manifest,
  type ProfileName,
} from '../../src/build.js';
import { changesText } from '../../src/diff/change.js';
import { livePagePath } from '../../src/diff/diff.js';
import { makeFolder, runInProcess, toolForm } from '../support/cli/running.js';

/** Creates a manifest from pages by path. */
const site = (pages: Readonly<Record<string, string>>, profile: ProfileName = 'precise'): Manifest =>
  createManifest(
    Object.entries(pages).map(([path, html]) => compileHtml(html, { path, profile })),
    { name: 'site', description: '', version: '1.0.0', profile },
  );

const changes = (before: Manifest, after: Manifest): readonly string[] =>
  diff(before, after).map(({ kind, page, tool, place, message }) => `${kind} ${page} ${tool} ${place} ${message}`);

const changesOfForms = (before: string, after: string): readonly string[] =>
  changes(site({ 'a.html': before }), site({ 'a.html': after }));

const form = (attributes: string, controls = ''): string =>
  `<form toolname="f" tooldescription="Does f." ${attributes}>${controls}<button>Go</button></form>`;

describe('diff', () => {
  it('reports removed and added tools', () => {
    const before = site({ 'a.html': toolForm('one') + toolForm('two', ''), 'b.html': toolForm('three') });
    const after = site({ 'a.html': toolForm('one'), 'c.html': toolForm('four') });
    assert.deepEqual(changes(before, after), [
      'breaking a.html two  was removed',
      'breaking b.html three  was removed',
      'widening c.html four  was added',
    ]);
    assert.deepEqual(diff(before, before), []);
  });

  it('reports renamed and moved tools as removed and added, with a hint', () => {
    assert.deepEqual(changesOfForms(toolForm('one'), toolForm('two')), [
      'breaking a.html one  was removed; the new tool two has the same input, but a renamed tool is another tool to agents',
      'widening a.html two  was added',
    ]);
    const moved = changes(site({ 'a.html': toolForm('one') }), site({ 'b.html': toolForm('one') }));
    assert.deepEqual(moved, [
      'breaking a.html one  was removed; b.html has a tool with this name',
      'widening b.html one  was added',
    ]);
  });

  it('takes linear time if many tools move', () => {
    let reads = 0;
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
          reads++;
          return name;
        },
        description: '',
        inputSchema: schema,
        source: { line: 1, column: 1 },
      });
      return { ...manifest, pages };
    };
    const found = diff(moved(0), moved(1000));
    assert.equal(found.length, 2000);
    assert.match(found[7]?.message ?? '', /; p01007 has a tool with this name$/);
    assert.ok(reads < 50_000, `${reads} names`);
  });

  it('classifies adding and removing toolautosubmit as breaking', () => {
    const [added] = changesOfForms(form(''), form('toolautosubmit'));
    assert.match(added!, /^breaking .* toolautosubmit was added: the form no longer waits for the user$/);
    assert.match(
      changesOfForms(form('toolautosubmit'), form(''))[0]!,
      /^breaking .* toolautosubmit was removed: the form waits for the user now$/,
    );
  });

  it('classifies changes of the submission of a form as breaking', () => {
    assert.deepEqual(changesOfForms(form('action="/a"'), form('action="/b" method="post" enctype="text/plain"')), [
      'breaking a.html f  the form\'s method is "post" now, was "get"',
      'breaking a.html f  the form\'s action is "/b" now, was "/a"',
      'breaking a.html f  the form\'s enctype is "text/plain" now, was "application/x-www-form-urlencoded"',
    ]);
    assert.deepEqual(changesOfForms(form(''), `<meta charset=koi8-r>${form('')}`), [
      'breaking a.html f  the form\'s encoding is "koi8-r" now, was empty',
    ]);
  });

  it('classifies changes of annotations as breaking', () => {
    const manifest = site({ 'a.html': toolForm('a') });
    const annotated = structuredClone(manifest) as unknown as { pages: { tools: { annotations?: object }[] }[] };
    annotated.pages[0]!.tools[0]!.annotations = { readOnlyHint: true, consequentialHint: false };
    assert.deepEqual(changes(manifest, annotated as unknown as Manifest), [
      'breaking a.html a  readOnlyHint is true now, was false',
    ]);
  });

  it('classifies titles and descriptions as wording, and ignores the location of a form', () => {
    assert.deepEqual(
      changesOfForms(form('tooltitle="F"'), `<p>\n${form('tooltitle="G"').replace('Does f', 'Makes f')}`),
      [
        'wording a.html f  the title is "G" now, was "F"',
        'wording a.html f  the description is "Makes f." now, was "Does f."',
      ],
    );
    assert.deepEqual(changesOfForms(form(''), `<p>\n\n${form('')}`), []);
  });

  for (const profile of ['chromium', 'precise', 'portable'] as const) {
    it(`classifies changes of controls in the profile ${profile}`, () => {
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
        profile === 'portable' ? 'widening,wording' : 'widening', // the description repeats the range
      );
      assert.equal(kinds('<label>A <input name="q"></label>', '<label>B <input name="q"></label>'), 'wording');
      assert.equal(kinds('<input name="p"><input name="q">', '<input name="q"><input name="p">'), 'wording');
    });
  }

  it('throws if the manifests have different profiles', () => {
    assert.throws(() => diff(site({}, 'precise'), site({}, 'portable')), {
      name: 'UsageError',
      message: /different profiles: precise and portable\. Compile both with the same --profile\.$/,
    });
  });
});

describe('changesText', () => {
  it('takes linear time in the number of tools', () => {
    let reads = 0;
    const changes = Array.from({ length: 1000 }, (_, n) => ({
      get page() {
        reads++;
        return `p${n}`;
      },
      kind: 'widening' as const,
      code: 'tool-added' as const,
      tool: 't',
      place: '',
      message: 'was added',
    }));
    assert.equal(changesText(changes, (_, text) => text).split('\n').length, 2001);
    assert.ok(reads < 10_000, `${reads} pages`);
  });

  it('lists the most severe changes first, and removes control characters', () => {
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
  const errorOf = (text: string): string => {
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
    return errorOf(JSON.stringify(copy));
  };

  it('parses the output of createManifest', () => {
    assert.deepEqual(parseManifest(JSON.stringify(manifest), 'webmcp.json'), manifest);
  });

  it('reports where a manifest is invalid', () => {
    assert.match(
      errorOf(JSON.stringify(manifest).slice(0, -9)),
      /^webmcp\.json is not a tool manifest: it is not valid JSON \(.*position/,
    );
    assert.match(errorOf('[]'), /it is not a JSON object\. Compile it again, or name another file\.$/);
    assert.match(errorOf('null'), /it is not a JSON object/);
    assert.match(
      errorOf('{"manifestVersion": 2}'),
      /its manifestVersion is 2, but this version of webmcp-forms supports 1/,
    );
    assert.match(errorOf('{"manifestVersion": 1}'), /must have required property 'generator'/);
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
    assert.match(errorOf(nested), /nested deeper/);
  });
});

describe('livePagePath', () => {
  const manifest = site({
    'index.html': toolForm('a'),
    'book/index.html': toolForm('b'),
    'menu.html': toolForm('c'),
    'été.html': toolForm('d'),
  });
  const pathOf = (url: string, page?: string): string => livePagePath(manifest, url, page);

  it('finds the page of a URL by the file names that servers use', () => {
    assert.equal(pathOf('https://example.com'), 'index.html');
    assert.equal(pathOf('https://example.com/?q=1#x'), 'index.html');
    assert.equal(pathOf('https://example.com/book'), 'book/index.html');
    assert.equal(pathOf('https://example.com/book/'), 'book/index.html');
    assert.equal(pathOf('localhost:3000/menu'), 'menu.html');
    assert.equal(pathOf('https://example.com/%C3%A9t%C3%A9.html'), 'été.html');
    assert.equal(pathOf('file:///home/me/site/book/index.html'), 'book/index.html');
    assert.equal(pathOf('https://example.com/else', 'menu.html'), 'menu.html');
  });

  it('throws an error with advice if the manifest does not have the page', () => {
    assert.throws(
      () => pathOf('https://example.com/shop/index.html'),
      /no page "shop\/index\.html"\. Set --page to one of its pages: book\/index\.html/,
    );
    assert.throws(() => pathOf('https://example.com/', 'x'), /The manifest has no page "x"/);
  });
});

describe('webmcp-forms diff', () => {
  it('exits with 0 for wording and with 1 for other changes, and prints JSON with --json', async () => {
    const cwd = await makeFolder({
      'a.json': JSON.stringify(site({ 'a.html': form('', '<label>A <input name="q"></label>') })),
      'words.json': JSON.stringify(site({ 'a.html': form('', '<label>B <input name="q"></label>') })),
      'wider.json': JSON.stringify(site({ 'a.html': form('', '<label>A <input name="q"></label><input name="r">') })),
    });
    const same = await runInProcess(['diff', 'a.json', 'a.json'], { cwd });
    assert.deepEqual(same, { code: 0, stdout: '', stderr: 'webmcp-forms: no changes from a.json to a.json\n' });
    const words = await runInProcess(['diff', 'a.json', 'words.json'], { cwd });
    assert.deepEqual([words.code, words.stdout], [0, 'a.html f\n  wording   q: description is "B" now, was "A"\n']);
    const wider = await runInProcess(['diff', '--json', 'a.json', 'wider.json'], { cwd });
    assert.deepEqual([wider.code, wider.stderr], [1, 'webmcp-forms: 1 widening change from a.json to wider.json\n']);
    assert.deepEqual(JSON.parse(wider.stdout), [
      { page: 'a.html', tool: 'f', kind: 'widening', code: 'parameter-added', place: 'r', message: 'was added' },
    ]);
  });

  it('rejects files and URLs that it cannot compare', async () => {
    const cwd = await makeFolder({
      'a.json': JSON.stringify(site({})),
      'b.json': '{}',
      'c.json': JSON.stringify(site({}, 'portable')),
    });
    for (const [argv, message] of [
      [['a.json'], /Missing required argument 'NEW'\. See webmcp-forms diff --help\./],
      [['a.json', 'none.json'], /Cannot read none\.json/],
      [['a.json', 'b.json'], /b\.json is not a tool manifest/],
      [['a.json', 'c.json'], /different profiles: precise and portable/],
      [['https://example.com/', 'a.json'], /is a URL\. Name the manifest first/],
      [['--page', 'x', 'a.json', 'a.json'], /--page is for a live page/],
      [['--timeout', '0', 'a.json', 'a.json'], /Expected a number of seconds, more than 0 and at most 3600\. See /],
      [['a.json', 'localhost:1/x'], /The manifest has no page "x"\. It has no pages\./],
    ] as const) {
      const { code, stdout, stderr } = await runInProcess(['diff', ...argv], { cwd });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
    }
  });
});
