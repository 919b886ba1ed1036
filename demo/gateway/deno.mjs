import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { startProgram } from './programs.mjs';
import { openSite, port, printAddresses } from './site.mjs';

const { runInstall } = createRequire(new URL('../../test/', import.meta.url))('deno/install_api.cjs'); // returns the path of the executable
const site = await openSite();
const { hostname } = new URL(site.url);
const gateway = await startProgram(
  runInstall(),
  [
    'run',
    '--no-prompt',
    '--cached-only',
    '--no-lock',
    '--node-modules-dir=manual',
    '--unstable-no-legacy-abort',
    `--allow-net=${hostname}`,
    `--allow-read=${site.manifestFile}`,
    fileURLToPath(new URL('deno-server.js', import.meta.url)),
    site.manifestFile,
    site.url,
    String(port),
  ],
  { ready: /http:\/\/\S+/, onLine: console.log, env: { DENO_NO_UPDATE_CHECK: '1' } },
);
printAddresses({ site: site.url, gateway });
