import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { LiveManifest } from '../../../gateway/src/live-manifest.js';
import { createMcpServer } from '../../../gateway/src/mcp/index.js';
import { manifest, manifestOf, page } from './mcp-shop.js';

// Serves the shop's tools over stdio. The argument is the URL of the shop; SIGUSR2 changes the tools.
const live = new LiveManifest(manifest);
process.on('SIGUSR2', () => {
  live.update(manifestOf(`${page}<form toolname=new tooldescription=New action=/search></form>`, '1.1.0'));
});
const server = createMcpServer(live, { baseUrl: process.argv[2] ?? '', allowPrivateAddresses: true });
await server.connect(new StdioServerTransport());
