import type { ToolAnswer } from 'webmcp-forms/client';
import {
  displayUrl,
  type Download,
  type FormDescription,
  isRecord,
  isRequiredSecret,
  type JsonValue,
  pageUrl,
  type Prepared,
  preview,
  type SiteAnswer,
  siteText,
  type SubmissionOptions,
  type SubmitConfig,
  type WorkBudget,
} from 'webmcp-forms/headless';
import { continueSession, offersOf, withForms } from './continuation.js';
import { GatewayError, type InputError } from './gateway-error.js';
import type { Settings } from './settings.js';
import type { Session } from './stores/sessions.js';
import { prepareCall, prepareRead, sendCall, type SendOptions } from './submit-form.js';
import type { Action } from './webtools/actions.js';
import { callConfig } from './webtools/config-schema.js';
import type { Webtool } from './webtools/webtool.js';

export interface RunOptions {
  readonly config?: JsonValue | undefined;
  /** The secret key of the client's session. */
  readonly sessionId?: string | undefined;
  readonly client?: string | undefined;
  /** The client that limits apply to. */
  readonly rateLimitKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The remaining work for the checks of a request with several calls. @default the work of one call */
  readonly budget?: WorkBudget | undefined;
}

export interface ActionResult {
  readonly answer: ToolAnswer;
  /** The file that a browser would save. */
  readonly download?: Download | undefined;
  /** A failure after the site has responded. */
  readonly warning?: GatewayError;
}

/** Runs an action of a webtool by its name. @throws {GatewayError} for any failure, with a stable code */
export async function runAction(
  settings: Settings,
  webtool: Webtool,
  name: string,
  input: JsonValue,
  { config, sessionId, client, rateLimitKey, signal, budget }: RunOptions,
): Promise<ActionResult> {
  const action = webtool.actions.get(name) ?? failNotFound(webtool, name);
  const { baseUrl } = settings;
  const { options, authorization } = optionsOf(settings, webtool, action, config);
  const offers = settings.continuePaths.length > 0 ? offersOf(settings, webtool) : undefined;
  const sender = senderOf(action, { ...options, input, budget }, offers);
  const openSession = async (): Promise<Session | undefined> =>
    sessionId === undefined
      ? undefined
      : await settings.sessions.open(sessionKey(baseUrl, sessionId, authorization), client);
  let download: Download | undefined;
  const send = async (session: Session | undefined): Promise<ToolAnswer> => {
    const inSession = session && { jar: session.jar, offers };
    const { download: file, ...answer } = await sender({ ...options, ...inSession, signal }, session);
    download = file;
    return offers ? withForms(answer, session) : answer;
  };
  const run = async (): Promise<ActionResult> => await runInSession(await openSession(), send);
  const result = await settings.capacity.calls.run(run, { client: rateLimitKey, signal }).catch((error: unknown) => {
    throw action.tool.session === 'signed-out' ? withSession(error) : error;
  });
  return { ...result, download };
}

/** Adds advice, because sites redirect a signed-in session from the login to another page. */
function withSession(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'page-drift') return error;
  const advice =
    'The tool is for sessions that are not signed in. If the session of this call is signed in, use another one.';
  return new GatewayError(error.code, `${error.message} ${advice}`, error);
}

type Sender = (options: SendOptions, session: Session | undefined) => Promise<SiteAnswer>;

function senderOf(action: Action, options: SubmissionOptions, offers: SendOptions['offers']): Sender {
  const { input, config = {}, budget } = options;
  if (action.continues)
    return (send, session) => continueSession(input, session, { prepare: { config, budget }, send, offers });
  const call: Prepared<SiteAnswer> = action.reads === undefined ? prepareCall(options) : readingOf(action, options);
  return (send) => sendCall(call, send);
}

/** A companion that reads a form has no parameters. */
function readingOf({ name }: Action, options: SubmissionOptions): Prepared<SiteAnswer> {
  const [unknown] = isRecord(options.input) ? Object.keys(options.input) : ['the input'];
  if (unknown === undefined) return prepareRead(options);
  throw new GatewayError('schema-error', `${preview(name)} has no parameters. Omit ${preview(unknown)}.`);
}

export interface InputCheck {
  readonly errors: readonly InputError[];
  /** The failure of a call with this input; undefined if the page of the form may accept the input in spite of the errors. */
  readonly failure?: GatewayError;
}

/** Checks an input without its secrets. Sends no request. The forms of a session are checked when they are submitted. */
export function checkInput(settings: Settings, webtool: Webtool, action: Action, input: JsonValue): InputCheck {
  if (action.reads !== undefined || action.continues) return { errors: [] };
  try {
    const { options } = optionsOf(settings, webtool, action);
    return { errors: prepareCall({ ...options, form: withoutSecrets(action, options.config), input }).errors };
  } catch (failure) {
    if (failure instanceof GatewayError) return { errors: failure.parameters, failure };
    throw failure;
  }
}

function withoutSecrets({ form }: Action, { values = {} }: SubmitConfig = {}): FormDescription {
  const controls = form.controls.map((control) =>
    isRequiredSecret(control) && !Object.hasOwn(values, control.name)
      ? { ...control, disabled: true as const }
      : control,
  );
  return { ...form, controls };
}

/** Whether the form of a manifest accepts an input with a configuration of the client. */
export function acceptsConfig(
  settings: Settings,
  webtool: Webtool,
  action: Action,
  input: JsonValue,
  config: JsonValue,
): boolean {
  try {
    prepareCall({ ...optionsOf(settings, webtool, action, config).options, input });
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

function optionsOf(
  { baseUrl, fetch, limits, origins, allowPrivateAddresses, pageReader, ...settings }: Settings,
  { metadata: { configSchema } }: Webtool,
  { name, reads = name, page, form }: Action,
  clientConfig?: JsonValue,
): { readonly options: Omit<SubmissionOptions, 'input'> & SendOptions; readonly authorization: string } {
  const { authorization, ...config } = callConfig(reads, configSchema, { ...settings, baseUrl }, clientConfig);
  const url = pageUrl(baseUrl, page);
  const allowed = { origins, allowPrivateAddresses };
  return {
    options: { form, pageUrl: url, config, limits, pageReader, fetch, ...allowed },
    authorization,
  };
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

/** Includes the site's text, because many sites explain there why they rejected the submission. */
function siteFailure(answer: ToolAnswer): GatewayError {
  const text = siteText(answer, maxSiteTextLength);
  const warning = 'The site may have processed the submission. Check before you send it again.';
  const reason = text && ` The site responded: ${JSON.stringify(text)}.`;
  const url = displayUrl(answer.url, { query: false });
  const message = `The site failed with the status ${answer.status}. ${warning}${reason}`;
  return new GatewayError('upstream-error', message, { url });
}

/** Distinguishes unknown actions from actions of the release that this gateway excludes. */
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
