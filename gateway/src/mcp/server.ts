import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCMessage,
  type McpRequestContext,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/server';
import { parseJson, preview, WorkBudget } from 'webmcp-forms/headless';
import { toHttpError } from '../http/json-response.js';
import { toLiveManifest, type LiveManifest } from '../live-manifest.js';
import type { ManifestJson } from '../manifest.js';
import { eventReporter, failureFields, type ReportEvent } from '../request-events.js';
import { resolveSettings, type GatewayOptions, type Settings } from '../settings.js';
import { findWebtool } from '../webtools/find-webtool.js';
import type { Webtool } from '../webtools/webtool.js';
import { callTool, type CallParams } from './call.js';
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
    const { live, settings } = gateway;
    const { name, version, description } = live.current;
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
    this.setRequestHandler('tools/list', async ({ params }) => listTools(await this.#webtool(), params?.cursor));
    this.setRequestHandler('tools/call', { params: anyParams }, async (params, { mcpReq: { signal } }) =>
      callTool(settings, await this.#webtool(), params, { ...caller, signal }),
    );
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withInvalidParams(message), options);
    await super.connect(transport);
  }

  async #webtool(): Promise<Webtool> {
    const { live, settings } = this.#gateway;
    try {
      return withoutClientSecrets((await findWebtool(live, settings)).webtool, settings);
    } catch (error) {
      const failure = toHttpError(error);
      const event = { type: 'call', interface: 'mcp', ...failureFields(failure), status: 0, milliseconds: 0 } as const;
      this.#caller.report(event);
      throw new ProtocolError(ProtocolErrorCode.InternalError, failure.message);
    }
  }
}

/** The schema of the SDK does not support some parameter names, such as `__proto__`. */
const anyParams: StandardSchemaV1<CallParams> = {
  '~standard': { version: 1, vendor: 'webmcp-gateway', validate: (value) => ({ value: value as CallParams }) },
};

/** Creates the server of one request. */
export function serverFor(gateway: Gateway, request: Request, sessionId?: string): GatewayServer {
  const { settings } = gateway;
  const [client, rateLimitKey] = [settings.client(request), settings.rateLimitKey(request)];
  const report = eventReporter(settings, request);
  return new GatewayServer(gateway, { sessionId, client, rateLimitKey, report, budget: new WorkBudget() });
}

/** Creates servers for requests of the versions without `initialize`. */
export const modernFactory =
  (gateway: Gateway) =>
  ({ requestInfo }: McpRequestContext): Server =>
    serverFor(gateway, requestInfo as Request);

/** The SDK reports invalid parameters as an internal error, with the issues of Zod as JSON. */
function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== Number(ProtocolErrorCode.InternalError)) return message;
  const issues = parseJson(message.error.message);
  if (!Array.isArray(issues)) return message;
  const [{ path = [] } = {}] = issues as readonly { readonly path?: readonly (string | number)[] }[];
  const text = `The parameters are invalid: ${preview(path.join('.'))} is missing or has another type.`;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: text } };
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
