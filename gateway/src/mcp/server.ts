import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type JSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { liveManifest, type LiveManifest } from '../live-manifest.js';
import { findWebtool } from '../webtools/served-webtools.js';
import type { Tell } from '../request-events.js';
import { settingsOf, type GatewayOptions, type Settings } from '../settings.js';
import type { ManifestJson } from '../tool.js';
import type { Webtool } from '../webtools/webtool.js';
import { httpErrorOf } from '../http/http-error.js';
import { callTool, eventOf } from './call.js';
import { listTools } from './tools.js';

export interface McpServerOptions extends GatewayOptions {
  /**
   * The secret key of the session whose cookies all calls share.
   * @default one of its own
   */
  readonly sessionId?: string;
}

/** What the servers of one gateway have in common. */
export interface Gateway {
  readonly live: LiveManifest;
  readonly settings: Settings;
}

/** Whom a server answers. */
export interface Caller {
  readonly sessionId: string | undefined;
  readonly tell: Tell;
}

/**
 * A server of MCP with the tools of a manifest, for one client: connect it to a transport.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * const server = createMcpServer(manifest, { baseUrl: 'https://shop.example/' });
 * await server.connect(new StdioServerTransport());
 */
export function createMcpServer(manifest: ManifestJson | LiveManifest, options: McpServerOptions): Server {
  const { sessionId = crypto.randomUUID() } = options;
  const settings = settingsOf(options);
  return new TellingServer({ live: liveManifest(manifest), settings }, { sessionId, tell: settings.onEvent });
}

/** A server that calls tools in a session, or in none. */
export class GatewayServer extends Server {
  readonly #gateway: Gateway;
  readonly #caller: Caller;

  constructor(gateway: Gateway, caller: Caller) {
    const { name, version, description } = gateway.live.current;
    super(
      { name, version },
      { capabilities: { tools: { listChanged: true } }, instructions: description, jsonSchemaValidator },
    );
    this.#gateway = gateway;
    this.#caller = caller;
    this.setRequestHandler(ListToolsRequestSchema, async ({ params }) =>
      listTools((await this.#webtool()).metadata, params?.cursor),
    );
    this.fallbackRequestHandler = (request, extra) => this.#answer(request, extra);
  }

  async #answer(
    request: JSONRPCRequest,
    { signal }: RequestHandlerExtra<ServerRequest, ServerNotification>,
  ): Promise<ServerResult> {
    if (request.method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    return await callTool(this.#gateway.settings, await this.#webtool(), request, { ...this.#caller, signal });
  }

  async #webtool(): Promise<Webtool> {
    const { live, settings } = this.#gateway;
    try {
      return (await findWebtool(live, settings)).webtool;
    } catch (error) {
      const failure = httpErrorOf(error);
      this.#caller.tell({ ...eventOf(failure), status: 0, milliseconds: 0 });
      throw new McpError(ErrorCode.InternalError, failure.message);
    }
  }
}

/** Nothing is asked of a client, so none of its answers is validated; the SDK's own validator takes time to make. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new TypeError('The gateway asks nothing of its clients.');
  },
};

/** A server that says, as long as it is connected, when its tools have changed. */
class TellingServer extends GatewayServer {
  readonly #live: LiveManifest;

  constructor(gateway: Gateway, caller: Caller) {
    super(gateway, caller);
    this.#live = gateway.live;
  }

  override async connect(transport: Transport): Promise<void> {
    const { onclose } = transport;
    const tell = (): void => {
      this.sendToolListChanged().catch((error: unknown) => this.onerror?.(error as Error));
    };
    transport.onclose = () => {
      this.#live.removeEventListener('change', tell);
      onclose?.();
    };
    await super.connect(transport);
    this.#live.addEventListener('change', tell);
  }
}
