import assert from 'node:assert/strict';
import type { Flow } from '../flows.js';
import { freePort } from '../../../tools/ports.mjs';
import { responds, startServer } from '../server.js';

/** Serves a folder with PHP, with four workers, until the tests of the file end. Returns the URL of the folder. */
export async function servePhp(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const all = { sendmail_path: '/bin/true', 'opcache.enable_cli': '1', ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-d', `${name}=${value}`]);
  await startServer('php', [...options, '-S', new URL(url).host, '-t', folder], {
    env: { PHP_CLI_SERVER_WORKERS: '4', ...env },
    isReady: () => responds(`${url}webmcp/webmcp-forms.iife.js`),
  });
  return url;
}

/** Expects that the gateway hides nothing in the URL of the response: it has no secrets. */
export const hasPlainUrl =
  (expected: RegExp): Flow['check'] =>
  ({ value }, { session }) => {
    if (session) assert.match((value as { readonly url: string }).url, expected);
  };
