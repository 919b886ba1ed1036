import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileHtml, createManifest } from '../../src/build.js';
import { LiveManifest } from '../../gateway/src/live-manifest.js';
import { settingsOf, type GatewayOptions } from '../../gateway/src/settings.js';
import type { GatewayManifest } from '../../gateway/src/tool.js';
import { webtoolOf, type Webtool } from '../../gateway/src/webtools/webtool.js';
import { metadataOf } from './releases.js';

/** A manifest as it comes from a file. */
function manifestOf(pages: Readonly<Record<string, string>>): GatewayManifest {
  const compiled = Object.entries(pages).map(([path, html]) => compileHtml(html, { path }));
  const about = { name: 'site', description: 'A site.', version: '1.0.0', profile: 'precise' } as const;
  return JSON.parse(JSON.stringify(createManifest(compiled, about))) as GatewayManifest;
}

const form = (name: string, controls: string, attributes = ''): string =>
  `<form toolname="${name}" tooldescription="Does ${name}." ${attributes}>${controls}</form>`;

const webtool = (pages: Readonly<Record<string, string>>, options: Partial<GatewayOptions> = {}): Promise<Webtool> =>
  webtoolOf(manifestOf(pages), settingsOf({ baseUrl: 'https://site.example/', ...options }));

const names = ({ metadata }: Webtool): readonly string[] => metadata.actions.map(({ name }) => name);
const reasons = ({ leftOut }: Webtool): readonly string[] => leftOut.map(({ tool, reason }) => `${tool}: ${reason}`);

