import { env } from 'cloudflare:workers';
import { createStorage } from 'unstorage';
import kvDriver from 'unstorage/drivers/cloudflare-kv-binding';
import { createGateway, createMcpHandler } from 'webmcp-gateway';
import manifest from './webmcp.json'; // npx webmcp-forms compile --out webmcp.json pages

const options = {
  baseUrl: env.BASE_URL,
  allowPrivateAddresses: env.ALLOW_PRIVATE === 'yes',
  sessions: createStorage({ driver: kvDriver({ binding: env.SESSIONS }) }),
};
const webtools = createGateway(manifest, options);
const mcp = createMcpHandler(manifest, options);

export default {
  fetch(request, _env, context) {
    const response = new URL(request.url).pathname === '/mcp' ? mcp(request) : webtools(request);
    context.waitUntil(response); // saves the cookies even if the client disconnects
    return response;
  },
};
