import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { freePort } from '../../../../tools/ports.mjs';
import { openAuthorizationServer, publicUrl } from '../../../support/gateway/authorization-server.js';
import { openSite } from '../../../support/gateway/recording.js';
import { openGateway } from '../../../support/gateway/served.js';

const metadataPath = '/.well-known/oauth-authorization-server';

interface IssuerSite {
  readonly issuer: string;
  readonly paths: () => readonly string[];
}

/** Opens a site that serves JSON documents by path. A string is the URL of a redirect. */
async function openIssuerSite(
  t: TestContext,
  documents: (issuer: string) => Readonly<Record<string, object | string>>,
): Promise<IssuerSite> {
  const site = await openSite(({ url }, response) => {
    const found = documents(site.origin)[url];
    if (typeof found === 'string') response.writeHead(302, { location: found }).end();
    else if (found) response.end(JSON.stringify(found));
    else response.writeHead(404).end();
  });
  t.onTestFinished(() => site.close());
  return { issuer: site.origin, paths: () => site.requests.map(({ url }) => url) };
}

const failure = (message: RegExp): object => ({ code: 'config-error', message });

describe('a gateway with OAuth does not start', () => {
  it('if the authorization server does not listen', async (t) => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const message =
      /"http:\/\/127\.0\.0\.1:\d+" of --oauth-issuer cannot be used: .*\/\.well-known\/oauth-authorization-server refuses the connection\. Correct the issuer, or start/;
    await assert.rejects(openGateway(t, { oauth: { issuer }, publicUrl }), failure(message));
  });

  it('if the authorization server has no metadata', async (t) => {
    const { issuer, paths } = await openIssuerSite(t, () => ({}));
    const oauth = { issuer: `${issuer}/realms/shop` };
    await assert.rejects(
      openGateway(t, { oauth, publicUrl }),
      failure(/has the status 404; .*has the status 404; .*has the status 404/),
    );
    assert.deepEqual(paths(), [
      '/.well-known/oauth-authorization-server/realms/shop',
      '/.well-known/openid-configuration/realms/shop',
      '/realms/shop/.well-known/openid-configuration',
    ]);
  });

  it('if the metadata has another issuer, as with a missing slash', async (t) => {
    const { issuer } = await openIssuerSite(t, (own) => ({ [metadataPath]: { issuer: `${own}/` } }));
    const message = /is "http:\/\/127\.0\.0\.1:\d+\/", which has to be the same as --oauth-issuer/;
    await assert.rejects(openGateway(t, { oauth: { issuer }, publicUrl }), failure(message));
  });

  it('if the metadata redirects to another origin', async (t) => {
    const other = await openIssuerSite(t, () => ({}));
    const { issuer } = await openIssuerSite(t, () => ({ [metadataPath]: `${other.issuer}/metadata` }));
    await assert.rejects(
      openGateway(t, { oauth: { issuer }, publicUrl }),
      failure(/responds with a redirect, which is not followed/),
    );
    assert.deepEqual(other.paths(), []);
  });

  it('if the keys redirect to another origin', async (t) => {
    const other = await openIssuerSite(t, () => ({ '/jwks': { keys: [] } }));
    const { issuer } = await openIssuerSite(t, (own) => ({
      [metadataPath]: { issuer: own, jwks_uri: `${own}/jwks` },
      '/jwks': `${other.issuer}/jwks`,
    }));
    await assert.rejects(
      openGateway(t, { oauth: { issuer }, publicUrl }),
      failure(/\/jwks responds with a redirect, which is not followed/),
    );
    assert.deepEqual(other.paths(), []);
  });

  it('if the keys are missing or invalid', async (t) => {
    const without = await openIssuerSite(t, (own) => ({ [metadataPath]: { issuer: own } }));
    const invalid = await openIssuerSite(t, (own) => ({
      [metadataPath]: { issuer: own, jwks_uri: `${own}/jwks` },
      '/jwks': { no: 'keys' },
    }));
    await assert.rejects(
      openGateway(t, { oauth: { issuer: without.issuer }, publicUrl }),
      failure(/has no "jwks_uri"/),
    );
    await assert.rejects(
      openGateway(t, { oauth: { issuer: invalid.issuer }, publicUrl }),
      failure(/the keys at http.*\/jwks are invalid/),
    );
  });

  it('if the authorization server does not respond', async (t) => {
    const site = await openSite(() => undefined);
    t.onTestFinished(() => site.close());
    const oauth = { issuer: site.origin, responseTimeout: 50 };
    await assert.rejects(openGateway(t, { oauth, publicUrl }), failure(/does not respond in 0\.05 s/));
  });

  it('if the authorization server has a private address and private addresses are not allowed', async (t) => {
    const { issuer, paths } = await openAuthorizationServer();
    const options = { baseUrl: 'https://shop.example/', allowPrivateAddresses: false, oauth: { issuer }, publicUrl };
    await assert.rejects(
      openGateway(t, options),
      failure(/private or loopback address\. Allow it with --allow-private/),
    );
    assert.deepEqual(paths, []);
  });

  const wrongOptions: readonly (readonly [string, object, RegExp])[] = [
    [
      'the issuer is not encrypted',
      { issuer: 'http://auth.example' },
      /the issuer is not encrypted\. Use https in --oauth-issuer/,
    ],
    [
      'the issuer is not a URL',
      { issuer: 'auth.example' },
      /the issuer "auth\.example" is not an absolute URL with https/,
    ],
    ['the issuer has a query', { issuer: 'https://auth.example/?a' }, /the issuer has a query or a fragment/],
    ['the public URL is not encrypted', { publicUrl: 'http://tools.example' }, /the public URL is not encrypted/],
    [
      'the public URL has credentials',
      { publicUrl: 'https://u:S3CRET@tools.example' },
      /has credentials\. Remove them/,
    ],
    ['a scope has a space', { readScope: 'a b' }, /the scope "a b" is empty, or contains characters other than/],
    ['the audience is empty', { audience: '' }, /the audience of tokens is empty/],
  ];
  for (const [name, options, message] of wrongOptions) {
    it(`if ${name}`, async (t) => {
      const { publicUrl: url = publicUrl, ...oauth } = { issuer: 'https://auth.example', ...options };
      await assert.rejects(openGateway(t, { oauth, publicUrl: url }), failure(message));
    });
  }
});
