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
import { type Download, parseJson, preview, WorkBudget } from 'webmcp-forms/headless';
import { toHttpError } from '../http/json-response.js';
import { toLiveManifest, type LiveManifest, type ManifestJson } from '../manifest.js';
import { eventReporter, failureFields, type ReportEvent } from '../request.js';
import { resolveSettings, type GatewayOptions } from '../settings.js';
import { findWebtool } from '../webtools/find-webtool.js';
import type { Webtool } from '../webtools/webtool.js';
import type { Outcome, Round } from './ask/ask.js';
import { answerTimeout, askInRequest, supportsForms, supportsUrls, type Answer } from './ask/ask-in-request.js';
import type { AskState } from './ask/asking.js';
import { answerPage } from './ask/secrets/answer-page.js';
import type { PagePlace } from './ask/secrets/secret-questions.js';
import { callTool, type CallParams } from './call.js';
import { createMcpGateway, defaultKeepAlive, type Gateway } from './gateway.js';
import { instructionsOf } from './instructions.js';
import { progressNotifier } from './progress.js';
import { listTools, withoutClientSecrets } from './tools.js';

export interface McpServerOptions extends GatewayOptions {
  /** The secret key of the session whose cookies all calls share. @default a random one */
  readonly sessionId?: string | undefined;
  /** The interval of progress notifications, in milliseconds. @default 15000 */
  readonly keepAlive?: number | undefined;
  /**
   * Serves the pages on which people type passwords and other secrets that a form requires, while a question is open.
   * @default people cannot be asked for secrets
   */
  readonly openPages?: ((answer: (request: Request) => Promise<Response>) => Promise<PagePlace>) | undefined;
}

interface Caller {
  readonly sessionId: string | undefined;
  /** Whether the calls of the client share the cookies of the site. */
  readonly hasSession: boolean;
  readonly client?: string | undefined;
  /** The remaining work for the checks of all calls of the caller's request. */
  readonly budget?: WorkBudget;
  readonly rateLimitKey?: string | undefined;
  readonly report: ReportEvent;
  /** Whether the client of a session supports elicitation with forms, and the request can carry a question. */
  readonly canAsk?: boolean;
  /** Whether the client of a session supports elicitation with URLs. */
  readonly canOpen?: boolean;
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
  const { sessionId = crypto.randomUUID(), keepAlive: keepAliveMs = defaultKeepAlive, openPages } = options;
  const settings = resolveSettings(options);
  const openPlace = openPages && (() => openPages((request) => answerPage(gateway, request)));
  const gateway = createMcpGateway(toLiveManifest(manifest), settings, { keepAliveMs, openPlace });
  return new NotifyingServer(gateway, { sessionId, hasSession: true, report: settings.onEvent });
}

class GatewayServer extends Server {
  readonly #gateway: Gateway;
  readonly #caller: Caller;

