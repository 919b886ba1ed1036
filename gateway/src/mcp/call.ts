import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import { type JsonValue, preview } from 'webmcp-forms/headless';
import { toHttpError, wireCode, type HttpError } from '../http/json-response.js';
import { failureFields, type ReportEvent } from '../request-events.js';
import { runAction, type ActionResult, type RunOptions } from '../run-action.js';
import type { Settings } from '../settings.js';
import { checkHash } from '../webtools/find-webtool.js';
import type { Webtool } from '../webtools/webtool.js';
import { namedSession, sessionMember } from './session-ids.js';
import { hashMember } from './tools.js';

/**
 * Handles `tools/call`. Errors that a model can correct or should know are results, other errors are protocol errors.
 * https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
export async function callTool(
  settings: Settings,
  webtool: Webtool,
  params: CallParams,
  { report, ...options }: RunOptions & { readonly report: ReportEvent },
): Promise<CallToolResult> {
  const { name, input, hash } = parseCall(params);
  const call = { type: 'call', interface: 'mcp' } as const;
  const change = changeOf(webtool, hash);
  if (change) {
    report({ ...call, code: change.code, status: 0, milliseconds: 0 });
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, change.message, {
      code: wireCode(change.code),
      hash: webtool.metadata.hash,
    });
  }
  if (!webtool.actions.has(name)) {
    report({ ...call, code: 'action-not-found', status: 0, milliseconds: 0 });
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${preview(name)}`);
  }
  const session = await namedSession(settings, params._meta?.[sessionMember], options.client);
  const start = performance.now();
  const elapsed = (): number => Math.round(performance.now() - start);
  try {
    const sessionId = session ?? options.sessionId;
    const result = await runAction(settings, webtool, name, input, { ...options, sessionId });
    report({ ...call, code: 'ok', status: result.answer.status, milliseconds: elapsed(), action: name });
    return { ...successResult(result), ...(session !== undefined && { _meta: { [sessionMember]: session } }) };
  } catch (error) {
    const failure = toHttpError(error);
    report({ ...call, ...failureFields(failure), status: 0, milliseconds: elapsed(), action: name });
    return { content: [{ type: 'text', text: errorText(failure) }], isError: true };
  }
}

function parseCall({ name, arguments: input = {}, _meta }: CallParams): ToolCall {
  const hash = _meta?.[hashMember];
  if (typeof name !== 'string')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The "name" of the tool is missing.');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The "arguments" of the tool are not an object.');
  }
  if (hash !== undefined && typeof hash !== 'string') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The "${hashMember}" in "_meta" is not a string.`);
  }
  return { name, input: input as JsonValue, hash };
}

export interface CallParams {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface ToolCall {
  readonly name: string;
  readonly input: JsonValue;
  /** The hash of the tools that the client has listed. */
  readonly hash: string | undefined;
}

function changeOf(webtool: Webtool, hash: string | undefined): HttpError | undefined {
  try {
    checkHash(webtool, hash);
    return undefined;
  } catch (error) {
    return toHttpError(error);
  }
}

/**
 * A response with a status of 400 or more is a result, too: it contains the site's reasons for rejecting the input. The
 * text begins with the messages and errors of the page, because clients truncate long results.
 */
function successResult({ answer, warning }: ActionResult): CallToolResult {
  const { messages, errors, ...rest } = answer;
  const content = [JSON.stringify({ messages, errors, ...rest }), ...(warning ? [errorText(warning)] : [])];
  return {
    content: content.map((text) => ({ type: 'text', text })),
    structuredContent: { ...answer },
    ...(answer.status >= 400 && { isError: true }),
  };
}

/** The messages name all that a parameter accepts. The client has the schemas. */
function errorText({ code, message, parameters }: Pick<HttpError, 'code' | 'message' | 'parameters'>): string {
  const errors = parameters.map((each) => each.message).filter((each) => !message.includes(each));
  return [`${wireCode(code)}: ${message}`, ...errors].join(' ');
}
