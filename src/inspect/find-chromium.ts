import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { oneLine } from '../site/report.js';
import type { Surroundings } from '../site/surroundings.js';
import { UsageError } from '../site/usage-error.js';

type Environment = NonNullable<Surroundings['env']>;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The Chromium that the caller names, else the one of CHROME_PATH, else the first on PATH. */
export function findChromium(given: string | undefined, env: Environment, cwd: string): string {
  const named = given === undefined ? env.CHROME_PATH : resolve(cwd, given);
  if (named !== undefined && named !== '') return existing(named, given === undefined ? 'CHROME_PATH' : '--chromium');
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(existsSync);
  if (found !== undefined) return found;
  throw new UsageError('no Chromium is found on PATH: install one, or name it with --chromium or CHROME_PATH');
}

function existing(path: string, source: string): string {
  if (existsSync(path)) return path;
  throw new UsageError(`${source} names ${oneLine(path)}, which does not exist: name the executable of a Chromium`);
}
