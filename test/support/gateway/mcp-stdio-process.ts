import { LiveManifest } from '../../../gateway/src/manifest.js';
import { serveStdio } from '../../../gateway/src/node/serve-stdio.js';
import { manifest, manifestOf, page } from './mcp-shop-manifest.js';

// Serves the shop's tools over stdio. The argument is the URL of the shop; SIGUSR2 changes the tools.
const live = new LiveManifest(manifest);
process.on('SIGUSR2', () => {
  live.update(manifestOf(`${page}<form toolname=new tooldescription=New action=/search></form>`, '1.1.0'));
});
await serveStdio(live, { baseUrl: process.argv[2] ?? '', allowPrivateAddresses: true, keepAlive: 50 });
