import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { atEnd } from '../support/at-end.js';
import { endWithTest } from '../support/processes.js';
import { temporaryFolder } from './server.js';
import type { Told, ToldError } from './told.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(root, 'dist/cli/bin.js');
const server = join(root, 'gateway/dist/cli/bin.js');
const run = promisify(execFile);

/** The interfaces of the gateway. */
export type Interface = 'webtools' | 'mcp-http' | 'mcp-stdio';

export interface PageSource {
  /** The path of the page, with its query. */
  readonly path: string;
  readonly html: string;
}

/** Compiles pages with the program, and returns the path of the manifest. */
export async function compileManifest(name: string, pages: readonly PageSource[]): Promise<string> {
  const folder = temporaryFolder(name);
  const [source, lines, manifest] = ['pages.ndjson', 'tools.ndjson', 'webmcp.json'].map((file) => join(folder, file));
  writeFileSync(source ?? '', pages.map((page) => `${JSON.stringify(page)}\n`).join(''));
  const options = { maxBuffer: 2 ** 27 };
  const { stdout } = await run(process.execPath, [compiler, 'compile', '--ndjson', source ?? ''], options);
  writeFileSync(lines ?? '', stdout);
  const naming = ['--name', name, '--manifest-version', '1.0.0', '--out', manifest ?? ''];
  await run(process.execPath, [compiler, 'merge', ...naming, lines ?? ''], options);
  return manifest ?? '';
}

/** An agent with a session of its own. */
export interface Session {
  /** The names of the tools. */
  tools(): Promise<readonly string[]>;
  /** @param config - the client's own configuration of the call, which MCP does not have */
  call(tool: string, input: object, config?: object): Promise<Told>;
  close(): Promise<void>;
}

export interface Gateway {
  open(by: Interface): Promise<Session>;
  /** The log of the gateway over HTTP. */
  readonly log: () => string;
}

export interface GatewayOptions {
  readonly manifest: string;
  readonly site: string;
  /** The operator's configuration: headers, and values by tool and parameter. */
  readonly config?: object;
  /** Further flags of the program. */
  readonly flags?: readonly string[];
}

interface Envelope {
  readonly data?: unknown;
  readonly error?: ToldError;
}

async function post(url: string, body: object): Promise<Told> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, error } = (await response.json()) as Envelope;
  return error ? { error } : { value: data };
}

function openWebtools(url: string): Session {
  const sessionId = randomUUID();
  return {
    async tools() {
      const { actions } = (await (await fetch(url)).json()) as { readonly actions: readonly { name: string }[] };
      return actions.map(({ name }) => name);
    },
    call: (action, request, config) => post(url, { sessionId, action, request, config }),
    close: () => Promise.resolve(),
  };
}

/** The text of an MCP result that reports an error. */
const errorOf = (content: unknown): ToldError => ({
  message: (content as readonly { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n'),
});

async function callMcp(client: Client, name: string, input: object): Promise<Told> {
  try {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...input } });
    return isError ? { error: errorOf(content) } : { value: structuredContent };
  } catch (error) {
    return { error: { message: (error as Error).message } }; // an error of the protocol
  }
}

async function openMcp(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Session> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  atEnd(() => client.close()); // a failed test may not have closed it
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input) => callMcp(client, name, input),
    close: () => client.close(),
  };
}

/** Starts the program over HTTP, and over standard input and output for each session of that kind. */
export async function startGateway({ manifest, site, config, flags = [] }: GatewayOptions): Promise<Gateway> {
  const file = join(temporaryFolder('gateway'), 'config.json');
  writeFileSync(file, JSON.stringify(config ?? {}));
  const args = [server, 'serve', manifest, '--base-url', site, '--allow-private', '--config', file, ...flags];
  const child = endWithTest(spawn(process.execPath, [...args, '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] }));
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`The gateway has ended (${code ?? signal}): ${log}`)));
    child.stderr.on('data', (chunk) => {
      log += String(chunk);
      const found = /"msg":"listening".*?"url":"([^"]+)"|"url":"([^"]+)".*?"msg":"listening"/
        .exec(log)
        ?.slice(1)
        .find(Boolean);
      if (found !== undefined) resolve(found);
    });
  });
  const open = async (by: Interface): Promise<Session> => {
    if (by === 'webtools') return openWebtools(url);
    if (by === 'mcp-http') return openMcp(new StreamableHTTPClientTransport(new URL('mcp', url)));
    return openMcp(new StdioClientTransport({ command: process.execPath, args: [...args, '--mcp'], stderr: 'ignore' }));
  };
  return { open, log: () => log };
}
