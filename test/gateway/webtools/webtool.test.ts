import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileHtml, createManifest } from '../../../src/build.js';
import { LiveManifest, type GatewayManifest } from '../../../gateway/src/manifest.js';
import { resolveSettings, type GatewayOptions } from '../../../gateway/src/settings.js';
import { webtoolFor, type Webtool } from '../../../gateway/src/webtools/webtool.js';
import { metadataOf } from '../../support/gateway/releases.js';

/** A manifest, parsed from JSON. */
function manifestOf(pages: Readonly<Record<string, string>>): GatewayManifest {
  const compiled = Object.entries(pages).map(([path, html]) => compileHtml(html, { path }));
  const about = { name: 'site', description: 'A site.', version: '1.0.0', profile: 'precise' } as const;
  return JSON.parse(JSON.stringify(createManifest(compiled, about))) as GatewayManifest;
}

const form = (name: string, controls: string, attributes = ''): string =>
  `<form toolname="${name}" tooldescription="Does ${name}." ${attributes}>${controls}</form>`;

const webtool = (pages: Readonly<Record<string, string>>, options: Partial<GatewayOptions> = {}): Promise<Webtool> =>
  webtoolFor(manifestOf(pages), resolveSettings({ baseUrl: 'https://site.example/', ...options }));

const names = ({ metadata }: Webtool): readonly string[] => metadata.actions.map(({ name }) => name);
const reasons = ({ excluded }: Webtool): readonly string[] => excluded.map(({ tool, reason }) => `${tool}: ${reason}`);

describe('webtoolFor, creating metadata', () => {
  it('creates portable schemas from a manifest of any profile', async () => {
    const { metadata } = await webtool({ 'a.html': form('a', '<input type=url name="x[y]" required>') });
    const [action] = metadata.actions;
    assert.deepEqual(Object.keys(action?.requestSchema.properties ?? {}), ['x.y']);
    assert.doesNotMatch(JSON.stringify(action?.requestSchema), /"format"/);
  });

  it('marks read-only and consequential actions', async () => {
    const { metadata } = await webtool({
      'a.html': [
        form('get', '', 'toolautosubmit'),
        form('post', '', 'method=post'),
        form('delete_order', '', 'toolautosubmit'),
        form('either', '<button>a</button><button formmethod=post>b</button>'),
        form('dialog', '<button>a</button><button formmethod=dialog>b</button>'),
      ].join(''),
    });
    const flags = metadata.actions.map(({ name, readOnly, consequential }) => [name, readOnly, consequential]);
    assert.deepEqual(flags, [
      ['get', true, false],
      ['post', false, true],
      ['delete_order', false, false],
      ['either', false, true],
      ['dialog', false, true],
    ]);
  });

  it('creates valid JSON Schemas', async () => {
    const { metadata } = await webtool({ 'a.html': form('a', '<input name=x><input type=hidden name=h>') });
    const ajv = new Ajv2020();
    for (const action of metadata.actions) {
      ajv.compile(action.requestSchema);
      const isValid = ajv.compile(action.responseSchema);
      assert.ok(isValid({ status: 200, url: 'https://site.example/', contentType: 'text/html', text: '' }));
      assert.ok(!isValid({ status: '200' }));
    }
    ajv.compile(metadata.configSchema);
  });

  it('hashes the canonical JSON of the name, the description and the actions', async () => {
    const { hash, name, description, actions } = await metadataOf(
      manifestOf({ 'a.html': form('a', '<input name=x>') }),
    );
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
      return Object.fromEntries(members.map(([name, each]) => [name, sorted(each)]));
    };
    const text = JSON.stringify(sorted(JSON.parse(JSON.stringify({ name, description, actions }))));
    assert.equal(hash, `sha256-${createHash('sha256').update(text).digest('base64')}`);
  });

  it('lists hidden and sensitive inputs in the configSchema without their values', async () => {
    const { metadata } = await webtool({
      'a.html': form(
        'a',
        '<input type=hidden name=csrf value=S3CRET><input type=hidden name=_charset_><input type=hidden value=x>' +
          '<label>Code <input name=code autocomplete=one-time-code></label><input name=q><input type=hidden name=__proto__>',
      ),
      'b.html': form('b', '<input name=q>'),
    });
    assert.doesNotMatch(JSON.stringify(metadata), /S3CRET/);
    assert.deepEqual(metadata.defaultConfig, {});
    const hidden = 'A hidden input, which is read from its page unless it is given here.';
    const valuesOfA = JSON.parse(
      `{"type":"object","properties":{"csrf":{"type":"string","description":"${hidden}"},"code":{"type":"string",` +
        `"description":"Code"},"__proto__":{"type":"string","description":"${hidden}"}},"additionalProperties":false}`,
    ) as object;
    assert.deepEqual(metadata.configSchema, {
      type: 'object',
      properties: {
        authorization: { type: 'string', description: 'The header Authorization of requests to the site.' },
        values: {
          type: 'object',
          properties: { a: valuesOfA },
          additionalProperties: false,
          description: 'Values of hidden and sensitive inputs, by action.',
        },
      },
      additionalProperties: false,
    });
  });
});

