import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Settings } from '../settings.js';

/**
 * Creates the ID of a session. With a session key it is signed for its client, so that any process of the gateway
 * recognizes the IDs that the gateway issued.
 */
export async function createSessionId(
  { sessionKeys }: Settings,
  client: string | undefined,
  { canAsk = false, canOpen = false } = {},
): Promise<string> {
  const uuid = `${crypto.randomUUID()}${canAsk ? askMark : ''}${canOpen ? urlMark : ''}`;
  return sessionKeys ? `${uuid}.${await sessionKeys.sign(signedText(uuid, client))}` : uuid;
}

/** Whether the gateway issued an ID to a client; without a session key, whether the ID is well-formed. */
export async function isSessionId({ sessionKeys }: Settings, id: string, client: string | undefined): Promise<boolean> {
  const [uuid = '', signature, ...others] = id.split('.');
  if (!uuidPattern.test(uuid) || others.length > 0) return false;
  if (!sessionKeys) return signature === undefined;
  return signature !== undefined && (await sessionKeys.isSigned(signedText(uuid, client), signature));
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(~ask)?(~url)?$/;

/**
 * The marks in the IDs of sessions whose clients support elicitation with forms or with URLs. Clients declare this only
 * in `initialize`.
 */
const askMark = '~ask';
const urlMark = '~url';

const marksOf = (sessionId = ''): string => sessionId.split('.')[0] ?? '';

export const canAskIn = (sessionId: string | undefined): boolean => marksOf(sessionId).includes(askMark);

export const canOpenIn = (sessionId: string | undefined): boolean => marksOf(sessionId).includes(urlMark);

const signedText = (uuid: string, client: string | undefined): string =>
  JSON.stringify(['mcp session', uuid, client ?? null]);

/** The member of `_meta` with the session of a call, for the versions of the protocol without sessions. */
export const sessionMember = 'webmcp-forms/session';

/**
 * Returns the session that a call names in its `_meta`. The value `new` starts a session.
 *
 * @throws {ProtocolError} if the ID is not a session of this client
 */
export async function namedSession(
  settings: Settings,
  id: unknown,
  client: string | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  if (id === 'new') return await createSessionId(settings, client);
  if (typeof id === 'string' && (await isSessionId(settings, id, client))) return id;
  const message = `The "${sessionMember}" in "_meta" is not a session of this client. Send "new" to start one.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
