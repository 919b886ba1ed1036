import { InvalidArgumentError, Option } from 'commander';
import { integerOption, repeatable, type AddCommand } from 'webmcp-forms/cli';
import { policyOptions } from './release.js';
import type { ServeFlags } from './serve/setup.js';

export const addServe: AddCommand = (program, context) => {
  const command = program
    .command('serve')
    .summary("serve a manifest's tools over HTTP (Webtools and MCP), or over MCP on standard input and output")
    .description(
      'Serves the tools of a manifest. Each call fills in a form and submits it to the site, without a browser.',
    )
    .argument('MANIFEST', 'a tool manifest; reloaded when it changes, and on SIGHUP');
  for (const option of [...siteOptions(), ...storeOptions(), ...httpOptions()]) command.addOption(option);
  return command.addHelpText('after', serveHelp).action(async (manifest: string, flags: ServeFlags) => {
    const { runServe } = await import('./serve/run.js');
    await runServe(manifest, flags, context);
  });
};

const siteOptions = (): readonly Option[] => [
  new Option(
    '--base-url <url>',
    "the URL of the site, which the pages' paths are relative to (default: WEBMCP_FORMS_BASE_URL)",
  ),
  ...policyOptions(),
  new Option('--confirm <when>', 'over MCP, whether a person confirms submissions of forms without toolautosubmit')
    .choices(['if-possible', 'always', 'never'])
    .default('if-possible'),
  new Option('--allow-private', 'allow sites at private and loopback addresses'),
];

const storeOptions = (): readonly Option[] => [
  new Option(
    '--sessions <location>',
    'the store of sessions: memory, a folder of this process, or a Redis URL (default: WEBMCP_FORMS_SESSIONS, or memory)',
  ),
  integerOption('--session-seconds <number>', 'the lifetime of a session after its last call', 1, 31_536_000, 86_400),
  integerOption(
    '--session-max-seconds <number>',
    'the lifetime of a session after its first call',
    1,
    31_536_000,
    2_592_000,
  ),
  new Option(
    '--store <location>',
    'the store of releases: a folder or a Redis URL (default: WEBMCP_FORMS_STORE, or .webmcp if it exists)',
  ),
];

const httpOptions = (): readonly Option[] => [
  new Option('--mcp', 'use MCP on standard input and output instead of HTTP').conflicts([
    'port',
    'host',
    'cors',
    'allowHost',
    'rateLimit',
    'quota',
    'clientAddressHeader',
    'publicUrl',
    'tokenFile',
    'oauthIssuer',
    'oauthAudience',
    'oauthReadScope',
    'oauthSubmitScope',
    'allowAnonymous',
  ]),
  integerOption('--port <number>', 'the port, or 0 for a free one', 0, 65_535, 8787),
  new Option('--host <address>', 'the listening address; others than loopback require a token').default('127.0.0.1'),
  repeatable('--allow-host <name>', 'an allowed Host name beside loopback names (repeatable)'),
  new Option('--token-file <file>', 'a file with a token for each client: lines with NAME:TOKEN'),
  ...oauthOptions(),
  new Option('--allow-anonymous', 'let anybody call without a token at an address other than loopback').conflicts([
    'tokenFile',
    'oauthIssuer',
  ]),
  repeatable('--cors <origin>', 'an origin whose pages may call, or * (repeatable)'),
  new Option(
    '--rate-limit <calls/seconds>',
    'the calls that each client may make in a period (default: no limit)',
  ).argParser(parseRateLimit),
  new Option(
    '--quota <calls/seconds>',
    'the calls that each client may make in a longer period, such as 1000/86400 (default: no limit)',
  ).argParser(parseRateLimit),
  integerOption('--max-calls <number>', 'the calls that may run at the same time; others wait', 1, 10_000, 100),
  integerOption(
    '--max-client-calls <number>',
    'the running calls of one client (default: half of --max-calls)',
    1,
    10_000,
  ),
  new Option('--client-address-header <name>', "the header with a proxy's client address").argParser(parseHeaderName),
  new Option(
    '--public-url <url>',
    'the URL at which clients reach the gateway, for access tokens and for the pages on which people type secrets (default: the address, if only this machine can reach it)',
  ),
  new Option('--log-level <level>', 'the lowest level that is logged')
    .choices(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info'),
];

/** 23 days. Timers of Node.js support at most 24 days. */
const maxPeriodSeconds = 2_000_000;

function parseRateLimit(text: string): NonNullable<ServeFlags['rateLimit']> {
  const [, calls = '0', seconds = '0'] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  const isPeriod = Number(seconds) > 0 && Number(seconds) <= maxPeriodSeconds;
  if (Number(calls) > 0 && isPeriod) return { calls: Number(calls), seconds: Number(seconds) };
  throw new InvalidArgumentError(
    `Expected two integers, such as 60/60 for 60 calls a minute, and at most ${maxPeriodSeconds} seconds.`,
  );
}

function parseHeaderName(text: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(text)) return text;
  throw new InvalidArgumentError('Expected the name of a header, such as X-Forwarded-For.');
}

