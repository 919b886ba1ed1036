import { expect } from '@open-wc/testing';
import type { WebmcpTool } from '../../elements/webmcp-tool.js';
import '../../elements/webmcp-tool.js';
import { afterTest, call, isNative, names, rejection, settled, tool, tools, waitUntil } from '../browser/live.js';
import { addTool, answer, codes, toolChanges } from './webmcp-tools.js';

/** What a webtool was sent. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly isOpen: boolean;
  readonly body?: { readonly sessionId: string; readonly config?: unknown; readonly request: unknown };
}

interface Visit {
  readonly src: string;
  readonly sent: () => Promise<readonly Sent[]>;
}

/** The URL of a webtool that nobody else uses, and what was sent there. */
function visit(name = 'shop', { origin = '', delay = 0 } = {}): Visit {
  const key = crypto.randomUUID();
  const sent = async (): Promise<Sent[]> => (await (await fetch(`/webtool?key=${key}`)).json()) as Sent[];
  return { src: `${origin}/webtool/${name}/?key=${key}&delay=${delay}`, sent };
}

const both = ['find_table', 'join_club'];
const haveTools = (expected: readonly string[] = both): Promise<void> =>
  waitUntil(async () => (await names()).join() === expected.join());
const told = (element: WebmcpTool, code: string): Promise<void> => waitUntil(() => codes(element).join() === code);
const messageOf = ({ diagnostics }: WebmcpTool): string => diagnostics.map(({ message }) => message).join(' ');

/** The answer of the site behind the webtool: what it was sent. */
async function find(guests: unknown): Promise<Record<string, unknown>> {
  const { json } = JSON.parse((await call({ guests }, {}, 'find_table')) ?? '') as { json: Record<string, unknown> };
  return json;
}

beforeEach(() => haveTools([]));

