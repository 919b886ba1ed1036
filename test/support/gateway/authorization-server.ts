import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider, type ProviderContext } from 'oidc-provider';
import { atEnd } from '../at-end.js';

export interface AuthorizationServer {
  readonly issuer: string;
  /** The parameters of authorizations and of tokens that were issued. */
  readonly grants: Readonly<Record<string, string | undefined>>[];
  /** The paths of the requests. */
  readonly paths: string[];
  /** The account that logs in next. */
  account: string;
  /** Signs an access token with the key of the server. An undefined claim is left out. */
  readonly sign: (
    claims?: Readonly<Record<string, unknown>>,
    header?: { readonly alg?: string; readonly typ?: string },
  ) => Promise<string>;
  /** Replaces the key of the server. */
  readonly rotate: () => Promise<void>;
  /** Stops listening. */
  readonly stop: () => Promise<void>;
}

/** The resource whose tokens the server issues: a gateway behind a proxy with TLS. */
export const publicUrl = 'https://tools.example/';
export const mcpResource = `${publicUrl}mcp`;

const scope = 'forms:read forms:submit';

/** The registered client. */
export const client = {
  client_id: 'agent',
  redirect_uris: ['http://127.0.0.1:1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

interface Key {
  readonly kid: string;
  readonly pair: Awaited<ReturnType<typeof generateKeyPair>>;
}

/**
 * Runs `oidc-provider` on loopback until the test ends. Each authorization is granted without questions.
 *
 * @param name - servers of the same name have the same keys
 */
export async function openAuthorizationServer(name = 'own'): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = await keyOf(name, 'first');
  const opened: AuthorizationServer = {
    issuer,
    grants: [],
    paths: [],
    account: 'alice',
    sign: (claims = {}, { alg = 'RS256', typ = 'at+jwt' } = {}) =>
      new SignJWT({ iss: issuer, sub: 'alice', aud: mcpResource, exp: now() + 600, iat: now(), scope, ...claims })
        .setProtectedHeader({ alg, typ, kid: key.kid })
        .sign(key.pair.privateKey),
    async rotate() {
      key = await keyOf(name, 'second');
      await serve();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const serve = async (): Promise<void> => {
    const listener = listenerOf(await createProvider(key, opened), opened);
    server.removeAllListeners('request').on('request', listener);
  };
  await serve();
  atEnd(() => opened.stop().catch(() => undefined));
  return opened;
}

const now = (): number => Math.floor(Date.now() / 1000);

const pairs = new Map<string, Promise<Key['pair']>>();

/** The key of servers with a name, which is generated once, because that takes long. */
async function keyOf(server: string, kid: string): Promise<Key> {
  const pair = pairs.get(`${server} ${kid}`) ?? generateKeyPair('RS256', { extractable: true });
  pairs.set(`${server} ${kid}`, pair);
  return { kid, pair: await pair };
}

function listenerOf(provider: Provider, opened: AuthorizationServer): RequestListener {
  const handle = provider.callback();
  return (request, response) => {
    opened.paths.push(request.url ?? '');
    const isInteraction = request.url?.startsWith('/interaction/');
    if (!isInteraction) handle(request, response);
    else void provider.interactionFinished(request, response, { login: { accountId: opened.account }, consent: {} });
  };
}

async function createProvider({ kid, pair }: Key, { issuer, grants }: AuthorizationServer): Promise<Provider> {
  const record = ({ oidc }: ProviderContext): void => void grants.push({ ...oidc.params });
  return new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(pair.privateKey)), kid, alg: 'RS256', use: 'sig' }] },
    clients: [client],
    cookies: { keys: ['a key of cookies in tests'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          ...{ scope, audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 600 },
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: { AccessToken: 600, Grant: 600, Interaction: 600, RefreshToken: 600, Session: 600 },
    async loadExistingGrant({ oidc: { client, session, params, provider } }: ProviderContext) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(params.scope ?? '');
      grant.addResourceScope(params.resource ?? '', params.scope ?? '');
      await grant.save();
      return grant;
    },
  })
    .on('authorization.success', record)
    .on('grant.success', record);
}
