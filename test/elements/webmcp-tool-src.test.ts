import { expect } from '@open-wc/testing';
import type { WebmcpTool } from '../../elements/webmcp-tool.js';
import '../../elements/webmcp-tool.js';
import {
  afterTest,
  call,
  isNative,
  names,
  rejection,
  settled,
  tool,
  tools,
  waitUntil,
} from '../support/browser/live.js';
import { addTool, answer, codes, toolChanges } from '../support/elements/webmcp-tools.js';

/** A request to a webtool. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly isOpen: boolean;
  readonly body?: { readonly sessionId: string; readonly config?: unknown; readonly request: unknown };
}

interface TestWebtool {
  readonly src: string;
  readonly received: () => Promise<readonly ReceivedRequest[]>;
  /** Sets whether the responses to new connections wait. */
  readonly hold: (isHeld: boolean) => Promise<unknown>;
}

/** A webtool with a URL of its own, and the requests to it. */
function testWebtool(name = 'shop', origin = ''): TestWebtool {
  const key = crypto.randomUUID();
  const received = async (): Promise<ReceivedRequest[]> =>
    (await (await fetch(`/webtool?key=${key}`)).json()) as ReceivedRequest[];
  const hold = (isHeld: boolean): Promise<unknown> => fetch(`/webtool?key=${key}&hold=${String(isHeld)}`);
  return { src: `${origin}/webtool/${name}/?key=${key}`, received, hold };
}

const hash = 'sha256-0000000000000000000000000000000000000000000=';
const both = ['find_table', 'join_club'];
const haveTools = (expected: readonly string[] = both): Promise<void> =>
  waitUntil(async () => (await names()).join() === expected.join());
const reported = (element: WebmcpTool, code: string): Promise<void> => waitUntil(() => codes(element).join() === code);
const messageOf = ({ diagnostics }: WebmcpTool): string => diagnostics.map(({ message }) => message).join(' ');

/** Calls the tool, whose result is the input that the site received. */
async function find(guests: unknown): Promise<Record<string, unknown>> {
  const { json } = JSON.parse((await call({ guests }, {}, 'find_table')) ?? '') as { json: Record<string, unknown> };
  return json;
}

beforeEach(() => haveTools([]));