  constructor(gateway: Gateway, caller: Caller) {
    const { name, version } = gateway.live.current;
    super(
      { name, version },
      {
        capabilities: { tools: { listChanged: true }, resources: {} },
        instructions: instructionsOf(gateway, caller.hasSession),
        requestState: { verify: async (state) => gateway.asking.codec.verify(state, noContext) },
        jsonSchemaValidator,
      },
    );
    this.#gateway = gateway;
    this.#caller = caller;
    this.setRequestHandler('tools/list', async ({ params }, context) =>
      listTools(await this.#webtool(this.#capabilities(context)), params?.cursor),
    );
    this.setRequestHandler('resources/list', () => ({ resources: [] })); // only the results of calls link files
    this.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    this.setRequestHandler('resources/read', ({ params }) => gateway.downloads.read(params.uri, this.#owner));
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
    const withProgress = progressNotifier({ notify, _meta: params._meta, intervalMs });
    const run = (answer: Answer): Promise<Outcome> => {
      const wait = (id: string): Promise<void> =>
        withProgress(() => this.#wait(id, context), 'A person has not answered yet.');
      return withProgress(() => this.#run(params, context, { ...answer, wait }));
    };
    const outcome = await run({ responses, state: requestState<AskState>() });
    if ('result' in outcome) return outcome.result;
    const { question, state } = outcome;
    if (!envelope) {
      const close = asking.open(this.#caller.rateLimitKey);
      return await askInRequest(context, outcome, run).finally(close);
    }
    const request = question.mode === 'url' ? inputRequired.elicitUrl(question) : inputRequired.elicit(question);
    return inputRequired({ inputRequests: { [state.step]: request }, requestState: await asking.codec.mint(state) });
  }

  /** Waits until the person answers on the page. */
  async #wait(id: string, { mcpReq: { envelope, signal, notify } }: ServerContext): Promise<void> {
    const { asking } = this.#gateway;
    if (envelope) {
      const close = asking.open(this.#caller.rateLimitKey);
      return await asking.secrets.settled(id, maxHold, signal).finally(close);
    }
    await asking.secrets.settled(id, answerTimeout, signal);
    const params = { elicitationId: id };
    await notify({ method: 'notifications/elicitation/complete', params }).catch(() => undefined); // not required
  }

  async #run(params: CallParams, context: ServerContext, answer: Answer & Pick<Round, 'wait'>): Promise<Outcome> {
    const { settings, asking } = this.#gateway;
    const { canAsk, openPlace } = this.#capabilities(context);
    const webtool = await this.#webtool({ openPlace });
    const isCurrent = async (): Promise<boolean> =>
      (await this.#webtool({ openPlace })).metadata.hash === webtool.metadata.hash;
    const round: Round = { asking, canAsk, openPlace, isCurrent, ...answer };
    const { signal } = context.mcpReq;
    const owner = { owner: this.#owner, rateLimitKey: this.#caller.rateLimitKey };
    const keep = (download: Download): string => this.#gateway.downloads.add(download, owner);
    return await callTool(settings, webtool, params, { ...this.#caller, signal, round, keep });
  }

  get #owner(): string {
    return JSON.stringify([this.#caller.client ?? null, this.#caller.sessionId ?? null]);
  }

  #capabilities({ mcpReq: { envelope } }: ServerContext): Pick<Round, 'canAsk' | 'openPlace'> {
    const { openPlace } = this.#gateway;
    if (envelope) {
      const meta = envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };
      const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
      const canOpen = supportsUrls(capabilities, this.getNegotiatedProtocolVersion());
      return { canAsk: supportsForms(capabilities), openPlace: canOpen ? openPlace : undefined };
    }
    const capabilities = this.getClientCapabilities();
    const { canAsk = false, canOpen = false } = this.#caller;
    const isOpening = canOpen || supportsUrls(capabilities, this.getNegotiatedProtocolVersion());
    return { canAsk: supportsForms(capabilities) || canAsk, openPlace: isOpening ? openPlace : undefined };
  }

  /** The tools for a client. Tools that require a secret are only for clients whose users can enter the secret. */
  async #webtool({ openPlace }: Pick<Round, 'openPlace'>): Promise<Webtool> {
    const { live, settings, secretSettings } = this.#gateway;
    try {
      if (openPlace) return (await findWebtool(live, secretSettings)).webtool;
      return withoutClientSecrets((await findWebtool(live, settings)).webtool, settings);
    } catch (error) {
      const failure = toHttpError(error);
      const event = { type: 'call', interface: 'mcp', ...failureFields(failure), status: 0, milliseconds: 0 } as const;
      this.#caller.report(event);
      throw new ProtocolError(ProtocolErrorCode.InternalError, failure.message);
    }
  }
}

/**
 * The time that a request of version 2026-07-28 waits for a person, in milliseconds. After it, the client is asked
 * again, because proxies end silent requests after a minute.
 */
const maxHold = 50_000;

/** The schema of the SDK does not support some parameter names, such as `__proto__`. */
const anyParams: StandardSchemaV1<CallParams> = {
  '~standard': { version: 1, vendor: 'webmcp-gateway', validate: (value) => ({ value: value as CallParams }) },
};

/** An empty context: the codec does not use it. */
const noContext = {} as ServerContext;

export function serverFor(
  gateway: Gateway,
  request: Request,
  session: Pick<Caller, 'sessionId' | 'hasSession' | 'canAsk' | 'canOpen'> = {
    sessionId: undefined,
    hasSession: false,
  },
): GatewayServer {
  const { settings } = gateway;
  const [client, rateLimitKey] = [settings.client(request), settings.rateLimitKey(request)];
  const report = eventReporter(settings, request);
  return new GatewayServer(gateway, { ...session, client, rateLimitKey, report, budget: new WorkBudget() });
}

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

/**
 * A validator that is never used: the gateway validates answers like all input. The SDK's own validator is slow to
 * create.
 */
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
