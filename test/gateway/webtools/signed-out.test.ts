import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { WebtoolMetadata } from '../../../gateway/src/webtools/webtool.js';
import { envelopeOf, manifestOf, post, refusalOf, serveWebtool } from '../../support/gateway/webtool-site.js';

const login = (token: string): string =>
  `<!doctype html><title>Shop</title><form toolname=log_in tooldescription="Starts a session" method=post action=/>
   <input name=user required><input type=hidden name=csrf value=${token}><button>Log in</button></form>`;
const members = '<!doctype html><title>Members</title><main><p>Hello</p></main>';

/** The manifest of a page that was read before the login. */
function signedOutManifest(): ReturnType<typeof manifestOf> {
  const { pages, ...about } = manifestOf(login('a'));
  const mark = ({ tools, ...page }: (typeof pages)[number]) => ({
    ...page,
    tools: tools.map((tool) => ({ ...tool, session: 'signed-out' as const })),
  });
  return { ...about, pages: pages.map(mark) };
}

/** A shop that redirects a signed-in session from its login. */
const serveShop: typeof serveWebtool = (t, options) =>
  serveWebtool(t, {
    manifest: signedOutManifest(),
    answering: (response, { method, url, headers }) => {
      response.setHeader('content-type', 'text/html');
      if (url === '/members') return response.end(members);
      if (method === 'POST') return response.writeHead(303, { location: '/members', 'set-cookie': 'sid=1' }).end();
      if (headers.cookie === 'sid=1') return response.writeHead(302, { location: '/members' }).end();
      return response.end(login('fresh-token'));
    },
    ...options,
  });

describe('a tool of a page that was read before the login', () => {
  it('is described as one for a session that is not signed in', async (t) => {
    const { url } = await serveShop(t);
    const { actions } = (await (await fetch(url)).json()) as WebtoolMetadata;
    assert.deepEqual(
      actions.map(({ name, description }) => [name, description]),
      [['log_in', 'Starts a session. For a session that is not signed in.']],
    );
  });

  it('has an error that names the session if the site redirects it', async (t) => {
    const { url } = await serveShop(t);
    const call = { action: 'log_in', request: { user: 'ada' }, sessionId: '0123456789abcdef' };
    const { data } = await envelopeOf(await post(url, call));
    assert.equal(data?.text, 'Hello');
    const message = await refusalOf(post(url, call), 502, 'PAGE_DRIFT');
    assert.match(message, /redirected to http:\S+\/members/);
    assert.ok(
      message.endsWith(
        'The tool is for sessions that are not signed in. If the session of this call is signed in, use another one.',
      ),
      message,
    );
  });

  it('is for every session if pages after the login have the same form', async (t) => {
    const { pages, ...about } = signedOutManifest();
    const search = '<form toolname=search tooldescription=Searches action=/find><input name=q></form>';
    const [found] = manifestOf(search).pages;
    const tools = found!.tools.map((tool) => ({ ...tool, session: 'signed-out' as const }));
    const manifest = { ...about, pages: [...pages, { ...found!, path: '/a', tools }, { ...found!, path: '/b' }] };
    const { url } = await serveShop(t, { manifest });
    const { actions } = (await (await fetch(url)).json()) as WebtoolMetadata;
    const { name, description, page } = actions.find((each) => each.name === 'search')!;
    assert.deepEqual({ name, description, page }, { name: 'search', description: 'Searches', page: '/b' });
    assert.equal(actions.length, 2);
  });
});