describe('<webmcp-tool src>', () => {
  it('loads the client only when it is needed', async () => {
    const isLoaded = (): boolean =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/webtool.'));
    await addTool('name=t description=d');
    expect(isLoaded()).to.equal(false);
    const element = await addTool(`src="${testWebtool().src}"`);
    await haveTools([...both, 't']);
    expect(isLoaded()).to.equal(true);
    element.remove();
    await haveTools(['t']);
  });

  it('registers the actions of a webtool as tools', async () => {
    const element = await addTool(`src="${testWebtool().src}"`);
    await haveTools();
    const { description, inputSchema, annotations } = await tool('find_table');
    expect(description).to.equal('Finds a table.');
    expect(inputSchema).to.nested.include({ 'properties.guests.minimum': 1, 'required[0]': 'guests' });
    if (annotations) expect(annotations).to.include({ readOnlyHint: true, untrustedContentHint: true });
    expect((await find(4)).url).to.equal('/echo?guests=4');
    expect(codes(element)).to.deep.equal([]);
  });

  it('reports each connection, and exposes the webtool', async () => {
    const element = document.createElement('webmcp-tool');
    element.src = testWebtool().src;
    afterTest(() => element.remove());
    const isReady = new Promise<Event>((resolve) => document.addEventListener('webmcp-ready', resolve, { once: true }));
    expect(element.webtool).to.equal(undefined);
    document.body.append(element);
    expect((await isReady).target).to.equal(element);
    const { name, version, hash, actions } = element.webtool ?? {};
    expect([name, version, actions?.map((each) => each.name)]).to.deep.equal(['shop', '1.0.0', both]);
    expect(hash).to.match(/^sha256-/);
    const data = (await element.webtool?.call('find_table', { guests: 2 })) as { status: number };
    expect(data.status).to.equal(200);
    element.remove();
    await settled();
    expect(element.webtool).to.equal(undefined);
  });

  it('connects to another origin that allows it', async () => {
    const { port } = location;
    await addTool(`src="${testWebtool('shop', `http://127.0.0.1:${port}`).src}"`);
    await haveTools();
    expect((await find(3)).url).to.equal('/echo?guests=3');
  });

  it('resolves src against the base URL of its document', async () => {
    const base = document.createElement('base');
    base.href = '/webtool/';
    document.head.append(base);
    afterTest(() => base.remove());
    await addTool(`src="shop?key=${crypto.randomUUID()}"`);
    await haveTools();
  });

  it('reports invalid input to the agent', async () => {
    await addTool(`src="${testWebtool().src}"`);
    await haveTools();
    if (isNative) {
      const failure = JSON.parse((await call({ guests: 9 }, {}, 'find_table')) ?? '') as Record<string, unknown>;
      expect([failure.isError, failure.code]).to.deep.equal([true, 'SCHEMA_ERROR']);
      expect(failure.errors).to.have.nested.property('[0].parameter', 'guests');
      expect(failure.message).to.contain('guests');
    } else {
      const { message, cause } = await rejection(call({ guests: 9 }, {}, 'find_table'));
      expect(message).to.contain('guests');
      expect(cause).to.have.property('code', 'SCHEMA_ERROR');
    }
  });

  it('aborts a call when its caller cancels', async () => {
    const { src, received, hold } = testWebtool();
    const element = await addTool(`src="${src}"`);
    await haveTools();
    await hold(true);
    element.config = { values: {} };
    const caller = new AbortController();
    const running = rejection(call({ guests: 1 }, { signal: caller.signal }, 'find_table'));
    await settled();
    caller.abort(new Error('enough'));
    expect((await running).message).to.equal('enough');
    await hold(false);
    await waitUntil(() => element.webtool);
    await settled();
    expect((await received()).filter(({ method }) => method === 'POST')).to.deep.equal([]);
  });
});

describe('the version and the hash of <webmcp-tool src>', () => {
  it('pin the reviewed webtool', async () => {
    const first = await addTool(`src="${testWebtool().src}"`);
    await haveTools();
    const { hash = '', version = '' } = first.webtool ?? {};
    first.remove();
    await haveTools([]);
    const { src, received } = testWebtool();
    await addTool(`src="${src}" version="${version}" hash="${hash}"`);
    await haveTools();
    expect((await find(1)).url).to.equal('/echo?guests=1');
    const [{ path } = {}, { body } = {}] = await received();
    expect(path).to.equal('/webtool/shop/1.0.0');
    expect(body).to.have.property('version', '1.0.0');
    const changed = await addTool(`src="${testWebtool('changed').src}" version="${version}" hash="${hash}"`);
    await reported(changed, 'webtool-changed');
    expect(messageOf(changed)).to.contain(hash).and.to.contain('Review them');
    expect(changed.matches(':state(invalid)')).to.equal(true);
    expect((await tool('find_table')).description).to.equal('Finds a table.');
  });

  it('are ignored if they are empty', async () => {
    const element = await addTool(`src="${testWebtool().src}" hash=""`);
    await reported(element, 'webtool-changed');
    expect(await names()).to.deep.equal([]);
  });

  it('are reported if the webtool does not have them', async () => {
    const element = await addTool(`src="${testWebtool().src}" version=7.0.0`);
    await reported(element, 'webtool-failed');
    expect(messageOf(element)).to.contain('7.0.0').and.to.contain('Correct src or version');
    element.version = '1.0.0';
    await haveTools();
    expect(codes(element)).to.deep.equal([]);
  });
});

describe('the config of <webmcp-tool src>', () => {
  const secret = 'S3CRET-T0KEN';

  it('is received with each call and exposed nowhere else', async () => {
    const { src, received } = testWebtool();
    const element = await addTool(`src="${src}"`);
    const config = { authorization: `Bearer ${secret}` };
    element.config = config;
    expect(element.config).to.equal(config);
    config.authorization = 'changed later';
    await haveTools();
    await waitUntil(() => element.webtool);
    const shown = (await tools()).map(({ window: _, ...each }) => each);
    const seen = JSON.stringify([shown, element.outerHTML, element.webtool, element.diagnostics]);
    expect(seen).not.to.contain(secret);
    await find(2);
    expect((await received()).at(-1)?.body?.config).to.deep.equal({ authorization: 'changed later' });
  });

  it('is used if it was set before the upgrade', async () => {
    const { src, received } = testWebtool();
    const element = document.implementation.createHTMLDocument().createElement('webmcp-tool');
    Object.assign(element, { src, config: { authorization: secret } });
    document.body.append(element);
    afterTest(() => element.remove());
    await haveTools();
    await find(2);
    expect((await received()).map(({ method, body }) => [method, body?.config])).to.deep.equal([
      ['GET', undefined],
      ['POST', { authorization: secret }],
    ]);
  });

  it('is replaced without a change of the tools, whose calls wait for a new session', async () => {
    const { src, received, hold } = testWebtool();
    const element = await addTool(`src="${src}"`);
    await haveTools();
    await find(1);
    const changes = await toolChanges();
    await hold(true);
    element.config = { authorization: 'first' };
    await settled();
    expect(element.webtool).to.equal(undefined);
    const running = find(2);
    await settled();
    element.config = { authorization: 'last' };
    await hold(false);
    expect((await running).url).to.equal('/echo?guests=2');
    expect([await changes(), await names()]).to.deep.equal([0, both]);
    const posts = (await received()).filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(posts.map((body) => body?.config)).to.deep.equal([undefined, { authorization: 'last' }]);
    expect(posts[0]?.sessionId).not.to.equal(posts[1]?.sessionId);
    element.config = { authorization: 'last' };
    Object.assign(element, { config: null });
    element.config = { authorization: 'last' };
    await settled();
    expect(element.webtool).not.to.equal(undefined);
  });

  it('is reported without a quote if it cannot be serialized', async () => {
    const circular: Record<string, unknown> = { [secret]: secret };
    circular['self'] = circular;
    const element = await addTool(`src="${testWebtool().src}"`);
    for (const config of [circular, [secret], () => secret]) {
      element.config = config;
      await reported(element, 'invalid-config');
      await haveTools([]);
      expect(messageOf(element)).not.to.contain(secret);
      Object.assign(element, { config: undefined });
      await haveTools();
      expect(codes(element)).to.deep.equal([]);
    }
  });
});

describe('a webtool of another origin', () => {
  const elsewhere = (): TestWebtool => testWebtool('shop', `http://127.0.0.1:${location.port}`);
  const entries = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith('webmcp-forms.trust '));
  const change = (): void => {
    for (const key of entries()) localStorage.setItem(key, `${hash} 0.9.0`);
  };
  beforeEach(() => entries().forEach((key) => localStorage.removeItem(key)));

  it('is marked with its origin, and its hints are its own statements', async () => {
    await addTool(`src="${elsewhere().src}"`);
    await haveTools();
    const { title, description, annotations } = await tool('find_table');
    const origin = `127.0.0.1:${location.port}`;
    expect(title).to.equal(`find_table (${origin})`);
    expect(description).to.equal(
      `Finds a table.\n\n(Third-party tool of http://${origin}, which states that it changes nothing.)`,
    );
    if (annotations) expect(annotations).to.include({ readOnlyHint: false, untrustedContentHint: true });
  });

  it('is trusted on first use, and a change is reported once', async () => {
    const { src } = elsewhere();
    const first = await addTool(`src="${src}"`);
    await haveTools();
    expect([codes(first), entries().length]).to.deep.equal([[], 1]);
    first.remove();
    await haveTools([]);
    change();
    const second = await addTool(`src="${src}"`);
    await haveTools();
    expect(codes(second)).to.deep.equal(['webtool-changed']);
    expect(messageOf(second)).to.contain(`${hash} 0.9.0`).and.to.contain('pin the new hash');
    expect(second.matches(':state(invalid)')).to.equal(false);
    second.remove();
    await haveTools([]);
    const third = await addTool(`src="${src}"`);
    await haveTools();
    expect(codes(third)).to.deep.equal([]);
  });

  it('is refused after a change with trust=refuse', async () => {
    const { src } = elsewhere();
    const element = await addTool(`src="${src}" trust=refuse`);
    await haveTools();
    change();
    element.config = { values: {} };
    await reported(element, 'webtool-changed');
    await haveTools([]);
    expect(element.matches(':state(invalid)')).to.equal(true);
  });

  it('leaves no trace with trust=off, with a hash or on its own origin, and another trust is reported', async () => {
    const element = await addTool(`src="${elsewhere().src}" trust=off`);
    await haveTools();
    element.trust = '';
    element.src = testWebtool().src;
    await reported(element, 'unknown-trust');
    element.removeAttribute('trust');
    await haveTools();
    expect([codes(element), entries()]).to.deep.equal([[], []]);
  });

  it('receives no config over plain http', async () => {
    const element = document.createElement('webmcp-tool');
    element.src = 'http://tools.example/';
    element.config = { authorization: 'S3CRET' };
    afterTest(() => element.remove());
    document.body.append(element);
    await reported(element, 'not-secure');
    expect(messageOf(element))
      .to.contain('not served over HTTPS, so config cannot be sent')
      .and.not.to.contain('S3CRET');
  });
});

