import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { oneLine } from '../site/printable.js';
import { UsageError } from '../site/usage-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Finds Chromium: the path of `--chromium`, else CHROME_PATH, else the first on PATH. */
export function findChromium(flag: string | undefined, env: Environment, cwd: string): string {
  const path = flag === undefined ? env.CHROME_PATH : resolve(cwd, flag);
  if (path !== undefined && path !== '') {
    if (existsSync(path)) return path;
    const source = flag === undefined ? 'CHROME_PATH' : '--chromium';
    throw new UsageError(`${source} is ${oneLine(path)}, which does not exist. Name the executable of a Chromium.`);
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macPaths];
  const found = paths.find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new UsageError('No Chromium is on PATH. Install one, or name it with --chromium or CHROME_PATH.');
}
