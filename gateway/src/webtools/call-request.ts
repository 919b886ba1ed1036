import { type JsonValue, previewList } from 'webmcp-forms/headless';
import { HttpError } from '../http/json-response.js';

/** The body of a POST request, which runs an action. */
interface CallRequest {
  readonly sessionId?: string;
  readonly version?: string;
  /** The hash of the metadata that the caller has seen. */
  readonly hash?: string;
  readonly action: string;
  /** Validated against the `configSchema`. */
  readonly config?: JsonValue;
  /** Validated against the action's `requestSchema`. */
  readonly request: JsonValue;
}

/** The maximum number of members and items in a `config`, at all levels. */
const maxConfigSize = 1000;

const members: readonly string[] = ['sessionId', 'version', 'hash', 'action', 'config', 'request'];

/** @throws {HttpError} `schema-error` with the status 400 */
export function parseCallRequest(body: JsonValue): CallRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('it is not a JSON object');
  const unknown = Object.keys(body).filter((name) => !members.includes(name));
  if (unknown.length > 0) throw invalid(`${previewList(unknown)} is unknown. Its members are ${members.join(', ')}`);
  const { action, version, hash, sessionId, config, request } = body as Readonly<Record<string, JsonValue | undefined>>;
  if (typeof action !== 'string') throw invalid(`its "action" is ${action === undefined ? 'missing' : 'not a string'}`);
  if (version !== undefined && typeof version !== 'string') throw invalid('its "version" is not a string');
  if (hash !== undefined && !isHash(hash))
    throw invalid('its "hash" is not the hash of metadata: sha256- and 44 characters');
  if (request === undefined) throw invalid(`its "request" is missing. Send {} for an action without parameters`);
  if (sessionId !== undefined && !isSessionId(sessionId)) {
    throw invalid(
      'its "sessionId" is not a string of 16 to 256 printable ASCII characters, at least 4 of them different. Use a UUID',
    );
  }
  if (config !== undefined && exceedsSize(config, maxConfigSize)) {
    throw invalid(`its "config" has more than ${maxConfigSize} members`);
  }
  return {
    action,
    request,
    ...(version !== undefined && { version }),
    ...(hash !== undefined && { hash }),
    ...(sessionId !== undefined && { sessionId }),
    ...(config !== undefined && { config }),
  };
}

function exceedsSize(value: JsonValue, limit: number): boolean {
  const parts = [value];
  for (const part of parts) {
    const children = typeof part === 'object' && part !== null ? (Object.values(part) as readonly JsonValue[]) : [];
    if (parts.length + children.length > limit + 1) return true;
    parts.push(...children);
  }
  return false;
}

const isHash = (value: JsonValue): value is string => typeof value === 'string' && /^sha256-[\w+/]{43}=$/.test(value);

/** Others can use a session whose ID they guess, if all calls are of one client. */
const isSessionId = (value: JsonValue): value is string =>
  typeof value === 'string' && /^[ -~]{16,256}$/.test(value) && new Set(value).size >= 4;

const invalid = (reason: string): HttpError =>
  new HttpError('schema-error', `The call is invalid: ${reason}.`, { status: 400 });
