import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { Readable } from 'node:stream';
import { run } from '../../gateway/src/cli/cli.js';
import { Collector } from '../cli/running.js';
import { makeFolder, manifestText, start } from './serve-process.js';

interface Refusal {
  readonly args?: readonly string[];
  readonly config?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** What the one line says. */
  readonly says: RegExp;
}

const base = ['--base-url', 'https://shop.example/', '--port', '0'];
const withConfig = [...base, '--config', 'config.json'];

/** What the program says when it refuses to start. */
async function refusalOf({ args = base, config = {}, env = {} }: Omit<Refusal, 'says'>): Promise<string> {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const cwd = await makeFolder({ 'webmcp.json': manifestText(), 'config.json': text, 'other.json': '{}' });
  const [stdout, stderr] = [new Collector(), new Collector()];
  const code = await run(['serve', 'webmcp.json', ...args], { stdin: Readable.from([]), stdout, stderr, cwd, env });
  assert.equal(code, 2, stderr.text);
  assert.equal(stdout.text, '');
  assert.match(stderr.text, /^webmcp-gateway: [^\n]+\n$/);
  assert.doesNotMatch(stderr.text, /S3CRET/);
  return stderr.text;
}

const refusals: Readonly<Record<string, Refusal>> = {
  'no base URL': { args: [], says: /--base-url is missing/ },
  'a site on this machine': {
    args: ['--base-url', 'http://localhost:3000/'],
    says: /private or loopback address: allow these \(.*--allow-private\)/,
  },
  'a base URL with a query': { args: ['--base-url', 'https://shop.example/?S3CRET'], says: /has a query/ },
  'a store without releases': { args: [...base, '--store', 'nothing'], says: /--store nothing has no releases/ },
  'a base URL of another scheme': { args: ['--base-url', 'ftp://me:S3CRET@shop.example'], says: /base URL/ },
  'a manifest that is none': { args: ['other.json', ...base], says: /too many arguments|no tool manifest/ },
  'a port that is none': { args: [...base, '--port', '65536'], says: /--port.*0 to 65535/ },
  'a rate limit that is none': { args: [...base, '--rate-limit', '10'], says: /60\/60/ },
  'a rate limit of nothing': { args: [...base, '--rate-limit', '0/10'], says: /60\/60/ },
  'an origin that is none': { args: [...base, '--origin', 'shop'], says: /the origin "shop"/ },
  'an origin of pages that is none': { args: [...base, '--cors', 'shop'], says: /the origin "shop"/ },
  'a header that is none': { args: [...base, '--client-address-header', 'a b'], says: /no name of a header/ },
  'a host name with a path': { args: [...base, '--allow-host', 'a/b'], says: /--allow-host "a\/b"/ },
  'a port with --mcp': { args: [...base, '--mcp'], says: /--mcp.*cannot be used with.*--port/ },
  'workers without sessions': { args: [...base, '--workers', '2'], says: /--workers 2 needs --sessions/ },
  'a store that is none': { args: [...base, '--sessions', 'mongodb://a:S3CRET@b'], says: /store/ },
  'a Redis that is away': { args: [...base, '--sessions', 'redis://u:S3CRET@127.0.0.1:1'], says: /nothing listens/ },
  'an address that is not here': { args: [...base, '--host', '192.0.2.1'], says: /cannot listen on 192.0.2.1/ },
  'an empty token': { env: { WEBMCP_FORMS_TOKEN: '' }, says: /WEBMCP_FORMS_TOKEN is empty/ },
  'a token that no header can have': { env: { WEBMCP_FORMS_TOKEN: 'S3CRET two' }, says: /TOKEN is no token/ },
  'a configuration that is not there': { args: [...base, '--config', 'no.json'], says: /cannot read no.json/ },
  'a configuration that is no JSON': { args: withConfig, config: '{"headers":{"a":"S3CRET', says: /not valid JSON/ },
  'a configuration that is no object': { args: withConfig, config: [], says: /no JSON object/ },
  'a configuration with a name twice': {
    args: withConfig,
    config: '{"headers":{"a":"S3CRET","a":"S3CRET"}}',
    says: /"a" twice/,
  },
  'every mistake in a configuration': {
    args: withConfig,
    config: {
      header: { a: 'S3CRET' },
      headers: { host: 'S3CRET', 'b c': 'S3CRET', d: 1, e: 'S3CRET\n2' },
      values: { pay: { pw: 5 }, find: 'S3CRET' },
    },
    says: /"header".*"host".*"b c".*"d".*"e".*"pw" in "pay".*"find"/,
  },
  'a configuration that does not fit the manifest': {
    args: withConfig,
    config: { values: { buy: { pw: 'S3CRET' }, pay: { pin: 'S3CRET', pw: ['S3CRET', 'S3CRET'] } } },
    says: /no action "buy".*"pay".*"pin".*"pay".*"pw"/,
  },
};

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('webmcp-gateway serve, when it cannot start', () => {
  for (const [name, { says, ...options }] of Object.entries(refusals)) {
    it(`says in one line what is wrong: ${name}`, { timeout: 60_000 }, async () => {
      assert.match(await refusalOf(options), says);
    });
  }

  it('says that its port is taken', async () => {
    const port = await takenPort();
    const says = await refusalOf({ args: ['--base-url', 'https://shop.example/', '--port', String(port)] });
    assert.match(says, new RegExp(`cannot listen on 127.0.0.1 port ${port}: address already in use: give --port`));
  });

  it('says it once with workers, too', async () => {
    const port = await takenPort();
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const args = ['webmcp.json', '--base-url', 'https://shop.example/', '--port', String(port)];
    const { exit, stderr } = start([...args, '--workers', '3', '--sessions', 'kept'], { cwd });
    assert.equal(await exit, 2);
    const lines = stderr()
      .split('\n')
      .filter((line) => line.startsWith('webmcp-gateway: '));
    assert.equal(lines.length, 1, stderr());
    assert.match(lines[0] ?? '', /address already in use/);
  });
});