describe('the metadata of a webtool', () => {
  it('has portable schemas, whatever profile the manifest has', async () => {
    const { metadata } = await webtool({ 'a.html': form('a', '<input type=url name="x[y]" required>') });
    const [action] = metadata.actions;
    assert.deepEqual(Object.keys(action?.requestSchema.properties ?? {}), ['x.y']);
    assert.doesNotMatch(JSON.stringify(action?.requestSchema), /"format"/);
  });

  it('says what only reads and what a person was meant to submit', async () => {
    const { metadata } = await webtool({
      'a.html': [
        form('get', '', 'toolautosubmit'),
        form('post', '', 'method=post'),
        form('either', '<button>a</button><button formmethod=post>b</button>'),
        form('dialog', '<button>a</button><button formmethod=dialog>b</button>'),
      ].join(''),
    });
    const says = metadata.actions.map(({ name, readOnly, consequential }) => [name, readOnly, consequential]);
    assert.deepEqual(says, [
      ['get', true, false],
      ['post', false, true],
      ['either', false, true],
      ['dialog', false, true],
    ]);
  });

  it('has schemas that are JSON Schema, and a response schema that an answer satisfies', async () => {
    const { metadata } = await webtool({ 'a.html': form('a', '<input name=x><input type=hidden name=h>') });
    const ajv = new Ajv2020();
    for (const action of metadata.actions) {
      ajv.compile(action.requestSchema);
      const isAnswer = ajv.compile(action.responseSchema);
      assert.ok(isAnswer({ status: 200, url: 'https://site.example/', contentType: 'text/html', text: '' }));
      assert.ok(!isAnswer({ status: '200' }));
    }
    ajv.compile(metadata.configSchema);
  });

  it('carries the SHA-256 of its actions in canonical JSON', async () => {
    const { hash, actions } = await metadataOf(manifestOf({ 'a.html': form('a', '<input name=x>') }));
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
      return Object.fromEntries(members.map(([name, each]) => [name, sorted(each)]));
    };
    const text = JSON.stringify(sorted(JSON.parse(JSON.stringify(actions))));
    assert.equal(hash, `sha256-${createHash('sha256').update(text).digest('base64')}`);
  });

  it('names in its configuration the hidden and sensitive inputs, and never a value', async () => {
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

describe('a tool', () => {
  it('that is no form is left out, with the reason', async () => {
    const found = await webtool({
      'a.html': '<webmcp-tool name=x description=x><webmcp-param name=a></webmcp-param></webmcp-tool>' + form('a', ''),
    });
    assert.deepEqual(names(found), ['a']);
    assert.deepEqual(reasons(found), ['x: it is no form']);
  });

  it('that waits for a person is left out where the operator wants that', async () => {
    const pages = { 'a.html': form('a', '') + form('b', '', 'toolautosubmit') };
    assert.deepEqual(names(await webtool(pages)), ['a', 'b']);
    const found = await webtool(pages, { autosubmitOnly: true });
    assert.deepEqual(names(found), ['b']);
    assert.deepEqual(reasons(found), ['a: it waits for a person, and only tools that do not are offered']);
  });

  it('that needs a secret is offered when the operator, or the clients, have it', async () => {
    const pages = { 'a.html': form('a', '<input name=u><input type=password name=p required>') };
    const found = await webtool(pages);
    assert.deepEqual(names(found), []);
    assert.deepEqual(reasons(found), ['a: the configuration has no value of p for it']);
    assert.deepEqual(names(await webtool(pages, { config: { values: { a: { p: 'x' } } } })), ['a']);
    assert.deepEqual(names(await webtool(pages, { clientSecrets: true })), ['a']);
  });

  it('that can be sent nowhere is left out, with the reason', async () => {
    const found = await webtool({
      'a.html':
        form('script', '', 'action="javascript:x()"') +
        form('dialog', '', 'method=dialog') +
        form('other', '', 'action="https://other.example/"'),
    });
    assert.deepEqual(names(found), []);
    assert.deepEqual(reasons(found), [
      'script: its action is a URL of javascript: and is sent nowhere over HTTP',
      'dialog: its method is "dialog", which sends nothing',
      'other: it is sent to https://other.example, which is not allowed',
    ]);
    const allowed = await webtool(
      { 'a.html': form('other', '', 'action="https://other.example/x"') },
      { origins: ['https://other.example/'] },
    );
    assert.deepEqual(names(allowed), ['other']);
  });

  it('that several pages have in one way is one action, and another of its name has a number', async () => {
    const same = form('subscribe', '<input name=a>', 'action=/subscribe');
    const found = await webtool({
      'a.html': same,
      'b.html': form('subscribe', '<input name=b>', 'action=/subscribe'),
      'c.html': same,
      'd.html': form('subscribe', '<input name=a>'),
      'e.html': form('subscribe', '<input name=a>'),
    });
    assert.deepEqual(names(found), ['subscribe', 'subscribe-2', 'subscribe-3', 'subscribe-4']);
    assert.deepEqual(reasons(found), []);
  });

  it('keeps its name whatever else is left out', async () => {
    const pages = { 'a.html': form('x', '<input name=a>'), 'b.html': form('x', '', 'toolautosubmit') };
    assert.deepEqual(names(await webtool(pages, { autosubmitOnly: true })), ['x-2']);
  });

  it('is at the URL of its page', async () => {
    const { pageUrl } = await import('../../gateway/src/page-url.js');
    const at = (base: string, path: string): string => pageUrl(settingsOf({ baseUrl: base }).baseUrl, path);
    assert.equal(at('https://site.example', 'index.html'), 'https://site.example/');
    assert.equal(at('https://site.example/shop#y', 'a/index.html'), 'https://site.example/shop/a/');
    assert.equal(
      at('https://u:p@site.example/shop/', 'a b?c#d.html'),
      'https://u:p@site.example/shop/a%20b%3Fc%23d.html',
    );
    assert.equal(
      at('https://site.example/', 'https://other.example/'),
      'https://site.example/https%3A//other.example/',
    );
    assert.equal(at('https://site.example/shop/index.html', 'b.html'), 'https://site.example/shop/b.html');
    assert.equal(at('https://site.example/', 'myindex.html'), 'https://site.example/myindex.html');
  });
});

describe('the options of a gateway', () => {
  for (const options of [{ baseUrl: 'x' }, { baseUrl: 'ftp://x.example/' }, { baseUrl: 'javascript:1' }]) {
    it(`are refused with the base URL ${options.baseUrl}`, () => {
      assert.throws(() => settingsOf(options), { code: 'config-error', message: /base URL is no absolute URL/ });
    });
  }

  it('are refused with a manifest that is none', () => {
    const about = { name: 'x', description: 'x', version: '1.0.0' };
    for (const [manifest, message] of [
      [null, /it is no object/],
      [{}, /it has no name/],
      [{ ...about }, /it has no pages/],
      [{ ...about, pages: [], manifestVersion: 2 }, /manifestVersion is not 1/],
      [{ ...about, pages: [{ path: 'a', tools: [{}] }] }, /one of its pages/],
    ] as const) {
      assert.throws(() => new LiveManifest(manifest as never), { name: 'TypeError', message });
    }
    const live = new LiveManifest({ ...about, pages: [] });
    assert.throws(() => {
      live.update({} as never);
    }, TypeError);
    assert.equal(live.current.name, 'x');
  });

  it('are refused with origins that are none', () => {
    const baseUrl = 'https://site.example/';
    assert.throws(() => settingsOf({ baseUrl, origins: ['x'] }), { code: 'config-error', message: /origin "x"/ });
    assert.throws(() => settingsOf({ baseUrl, cors: ['data:x'] }), { code: 'config-error', message: /"data:x"/ });
  });
});