describe('webtoolFor, selecting tools', () => {
  it('excludes a tool that is not a form', async () => {
    const found = await webtool({
      'a.html': '<webmcp-tool name=x description=x><webmcp-param name=a></webmcp-param></webmcp-tool>' + form('a', ''),
    });
    assert.deepEqual(names(found), ['a']);
    assert.deepEqual(reasons(found), ['x: it is not a form']);
  });

  it('excludes a form without toolautosubmit with autosubmitOnly', async () => {
    const pages = { 'a.html': form('a', '') + form('b', '', 'toolautosubmit') };
    assert.deepEqual(names(await webtool(pages)), ['a', 'b']);
    const found = await webtool(pages, { autosubmitOnly: true });
    assert.deepEqual(names(found), ['b']);
    assert.deepEqual(reasons(found), ['a: it has no toolautosubmit, and only forms with it are served']);
  });

  it('excludes a form with a required secret that neither the operator nor clients have', async () => {
    const pages = { 'a.html': form('a', '<input name=u><input type=password name=p required>') };
    const found = await webtool(pages);
    assert.deepEqual(names(found), []);
    assert.deepEqual(reasons(found), ['a: its configuration has no value for p']);
    assert.deepEqual(names(await webtool(pages, { config: { values: { a: { p: 'x' } } } })), ['a']);
    assert.deepEqual(names(await webtool(pages, { clientSecrets: true })), ['a']);
  });

  it('excludes a form that cannot be submitted over HTTP', async () => {
    const found = await webtool({
      'a.html':
        form('script', '', 'action="javascript:x()"') +
        form('dialog', '', 'method=dialog') +
        form('other', '', 'action="https://other.example/"'),
    });
    assert.deepEqual(names(found), []);
    assert.deepEqual(reasons(found), [
      'script: the protocol of its action is javascript:',
      'dialog: its method is "dialog"',
      'other: it is submitted to https://other.example, which is not allowed',
    ]);
    const allowed = await webtool(
      { 'a.html': form('other', '', 'action="https://other.example/x"') },
      { origins: ['https://other.example/'] },
    );
    assert.deepEqual(names(allowed), ['other']);
  });

  it('merges equal tools of several pages, and names different ones by their pages', async () => {
    const same = form('subscribe', '<input name=a>', 'action=/subscribe');
    const found = await webtool({
      'a.html': same,
      'b.html': form('subscribe', '<input name=b>', 'action=/subscribe'),
      'c.html': same,
      'd.html': form('subscribe', '<input name=a>'),
      'e.html': form('subscribe', '<input name=a>'),
    });
    assert.deepEqual(names(found), ['subscribe-a', 'subscribe-b', 'subscribe-d', 'subscribe-e']);
    assert.deepEqual(reasons(found), []);
  });

  it('assigns names before it excludes tools', async () => {
    const pages = { 'a.html': form('x', '<input name=a>'), 'b.html': form('x', '', 'toolautosubmit') };
    assert.deepEqual(names(await webtool(pages, { autosubmitOnly: true })), ['x-b']);
  });

  const review = (title: string): string =>
    `<title>${title}</title>${form('review_book', '<input type=number name=stars>', 'tooltitle=Review method=post')}`;

  it('describes tools of one name by the titles and paths of their pages', async () => {
    const { metadata } = await webtool({
      'books/dune.html': review('Dune'),
      'books/view?id=2&lang=de': review('Emma'),
      'index.html': form('review_book', '<input type=number name=stars>', 'method=post'),
      'other.html': form('other', ''),
    });
    assert.deepEqual(
      metadata.actions.map(({ name, title, description, page, pageTitle }) => [
        name,
        title,
        description,
        page,
        pageTitle,
      ]),
      [
        [
          'review_book-books-dune',
          'Review (Dune)',
          'Does review_book. It is on the page "Dune" (books/dune.html).',
          'books/dune.html',
          'Dune',
        ],
        [
          'review_book-books-view-id-2-lang-de',
          'Review (Emma)',
          'Does review_book. It is on the page "Emma" (books/view?id=2&lang=de).',
          'books/view?id=2&lang=de',
          'Emma',
        ],
        ['review_book-index', undefined, 'Does review_book. It is on the page index.html.', 'index.html', undefined],
        ['other', undefined, 'Does other.', 'other.html', undefined],
      ],
    );
  });

  it('assigns tools of one name distinct names of at most 64 characters, which do not depend on the order of pages', async () => {
    const long = 'x'.repeat(100);
    const pages = [
      '本.html',
      '木.html',
      'a/b.html',
      'a-b.html',
      `${long}/1.html`,
      `${long}/2.html`,
      '/a.html',
      'a.html',
    ];
    const all = Object.fromEntries(pages.map((page) => [page, review(page)]));
    const found = names(await webtool({ ...all, 'z.html': form('review_book-a', '') }));
    assert.equal(new Set(found).size, pages.length + 1);
    for (const name of found) assert.match(name, /^[\w-]{1,64}$/);
    assert.ok(found.includes('review_book-a'));
    const manifest = manifestOf(all);
    const reversed = { ...manifest, pages: [...manifest.pages].reverse() };
    const actions = await Promise.all([manifest, reversed].map(async (each) => (await metadataOf(each)).actions));
    const [one, other] = actions.map((list) => list.map(({ name, page }) => `${name} ${page}`).sort());
    assert.deepEqual(one, other);
  });

  it('does not merge equal forms that are submitted to different URLs', async () => {
    const relative = form('rate', '<input name=a>', 'action=rate');
    const found = await webtool({
      'a/1.html': relative,
      'a/2.html': relative,
      'b/1.html': relative,
      'c.html': relative.replace('=rate', '=/a/rate'),
    });
    assert.deepEqual(names(found), ['rate-a-1', 'rate-b-1']);
  });

  it('does not merge equal forms of pages with different encodings', async () => {
    const equal = form('rate', '<input name=a>', 'action=/rate');
    const found = await webtool({ '1.html': equal, '2.html': equal, '3.html': `<meta charset=koi8-r>${equal}` });
    assert.deepEqual(names(found), ['rate-1', 'rate-3']);
  });

  it('changes the hash of the webtool if the page path or the form of an action changes', async () => {
    const html = form(
      'a',
      '<input name=x value=1><input name=y type=hidden><select name=s><option>1<option>2</select>',
    );
    const hashOf = async (pages: Readonly<Record<string, string>>): Promise<string> =>
      (await webtool(pages)).metadata.hash;
    const before = await hashOf({ 'a.html': html });
    assert.equal(await hashOf({ 'a.html': `<p>Other text.</p>\n${html}` }), before);
    for (const [from, to] of [
      ['>', ' action=/x>'],
      ['>', ' method=post>'],
      ['>', ' accept-charset=utf-8>'],
      ['<form', '<meta charset=koi8-r><form'],
      ['name=y', 'name=z'],
      ['<input name=y type=hidden>', ''],
      ['name=x value=1><input name=y type=hidden>', 'name=x type=hidden><input name=y value=1>'],
      ['<select', '<button formaction=/y>Go</button><select'],
    ] as const)
      assert.notEqual(await hashOf({ 'a.html': html.replace(from, to) }), before, to);
    assert.notEqual(await hashOf({ 'b.html': html }), before);
    const [one, other] = [review('One'), review('Other')];
    assert.notEqual(await hashOf({ 'a.html': one, 'b.html': other }), await hashOf({ 'a.html': other, 'b.html': one }));
    const post = (action: string): string => form('a', '<input name=x>', `method=post action=${action}`);
    assert.notEqual(
      await hashOf({ 'a.html': post('/1'), 'b.html': post('/2') }),
      await hashOf({ 'a.html': post('/2'), 'b.html': post('/1') }),
    );
  });

  it('pageUrl resolves the path of a page against the base URL', async () => {
    const { pageUrl } = await import('../../../src/headless/known-tool.js');
    const at = (base: string, path: string): string => pageUrl(resolveSettings({ baseUrl: base }).baseUrl, path);
    assert.equal(at('https://site.example', 'index.html'), 'https://site.example/');
    assert.equal(at('https://site.example/shop#y', 'a/index.html'), 'https://site.example/shop/a/');
    assert.equal(
      at('https://u:p@site.example/shop/', 'a b%3Fc#d%20%é.html'),
      'https://u:p@site.example/shop/a%20b%3Fc%23d%20%25%C3%A9.html',
    );
    assert.equal(at('https://site.example/', 'https://other.example/'), 'https://site.example/https://other.example/');
    assert.equal(at('https://site.example/shop/index.html', 'b.html'), 'https://site.example/shop/b.html');
    assert.equal(at('https://site.example/', 'myindex.html'), 'https://site.example/myindex.html');
    assert.equal(
      at('https://site.example/w/', 'doku.php?id=a:b&do=edit'),
      'https://site.example/w/doku.php?id=a:b&do=edit',
    );
    assert.equal(at('https://site.example/w/', '/wp-admin/index.html?x=?#'), 'https://site.example/wp-admin/?x=?%23');
    assert.equal(at('https://site.example/w/', '//other.example/x'), 'https://site.example//other.example/x');
    assert.equal(
      at('https://site.example/w/', '\\\\other.example?\ud800'),
      'https://site.example/w/%5C%5Cother.example?%EF%BF%BD',
    );
  });
});

