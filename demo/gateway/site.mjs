import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, loadConfigFromFile } from 'vite';
import { compileHtml, createManifest } from 'webmcp-forms/build';

/** The pages for guests, without the back office. */
const pages = ['restaurant.html', 'menu.html', 'order.html', 'reservation.html'];

const compilePage = async (path) =>
  compileHtml(await readFile(new URL(`../${path}`, import.meta.url), 'utf8'), { path, profile: 'precise' });

async function compileSite() {
  const description = 'What guests can do on the site of Osteria Lume.';
  const options = { name: 'osteria-lume', description, version: '1.0.0', profile: 'precise' };
  return createManifest(await Promise.all(pages.map(compilePage)), options);
}

/** Starts the site like `npm start`, with the same database, on a free port. */
async function startSite(cacheDir) {
  const file = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  const { config } = await loadConfigFromFile({ command: 'serve', mode: 'development' }, file);
  const server = await createServer({
    ...config,
    configFile: false,
    cacheDir,
    logLevel: 'warn',
    clearScreen: false,
    server: { ...config.server, host: '127.0.0.1', port: 0, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  await server.listen();
  return `http://127.0.0.1:${server.httpServer.address().port}/`;
}

/** Returns the URL in the variable SITE, or starts the restaurant's site. Also returns its manifest. */
export async function openSite() {
  const folder = mkdtempSync(join(tmpdir(), 'osteria-gateway-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const manifest = await compileSite();
  const manifestFile = join(folder, 'webmcp.json');
  writeFileSync(manifestFile, JSON.stringify(manifest));
  const { SITE } = process.env;
  return { url: SITE ? new URL(SITE).href : await startSite(folder), manifest, manifestFile };
}

// Runs the 'exit' listeners, which stop everything that was started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit());

export const port = Number(process.env.PORT ?? 8787);

export function openDay() {
  const day = new Date(Date.now() + 7 * 86_400_000);
  if (day.getUTCDay() === 1) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

export function printAddresses({ site, gateway }) {
  const call = { action: 'check_availability', request: { date: openDay(), guests: 2 } };
  console.log(`Site      ${site}reservation.html`);
  console.log(`Webtools  ${gateway}`);
  console.log(`MCP       ${gateway}mcp`);
  console.log(`Try       curl -H 'content-type: application/json' -d '${JSON.stringify(call)}' ${gateway}`);
}
