import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { builtPath } from '../processes.js';
import type { Cleaning } from './mcp-shop.js';

/** The ways in which version 2 of the official client chooses the version of the protocol. */
export const modes = {
  'with initialize': 'legacy',
  automatic: 'auto',
  'pinned to 2026-07-28': { pin: '2026-07-28' },
} as const;

export type Mode = (typeof modes)[keyof typeof modes];

/** Version 2 of the official client over a transport. */
export async function connectNew(
  t: Cleaning,
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: Mode,
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { ...options, versionNegotiation: { mode } });
  prepare(client);
  await client.connect(transport);
  t.onTestFinished(() => client.close());
  return client;
}

/** @param token - the credentials in the header `Authorization` */
export const httpTo = (url: string, token = ''): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), token ? { requestInit: { headers: { authorization: token } } } : {});

/** Starts the shop's gateway on standard input and output. */
export const stdioTo = (origin: string): StdioClientTransport =>
  new StdioClientTransport({ command: process.execPath, args: [builtPath('scripts/mcp-stdio'), origin] });
