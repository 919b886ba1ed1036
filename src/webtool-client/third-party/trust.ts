import { hashOf } from '../hash.js';
import type { Metadata } from '../metadata.js';
import { WebtoolError } from '../webtool-error.js';

/** Where the hashes of webtools that were seen before are stored: a Web Storage, or a storage of unstorage. */
export interface TrustStore {
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
}

interface TrustOptions {
  readonly trust: TrustStore;
  readonly refuseChanges: boolean;
  /** The requested version, if any. Each version is trusted by itself then. */
  readonly version: string | undefined;
  readonly onWarning: ((warning: { readonly code: string; readonly message: string }) => void) | undefined;
}

type Seen = Pick<Metadata, 'version'> & { readonly hash: string | undefined };

/** Trusts the actions of a webtool on first use, and reports or refuses other actions later. */
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

/** The query may hold a secret, so only its hash is stored. */
async function keyOf({ search }: URL, displayUrl: string, version: string | undefined): Promise<string> {
  const query = search === '' ? '' : `#${(await hashOf(search)).slice('sha256-'.length, -1)}`;
  return `webmcp-forms.trust ${displayUrl}${query}${version === undefined ? '' : ` ${version}`}`;
}
