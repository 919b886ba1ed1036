import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { LiveManifest } from '../../../gateway/src/manifest.js';
import { createMcpHandler, type McpHandlerOptions } from '../../../gateway/src/mcp/handler.js';
import { manifest, manifestOf, openShop, page } from '../../support/gateway/mcp-shop.js';

const version = '2026-07-28';
const meta = 'io.modelcontextprotocol';

interface AskedParams {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

interface Result {
  readonly resultType: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly params: AskedParams }>>;
  readonly isError?: boolean;
  readonly content?: unknown;
}

interface Rpc {
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Caller {
  readonly client?: string;
  /** The capability of the client; null if it has none. */
  readonly elicitation?: object | null;
}

const accepted = (content: object): object => ({ action: 'accept', content });
const yes = { confirm: accepted({ send: true }) };

async function open(t: TestContext, options: Partial<McpHandlerOptions> = {}, html = page) {
  const site = await openShop(t);
  const live = new LiveManifest(manifestOf(html));
  const create = () => createMcpHandler(live, { baseUrl: site.origin, allowPrivateAddresses: true, ...options });
  const caller =
    (handle: (request: Request) => Promise<Response>) =>
    async (name: string, input: object, more: object = {}, { client = 'ann', elicitation = {} }: Caller = {}) => {
      const capabilities = elicitation === null ? {} : { elicitation };
      const about = { [`${meta}/protocolVersion`]: version, [`${meta}/clientCapabilities`]: capabilities };
      const params = { name, arguments: input, _meta: about, ...more };
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const standard = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name };
      const request = new Request('http://gateway.example/mcp', {
        method: 'POST',
        headers: { ...headers, ...standard, 'x-client': client },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return (await (await handle(request)).json()) as Rpc;
    };
  const call = caller(create());
  const ask = async (): Promise<string> => {
    const { result } = await call('order', { goods: 'tea' });
    assert.equal(result?.resultType, 'input_required');
    return result.requestState ?? '';
  };
  return { site, live, call, ask, otherProcess: caller(create()) };
}

describe('the state of a question', () => {
  const refused = { code: -32602, message: 'Invalid or expired requestState' };
  const brief = ({ error }: Rpc): object => ({ code: error?.code, message: error?.message });

  it('is accepted once', async (t) => {
    const { call, ask, site } = await open(t);
    const requestState = await ask();
    const answered = { requestState, inputResponses: yes };
    assert.equal((await call('order', { goods: 'tea' }, answered)).result?.resultType, 'complete');
    assert.equal(site.requests.length, 1);
    assert.deepEqual(brief(await call('order', { goods: 'tea' }, answered)), refused);
    assert.equal(site.requests.length, 1);
  });

  it('is refused when it was changed, or made by another process', async (t) => {
    const { call, ask, site, otherProcess } = await open(t);
    const state = await ask();
    const [head, body = '', mac] = state.split('.');
    const decoded = JSON.parse(Buffer.from(body, 'base64url').toString()) as { p: { step: string } };
    const changed = Buffer.from(JSON.stringify({ ...decoded, p: { ...decoded.p, step: 'values' } })).toString(
      'base64url',
    );
    for (const requestState of [`${head}.${changed}.${mac}`, state.slice(0, -2), `${state}A`, '', 'x', 1, null]) {
      assert.deepEqual(brief(await call('order', { goods: 'tea' }, { requestState, inputResponses: yes })), refused);
    }
    const answered = { requestState: state, inputResponses: yes };
    assert.deepEqual(brief(await otherProcess('order', { goods: 'tea' }, answered)), refused);
    assert.deepEqual(site.requests, []);
  });

  it('is refused with other arguments, another tool, client or session, and after the page changed', async (t) => {
    const client = ({ headers }: Request): string => headers.get('x-client') ?? '';
    const { call, ask, site, live } = await open(t, { client });
    const answered = { requestState: await ask(), inputResponses: yes };
    assert.deepEqual(brief(await call('order', { goods: 'gold' }, answered)), refused);
    assert.deepEqual(brief(await call('log-in', { goods: 'tea' }, answered)), refused);
    assert.deepEqual(brief(await call('order', { goods: 'tea' }, answered, { client: 'bob' })), refused);
    const _meta = { [`${meta}/protocolVersion`]: version, [`${meta}/clientCapabilities`]: { elicitation: {} } };
    const inSession = { ...answered, _meta: { ..._meta, 'webmcp-forms/session': crypto.randomUUID() } };
    assert.deepEqual(brief(await call('order', { goods: 'tea' }, inSession)), refused);
    live.update(manifestOf(page.replace('action=/order', 'action=/search'), '1.1.0'));
    assert.deepEqual(brief(await call('order', { goods: 'tea' }, answered)), refused);
    assert.deepEqual(site.requests, []);
    live.update(manifest);
    assert.equal((await call('order', { goods: 'tea' }, answered)).result?.resultType, 'complete');
  });

  it('causes the question again if the answer is missing or belongs to another question', async (t) => {
    const { call, ask, site } = await open(t);
    for (const inputResponses of [{}, { values: accepted({ goods: 'gold' }) }, { confirm: 1 }, { confirm: null }]) {
      const { result } = await call('order', { goods: 'tea' }, { requestState: await ask(), inputResponses });
      assert.deepEqual(Object.keys(result?.inputRequests ?? {}), ['confirm'], JSON.stringify(inputResponses));
    }
    assert.deepEqual(site.requests, []);
  });

  it('is required: an answer without it is ignored', async (t) => {
    const { call, site } = await open(t);
    const { result } = await call('order', { goods: 'tea' }, { inputResponses: yes });
    assert.equal(result?.resultType, 'input_required');
    assert.deepEqual(site.requests, []);
  });
});

describe('questions', () => {
  it('accept only values that were asked for, and ask again for wrong ones', async (t) => {
    const { call, site } = await open(t);
    const first = await call('order', {});
    const more = { inputResponses: { values: accepted({ goods: 'tea', count: 9, other: 1 }) } };
    const second = await call('order', {}, { requestState: first.result?.requestState, ...more });
    const { message } = second.result?.inputRequests?.['confirm']?.params ?? { message: '' };
    assert.match(message, /"goods": "tea"\n"count": 1$/);
    const wrong = { inputResponses: { values: accepted({ goods: '' }) } };
    const again = await call('order', {}, { requestState: (await call('order', {})).result?.requestState, ...wrong });
    assert.deepEqual(Object.keys(again.result?.inputRequests ?? {}), ['values']);
    assert.deepEqual(site.requests, []);
  });

  it('are only for clients that support forms', async (t) => {
    const { call, site } = await open(t);
    for (const elicitation of [null, { url: {} }]) {
      const { result } = await call('order', {}, {}, { elicitation });
      assert.match(JSON.stringify(result?.content), /SCHEMA_ERROR/);
      assert.equal((await call('order', { goods: 'tea' }, {}, { elicitation })).result?.isError, undefined);
    }
    assert.equal(site.requests.length, 2);
    for (const elicitation of [{}, { form: {} }]) {
      const { result } = await call('order', { goods: 'tea' }, {}, { elicitation });
      assert.equal(result?.resultType, 'input_required');
    }
  });

  it('are required with confirm "always", and a client that does not support forms receives the URL of the form', async (t) => {
    const { call, site } = await open(t, { confirm: 'always' });
    const { result } = await call('order', { goods: 'tea' }, {}, { elicitation: null });
    assert.equal(result?.isError, true);
    const text = JSON.stringify(result.content);
    assert.match(text, /CONFIRMATION_REQUIRED: .*Nothing was sent\. A person can send the form on http:\/\/127/);
    assert.deepEqual(site.requests, []);
    await call('search', { q: 'tea' }, {}, { elicitation: null });
    assert.equal(site.requests.length, 1);
  });

  it('confirm calls with a value that the manifest does not offer, but the page may', async (t) => {
    const html =
      '<form toolname=book tooldescription=Books. action=/search><select name=q><option>small<option>big</select></form>';
    for (const confirm of ['if-possible', 'always'] as const) {
      const { call, site } = await open(t, { confirm }, html);
      const { result } = await call('book', { q: 'new' });
      assert.deepEqual(Object.keys(result?.inputRequests ?? {}), ['confirm']);
      assert.deepEqual(site.requests, []);
    }
  });

  it('are not asked with confirm "never"', async (t) => {
    const { call, site } = await open(t, { confirm: 'never' });
    assert.equal((await call('order', { goods: 'tea' })).result?.resultType, 'complete');
    assert.equal(site.requests.length, 1);
  });

  it('have choices, numbers and booleans, and no secrets', async (t) => {
    const controls = `<select name=size required><option value="">Choose<option>small<option>large</select>
      <input name=day type=date required><input name=guests type=number min=1 max=8 required>
      <label>I agree <input name=agree type=checkbox required></label><input type=password name=pin>
      <input type=hidden name=csrf value=hunter2hunter2>`;
    const html = `<form toolname=book tooldescription=Books. toolautosubmit method=post action=/order>${controls}</form>`;
    const { call } = await open(t, {}, html);
    const { result } = await call('book', {});
    const request = JSON.stringify(result?.inputRequests);
    const { properties = {} } = result?.inputRequests?.['values']?.params.requestedSchema ?? {};
    assert.deepEqual(Object.keys(properties).sort(), ['agree', 'day', 'guests', 'size']);
    assert.deepEqual(properties['size']?.['enum'], ['small', 'large']);
    assert.deepEqual([properties['guests']?.['minimum'], properties['guests']?.['maximum']], [1, 8]);
    assert.equal(properties['agree']?.['type'], 'boolean');
    assert.doesNotMatch(request, /pin|csrf|hunter2/);
  });
});
