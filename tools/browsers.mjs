import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const onPath = (...names) =>
  names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name))).find(existsSync);

const firstOf = (...paths) => paths.find(existsSync);

export const chromiumPath = () =>
  process.env.CHROME_PATH ??
  onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  firstOf(
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  );

export const firefoxPath = () =>
  process.env.FIREFOX_PATH ??
  onPath('firefox-esr', 'firefox') ??
  firstOf('/Applications/Firefox.app/Contents/MacOS/firefox');

export const webkitDriverPath = () => process.env.WEBKIT_DRIVER ?? onPath('WebKitWebDriver');

/** GNU parallel, for the tests of docs/scale.md. */
export const parallelPath = () => onPath('parallel');

/**
 * Redis, for the tests of the gateway's stores. It is one program of many names, and Debian has it without a service that
 * is started when it is installed: started as redis-server, it is the server.
 */
export const redisPath = () => onPath('redis-server', 'redis-check-rdb');

export const xvfbPath = () => onPath('Xvfb');

/** WebKitGTK's own small browser, which lies beside the library and not on PATH. */
export function miniBrowserPath() {
  if (process.env.WEBKIT_BROWSER || !existsSync('/usr/lib')) return process.env.WEBKIT_BROWSER;
  const folders = ['.', ...readdirSync('/usr/lib').filter((folder) => folder.includes('-linux-'))];
  const apis = ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'];
  return firstOf(...folders.flatMap((folder) => apis.map((api) => join('/usr/lib', folder, api, 'MiniBrowser'))));
}

const chromium = { isHere: () => !!chromiumPath(), packages: ['chromium'], variable: 'CHROME_PATH' };

/** What the browser tests can run in, how to see that it is here, and what Debian calls it. */
export const engines = {
  chromium: { label: 'Chromium', ...chromium },
  webmcp: { label: 'Chromium+WebMCP', ...chromium },
  firefox: { label: 'Firefox', isHere: () => !!firefoxPath(), packages: ['firefox-esr'], variable: 'FIREFOX_PATH' },
  webkit: {
    label: 'WebKitGTK',
    isHere: () => !!webkitDriverPath() && !!miniBrowserPath() && !!(process.env.DISPLAY || xvfbPath()),
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
    variable: 'WEBKIT_DRIVER',
  },
};

/** The engines that ENGINES names, separated by commas; all of them without it. */
export function wantedEngines(list = process.env.ENGINES) {
  const wanted = list ? list.split(',').map((name) => name.trim()) : Object.keys(engines);
  const unknown = wanted.filter((name) => !Object.hasOwn(engines, name));
  if (unknown.length === 0) return wanted;
  throw new Error(`ENGINES names ${unknown.join(', ')}; it takes any of ${Object.keys(engines).join(', ')}.`);
}

export const missingEngines = (wanted) => wanted.filter((name) => !engines[name].isHere());
