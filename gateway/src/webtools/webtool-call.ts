import { type JsonValue, previewList } from 'webmcp-forms/headless';
import { HttpError } from '../http/http-error.js';

/** What a client posts to run an action. */
export interface WebtoolCall {
  readonly sessionId?: string;
  readonly version?: string;
  readonly action: string;
  /** It is checked against the `configSchema`. */
  readonly config?: JsonValue;
  /** It is checked against the action's `requestSchema`. */
  readonly request: JsonValue;
}

/** Members and items at all levels of a `config`, together; more than any webtool has inputs to configure. */
const mostOfConfig = 1000;

const members: readonly string[] = ['sessionId', 'version', 'action', 'config', 'request'];

/** @throws {HttpError} `schema-error` with the status 400 */
export function callOf(body: JsonValue): WebtoolCall {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw wrong('it is not a JSON object');
  const unknown = Object.keys(body).filter((name) => !members.includes(name));
  if (unknown.length > 0) throw wrong(`it has ${previewList(unknown)}, and may have ${members.join(', ')}`);
  const { action, version, sessionId, config, request } = body as Readonly<Record<string, JsonValue | undefined>>;
  if (typeof action !== 'string') throw wrong(`its "action" is ${action === undefined ? 'missing' : 'no text'}`);
  if (version !== undefined && typeof version !== 'string') throw wrong('its "version" is no text');
  if (request === undefined) throw wrong(`its "request" is missing; one without parameters is {}`);
  if (sessionId !== undefined && !isSessionId(sessionId)) {
    throw wrong('its "sessionId" is no text of 1 to 256 printable ASCII characters');
  }
  if (config !== undefined && isLarger(config, mostOfConfig)) {
    throw wrong(`its "config" is too large: it may have ${mostOfConfig} members in all`);
  }
  return {
    ...{ action, request },
    ...(version !== undefined && { version }),
    ...(sessionId !== undefined && { sessionId }),
    ...(config !== undefined && { config }),
  };
}

/** Whether a value has more members and items in all; no more of it is read than that. */
function isLarger(value: JsonValue, most: number): boolean {
  const parts = [value];
  for (const part of parts) {
    const within = typeof part === 'object' && part !== null ? (Object.values(part) as readonly JsonValue[]) : [];
    if (parts.length + within.length > most + 1) return true;
    parts.push(...within);
  }
  return false;
}

const isSessionId = (value: JsonValue): value is string => typeof value === 'string' && /^[ -~]{1,256}$/.test(value);

const wrong = (reason: string): HttpError =>
  new HttpError('schema-error', `The body is no call of an action: ${reason}.`, { status: 400 });
