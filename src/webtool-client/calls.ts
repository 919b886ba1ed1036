import { exceedsDepth, isRecord, maxJsonDepth, stringify, type JsonRecord } from '../json.js';
import type { JsonValue } from '../json-schema.js';
import { mapTexts, visibleText } from '../visible-text.js';
import { exchange, mayHaveRun, type Connection } from './exchange.js';
import { quote, type Metadata } from './metadata.js';
import { isInsecure } from './trust.js';
import { WebtoolError } from './webtool-error.js';

/** A form of a page, such as the next step of a wizard. */
export interface NextForm {
  /** The value of `form` in the request of `continue`. */
  readonly form: string;
  /** The purpose of the form, in the words of the page. */
  readonly title: string;
  /** The JSON Schema of the `input` of the request. */
  readonly requestSchema: object;
}

/** The response of a site to a form submission. */
export interface ToolAnswer {
  readonly status: number;
  /** The URL of the response, after all redirects. */
  readonly url: string;
  readonly contentType: string;
  /** The status messages of a page. */
  readonly messages?: readonly string[];
  /** The validation errors of a page. The parameter is empty for errors that do not belong to a control. */
  readonly errors?: readonly { readonly parameter: string; readonly message: string }[];
  readonly json?: JsonValue;
  readonly jsonLd?: readonly JsonValue[];
  /** The forms of a page that the action `continue` submits next in the same session. */
  readonly forms?: readonly NextForm[];
  /** The number of forms that `forms` omits because of the limits. */
  readonly omittedForms?: number;
  /** The visible text of a page's main part, or the body of a text response; at most 50,000 characters. */
  readonly text?: string;
}

export interface CallOptions {
  /** Stops waiting. The action may still run. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an action and resolves with its result. Pass a type argument for a webtool that is not a form gateway.
 *
 * @throws {WebtoolError} for any failure
 */
export type Call = <Data = ToolAnswer>(action: string, request?: object, options?: CallOptions) => Promise<Data>;

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export interface CallSettings {
  /** The configuration of every call, such as credentials. It is hidden from the model. */
  readonly config?: JsonRecord;
  /**
   * The key of the webtool's state across calls. It must be hard to guess. Not sent over plain HTTP, except to this machine.
   * @default a new one for each connection
   */
  readonly sessionId?: string;
  readonly onWarning?: (warning: Warning) => void;
}

/** The properties of a connected webtool that a call uses. */
interface CallTarget {
  readonly metadata: Metadata;
  /** The hash that the webtool must have when it runs the action. */
  readonly hash: string | undefined;
  /** Replaces the cleaned strings that the model uses by the original strings of the action. */
  readonly restore: (action: string, request: object) => object;
}

export function createCall(
  connection: Connection,
  { metadata, hash, restore }: CallTarget,
  settings: CallSettings,
): Call {
  const { config, onWarning } = settings;
  const sessionId = isInsecure(connection.url) ? undefined : (settings.sessionId ?? randomId());
  const headers = new Headers(connection.headers);
  headers.set('content-type', 'application/json');
  return async <Data>(action: string, request: object = {}, { signal }: CallOptions = {}) => {
    checkAction(metadata, action);
    const { version, isLegacy } = metadata;
    const pins = { ...(version !== '' && { version }), ...(hash !== undefined && { hash }) };
    const shared = { ...pins, action, ...(config && { config }) };
    const sent = restore(action, request);
    const body = isLegacy
      ? { session_id: sessionId, ...shared, payload: sent }
      : { sessionId, ...shared, request: sent };
    const init = { method: 'POST', headers, body: stringify(body), signal: signal ?? null };
    const response = await exchange(connection, connection.url, init);
    const visible = visibleAnswer(connection, response);
    if (isRecord(visible) && isWarning(visible['warning'])) onWarning?.(visible['warning']);
    return resultOf(connection, metadata, visible) as Data;
  };
}

function visibleAnswer({ displayUrl }: Connection, response: unknown): unknown {
  if (!exceedsDepth(response)) return mapTexts(response, visibleText);
  const message = `The webtool at ${displayUrl} responded with more than ${maxJsonDepth} levels of JSON.${mayHaveRun}`;
  throw new WebtoolError('BAD_ANSWER', message);
}

function checkAction({ name, actions }: Metadata, action: string): void {
  if (actions.some((each) => each.name === action)) return;
  const names = actions.map((each) => quote(each.name)).join(', ');
  const message = `The webtool ${quote(name)} has no action ${quote(action)}. Its actions are ${names}.`;
  throw new WebtoolError('ACTION_NOT_FOUND', message);
}

/** The result in a response. The response of a legacy webtool may be the result itself. */
function resultOf({ displayUrl }: Connection, { isLegacy }: Metadata, response: unknown): JsonValue {
  if (isRecord(response) && response['status'] === 'ok' && 'data' in response) return response['data'] as JsonValue;
  if (isLegacy) return response as JsonValue;
  const message = `The webtool at ${displayUrl} responded without data and without an error.${mayHaveRun}`;
  throw new WebtoolError('BAD_ANSWER', message);
}

const isWarning = (value: unknown): value is Warning =>
  isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';

/** A random ID. Insecure contexts do not have `randomUUID`. */
function randomId(): string {
  const { randomUUID } = crypto as Partial<typeof crypto>;
  if (randomUUID) return randomUUID.call(crypto);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