const serveHelp = `
The server has
  /          the Webtools interface: GET / and GET /VERSION for metadata, POST / for calls
  /mcp       MCP over Streamable HTTP
  /healthz   200 while the gateway works, 503 while it shuts down; requires no token
  /readyz    200 while it can run calls, 503 if a store is unavailable or it shuts down; requires no token
  /.well-known/oauth-protected-resource
             with --oauth-issuer, the metadata of the resource; of MCP with /mcp at the end; requires no token

The configuration is JSON with headers of requests to the site, values of hidden and sensitive controls by action and name,
and names of hidden controls whose values the site renews, by action:
  { "headers": { "authorization": "Bearer ..." },
    "values": { "pay": { "cc-number": "4111111111111111" } },
    "fresh": { "pay": ["started_at"] } }

Environment: WEBMCP_FORMS_TOKEN is a token of at least 20 characters that requests must send as "Authorization: Bearer".
WEBMCP_FORMS_BASE_URL, WEBMCP_FORMS_SESSIONS and WEBMCP_FORMS_STORE are the defaults of options. WEBMCP_FORMS_SESSION_KEY
encrypts sessions: the output of "openssl rand -base64 32", or several, of which the first one encrypts. Arguments are visible
to other users of the machine: set URLs with passwords in the environment.

By running a gateway you consent to the submissions of its clients. Forms without toolautosubmit are submitted too, and
marked as consequential; --autosubmit-only excludes them. Over MCP, the gateway asks a person to confirm them if the client
supports elicitation; with --confirm always, other clients cannot call them. The gateway connects only to public addresses, and only to the
origins of the site and of --origin.

With --oauth-issuer, the gateway also accepts access tokens of an authorization server: JWTs of this issuer with the scope
forms:read or forms:submit, whose audience is --public-url or the URL of mcp below it. They are verified with the keys in the
metadata of the issuer, which has to be available at the start. The host of --public-url is an allowed Host. If the issuer is
at a private address, --allow-private is required.

Requests must use a loopback name or one of --allow-host as Host; others get 421. On an address other than loopback, and
without --allow-host, they may also use an IP address. Such an address requires a token; use TLS in a reverse proxy. Pages of
other origins get 403, over Webtools and over MCP, unless --cors allows them.

A client is a name of --token-file, the subject of an access token, an IPv4 address, or the first 64 bits of an IPv6 address.
Behind a reverse proxy set --client-address-header; the last address in the header counts. The rate limit and the quota count
POST requests, which can reach the site, and wrong tokens. With sessions in a Redis, all processes that share it count together; while the Redis is
unavailable, each process counts alone. Batches of MCP messages are rejected with a rate limit or a quota. After 10 wrong
tokens in a minute, an address gets 429, also without a rate limit.

At most --max-calls calls run at the same time. Others wait up to 30 seconds, then they get 503 and OVERLOADED.

The gateway is one process. To use more cores or machines, run several processes behind a reverse proxy, with sessions and
releases in stores that they share.

A changed manifest is served at once, and MCP clients are notified. If it is invalid, does not match the configuration, or
changes the actions of a released version, the previous one stays, and the log has the reason. After SIGTERM or SIGINT,
running calls have 10 seconds to complete; a second signal stops at once.

The log is JSON lines on standard error, without inputs, configuration, cookies, tokens or queries. With --mcp the program
stops at the end of standard input.

Exit codes: 0 success; 2 wrong usage, an invalid file, a port in use, or an unavailable store.

Examples:
  $ webmcp-gateway serve --base-url https://shop.example/ webmcp.json
  $ webmcp-gateway serve --base-url http://localhost:3000/ --allow-private --mcp webmcp.json
  $ webmcp-gateway serve --base-url https://shop.example/ --allow-host tools.shop.example --token-file tokens webmcp.json
  $ webmcp-gateway serve --base-url https://shop.example/ --public-url https://tools.shop.example/ \\
      --oauth-issuer https://auth.shop.example/realms/shop webmcp.json`;

const oauthOptions = (): readonly Option[] => [
  new Option('--oauth-issuer <url>', 'an authorization server whose access tokens are accepted; requires --public-url'),
  new Option('--oauth-audience <name>', 'the audience of access tokens (default: --public-url, or mcp below it)'),
  new Option('--oauth-read-scope <name>', 'the scope for lists and read-only actions (default: forms:read)'),
  new Option('--oauth-submit-scope <name>', 'the scope for all actions (default: forms:submit)'),
];