describe('an unreachable webtool', () => {
  it('is reported, and retried by the next change of the element', async () => {
    const element = await addTool(`src="http://127.0.0.1:1/?key=S3CRET"`);
    Object.assign(element, { config: { authorization: 'S3CRET' } });
    await reported(element, 'webtool-unreachable');
    expect(messageOf(element)).to.contain('http://127.0.0.1:1/').and.to.contain('CORS');
    expect(messageOf(element)).not.to.contain('S3CRET');
    element.src = '/nowhere';
    await reported(element, 'webtool-failed');
    element.src = '/echo';
    await waitUntil(() => messageOf(element).includes('/echo'));
    expect(codes(element)).to.deep.equal(['webtool-failed']);
    for (const src of ['', 'http://', 'javascript:0', 'http://a:b@localhost/']) {
      element.src = src;
      await reported(element, 'invalid-src');
    }
    element.src = testWebtool().src;
    await haveTools();
    expect(codes(element)).to.deep.equal([]);
  });

  it('is reported once', async () => {
    const events: string[] = [];
    const listener = (event: Event): void => void events.push((event as CustomEvent<{ code: string }>).detail.code);
    document.addEventListener('webmcp-diagnostic', listener);
    afterTest(() => document.removeEventListener('webmcp-diagnostic', listener));
    const { src, received } = testWebtool();
    const element = await addTool(`src="${src}" version=7.0.0`);
    await reported(element, 'webtool-failed');
    for (const tries of [2, 3]) {
      element.append('a change');
      await waitUntil(async () => (await received()).length === tries);
      await settled();
    }
    expect(events).to.deep.equal(['webtool-failed']);
  });

  it('is abandoned when its element is removed', async () => {
    const { src, received, hold } = testWebtool();
    await hold(true);
    const element = await addTool(`src="${src}"`);
    await waitUntil(async () => (await received()).length === 1);
    element.remove();
    await waitUntil(async () => (await received()).every(({ isOpen }) => !isOpen));
    expect([await names(), codes(element)]).to.deep.equal([[], []]);
  });
});

