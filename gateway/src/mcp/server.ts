import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type JSONRPCMessage,
  type McpRequestContext,
  type ServerContext,
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
import type { Outcome } from './ask/ask.js';
import { askInRequest, supportsForms, type Answer } from './ask/ask-in-request.js';
import { Asking, type AskState } from './ask/asking.js';
import { callTool, type CallParams } from './call.js';
import { withProgress } from './progress.js';
import { listTools, withoutClientSecrets } from './tools.js';

export interface McpServerOptions extends GatewayOptions {
  /** The secret key of the session whose cookies all calls share. @default a random one */
  readonly sessionId?: string;
  /** The interval of progress notifications, in milliseconds. @default 15000 */
  readonly keepAlive?: number;
}

export interface Gateway {
  readonly live: LiveManifest;
  readonly settings: Settings;
  readonly asking: Asking;
  /** The interval of progress notifications and of keep-alive messages. */
  readonly keepAliveMs: number;
}

export const defaultKeepAlive = 15_000;

interface Caller {
  readonly sessionId: string | undefined;
  readonly client?: string | undefined;
  /** The work that is left for the checks of all calls of the caller's request. */
  readonly budget?: WorkBudget;
  /** The client that limits are counted by. */
  readonly rateLimitKey?: string | undefined;
  readonly report: ReportEvent;
  /** Whether the client of a session supports elicitation, and the request can carry a question. */
  readonly canAsk?: boolean;
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
  const { sessionId = crypto.randomUUID(), keepAlive: keepAliveMs = defaultKeepAlive } = options;
  const settings = resolveSettings(options);
  const gateway = { live: toLiveManifest(manifest), settings, keepAliveMs, asking: new Asking() };
  return new NotifyingServer(gateway, { sessionId, report: settings.onEvent });
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
        requestState: { verify: async (state) => gateway.asking.codec.verify(state, noContext) },
        jsonSchemaValidator,
      },
    );
    this.#gateway = gateway;
    this.#caller = caller;
    this.setRequestHandler('tools/list', async ({ params }) => listTools(await this.#webtool(), params?.cursor));
    this.setRequestHandler('tools/call', { params: anyParams }, (params, context) => this.#call(params, context));
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withInvalidParams(message), options);
    await super.connect(transport);
  }

  async #call(params: CallParams, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const { asking, keepAliveMs: intervalMs } = this.#gateway;
    const { notify, envelope, inputResponses: responses, requestState } = context.mcpReq;
    const run = (answer: Answer): Promise<Outcome> =>
      withProgress({ notify, _meta: params._meta, intervalMs }, () => this.#run(params, context, answer));
    const outcome = await run({ responses, state: requestState<AskState>() });
    if ('result' in outcome) return outcome.result;
    if (!envelope) {
      const close = asking.open(this.#caller.rateLimitKey);
      return await askInRequest(context, outcome, run).finally(close);
    }
    const request = inputRequired.elicit(outcome.question);
    return inputRequired({
      inputRequests: { [outcome.state.step]: request },
      requestState: await asking.codec.mint(outcome.state),
    });
  }

  async #run(params: CallParams, { mcpReq }: ServerContext, answer: Answer): Promise<Outcome> {
    const { settings, asking } = this.#gateway;
    const canAsk = mcpReq.envelope
      ? supportsForms(
          (mcpReq.envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities })[
            CLIENT_CAPABILITIES_META_KEY
          ],
        )
      : supportsForms(this.getClientCapabilities()) || (this.#caller.canAsk ?? false);
    const round = { asking, canAsk, ...answer };
    return await callTool(settings, await this.#webtool(), params, { ...this.#caller, signal: mcpReq.signal, round });
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

/** The codec has no binding to the context. */
const noContext = {} as ServerContext;

/** Creates the server of one request. */
export function serverFor(
  gateway: Gateway,
  request: Request,
  session: Pick<Caller, 'sessionId' | 'canAsk'> = { sessionId: undefined },
): GatewayServer {
  const { settings } = gateway;
  const [client, rateLimitKey] = [settings.client(request), settings.rateLimitKey(request)];
  const report = eventReporter(settings, request);
  return new GatewayServer(gateway, { ...session, client, rateLimitKey, report, budget: new WorkBudget() });
}

/** Creates servers for requests of the versions without `initialize`. */
export const modernFactory =
  (gateway: Gateway) =>
  ({ requestInfo }: McpRequestContext): Server =>
    serverFor(gateway, requestInfo as Request);

const zodCodes: readonly number[] = [ProtocolErrorCode.InternalError, ProtocolErrorCode.InvalidParams];

/** The SDK reports invalid parameters with the issues of Zod as JSON, for most methods as an internal error. */
function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || !zodCodes.includes(message.error.code)) return message;
  const issues = parseJson(message.error.message.replace(/^Invalid tools\/call request: /, ''));
  if (!Array.isArray(issues)) return message;
  const [{ path = [] } = {}] = issues as readonly { readonly path?: readonly (string | number)[] }[];
  const text = `The parameters are invalid: ${preview(path.filter((part, at) => at > 0 || part !== 'params').join('.'))} is missing or has another type.`;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: text } };
}

/** The gateway itself validates the answers of persons, as all input. The SDK's own validator is slow to create. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new TypeError('The gateway validates answers itself.');
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
