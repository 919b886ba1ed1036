import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'vitest';
import { atEnd } from '../../support/at-end.js';
import { run } from '../../../gateway/src/cli/cli.js';
import { Collector } from '../../support/cli/running.js';
import { makeFolder, manifestText } from '../../support/gateway/serve-process.js';

interface Refusal {
  /** @default 'webmcp.json' */
  readonly manifest?: string;
  readonly args?: readonly string[];
  readonly config?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly message: RegExp;
}

const base = ['--base-url', 'https://shop.example/', '--port', '0'];
const withConfig = [...base, '--config', 'config.json'];
const withTokens = [...base, '--token-file', 'config.json'];

/** The error message of a failed start. */
async function refusalOf({
  manifest = 'webmcp.json',
  args = base,
  config = {},
  env = {},
}: Omit<Refusal, 'message'>): Promise<string> {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const cwd = await makeFolder({ 'webmcp.json': manifestText(), 'config.json': text, 'other.json': '{}' });
  const [stdout, stderr] = [new Collector(), new Collector()];
  const code = await run(['serve', manifest, ...args], { stdin: Readable.from([]), stdout, stderr, cwd, env });
  assert.equal(code, 2, stderr.text);
  assert.equal(stdout.text, '');
  assert.match(stderr.text, /^webmcp-gateway: [^\n]+\n$/);
  assert.doesNotMatch(stderr.text, /S3CRET/);
  return stderr.text;
}

