import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../at-end.js';
import { createServer } from 'vite';

const config = fileURLToPath(new URL('../../../vite.config.ts', import.meta.url));

/** Each worker has its own cache, because servers replace the dependencies in a shared one. */
const cacheDir = fileURLToPath(
  new URL(`../../../.cache/vite/e2e-${process.env['VITEST_POOL_ID'] ?? ''}`, import.meta.url),
);

/** Serves the demo as `npm start` does, with a temporary database, until the tests of the file end. */
export async function openSite(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'osteria-'));
  process.env.OSTERIA_DB = join(folder, 'osteria.sqlite');
  const server = await createServer({ configFile: config, logLevel: 'error', cacheDir, server: { port: 0 } });
  await server.listen();
  atEnd(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const address = server.httpServer?.address();
  if (address === null || typeof address !== 'object') throw new Error('The demo is not served.');
  return `http://localhost:${address.port}/`;
}

/** The day after tomorrow, or the next day if that is a Monday, when the restaurant is closed. */
export function openDay(): string {
  const day = new Date(Date.now() + 2 * 86_400_000);
  if (day.getDay() === 1) day.setDate(day.getDate() + 1);
  return isoDate(day);
}

const isoDate = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

export const booking = (): Readonly<Record<string, unknown>> => ({
  ...{ date: openDay(), time: '19:30', guests: 4, area: 'terrace', name: 'Ada Lovelace', email: 'ada@example.com' },
});
