import { InvalidArgumentError, Option } from 'commander';
import type { AddCommand } from 'webmcp-forms/cli';
import type { ServeFlags } from './serve/flags.js';
import { listOption, offerOptions } from './offer-options.js';

/** `webmcp-gateway serve` */
export const addServe: AddCommand = (program, surroundings) => {
  const command = program
    .command('serve')
    .summary("serve a manifest's tools over HTTP (Webtools and MCP), or MCP on standard input")
    .description(
      'Serves the tools of a manifest: each call fills in and sends its form to the site, without a browser.',
    )
    .argument('MANIFEST', 'a tool manifest; it is read again when it changes, and on SIGHUP');
  for (const option of [...siteOptions(), ...storeOptions(), ...httpOptions()]) command.addOption(option);
  return command.addHelpText('after', serveHelp).action(async (manifest: string, flags: ServeFlags) => {
    const { runServe } = await import('./serve/run.js');
    await runServe(manifest, flags, surroundings);
  });
};

/** Which of its tools a site is called with. */
const siteOptions = (): readonly Option[] => [
  new Option(
    '--base-url <url>',
    "the site: the folder that the pages' paths are relative to (default: WEBMCP_FORMS_BASE_URL in the environment)",
  ),
  ...offerOptions(),
  new Option('--allow-private', 'reach sites at private and loopback addresses too'),
];

const storeOptions = (): readonly Option[] => [
  new Option(
    '--sessions <location>',
    'where cookies are kept: memory, a folder, or the URL of a Redis (default: WEBMCP_FORMS_SESSIONS in the ' +
      'environment, or memory)',
  ),
  new Option('--session-seconds <number>', 'how long a session is kept after its last call')
    .argParser(numberBetween(1, 31_536_000))
    .default(86_400),
  new Option(
    '--store <location>',
    'where released versions are: a folder, or the URL of a Redis (default: WEBMCP_FORMS_STORE in the environment, or ' +
      '.webmcp where there is one)',
  ),
];

const httpOptions = (): readonly Option[] => [
  new Option('--mcp', 'speak MCP on standard input and output, and listen nowhere').conflicts([
    ...['port', 'host', 'workers', 'cors', 'allowHost', 'rateLimit', 'clientAddressHeader'],
  ]),
  new Option('--port <number>', 'the port, or 0 for any that is free')
    .argParser(numberBetween(0, 65_535))
    .default(8787),
  new Option('--host <address>', 'the address to listen on').default('127.0.0.1'),
  listOption('--allow-host <name>', 'a name that requests may call this server by; repeatable'),
  listOption('--cors <origin>', 'an origin whose pages may call, or *; repeatable'),
  new Option(
    '--rate-limit <calls/seconds>',
    'how many calls each client may make in which time (default: any)',
  ).argParser(parseRateLimit),
  new Option('--client-address-header <name>', 'the header in which a proxy says the address of its client').argParser(
    parseHeaderName,
  ),
  new Option('--workers <number>', 'how many processes answer').argParser(numberBetween(1, 256)).default(1),
  new Option('--log-level <level>', 'what is logged')
    .choices(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info'),
];

function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It is no whole number from ${least} to ${most}.`);
  };
}

function parseRateLimit(text: string): NonNullable<ServeFlags['rateLimit']> {
  const [, calls = '0', seconds = '0'] = /^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? [];
  if (Number(calls) > 0 && Number(seconds) > 0) return { calls: Number(calls), seconds: Number(seconds) };
  throw new InvalidArgumentError('It takes two whole numbers, such as 60/60 for 60 calls a minute.');
}

function parseHeaderName(text: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(text)) return text;
  throw new InvalidArgumentError('It is no name of a header, such as X-Forwarded-For.');
}

const serveHelp = `
At the address are
  /          the Webtools interface: GET / and GET /VERSION for metadata, POST / for calls
  /mcp       MCP, as Streamable HTTP
  /healthz   200 while it is well, 503 on connections that are open while it shuts down; needs no token

The configuration is JSON. Its values are those of hidden and sensitive controls, by action and name:
  { "headers": { "authorization": "Bearer ..." },
    "values": { "pay": { "cc-number": "4111111111111111" } } }

Environment: with WEBMCP_FORMS_TOKEN each request has to send "Authorization: Bearer" and that token. WEBMCP_FORMS_BASE_URL,
WEBMCP_FORMS_SESSIONS and WEBMCP_FORMS_STORE say what options do not. Keep URLs with passwords out of the arguments, which
other users of the machine can see: give them there.

To run this is to consent to what clients do with the tools: a form without toolautosubmit is sent too, and says that a
person was meant to do so; --autosubmit-only leaves these out. Only public addresses are reached, and only the site's own
origin and those of --origin.

On a loopback address, and with --allow-host, requests have to name a loopback name or one of --allow-host; others get 421.
On other addresses use a token, and TLS in front. --cors lets the pages of other sites call, with MCP too.

The rate limit counts POST requests, which are what can reach the site, by client: an IPv4 address, or the first 64 bits of
an IPv6 one. Behind a proxy name its header; the last address in it counts. With sessions in a Redis, all machines that
share it count together. A request with several messages of MCP is refused then.

With several workers sessions have to be in a folder or a Redis, or in memory by --sessions memory, where a client may lose
its session with each call. A worker that ends is replaced.

A manifest that changes is served at once, and MCP clients are told, unless it is none, does not fit the configuration, or
has the version of a release with other actions: then the one before goes on, and the log says why. SIGTERM and SIGINT let
calls that run end, for at most 10 seconds; a second one ends at once.

The log is JSON lines on standard error; it has no inputs, configuration, cookies, tokens or queries. With --mcp the program
ends when standard input does.

Exit codes: 0 done, 2 wrong usage, a file that cannot be used, a port that is taken, or a store that does not answer.

Examples:
  $ webmcp-gateway serve --base-url https://shop.example/ webmcp.json
  $ webmcp-gateway serve --base-url http://localhost:3000/ --allow-private --mcp webmcp.json
  $ webmcp-gateway serve --base-url https://shop.example/ --host 0.0.0.0 --workers 4 --sessions sessions webmcp.json`;
