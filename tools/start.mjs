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

async function buildIfStale() {
  const sources = ['src', 'elements', 'package.json', 'tools/build.mjs'].map((path) => newest(join(root, path)));
  if (existsSync(join(root, bin)) && newest(join(root, bin)) >= Math.max(...sources)) return;
  console.log('Building dist ...');
  if ((await runNode(['tools/build.mjs', '--any-size'])) !== 0) throw new Error('The build failed: see above.');
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
}

await start().catch(fail);
