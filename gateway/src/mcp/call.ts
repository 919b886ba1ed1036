import { ErrorCode, McpError, type CallToolResult, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { type JsonValue, preview } from 'webmcp-forms/headless';
import { runAction, type ActionResult, type RunOptions } from '../run-action.js';
import type { GatewayEvent, Settings } from '../settings.js';
import type { Tell } from '../request-events.js';
import type { Webtool } from '../webtools/webtool.js';
import { httpErrorOf, wireCode, type HttpError } from '../http/http-error.js';

/**
 * Answers `tools/call`. What a model can set right, or should know of, is a result; what it cannot is an error of the
 * protocol. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
export async function callTool(
  settings: Settings,
  webtool: Webtool,
  request: JSONRPCRequest,
  { tell, ...options }: RunOptions & { readonly tell: Tell },
): Promise<CallToolResult> {
  const { name, input } = callOf(request);
  if (!webtool.actions.has(name)) throw unknownTool(tell, name);
  const started = performance.now();
  const ended = (event: Pick<GatewayEvent, 'type' | 'interface' | 'code'>, status: number): void => {
    const milliseconds = Math.round(performance.now() - started);
    tell({ ...event, status, milliseconds, action: name });
  };
  try {
    const result = await runAction(settings, webtool, name, input, options);
    ended({ type: 'call', interface: 'mcp', code: 'ok' }, result.answer.status);
    return answered(result);
  } catch (error) {
    const failure = httpErrorOf(error);
    ended(eventOf(failure), 0);
    return refused(textOf(failure));
  }
}

/** What is told of a failure: the cause only of one that is the gateway's own. */
export function eventOf({ code, cause }: HttpError): Omit<GatewayEvent, 'status' | 'milliseconds'> {
  const isInside = code === 'internal-error' || code === 'store-unavailable';
  return { type: 'call', interface: 'mcp', code, ...(isInside && { error: cause }) };
}

function unknownTool(tell: Tell, name: string): McpError {
  tell({ type: 'call', interface: 'mcp', code: 'action-not-found', status: 0, milliseconds: 0 });
  return new McpError(ErrorCode.InvalidParams, `Unknown tool: ${preview(name)}`);
}

/** Reads a call without the SDK's schema, for which some names of parameters, such as `__proto__`, are no data. */
function callOf({ params = {} }: JSONRPCRequest): { readonly name: string; readonly input: JsonValue } {
  const { name, arguments: input = {} } = params as { readonly name?: unknown; readonly arguments?: unknown };
  if (typeof name !== 'string') throw new McpError(ErrorCode.InvalidParams, 'The "name" of the tool is missing.');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new McpError(ErrorCode.InvalidParams, 'The "arguments" of the tool are no object.');
  }
  return { name, input: input as JsonValue };
}

/** What a site says of a status from 400 on is an error that tells a model what to do better. */
function answered({ answer, warning }: ActionResult): CallToolResult {
  const content = [JSON.stringify(answer), ...(warning ? [textOf(warning)] : [])];
  return {
    content: content.map((text) => ({ type: 'text', text })),
    structuredContent: { ...answer },
    ...(answer.status >= 400 && { isError: true }),
  };
}

const refused = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** A failure with all that is wrong with the input, and what each parameter takes. */
function textOf({ code, message, parameters }: Pick<HttpError, 'code' | 'message' | 'parameters'>): string {
  const others = parameters.map((each) => each.message).filter((each) => !message.includes(each));
  const taken = parameters
    .filter(({ code: why }) => why !== 'unknown-parameter')
    .map(({ parameter, expected }) => `${preview(parameter)} takes ${preview(expected as JsonValue, mostOfSchema)}.`);
  return [`${wireCode(code)}: ${message}`, ...others, ...taken].join(' ');
}

const mostOfSchema = 500;
