import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { launch } from 'puppeteer-core';
import { chromiumPath } from '../tools/programs.mjs';

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
const peer = createRequire(import.meta.url)
  .resolve('@mcp-b/webmcp-polyfill')
  .replace(/[^/\\]*$/, 'index.iife.js');

const everyone = {
  none: {},
  native: { flags: ['--enable-features=WebMCP'] },
  ours: { file: dist('webmcp-forms.iife.js') },
  full: { file: dist('webmcp-forms.full.iife.js') },
  peer: { file: peer },
};

/** The contestants of these names. A contestant whose script has not been built is omitted. */
export function contestants(...names) {
  const built = names.filter((name) => !everyone[name].file || existsSync(everyone[name].file));
  return Object.fromEntries(
    built.map((name) => {
      const { file, flags = [] } = everyone[name];
      return [name, { script: file ? readFileSync(file, 'utf8') : '', flags }];
    }),
  );
}

export function launchChromium(flags) {
  const args = ['--no-sandbox', '--disable-background-networking', '--no-first-run', ...flags];
  return launch({ executablePath: chromiumPath(), args, pipe: true });
}
