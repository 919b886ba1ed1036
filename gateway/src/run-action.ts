import type { ToolAnswer } from 'webmcp-forms/client';
import { displayUrl, type JsonValue, pageUrl, siteText, type WorkBudget } from 'webmcp-forms/headless';
import { GatewayError, type InputError } from './gateway-error.js';
import type { Settings } from './settings.js';
import type { Session } from './stores/sessions.js';
import { prepareCall, sendCall } from './submit-form.js';
import { callConfig } from './webtools/config-schema.js';
import type { Action } from './webtools/actions.js';
import type { Webtool } from './webtools/webtool.js';

export interface RunOptions {
  readonly config?: JsonValue | undefined;
  /** The secret key of the client's session. */
  readonly sessionId?: string | undefined;
  /** The client that the session belongs to. */
  readonly client?: string | undefined;
  /** The client that limits are counted by. */
  readonly rateLimitKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The work that is left for the checks of a request with several calls. @default that of one call */
  readonly budget?: WorkBudget | undefined;
}

export interface ActionResult {
  readonly answer: ToolAnswer;
  /** A failure after the site has responded. */
  readonly warning?: GatewayError;
}

/**
 * Runs an action of a webtool by its name.
 *
 * @throws {GatewayError} for any failure, with a stable code
 */
export async function runAction(
  settings: Settings,
  webtool: Webtool,
  name: string,
  input: JsonValue,
  { config, sessionId, client, rateLimitKey, signal, budget }: RunOptions,
): Promise<ActionResult> {
  const action = webtool.actions.get(name) ?? failNotFound(webtool, name);
  const { baseUrl } = settings;
  const { call, options, authorization } = preparedCall(settings, webtool, action, input, { config, budget });
  const openSession = async (): Promise<Session | undefined> =>
    sessionId === undefined
      ? undefined
      : await settings.sessions.open(sessionKey(baseUrl, sessionId, authorization), client);
  const send = (session: Session | undefined): Promise<ToolAnswer> =>
    sendCall(call, { ...options, ...(session && { jar: session.jar }), ...(signal && { signal }) });
  return await settings.capacity.calls.run(async () => await runInSession(await openSession(), send), {
    client: rateLimitKey,
    signal,
  });
}

/** The errors of an input. Undefined if a call with it fails for another reason. Sends nothing. */
export function inputErrorsOf(
  settings: Settings,
  webtool: Webtool,
  action: Action,
  input: JsonValue,
): readonly InputError[] | undefined {
  try {
    return preparedCall(settings, webtool, action, input, {}).call.errors;
  } catch (error) {
    return error instanceof GatewayError && error.code === 'schema-error' ? error.parameters : undefined;
  }
}

function preparedCall(
  settings: Settings,
  { metadata: { configSchema } }: Webtool,
  action: Action,
  input: JsonValue,
  { config, budget }: Pick<RunOptions, 'config' | 'budget'>,
) {
  const { baseUrl, fetch, limits, origins, allowPrivateAddresses, pageReader } = settings;
  const { authorization, ...formConfig } = callConfig(action, configSchema, settings, config);
  const url = pageUrl(baseUrl, action.page);
  const allowed = { origins, allowPrivateAddresses };
  const options = { tool: action.tool, pageUrl: url, limits, pageReader, ...allowed, ...(fetch && { fetch }) };
  const call = prepareCall({ ...options, input, config: formConfig, ...(budget && { budget }) });
  return { call, options, authorization };
}

async function runInSession(
  session: Session | undefined,
  send: (session: Session | undefined) => Promise<ToolAnswer>,
): Promise<ActionResult> {
  let answer: ToolAnswer;
  let warning: GatewayError | undefined;
  try {
    answer = await send(session);
  } finally {
    warning = await saveSession(session);
  }
  if (answer.status >= 500) throw siteFailure(answer);
  return { answer, ...(warning && { warning }) };
}

const maxSiteTextLength = 2_000;

/** The site's text is included, because many sites explain there why they rejected the submission. */
function siteFailure(answer: ToolAnswer): GatewayError {
  const text = siteText(answer, maxSiteTextLength);
  const warning = 'The site may have processed the submission. Check before you send it again.';
  const reason = text && ` The site responded: ${JSON.stringify(text)}.`;
  const url = displayUrl(answer.url, { query: false });
  const message = `The site failed with the status ${answer.status}. ${warning}${reason}`;
  return new GatewayError('upstream-error', message, { url });
}

/** A release contains actions that this gateway may exclude. */
function failNotFound({ actions, metadata, excluded }: Webtool, name: string): never {
  if (metadata.actions.some((action) => action.name === name)) {
    const reason = excluded.find(({ tool }) => tool === name)?.reason ?? 'its manifest no longer has it';
    throw new GatewayError('config-error', `The action is not available on this gateway: ${reason}.`);
  }
  const names = [...actions.keys()];
  const more = names.length > 20 ? ` and ${names.length - 20} more` : '';
  const list = `${names.slice(0, 20).join(', ')}${more}`;
  throw new GatewayError('action-not-found', `The action does not exist. The webtool has: ${list}.`);
}

/** Sessions are separate by site and by account. */
export const sessionKey = ({ origin }: URL, sessionId: string, authorization = ''): string =>
  JSON.stringify([origin, sessionId, authorization]);

/** Returns the error instead of throwing it: the site has processed the call, and a failed call would be retried. */
async function saveSession(session: Session | undefined): Promise<GatewayError | undefined> {
  try {
    await session?.save();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
