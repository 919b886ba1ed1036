// @module-tag long
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { describe, it } from 'vitest';
import { mcpResource, openAuthorizationServer, publicUrl } from '../../../support/gateway/authorization-server.js';
import { modes } from '../../../support/gateway/mcp-clients.js';
import { connectAuthorized, OAuthMemory } from '../../../support/gateway/oauth-client.js';
import { openGateway } from '../../../support/gateway/served.js';

for (const [name, mode] of Object.entries(modes)) {
  describe(`the official client with OAuth, ${name}`, () => {
    it('discovers the authorization server, is authorized with PKCE for the resource, and requests another scope', async (t) => {
      const server = await openAuthorizationServer();
      const { port, site } = await openGateway(t, {
        oauth: { issuer: server.issuer },
        publicUrl,
      });
      const memory = new OAuthMemory();
      const { client, authorized } = await connectAuthorized(t, port, mode, memory);
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name).sort(), ['find', 'order']);
      const found = await client.callTool({ name: 'find', arguments: { q: 'tea' } });
      assert.equal(found.isError ?? false, false);
      assert.equal(site.requests.length, 1);
      assert.equal(decodeJwt(memory.stored?.access_token ?? '').scope, 'forms:read');
      const ordered = await authorized(() => client.callTool({ name: 'order', arguments: { what: 'tea' } }));
      assert.equal(ordered.isError ?? false, false);
      assert.equal(site.requests.filter(({ method }) => method === 'POST').length, 1);
      assert.deepEqual(memory.scopes, ['forms:read offline_access', 'forms:read forms:submit offline_access']);
      const [authorization, token] = server.grants;
      assert.deepEqual([authorization?.resource, token?.resource], [mcpResource, mcpResource]);
      assert.deepEqual([authorization?.code_challenge_method, token?.grant_type], ['S256', 'authorization_code']);
    });

    it('refreshes a token that has expired, without its user', async (t) => {
      const server = await openAuthorizationServer();
      const { port } = await openGateway(t, { oauth: { issuer: server.issuer }, publicUrl });
      const memory = new OAuthMemory();
      const { client } = await connectAuthorized(t, port, mode, memory);
      const expired = await server.sign({ exp: 1 });
      memory.stored = { ...memory.stored, access_token: expired, token_type: 'Bearer' };
      await client.listTools();
      assert.notEqual(memory.stored.access_token, expired);
      assert.equal(server.grants.at(-1)?.grant_type, 'refresh_token');
      assert.equal(memory.scopes.length, 1);
    });
  });
}
