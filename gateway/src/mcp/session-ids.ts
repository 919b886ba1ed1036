import type { Settings } from '../settings.js';

/**
 * Creates the ID of a session. With a session key it is signed for its client, so that any process of the gateway
 * recognizes the IDs that the gateway gave.
 */
export async function createSessionId({ sessionKeys }: Settings, client: string | undefined): Promise<string> {
  const uuid = crypto.randomUUID();
  return sessionKeys ? `${uuid}.${await sessionKeys.sign(signedText(uuid, client))}` : uuid;
}

/** Whether an ID is one that the gateway gave to a client; without a session key, whether it has the form of one. */
export async function isSessionId({ sessionKeys }: Settings, id: string, client: string | undefined): Promise<boolean> {
  const [uuid = '', signature, ...others] = id.split('.');
  if (!uuidPattern.test(uuid) || others.length > 0) return false;
  if (!sessionKeys) return signature === undefined;
  return signature !== undefined && (await sessionKeys.isSigned(signedText(uuid, client), signature));
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const signedText = (uuid: string, client: string | undefined): string =>
  JSON.stringify(['mcp session', uuid, client ?? null]);
