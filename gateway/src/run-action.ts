import type { ToolAnswer } from 'webmcp-forms/client';
import type { JsonValue } from 'webmcp-forms/headless';
import type { Action, LeftOut } from './webtools/actions.js';
import { configOf } from './webtools/config-schema.js';
import { GatewayError } from './gateway-error.js';
import { pageUrl } from './page-url.js';
import type { Session } from './stores/sessions.js';
import type { Settings } from './settings.js';
import { prepareCall, sendCall } from './submission/submit-form.js';
import type { Webtool } from './webtools/webtool.js';

export interface RunOptions {
  /** What the client has configured. */
  readonly config?: JsonValue | undefined;
  /** What the client calls its session; nobody else can know it. */
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a call. */
export interface ActionResult {
  readonly answer: ToolAnswer;
  /** What went wrong after the site had answered. */
  readonly warning?: GatewayError;
}

/**
 * Runs an action of a webtool by its name.
 *
 * @throws {GatewayError} whatever goes wrong, with a stable code
 */
export async function runAction(
  settings: Settings,
  { actions, metadata, leftOut }: Webtool,
  name: string,
  input: JsonValue,
  { config, sessionId, signal }: RunOptions,
): Promise<ActionResult> {
  const action = actions.get(name);
  if (!action) throw metadata.actions.some((each) => each.name === name) ? notRun(leftOut, name) : notFound(actions);
  const { authorization, ...configured } = configOf(action, metadata.configSchema, settings, config);
  const call = prepareCall({ ...optionsOf(settings, action), input, config: configured });
  const session = await openSession(settings, sessionId, authorization);
  let warning: GatewayError | undefined;
  const options = { ...optionsOf(settings, action), ...(session && { jar: session.jar }), ...(signal && { signal }) };
  const answer = await sendCall(call, options).finally(async () => {
    warning = await saved(session);
  });
  if (answer.status >= 500) throw failed(answer);
  return { answer, ...(warning && { warning }) };
}

/** A release has what it has for ever, and an operator may not run all of it. */
function notRun(leftOut: readonly LeftOut[], name: string): GatewayError {
  const reason = leftOut.find(({ tool }) => tool === name)?.reason ?? 'its manifest no longer has it';
  return new GatewayError('config-error', `The action is not run here: ${reason}.`);
}

function notFound(actions: ReadonlyMap<string, Action>): GatewayError {
  const names = [...actions.keys()];
  const [some, more] = [names.slice(0, 20).join(', '), names.length > 20 ? ` and ${names.length - 20} more` : ''];
  return new GatewayError('action-not-found', `There is no such action. The webtool has: ${some}${more}.`);
}

function optionsOf(settings: Settings, { tool, page }: Action) {
  const { baseUrl, fetch, limits, origins, allowPrivateAddresses } = settings;
  const url = pageUrl(baseUrl, page);
  return { tool, pageUrl: url, limits, origins, allowPrivateAddresses, ...(fetch && { fetch }) };
}

/** A session belongs to one site, and to one account of it. */
async function openSession(
  { baseUrl, sessions }: Settings,
  sessionId: string | undefined,
  authorization: string,
): Promise<Session | undefined> {
  if (sessionId === undefined) return undefined;
  return await sessions.open(sessionKey(baseUrl, sessionId, authorization));
}

export const sessionKey = ({ origin }: URL, sessionId: string, authorization = ''): string =>
  JSON.stringify([origin, sessionId, authorization]);

/** The site has done what it was asked: a session that is lost is no reason to ask again. */
async function saved(session: Session | undefined): Promise<GatewayError | undefined> {
  try {
    await session?.save();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

const failed = ({ status }: ToolAnswer): GatewayError =>
  new GatewayError(
    'upstream-error',
    `The site failed with the status ${status}. It may have taken the submission all the same: look before you send it again.`,
  );
