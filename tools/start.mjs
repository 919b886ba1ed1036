import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './install.mjs';
import { endTogether, fail, outputOf, readOptions, root, runNode } from './run.mjs';
import { toolTable } from './tool-table.mjs';

const bin = 'dist/cli/bin.js';
let server;

function chosenPort() {
  const { port } = readOptions({ port: { type: 'string', default: '5173' } }, 'npm start [-- --port N]');
  if (/^\d+$/.test(port) && Number(port) <= 65535) return Number(port);
  throw new Error(`--port takes a number from 0 to 65535, not "${port}".`);
}

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale(result, sources) {
  const newestSource = Math.max(...sources.map((path) => newest(join(root, path))));
  return !existsSync(join(root, result)) || newest(join(root, result)) < newestSource;
}

async function buildIfStale() {
  if (!isStale(bin, ['src', 'elements', 'package.json', 'tools/build.mjs'])) return;
  console.log('Building dist ...');
  if ((await runNode(['tools/build.mjs', '--any-size'])) !== 0) throw new Error('The build failed: see above.');
}

/** Builds the documentation while the demo is served already. */
async function buildDocsIfStale() {
  if (!isStale('docs-dist/index.html', ['docs', 'src', 'elements'])) return;
  const code = await runNode(['tools/docs.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) console.error('The documentation could not be built. See the errors above.');
}

async function serve(port) {
  const { createServer } = await import('vite');
  server = await createServer({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: { port },
  });
  await server.listen();
  console.log(`http://localhost:${server.httpServer.address().port}/`);
}

async function start() {
  const port = chosenPort();
  endTogether(
    () => server?.close(),
    () => 0,
  );
  process.chdir(root);
  await installPackages();
  await buildIfStale();
  console.log(toolTable(JSON.parse(await outputOf([bin, 'compile', 'demo']))));
  await serve(port);
  await buildDocsIfStale();
}

await start().catch(fail);
