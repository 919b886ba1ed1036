import { createGateway, createMcpHandler } from 'webmcp-gateway';

const [manifestFile, baseUrl, port] = Deno.args;
const manifest = JSON.parse(await Deno.readTextFile(manifestFile));
const options = { baseUrl, allowPrivateAddresses: true }; // the demo's site is on this machine; remove this for a site on the internet
const webtools = createGateway(manifest, options);
const mcp = createMcpHandler(manifest, options);

Deno.serve({ port: Number(port), hostname: '127.0.0.1' }, (request) =>
  new URL(request.url).pathname === '/mcp' ? mcp(request) : webtools(request),
);