describe('resolveSettings', () => {
  for (const options of [{ baseUrl: 'x' }, { baseUrl: 'ftp://x.example/' }, { baseUrl: 'javascript:1' }]) {
    it(`rejects the base URL ${options.baseUrl}`, () => {
      assert.throws(() => resolveSettings(options), {
        code: 'config-error',
        message: /base URL is not an absolute URL/,
      });
    });
  }

  it('LiveManifest rejects an invalid manifest', () => {
    const about = { name: 'x', description: 'x', version: '1.0.0' };
    for (const [manifest, message] of [
      [null, /it is not an object/],
      [{}, /its name is missing/],
      [{ ...about }, /its pages are missing/],
      [{ ...about, pages: [], manifestVersion: 2 }, /manifestVersion is not 1/],
      [{ ...about, pages: [{ path: 'a', tools: [{}] }] }, /a page has no path/],
    ] as const) {
      assert.throws(() => new LiveManifest(manifest as never), { name: 'TypeError', message });
    }
    const live = new LiveManifest({ ...about, pages: [] });
    assert.throws(() => {
      live.update({} as never);
    }, TypeError);
    assert.equal(live.current.name, 'x');
  });

  it('rejects invalid origins', () => {
    const baseUrl = 'https://site.example/';
    assert.throws(() => resolveSettings({ baseUrl, origins: ['x'] }), { code: 'config-error', message: /origin "x"/ });
    assert.throws(() => resolveSettings({ baseUrl, cors: ['data:x'] }), { code: 'config-error', message: /"data:x"/ });
  });
});
