import { isRecord, stringify, type JsonRecord } from '../json.js';
import type { JsonValue } from '../json-schema.js';
import type { ToolAnswer } from './tool-answer.js';
import { exchange, mayHaveRun, type Connection } from './exchange.js';
import { quote, type Metadata } from './metadata.js';
import { WebtoolError } from './webtool-error.js';

export interface CallOptions {
  /** Gives up. The call may have run all the same. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an action, and resolves with what it answers: for webtools that are no gateways to forms say what that is.
 *
 * @throws {WebtoolError} whatever goes wrong
 */
export type Call = <Data = ToolAnswer>(action: string, request?: object, options?: CallOptions) => Promise<Data>;

/** What a call that went well warns of, such as `SESSION_NOT_SAVED`. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

interface Settings {
  readonly config?: JsonRecord;
  readonly sessionId?: string;
  readonly onWarning?: (warning: Warning) => void;
}

export function callsOf(connection: Connection, metadata: Metadata, settings: Settings): Call {
  const { config, sessionId = newSessionId(), onWarning } = settings;
  const headers = new Headers(connection.headers);
  headers.set('content-type', 'application/json');
  return async <Data>(action: string, request: object = {}, { signal }: CallOptions = {}) => {
    checkAction(metadata, action);
    const body = stringify(bodyOf(metadata, { sessionId, action, config, request }));
    const init = { method: 'POST', headers, body, signal: signal ?? null };
    const answer = await exchange(connection, connection.url, init);
    if (isRecord(answer) && isWarning(answer['warning'])) onWarning?.(answer['warning']);
    return dataOf(connection, metadata, answer) as Data;
  };
}

function checkAction({ name, actions }: Metadata, action: string): void {
  if (actions.some((each) => each.name === action)) return;
  const known = actions.map((each) => quote(each.name)).join(', ');
  throw new WebtoolError(
    'ACTION_NOT_FOUND',
    `The webtool ${quote(name)} has no action ${quote(action)}. It has: ${known}.`,
  );
}

interface Request {
  readonly sessionId: string;
  readonly action: string;
  readonly config: JsonRecord | undefined;
  readonly request: object;
}

function bodyOf({ version, isOlder }: Metadata, { sessionId, action, config, request }: Request): object {
  const shared = { ...(version !== '' && { version }), action, ...(config && { config }) };
  return isOlder ? { session_id: sessionId, ...shared, payload: request } : { sessionId, ...shared, request };
}

/** An older webtool may answer with the bare result. */
function dataOf({ place }: Connection, { isOlder }: Metadata, answer: unknown): JsonValue {
  if (isRecord(answer) && answer['status'] === 'ok' && 'data' in answer) return answer['data'] as JsonValue;
  if (isOlder) return answer as JsonValue;
  const reason = `answers with neither data nor an error.${mayHaveRun}`;
  throw new WebtoolError('BAD_ANSWER', `The webtool at ${place} ${reason}`);
}

const isWarning = (value: unknown): value is Warning =>
  isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';

/** Pages that are not secure have no `randomUUID`. */
function newSessionId(): string {
  const { randomUUID } = crypto as Partial<typeof crypto>;
  if (randomUUID) return randomUUID.call(crypto);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
