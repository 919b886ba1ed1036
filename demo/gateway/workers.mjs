import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { openSite, port, printAddresses } from './site.mjs';

const { Miniflare } = createRequire(new URL('../../test/', import.meta.url))('miniflare');

/** Bundles the worker with its imports, like `wrangler deploy`. */
async function bundle(manifestFile) {
  const { output } = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    resolve: { alias: { './webmcp.json': manifestFile } },
    ssr: { target: 'webworker', noExternal: true },
    build: {
      write: false,
      ssr: fileURLToPath(new URL('worker.js', import.meta.url)),
      target: 'es2022',
      minify: true,
      rolldownOptions: { external: /^cloudflare:/, output: { codeSplitting: false } },
    },
  });
  return output[0].code;
}

const site = await openSite();
const script = await bundle(site.manifestFile);
const workers = new Miniflare({
  modules: true,
  script,
  compatibilityDate: '2025-05-05',
  host: '127.0.0.1',
  port,
  bindings: { BASE_URL: site.url, ALLOW_PRIVATE: 'yes' },
  kvNamespaces: ['SESSIONS'],
});
const { href } = await workers.ready;
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(`Worker    ${kilobytes(script.length)}, ${kilobytes(gzipSync(script).length)} compressed`);
printAddresses({ site: site.url, gateway: href });