const refusals: Readonly<Record<string, Refusal>> = {
  'a missing base URL': { args: [], message: /--base-url is missing/ },
  'a site on this machine': {
    args: ['--base-url', 'http://localhost:3000/'],
    message: /private or loopback address\. Allow private addresses with .*--allow-private/,
  },
  'a base URL with a query': { args: ['--base-url', 'https://shop.example/?S3CRET'], message: /has a query/ },
  'a store without releases': { args: [...base, '--store', 'nothing'], message: /--store nothing has no releases/ },
  'a base URL of another scheme': { args: ['--base-url', 'ftp://me:S3CRET@shop.example'], message: /base URL/ },
  'an invalid manifest': { manifest: 'other.json', message: /^webmcp-gateway: other.json is not a tool manifest/ },
  'a port out of range': { args: [...base, '--port', '65536'], message: /--port.*0 to 65535/ },
  'an invalid rate limit': { args: [...base, '--rate-limit', '10'], message: /60\/60/ },
  'a rate limit of zero': { args: [...base, '--rate-limit', '0/10'], message: /60\/60/ },
  'an invalid origin': { args: [...base, '--origin', 'shop'], message: /the origin "shop"/ },
  'an invalid CORS origin': { args: [...base, '--cors', 'shop'], message: /the origin "shop"/ },
  'an authorization server without the public URL': {
    args: [...base, '--oauth-issuer', 'https://auth.example'],
    message: /--public-url is missing\. Set it to the URL at which clients reach the gateway/,
  },
  'scopes without an authorization server': {
    args: [...base, '--oauth-read-scope', 'read'],
    message: /--oauth-issuer is missing, and .*--oauth-read-scope.* require it/,
  },
  'an authorization server over standard input and output': {
    args: ['--base-url', 'https://shop.example/', '--mcp', '--oauth-issuer', 'https://auth.example'],
    message: /--oauth-issuer.*--mcp|--mcp.*--oauth-issuer/,
  },
  'an authorization server that is not available': {
    args: [...base, '--oauth-issuer', 'https://127.0.0.1:8443/', '--public-url', 'https://tools.example/'],
    message:
      /authorization server "https:\/\/127\.0\.0\.1:8443\/" .*private or loopback address\. Allow it with --allow-private/,
  },
  'an invalid header name': {
    args: [...base, '--client-address-header', 'a b'],
    message: /Expected the name of a header/,
  },
  'a host name with a path': { args: [...base, '--allow-host', 'a/b'], message: /--allow-host "a\/b"/ },
  'a port with --mcp': { args: [...base, '--mcp'], message: /--mcp.*cannot be used with.*--port/ },
  'an unsupported store': { args: [...base, '--sessions', 'mongodb://a:S3CRET@b'], message: /store/ },
  'an unavailable Redis': {
    args: [...base, '--sessions', 'redis://u:S3CRET@127.0.0.1:1'],
    message: /the connection is refused/,
  },
  'an address of another machine': {
    args: [...base, '--allow-anonymous', '--host', '192.0.2.1'],
    message: /Cannot listen on 192.0.2.1/,
  },
  'a session key that is too short': {
    env: { WEBMCP_FORMS_SESSION_KEY: 'S3CRET-0123456789' },
    message: /The key of sessions is invalid: it has less than 32 bytes/,
  },
  'an empty session key': {
    env: { WEBMCP_FORMS_SESSION_KEY: ' ' },
    message: /The key of sessions is invalid: it is missing/,
  },
  'an empty token': { env: { WEBMCP_FORMS_TOKEN: '' }, message: /WEBMCP_FORMS_TOKEN is empty/ },
  'an invalid token': {
    env: { WEBMCP_FORMS_TOKEN: 'S3CRET two' },
    message: /TOKEN contains characters other than letters, digits and/,
  },
  'a short token': {
    env: { WEBMCP_FORMS_TOKEN: 'S3CRET-890123456789' },
    message: /TOKEN has fewer than 20 characters, so it can be guessed\. Use the output of "openssl rand -hex 32"/,
  },
  'an address other than loopback without a token': {
    args: [...base, '--host', '0.0.0.0'],
    message: /reach 0\.0\.0\.0 could call .*\. Set WEBMCP_FORMS_TOKEN .*--allow-anonymous/,
  },
  'a file of tokens without tokens': { args: withTokens, config: '# none', message: /config\.json has no tokens/ },
  'a short token in a file': {
    args: withTokens,
    config: '\nann:S3CRET\n',
    message: /config\.json, line 2: the token of "ann" has fewer than 20 characters/,
  },
  'a line of a file of tokens without a name': {
    args: withTokens,
    config: 'S3CRET-8901234567890',
    message: /config\.json, line 1 is not NAME:TOKEN/,
  },
  'a repeated name of a client': {
    args: withTokens,
    config: 'ann:S3CRET-8901234567890\nann:S3CRET-8901234567891',
    message: /config\.json repeats the name "ann"/,
  },
  'a quota with a period that is too long': {
    args: [...base, '--quota', '10/2000001'],
    message: /at most 2000000 sec/,
  },
  'a limit of zero calls': { args: [...base, '--max-calls', '0'], message: /1 to 10000/ },
  'a missing configuration': { args: [...base, '--config', 'no.json'], message: /cannot read no.json/i },
  'a configuration with invalid JSON': {
    args: withConfig,
    config: '{"headers":{"a":"S3CRET',
    message: /not valid JSON/,
  },
  'a configuration that is not an object': { args: withConfig, config: [], message: /not a JSON object/ },
  'a configuration whose fresh names are not a list': {
    args: withConfig,
    config: { fresh: { book: 'started_at' } },
    message: /its fresh names of "book" are not an array of strings/,
  },
  'a configuration with a fresh name of an unknown action': {
    args: withConfig,
    config: { fresh: { nothing: ['started_at'] } },
    message: /the manifest has no action "nothing"/,
  },
  'a configuration with a duplicate key': {
    args: withConfig,
    config: '{"headers":{"a":"S3CRET","a":"S3CRET"}}',
    message: /repeats the key "a"/,
  },
  'all problems of a configuration': {
    args: withConfig,
    config: {
      header: { a: 'S3CRET' },
      headers: { host: 'S3CRET', 'b c': 'S3CRET', d: 1, e: 'S3CRET\n2' },
      values: { pay: { pw: 5 }, find: 'S3CRET' },
    },
    message: /"header".*"host".*"b c".*"d".*"e".*"pw" in "pay".*"find"/,
  },
  'a configuration that does not match the manifest': {
    args: withConfig,
    config: { values: { buy: { pw: 'S3CRET' }, pay: { pin: 'S3CRET', pw: ['S3CRET', 'S3CRET'] } } },
    message: /no action "buy".*"pay".*"pin".*"pay".*"pw"/,
  },
};

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  atEnd(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('webmcp-gateway serve, when it cannot start', () => {
  for (const [name, { message, ...options }] of Object.entries(refusals)) {
    it(`reports ${name} in one line`, async () => {
      assert.match(await refusalOf(options), message);
    });
  }

  it('reports a port in use', async () => {
    const port = await takenPort();
    const message = await refusalOf({ args: ['--base-url', 'https://shop.example/', '--port', String(port)] });
    assert.match(
      message,
      new RegExp(`Cannot listen on 127.0.0.1 port ${port}: address already in use\\. Choose another --port`),
    );
  });
});
