import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { generateDocs } from './generate-docs.mjs';
import { installPackages } from './install.mjs';
import { endTogether, fail, outputOf, readOptions, root, runNode } from './run.mjs';
import { docsPlugin } from './serve-docs.mjs';
import { toolTable } from './tool-table.mjs';

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
  if (!isStale('dist/cli/bin.js', ['src', 'elements', 'package.json', 'tools/build.mjs'])) return;
  console.log('Building the scripts in dist/ ...');
  if ((await runNode(['tools/build.mjs', '--scripts'])) !== 0) throw new Error('The build failed: see above.');
}

const generatedFrom = ['docs/.vitepress/generate', 'src', 'elements', 'gateway', 'skills', 'demo/gateway/README.md'];
const projectFiles = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

async function generateDocsIfStale() {
  if (!isStale('docs/generated/api/index.md', [...generatedFrom, ...projectFiles])) return;
  console.log('Generating pages of the documentation ...');
  await generateDocs();
}

async function serve(port, generated) {
  const { createServer } = await import('vite');
  server = await createServer({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: { port },
    plugins: [docsPlugin(generated)],
  });
  await server.listen();
  return `http://localhost:${server.httpServer.address().port}/`;
}

async function start() {
  const port = chosenPort();
  endTogether(
    () => server?.close(),
    () => 0,
  );
  process.chdir(root);
  await installPackages();
  const generated = generateDocsIfStale();
  generated.catch(() => undefined); // it is awaited below
  await buildIfStale();
  const url = await serve(port, generated);
  console.log(toolTable(JSON.parse(await outputOf(['dist/cli/bin.js', 'compile', 'demo']))));
  console.log(`The demo: ${url}`);
  await generated;
  console.log(`The documentation: ${url}docs/`);
}

await start().catch(fail);
