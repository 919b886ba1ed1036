import { ProtocolError, ProtocolErrorCode, type CallToolResult, type ResourceLink } from '@modelcontextprotocol/server';
import { displayUrl, type Download, type JsonRecord, type JsonValue, pageUrl, preview } from 'webmcp-forms/headless';
import { toHttpError, wireCode, type HttpError } from '../http/json-response.js';
import { failureFields, type ReportEvent } from '../request.js';
import type { InputError } from '../gateway-error.js';
import { acceptsConfig, checkInput, runAction, type ActionResult, type RunOptions } from '../run-action.js';
import type { Settings } from '../settings.js';
import { changeSince } from '../webtools/find-webtool.js';
import type { Webtool } from '../webtools/webtool.js';
import { askPerson, type Outcome, type Round } from './ask/ask.js';
import type { SecretValues } from './ask/secrets/secret-fields.js';
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
  { report, round, keep, ...options }: CallOptions,
): Promise<Outcome> {
  const { name, input, hash } = parseCall(params);
  const call = { type: 'call', interface: 'mcp', status: 0, milliseconds: 0 } as const;
  const change = changeSince(hash, webtool);
  if (change) {
    report({ ...call, code: change.code });
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, change.message, {
      code: wireCode(change.code),
      hash: webtool.metadata.hash,
    });
  }
  const action = webtool.actions.get(name);
  if (!action) {
    report({ ...call, code: 'action-not-found' });
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(settings, webtool, name));
  }
  const url = (): string => displayUrl(pageUrl(settings.baseUrl, action.page));
  const named = params._meta?.[sessionMember];
  const session = await namedSession(settings, named, options.client);
  const asked = await askPerson(
    {
      settings,
      action,
      input,
      client: options.client,
      rateLimitKey: options.rateLimitKey,
      about: [options.client ?? null, named ?? options.sessionId ?? null, webtool.metadata.hash, name, input],
      check: (each) => checkInput(settings, webtool, action, each as JsonValue),
      accepts: (each, secrets) =>
        acceptsConfig(settings, webtool, action, each as JsonValue, secretConfig(name, secrets)),
    },
    round,
  );
  if ('question' in asked) {
    report({ ...call, code: 'input-required', action: name });
    return asked;
  }
  if ('refusal' in asked) {
    const { code, message } = asked.refusal;
    report({ ...call, code, action: name });
    return { result: failureResult({ code: wireCodes[code], message, parameters: [] }, url()) };
  }
  const start = performance.now();
  const elapsed = (): number => Math.round(performance.now() - start);
  try {
    if ('failure' in asked) throw asked.failure;
    const { input: complete, secrets } = asked;
    const result = await runAction(settings, webtool, name, complete as JsonValue, {
      ...options,
      config: secrets && secretConfig(name, secrets),
      sessionId: session ?? options.sessionId,
    });
    report({ ...call, code: 'ok', status: result.answer.status, milliseconds: elapsed(), action: name });
    const meta = session !== undefined && { _meta: { [sessionMember]: session } };
    return { result: { ...successResult(result, keep), ...meta } };
  } catch (error) {
    const failure = toHttpError(error);
    report({ ...call, ...failureFields(failure), milliseconds: elapsed(), action: name });
    return { result: failureResult(failureOf(failure), url()) };
  }
}

/** The typed secrets as the `config` of a call, so that they are hidden like configured values. */
const secretConfig = (name: string, secrets: SecretValues): JsonValue => ({ values: { [name]: secrets } });

function unknownTool({ baseUrl }: Settings, { excluded }: Webtool, name: string): string {
  const found = excluded.find(({ tool }) => tool === name);
  if (!found) return `Unknown tool: ${preview(name)}`;
  const advice = `A person can send the form on ${displayUrl(pageUrl(baseUrl, found.page))}.`;
  return `Unknown tool: ${preview(name)}. It is not served, because ${found.reason}. ${advice}`;
}

/** Reads the parameters of a call. The hash is the hash of the tools that the client has listed. */
function parseCall({ name, arguments: input = {}, _meta }: CallParams) {
  const hash = _meta?.[hashMember];
  if (typeof name !== 'string')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The "name" of the tool is missing.');
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The "arguments" of the tool are not an object.');
  }
  if (hash !== undefined && typeof hash !== 'string') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The "${hashMember}" in "_meta" is not a string.`);
  }
  return { name, input: input as JsonRecord, hash };
}

interface CallOptions extends RunOptions {
  readonly report: ReportEvent;
  readonly round: Round;
  /** Stores a file for the client, and returns its URI. */
  readonly keep: (download: Download) => string;
}

export interface CallParams {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * A response with a status of 400 or more is also a result: it contains the site's reasons for rejecting the input. The text
 * begins with the messages and errors of the page, because clients truncate long results.
 */
function successResult({ answer, download, warning }: ActionResult, keep: CallOptions['keep']): CallToolResult {
  const { text: _, json: __, ...withoutContent } = answer;
  const shown = download ? withoutContent : answer;
  const { messages, errors, ...rest } = shown;
  const texts = [JSON.stringify({ messages, errors, ...rest }), ...(warning ? [errorText(failureOf(warning))] : [])];
  return {
    content: [...texts.map((text) => ({ type: 'text' as const, text })), ...(download ? [linkTo(download, keep)] : [])],
    structuredContent: { ...shown },
    ...(answer.status >= 400 && { isError: true }),
  };
}

/** A link, because a file is for the user. The model can read it if necessary. */
const linkTo = (download: Download, keep: CallOptions['keep']): ResourceLink => ({
  type: 'resource_link',
  uri: keep(download),
  name: download.name,
  mimeType: download.mediaType,
  size: download.bytes.length,
});

const wireCodes = { declined: 'DECLINED', 'confirmation-required': 'CONFIRMATION_REQUIRED' } as const;

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly parameters: readonly InputError[];
}

const failureOf = ({ code, message, parameters }: Omit<Failure, 'code'> & Pick<HttpError, 'code'>): Failure => ({
  code: wireCode(code),
  message,
  parameters,
});

/** The maximum number of errors in the structured content, and after the message in the text. */
const maxErrors = 20;

/**
 * Includes the required members of the output schema, because clients validate results. Without a response, the status
 * is 0.
 */
function failureResult(failure: Failure, url: string): CallToolResult {
  const { code, message, parameters } = failure;
  const errors = parameters.slice(0, maxErrors).map((each) => ({ parameter: each.parameter, message: each.message }));
  return {
    content: [{ type: 'text', text: errorText(failure) }],
    structuredContent: {
      status: 0,
      url,
      contentType: '',
      ...(errors.length > 0 && { errors }),
      error: { code, message },
    },
    isError: true,
  };
}

/** Contains only messages: they list the accepted values of each parameter, and the client has the schemas. */
function errorText({ code, message, parameters }: Failure): string {
  const errors = parameters
    .slice(0, maxErrors)
    .map((each) => each.message)
    .filter((each) => !message.includes(each));
  return [`${code}: ${message}`, ...errors].join(' ');
}
