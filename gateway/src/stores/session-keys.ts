import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { toBase64url } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import { storeUnavailable } from './store.js';

/** Keys that are derived from secrets. The first key encrypts and signs, and all keys decrypt and verify. */
export interface SessionKeys {
  /** Whether items that are not encrypted are also accepted. */
  readonly readsPlain: boolean;
  /** @param context - authenticated with the text, and required to decrypt it */
  encrypt(text: string, context: string): Promise<string>;
  /**
   * Returns undefined if the text or its context was changed.
   *
   * @throws {GatewayError} `store-unavailable` if the text was encrypted with another key
   */
  decrypt(encrypted: string, context: string): Promise<string | undefined>;
  sign(text: string): Promise<string>;
  isSigned(text: string, signature: string): Promise<boolean>;
}

/** The minimum length of a secret: 256 bits if each byte is random. */
const minSecretBytes = 32;

/** The minimum number of different characters. A secret with fewer is not random. */
const minSecretCharacters = 8;

/** Represents the absence of a key: items without encryption are accepted. */
export const plain = 'plain';

/**
 * Creates the keys of sessions.
 *
 * @param secrets - random strings of at least 32 bytes, and optionally `plain` as the last one
 * @throws {GatewayError} `config-error`
 */
export function createSessionKeys(secrets: readonly string[]): SessionKeys {
  const random = secrets.filter((secret) => secret !== plain);
  checkSecrets(random, secrets);
  const derived = random.map(deriveKeys);
  const [first = Promise.reject(new TypeError())] = derived;
  return {
    readsPlain: random.length < secrets.length,
    encrypt: async (text, context) => await encrypt(await first, text, context),
    decrypt: async (encrypted, context) => await decrypt(await Promise.all(derived), encrypted, context),
    sign: async (text) =>
      toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', (await first).signing, utf8ToBytes(text)))),
    isSigned: async (text, signature) => await isSigned(await Promise.all(derived), text, signature),
  };
}

function checkSecrets(random: readonly string[], secrets: readonly string[]): void {
  if (random.length === 0) throw invalid('it is missing');
  if (secrets[0] === plain) throw invalid('"plain" is the first key, but must be the last');
  const isShort = (secret: string): boolean => utf8ToBytes(secret).length < minSecretBytes;
  if (random.some(isShort)) throw invalid(`it has less than ${minSecretBytes} bytes`);
  if (random.some((secret) => new Set(secret).size < minSecretCharacters)) throw invalid('it is not random');
}

const invalid = (reason: string): GatewayError => {
  const advice = 'Use the output of "openssl rand -base64 32"';
  return new GatewayError('config-error', `The key of sessions is invalid: ${reason}. ${advice}.`);
};

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

interface DerivedKeys {
  /** Identifies the secret in encrypted data. */
  readonly id: string;
  readonly encryption: Key;
  readonly signing: Key;
}

/** https://www.rfc-editor.org/rfc/rfc5869. The secret is random, so that a salt is not needed. */
async function deriveKeys(secret: string): Promise<DerivedKeys> {
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', utf8ToBytes(secret), 'HKDF', false, ['deriveBits', 'deriveKey']);
  const hkdf = (use: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: utf8ToBytes(`webmcp-gateway sessions 1 ${use}`),
  });
  const aes = { name: 'AES-GCM', length: 256 };
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 };
  return {
    id: bytesToHex(new Uint8Array(await subtle.deriveBits(hkdf('id'), key, 64))),
    encryption: await subtle.deriveKey(hkdf('encryption'), key, aes, false, ['encrypt', 'decrypt']),
    signing: await subtle.deriveKey(hkdf('signing'), key, hmac, false, ['sign', 'verify']),
  };
}

/** The recommended length. https://nvlpubs.nist.gov/nistpubs/Legacy/SP/nistspecialpublication800-38d.pdf */
const nonceBytes = 12;

async function encrypt({ id, encryption }: DerivedKeys, text: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const additionalData = utf8ToBytes(context);
  const algorithm = { name: 'AES-GCM', iv, additionalData };
  const bytes = await crypto.subtle.encrypt(algorithm, encryption, utf8ToBytes(text));
  return [id, toBase64url(iv), toBase64url(new Uint8Array(bytes))].join('.');
}

async function decrypt(keys: readonly DerivedKeys[], encrypted: string, context: string): Promise<string | undefined> {
  const [, id, nonce = '', data = ''] = /^([\da-f]{16})\.([\w-]{16})\.([\w-]*)$/.exec(encrypted) ?? [];
  if (id === undefined) return undefined;
  const key = keys.find((each) => each.id === id);
  if (!key) throw storeUnavailable('sessions', `has sessions that are encrypted with another key. ${keyAdvice}`);
  const additionalData = utf8ToBytes(context);
  try {
    const algorithm = { name: 'AES-GCM', iv: fromBase64(nonce), additionalData };
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key.encryption, fromBase64(data)));
  } catch {
    return undefined;
  }
}

export const keyAdvice = 'Add it to WEBMCP_FORMS_SESSION_KEY or sessionKeys, or use another store';

async function isSigned(keys: readonly DerivedKeys[], text: string, signature: string): Promise<boolean> {
  if (!/^[\w-]{43}$/.test(signature)) return false;
  const [bytes, data] = [fromBase64(signature), utf8ToBytes(text)];
  const results = keys.map(({ signing }) => crypto.subtle.verify('HMAC', signing, bytes, data));
  return (await Promise.all(results)).includes(true);
}

/** @throws {DOMException} for invalid base64 */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