describe('a tool with src', () => {
  it('loads nothing before it is there', async () => {
    const isLoaded = (): boolean =>
      performance.getEntriesByType('resource').some(({ name }) => /\/webtool\.ts|\/gateway\//.test(name));
    await addTool('name=t description=d');
    expect(isLoaded()).to.equal(false);
    const element = await addTool(`src="${visit().src}"`);
    await haveTools([...both, 't']);
    expect(isLoaded()).to.equal(true);
    element.remove();
    await haveTools(['t']);
  });

  it('makes tools of the actions of a webtool', async () => {
    const element = await addTool(`src="${visit().src}"`);
    await haveTools();
    const { description, inputSchema, annotations } = await tool('find_table');
    expect(description).to.equal('Finds a table.');
    expect(inputSchema).to.nested.include({ 'properties.guests.minimum': 1, 'required[0]': 'guests' });
    if (annotations) expect(annotations).to.include({ readOnlyHint: true, untrustedContentHint: true });
    expect((await find(4)).url).to.equal('/echo?guests=4');
    expect(codes(element)).to.deep.equal([]);
  });

  it('says when it is connected, and to what', async () => {
    const element = document.createElement('webmcp-tool');
    element.src = visit().src;
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

  it('reaches another origin that allows it', async () => {
    const { port } = location;
    await addTool(`src="${visit('shop', { origin: `http://127.0.0.1:${port}` }).src}"`);
    await haveTools();
    expect((await find(3)).url).to.equal('/echo?guests=3');
  });

  it('has its src from the base of its document', async () => {
    const base = document.createElement('base');
    base.href = '/webtool/';
    document.head.append(base);
    afterTest(() => base.remove());
    await addTool(`src="shop?key=${crypto.randomUUID()}"`);
    await haveTools();
  });

  it('tells an agent what is wrong with its input', async () => {
    await addTool(`src="${visit().src}"`);
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

  it('aborts a call whose caller gives up', async () => {
    const { src, sent } = visit('shop', { delay: 300 });
    const element = await addTool(`src="${src}"`);
    await haveTools();
    element.config = { values: {} };
    const caller = new AbortController();
    const running = rejection(call({ guests: 1 }, { signal: caller.signal }, 'find_table'));
    await settled();
    caller.abort(new Error('enough'));
    expect((await running).message).to.equal('enough');
    await waitUntil(() => element.webtool);
    await settled();
    expect((await sent()).filter(({ method }) => method === 'POST')).to.deep.equal([]);
  });
});

describe('what a tool with src pins', () => {
  it('is the version and the hash of what was reviewed', async () => {
    const first = await addTool(`src="${visit().src}"`);
    await haveTools();
    const { hash = '', version = '' } = first.webtool ?? {};
    first.remove();
    await haveTools([]);
    const { src, sent } = visit();
    await addTool(`src="${src}" version="${version}" hash="${hash}"`);
    await haveTools();
    expect((await find(1)).url).to.equal('/echo?guests=1');
    const [{ path } = {}, { body } = {}] = await sent();
    expect(path).to.equal('/webtool/shop/1.0.0');
    expect(body).to.have.property('version', '1.0.0');
    const changed = await addTool(`src="${visit('changed').src}" version="${version}" hash="${hash}"`);
    await told(changed, 'webtool-changed');
    expect(messageOf(changed)).to.contain(hash).and.to.contain('Review them');
    expect(changed.matches(':state(invalid)')).to.equal(true);
    expect((await tool('find_table')).description).to.equal('Finds a table.');
  });

  it('is not there where it is empty', async () => {
    const element = await addTool(`src="${visit().src}" hash=""`);
    await told(element, 'webtool-changed');
    expect(await names()).to.deep.equal([]);
  });

  it('is told to be missing', async () => {
    const element = await addTool(`src="${visit().src}" version=7.0.0`);
    await told(element, 'webtool-failed');
    expect(messageOf(element)).to.contain('7.0.0').and.to.contain('Correct src or version');
    element.version = '1.0.0';
    await haveTools();
    expect(codes(element)).to.deep.equal([]);
  });
});

describe('the config of a tool with src', () => {
  const secret = 'S3CRET-T0KEN';

  it('goes with each call, and is seen nowhere else', async () => {
    const { src, sent } = visit();
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
    expect((await sent()).at(-1)?.body?.config).to.deep.equal({ authorization: 'changed later' });
  });

  it('that was set before the element was upgraded counts', async () => {
    const { src, sent } = visit();
    const element = document.implementation.createHTMLDocument().createElement('webmcp-tool');
    Object.assign(element, { src, config: { authorization: secret } });
    document.body.append(element);
    afterTest(() => element.remove());
    await haveTools();
    await find(2);
    expect((await sent()).map(({ method, body }) => [method, body?.config])).to.deep.equal([
      ['GET', undefined],
      ['POST', { authorization: secret }],
    ]);
  });

  it('changes without a change of the tools, whose calls wait for it and have a new session', async () => {
    const { src, sent } = visit('shop', { delay: 300 });
    const element = await addTool(`src="${src}"`);
    await haveTools();
    await find(1);
    const changes = await toolChanges();
    element.config = { authorization: 'first' };
    await settled();
    expect(element.webtool).to.equal(undefined);
    const running = find(2);
    await settled();
    element.config = { authorization: 'last' };
    expect((await running).url).to.equal('/echo?guests=2');
    expect([await changes(), await names()]).to.deep.equal([0, both]);
    const posts = (await sent()).filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(posts.map((body) => body?.config)).to.deep.equal([undefined, { authorization: 'last' }]);
    expect(posts[0]?.sessionId).not.to.equal(posts[1]?.sessionId);
    element.config = { authorization: 'last' };
    Object.assign(element, { config: null });
    element.config = { authorization: 'last' };
    await settled();
    expect(element.webtool).not.to.equal(undefined);
  });

  it('that cannot be sent is a mistake, which is not quoted', async () => {
    const circular: Record<string, unknown> = { [secret]: secret };
    circular['self'] = circular;
    const element = await addTool(`src="${visit().src}"`);
    for (const config of [circular, [secret], () => secret]) {
      element.config = config;
      await told(element, 'invalid-config');
      await haveTools([]);
      expect(messageOf(element)).not.to.contain(secret);
      Object.assign(element, { config: undefined });
      await haveTools();
      expect(codes(element)).to.deep.equal([]);
    }
  });
});

describe('a webtool that is not there', () => {
  it('is told by its element, which tries again when it is changed', async () => {
    const element = await addTool(`src="http://127.0.0.1:1/?key=S3CRET"`);
    Object.assign(element, { config: { authorization: 'S3CRET' } });
    await told(element, 'webtool-unreachable');
    expect(messageOf(element)).to.contain('http://127.0.0.1:1/').and.to.contain('CORS');
    expect(messageOf(element)).not.to.contain('S3CRET');
    element.src = '/nowhere';
    await told(element, 'webtool-failed');
    element.src = '/echo';
    await waitUntil(() => messageOf(element).includes('/echo'));
    expect(codes(element)).to.deep.equal(['webtool-failed']);
    for (const src of ['', 'http://', 'javascript:0', 'http://a:b@localhost/']) {
      element.src = src;
      await told(element, 'invalid-src');
    }
    element.src = visit().src;
    await haveTools();
    expect(codes(element)).to.deep.equal([]);
  });

  it('is told once', async () => {
    const events: string[] = [];
    const listener = (event: Event): void => void events.push((event as CustomEvent<{ code: string }>).detail.code);
    document.addEventListener('webmcp-diagnostic', listener);
    afterTest(() => document.removeEventListener('webmcp-diagnostic', listener));
    const { src, sent } = visit();
    const element = await addTool(`src="${src}" version=7.0.0`);
    await told(element, 'webtool-failed');
    for (const tries of [2, 3]) {
      element.append('a change');
      await waitUntil(async () => (await sent()).length === tries);
      await settled();
    }
    expect(events).to.deep.equal(['webtool-failed']);
  });

  it('is given up when its element goes', async () => {
    const { src, sent } = visit('shop', { delay: 60_000 });
    const element = await addTool(`src="${src}"`);
    await waitUntil(async () => (await sent()).length === 1);
    element.remove();
    await waitUntil(async () => (await sent()).every(({ isOpen }) => !isOpen));
    expect([await names(), codes(element)]).to.deep.equal([[], []]);
  });
});

describe('a tool with src that changes', () => {
  it('takes its tools back when it goes, and calls that run go on', async () => {
    const { src, sent } = visit();
    const element = await addTool(`src="${src}"`);
    await haveTools();
    const running = find(5);
    await waitUntil(async () => (await sent()).some(({ method }) => method === 'POST'));
    element.remove();
    await haveTools([]);
    expect((await running).url).to.equal('/echo?guests=5');
  });

  it('connects once for all that changes in one go', async () => {
    const [one, other] = [visit(), visit('changed')];
    const element = await addTool(`src="${one.src}"`);
    await haveTools();
    element.src = visit().src;
    element.version = '2.0.0';
    element.src = other.src;
    element.removeAttribute('version');
    await waitUntil(async () => (await tools())[0]?.description === 'Finds a chair.');
    expect([(await one.sent()).length, (await other.sent()).length]).to.deep.equal([1, 1]);
    expect(await names()).to.deep.equal(both);
  });

  it('gives up a connection that is no longer wanted', async () => {
    const slow = visit('shop', { delay: 60_000 });
    const element = await addTool(`src="${slow.src}"`);
    await waitUntil(async () => (await slow.sent()).length === 1);
    element.src = visit('changed').src;
    await haveTools();
    expect((await tool('find_table')).description).to.equal('Finds a chair.');
    await waitUntil(async () => (await slow.sent()).every(({ isOpen }) => !isOpen));
  });

  it('stays connected when it moves', async () => {
    const { src, sent } = visit();
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
    expect([await changes(), (await sent()).length, await names()]).to.deep.equal([0, 1, both]);
  });

  it('is an ordinary tool without src', async () => {
    const element = await addTool(`src="${visit().src}" name=t description=d`);
    await haveTools();
    element.removeAttribute('src');
    answer(element, (event) => event.respondWith('here'));
    await haveTools(['t']);
    expect([await call(), codes(element)]).to.deep.equal(['here', []]);
  });
});

describe('what stands beside src', () => {
  it('is ignored, and told', async () => {
    const children = ['<webmcp-param name=a></webmcp-param>', '<form><input name=a><button>Go</button></form>'];
    const element = await addTool(`src="${visit().src}" name=t description=d for=f readonly-hint`, children);
    await haveTools();
    expect(codes(element)).to.deep.equal(['ignored-with-src']);
    expect(messageOf(element)).to.contain('name, description, for, readonly-hint, <webmcp-param>, <form>');
    expect(element.matches(':state(invalid)')).to.equal(false);
    expect(element.form).to.equal(null);
  });
});

describe('two tools with the same src', () => {
  it('share its names: the second has them when the first goes', async () => {
    const { src } = visit();
    const first = await addTool(`src="${src}"`);
    await haveTools();
    const second = await addTool(`src="${src}"`);
    await told(second, 'duplicate-tool-name,duplicate-tool-name');
    expect(second.diagnostics.map((each) => each.tool)).to.deep.equal(both);
    first.remove();
    await waitUntil(() => codes(second).length === 0);
    await haveTools();
    expect((await find(6)).url).to.equal('/echo?guests=6');
  });
});
