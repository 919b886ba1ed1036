import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from 'puppeteer-core';
import { chromiumPath } from '../tools/programs.mjs';

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
const peer = createRequire(new URL('../test/', import.meta.url))
  .resolve('@mcp-b/webmcp-polyfill')
  .replace(/[^/\\]*$/, 'index.iife.js');

const everyone = {
  none: {},
  native: { flags: ['--enable-features=WebMCP'] },
  ours: { file: dist('webmcp-forms.iife.js') },
  full: { file: dist('webmcp-forms.full.iife.js') },
  peer: { file: peer },
};

/** The file of the script of a contestant, and the flags of its browser. */
export const contestant = (name) => everyone[name];

/**
 * The contestants of these names, each with the tag of its script. Contestants whose scripts have not been built are
 * omitted.
 */
export function contestants(...names) {
  const built = names.filter((name) => !everyone[name].file || existsSync(everyone[name].file));
  return Object.fromEntries(
    built.map((name) => {
      const { file, flags = [] } = everyone[name];
      return [name, { tag: file ? `<script src="/scripts/${name}/${basename(file)}"></script>` : '', flags }];
    }),
  );
}

/**
 * Answers a request for the script of a contestant, or for a script that this script loads. Returns whether it
 * answered.
 */
export function answerScript({ url }, response) {
  const [, name, file] = /^\/scripts\/(\w+)\/([\w.-]+\.js)$/.exec(url) ?? [];
  if (!everyone[name]?.file) return false;
  const path = join(dirname(everyone[name].file), file);
  response.setHeader('content-type', 'text/javascript');
  response.setHeader('cache-control', 'max-age=3600');
  response.end(existsSync(path) ? readFileSync(path) : '');
  return true;
}

export function launchChromium(flags) {
  const args = ['--no-sandbox', '--disable-background-networking', '--no-first-run', ...flags];
  return launch({ executablePath: chromiumPath(), args, pipe: true });
}