describe('a change of <webmcp-tool src>', () => {
  it('unregisters the tools when the element is removed, and running calls continue', async () => {
    const { src, received } = testWebtool();
    const element = await addTool(`src="${src}"`);
    await haveTools();
    const running = find(5);
    await waitUntil(async () => (await received()).some(({ method }) => method === 'POST'));
    element.remove();
    await haveTools([]);
    expect((await running).url).to.equal('/echo?guests=5');
  });

  it('connects once for all changes of a task', async () => {
    const [one, other] = [testWebtool(), testWebtool('changed')];
    const element = await addTool(`src="${one.src}"`);
    await haveTools();
    element.src = testWebtool().src;
    element.version = '2.0.0';
    element.src = other.src;
    element.removeAttribute('version');
    await waitUntil(async () => (await tools())[0]?.description === 'Finds a chair.');
    expect([(await one.received()).length, (await other.received()).length]).to.deep.equal([1, 1]);
    expect(await names()).to.deep.equal(both);
  });

  it('cancels a connection that is not needed anymore', async () => {
    const slow = testWebtool();
    await slow.hold(true);
    const element = await addTool(`src="${slow.src}"`);
    await waitUntil(async () => (await slow.received()).length === 1);
    element.src = testWebtool('changed').src;
    await haveTools();
    expect((await tool('find_table')).description).to.equal('Finds a chair.');
    await waitUntil(async () => (await slow.received()).every(({ isOpen }) => !isOpen));
  });

  it('keeps the connection when the element moves', async () => {
    const { src, received } = testWebtool();
    const element = await addTool(`src="${src}"`);
    await haveTools();
    const changes = await toolChanges();
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    afterTest(() => elsewhere.remove());
    elsewhere.append(element);
    await settled();
    elsewhere.attachShadow({ mode: 'open' }).append(element);
    await settled();
    expect([await changes(), (await received()).length, await names()]).to.deep.equal([0, 1, both]);
  });

  it('makes the element an ordinary tool when src is removed', async () => {
    const element = await addTool(`src="${testWebtool().src}" name=t description=d`);
    await haveTools();
    element.removeAttribute('src');
    answer(element, (event) => event.respondWith('here'));
    await haveTools(['t']);
    expect([await call(), codes(element)]).to.deep.equal(['here', []]);
  });
});

describe('other content beside src', () => {
  it('is ignored and reported', async () => {
    const children = ['<webmcp-param name=a></webmcp-param>', '<form><input name=a><button>Go</button></form>'];
    const element = await addTool(`src="${testWebtool().src}" name=t description=d for=f readonly-hint`, children);
    await haveTools();
    expect(codes(element)).to.deep.equal(['ignored-with-src']);
    expect(messageOf(element)).to.contain('name, description, for, readonly-hint, <webmcp-param>, <form>');
    expect(element.matches(':state(invalid)')).to.equal(false);
    expect(element.form).to.equal(null);
  });
});

describe('two <webmcp-tool> with the same src', () => {
  it('share the names: the second registers them when the first is removed', async () => {
    const { src } = testWebtool();
    const first = await addTool(`src="${src}"`);
    await haveTools();
    const second = await addTool(`src="${src}"`);
    await reported(second, 'duplicate-tool-name,duplicate-tool-name');
    expect(second.diagnostics.map((each) => each.tool)).to.deep.equal(both);
    first.remove();
    await waitUntil(() => codes(second).length === 0);
    await haveTools();
    expect((await find(6)).url).to.equal('/echo?guests=6');
  });
});
