import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createCapacity, createGateway, createMcpHandler } from 'webmcp-gateway';
import { createNodeFetch } from 'webmcp-gateway/node';
import { openSite, port, printAddresses } from './site.mjs';

const site = await openSite();
const options = {
  baseUrl: site.url,
  // The demo's site is on this machine. Remove both `allowPrivateAddresses` for a site on the internet.
  fetch: createNodeFetch({ allowPrivateAddresses: true }),
  allowPrivateAddresses: true,
  capacity: createCapacity(), // shared by both handlers
};
const mcp = createMcpHandler(site.manifest, options);

const app = new Hono();
app.all('/mcp', ({ req }) => mcp(req.raw));
app.mount('/', createGateway(site.manifest, options));

serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ({ port }) =>
  printAddresses({ site: site.url, gateway: `http://127.0.0.1:${port}/` }),
);
