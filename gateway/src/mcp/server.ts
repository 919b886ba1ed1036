import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { parseJson, preview, type WorkBudget } from 'webmcp-forms/headless';
import { toHttpError } from '../http/json-response.js';
import { toLiveManifest, type LiveManifest } from '../live-manifest.js';
import type { ManifestJson } from '../manifest.js';
import { failureFields, type ReportEvent } from '../request-events.js';
import { resolveSettings, type GatewayOptions, type Settings } from '../settings.js';
import { findWebtool } from '../webtools/find-webtool.js';
import type { Webtool } from '../webtools/webtool.js';
import { callTool } from './call.js';
import { listTools, withoutClientSecrets } from './tools.js';

export interface McpServerOptions extends GatewayOptions {
  /** The secret key of the session whose cookies all calls share. @default a random one */
  readonly sessionId?: string;
}

export interface Gateway {
  readonly live: LiveManifest;
  readonly settings: Settings;
}

interface Caller {
  readonly sessionId: string | undefined;
  readonly client?: string | undefined;
  /** The work that is left for the checks of all calls of the caller's request. */
  readonly budget?: WorkBudget;
  /** The client that limits are counted by. */
  readonly rateLimitKey?: string | undefined;
  readonly report: ReportEvent;
}

/**
 * Creates an MCP server with the tools of a manifest, for one client. Connect it to a transport.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * const server = createMcpServer(manifest, { baseUrl: 'https://shop.example/' });
 * await server.connect(new StdioServerTransport());
 */
export function createMcpServer(manifest: ManifestJson | LiveManifest, options: McpServerOptions): Server {
  const { sessionId = crypto.randomUUID() } = options;
  const settings = resolveSettings(options);
  return new NotifyingServer({ live: toLiveManifest(manifest), settings }, { sessionId, report: settings.onEvent });
}

export class GatewayServer extends Server {
  readonly #gateway: Gateway;
  readonly #caller: Caller;

  constructor(gateway: Gateway, caller: Caller) {
    const { name, version, description } = gateway.live.current;
    super(
      { name, version },
      {
        capabilities: { tools: { listChanged: true } },
        ...(description && { instructions: description }),
        jsonSchemaValidator,
      },
    );
    this.#gateway = gateway;
    this.#caller = caller;
    this.setRequestHandler(ListToolsRequestSchema, async ({ params }) =>
      listTools(await this.#webtool(), params?.cursor),
    );
    this.fallbackRequestHandler = (request, extra) => this.#handleRequest(request, extra);
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withInvalidParams(message), options);
    await super.connect(transport);
  }

  async #handleRequest(
    request: JSONRPCRequest,
    { signal }: RequestHandlerExtra<ServerRequest, ServerNotification>,
  ): Promise<ServerResult> {
    if (request.method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    return await callTool(this.#gateway.settings, await this.#webtool(), request, { ...this.#caller, signal });
  }

  async #webtool(): Promise<Webtool> {
    const { live, settings } = this.#gateway;
    try {
      return withoutClientSecrets((await findWebtool(live, settings)).webtool, settings);
    } catch (error) {
      const failure = toHttpError(error);
      const event = { type: 'call', interface: 'mcp', ...failureFields(failure), status: 0, milliseconds: 0 } as const;
      this.#caller.report(event);
      throw new McpError(ErrorCode.InternalError, failure.message);
    }
  }
}

/** The SDK reports invalid parameters as an internal error, with the issues of Zod as JSON. */
function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== Number(ErrorCode.InternalError)) return message;
  const issues = parseJson(message.error.message);
  if (!Array.isArray(issues)) return message;
  const [{ path = [] } = {}] = issues as readonly { readonly path?: readonly (string | number)[] }[];
  const text = `The parameters are invalid: ${preview(path.join('.'))} is missing or has another type.`;
  return { ...message, error: { code: ErrorCode.InvalidParams, message: text } };
}

/**
 * The gateway sends no requests to clients, so it does not validate responses. The SDK's own validator is slow to
 * create.
 */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new TypeError('The gateway sends no requests to its clients.');
  },
};

class NotifyingServer extends GatewayServer {
  readonly #live: LiveManifest;

  constructor(gateway: Gateway, caller: Caller) {
    super(gateway, caller);
    this.#live = gateway.live;
  }

  override async connect(transport: Transport): Promise<void> {
    const { onclose } = transport;
    const notify = (): void => {
      this.sendToolListChanged().catch((error: unknown) => this.onerror?.(error as Error));
    };
    transport.onclose = () => {
      this.#live.removeEventListener('change', notify);
      onclose?.();
    };
    await super.connect(transport);
    this.#live.addEventListener('change', notify);
  }
}
