import { hashOf } from './hash.js';
import type { Metadata, WebtoolAction } from './metadata.js';
import { WebtoolError } from './webtool-error.js';

/** The storage for the hashes of known webtools: a Web Storage, or a storage of unstorage. */
export interface TrustStore {
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
}

interface TrustOptions {
  readonly trust: TrustStore;
  readonly refuseChanges: boolean;
  /** The requested version, if any. Each version is trusted separately. */
  readonly version: string | undefined;
  readonly onWarning: ((warning: { readonly code: string; readonly message: string }) => void) | undefined;
}

type Seen = Pick<Metadata, 'version'> & { readonly hash: string | undefined };

/** Trusts the actions of a webtool on first use. Later, reports or refuses changed actions. */
export async function checkTrust(
  { url, displayUrl }: { readonly url: URL; readonly displayUrl: string },
  { hash, version }: Seen,
  options: TrustOptions,
): Promise<void> {
  const { trust, refuseChanges, onWarning } = options;
  const report = (code: string, message: string): void => {
    if (refuseChanges) throw new WebtoolError(code, message);
    onWarning?.({ code, message });
  };
  const webtool = `the webtool at ${displayUrl}`;
  if (hash === undefined) {
    const message = `Whether ${webtool} has changed cannot be checked without crypto.subtle. Serve the page over HTTPS, or from localhost.`;
    return report('TRUST_UNAVAILABLE', message);
  }
  const key = await keyOf(url, displayUrl, options.version);
  try {
    const known = await trust.getItem(key);
    if (known !== null && known !== undefined && known !== `${hash} ${version}`) {
      const change = `The actions of ${webtool} have changed since they were first seen: the hash and version were ${typeof known === 'string' ? known : 'unreadable'} and are ${hash} ${version}.`;
      report(
        'WEBTOOL_CHANGED',
        `${change} Review them, and pin the new hash or remove the entry "${key}" of the store.`,
      );
    }
    if (known !== `${hash} ${version}`) await trust.setItem(key, `${hash} ${version}`);
  } catch (cause) {
    if (cause instanceof WebtoolError) throw cause;
    report('TRUST_UNAVAILABLE', `Whether ${webtool} has changed cannot be checked: the trust store fails. Repair it.`);
  }
}

/** The key of a webtool. It contains only the hash of the query, which may contain a secret. */
async function keyOf({ search }: URL, displayUrl: string, version: string | undefined): Promise<string> {
  const query = search === '' ? '' : `#${(await hashOf(search)).slice('sha256-'.length, -1)}`;
  return `webmcp-forms.trust ${displayUrl}${query}${version === undefined ? '' : ` ${version}`}`;
}

/** Whether an origin differs from the origin of this page. On a server, which has no origin, all webtools are third parties. */
export const isThirdParty = (origin: string): boolean => (globalThis as { origin?: string }).origin !== origin;

/**
 * The description of an action for a model. It names the origin of a third party, and states that the third party declared the
 * hints. It is never empty, because tools require a description.
 */
export function describeAction({ name, title = '', description, ...hints }: WebtoolAction, origin: string): string {
  const text = description || title || name;
  return isThirdParty(origin) ? `${text}\n\n(Third-party tool of ${origin}${statement(hints)}.)` : text;
}

function statement({ readOnly, consequential }: Pick<WebtoolAction, 'readOnly' | 'consequential'>): string {
  if (readOnly) return ', which states that it changes nothing';
  return consequential ? ', which states that a person should confirm it' : '';
}

export function titleOf({ name, title }: WebtoolAction, origin: string): string | undefined {
  return isThirdParty(origin) ? `${title || name} (${new URL(origin).host})` : title;
}

const loopback = /^(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/;

/** Whether others on the network can read or change requests to a URL. */
export const isInsecure = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && !loopback.test(hostname);
