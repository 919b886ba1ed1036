// Builds the scripts of pages: the page script, the agent script that it loads, and a script with both.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build, parseAst } from 'vite';
import { root } from './run.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sourceOf = (name) => join(root, `src/script/${name}.ts`);

const page = 'webmcp-forms.iife.js';
const agent = 'webmcp-forms.agent.js';
const full = 'webmcp-forms.full.iife.js';

export const scriptNames = [page, agent, full];

/**
 * Imports the page script first, so that it contains the modules that both scripts use, and the agent script imports
 * these modules.
 */
const pageFirst = {
  name: 'page-first',
  transform: {
    filter: { id: sourceOf('agent') },
    handler: (code) => ({ code: `import './page.js';\n${code}`, map: null }),
  },
};

/**
 * Escapes non-ASCII characters in raw strings, which contain regular expressions. Terser escapes all other strings. A browser
 * decodes a script in the encoding of the page.
 */
const escapePatterns = {
  name: 'escape-patterns',
  transform: {
    filter: { code: 'String.raw' },
    handler: (code) => ({ code: code.replace(/String\.raw`[^`]*`/g, escaped), map: null }),
  },
};

const escaped = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** @returns {Promise<Record<string, string>>} the code of the chunks by file name */
async function bundle(entry, formats, plugins = []) {
  const [{ output }] = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [escapePatterns, ...plugins],
    define: { __VERSION__: JSON.stringify(version) },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats, name: 'webmcpForms', fileName: (_, name) => name },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true, comments: false, generatedCode: { symbols: false } },
      },
    },
  });
  return Object.fromEntries(
    output.filter(({ type }) => type === 'chunk').map(({ fileName, code }) => [fileName, code]),
  );
}

/** The import or export declaration of a chunk, with the local names of its imports or exports. */
function declarationIn(code, type) {
  const { start, end, specifiers } = parseAst(code).body.find((node) => node.type === type);
  const names = specifiers.map(({ exported, imported = exported, local }) => [imported.name, local.name]);
  return { start, end, names: new Map(names) };
}

/** The page script assigns the values that the agent script imports. See src/script/load-agent.ts. */
function pageScript(code, imported) {
  const exported = declarationIn(code, 'ExportNamedDeclaration');
  const locals = [...imported.names.keys()].map((name) => exported.names.get(name));
  return `(()=>{let $shared;${code.slice(0, exported.start)}$shared=[${locals.join()}]})();\n`;
}

/**
 * The agent script passes a function that returns its exports to the page script. An element with the name `currentScript`
 * may clobber the property of the document.
 */
function agentScript(code, imported) {
  const exported = declarationIn(code, 'ExportNamedDeclaration');
  const receive = `Reflect.get(Document.prototype,"currentScript",document)[Symbol.for("webmcp-forms.receive")]`;
  const variables = `let[${[...imported.names.values()].join()}]=$shared;`;
  const members = [...exported.names].map(([name, local]) => `${name}:${local}`);
  const body = variables + code.slice(imported.end, exported.start);
  return `${receive}("${version}",$shared=>{${body}return{${members.join()}}});\n`;
}

/**
 * Shortens code with Terser, which inlines functions that are called once. Runs in a worker, because Terser is synchronous for
 * seconds, which would block a server that serves the scripts.
 */
async function shorten(code, name) {
  const worker = new Worker(new URL('shorten.worker.mjs', import.meta.url), { workerData: code });
  const [shortened] = await once(worker, 'message');
  const [character] = /[^\0-\x7f]/u.exec(shortened) ?? [];
  if (character) throw new Error(`${name} has the character ${character}. Escape it in tools/page-scripts.mjs.`);
  return shortened;
}

/**
 * @param isShortened - whether Terser shortens the scripts, which takes most of the time
 * @returns {Promise<Record<string, string>>} the code of the scripts by file name
 */
export async function pageScripts({ isShortened = true } = {}) {
  const chunks = await bundle({ [page]: sourceOf('page'), [agent]: sourceOf('agent') }, ['es'], [pageFirst]);
  const others = Object.keys(chunks).filter((name) => name !== page && name !== agent);
  if (others.length > 0) throw new Error(`The bundler wrote ${others.join(', ')} beside ${page} and ${agent}.`);
  const imported = declarationIn(chunks[agent], 'ImportDeclaration');
  const scripts = {
    [page]: pageScript(chunks[page], imported),
    [agent]: agentScript(chunks[agent], imported),
    ...(await bundle({ [full]: sourceOf('full') }, ['iife'])),
  };
  if (!isShortened) return scripts;
  const shortened = Object.entries(scripts).map(async ([name, script]) => [name, await shorten(script, name)]);
  return Object.fromEntries(await Promise.all(shortened));
}
