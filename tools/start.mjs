import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { generateDocs } from './generate-docs.mjs';
import { installPackages } from './install.mjs';
import { endTogether, fail, outputOf, readOptions, root, runNode } from './run.mjs';
import { docsPlugin, openDocs } from './serve-docs.mjs';
import { openServer, startingListener } from './starting-page.mjs';
import { toolTable } from './tool-table.mjs';

/** The development server of Vite. */
let demo;

/** The current step, which the starting pages show. */
let state = 'Installing missing packages and programs';

const stateNow = () => `${state} ...`;

const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1000);

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

/** Prints a step and, every 5 seconds, how long npm start has been running. */
async function report(step, run) {
  state = step;
  console.log(stateNow());
  const timer = setInterval(() => console.log(`  ${seconds()} s`), 5000);
  await run().finally(() => clearInterval(timer));
}

const scriptSources = ['src', 'elements', 'package.json', 'tools/build.mjs'];

async function build() {
  if ((await runNode(['tools/build.mjs', '--scripts'])) !== 0) throw new Error('The build failed: see above.');
}

const buildScripts = async () =>
  isStale('dist/cli/bin.js', scriptSources) && report('Building the scripts in dist/', build);

const generatedFrom = ['docs/.vitepress/generate', 'src', 'elements', 'gateway', 'skills', 'demo/gateway/README.md'];
const projectFiles = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

const generatePages = async () =>
  isStale('docs/generated/api/index.md', [...generatedFrom, ...projectFiles]) &&
  report('Generating pages of the documentation', generateDocs);

async function openDemo(server, docs) {
  const { createServer } = await import('vite');
  demo = await createServer({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: { middlewareMode: true, ws: { server } },
    plugins: [docs],
  });
  return demo.middlewares;
}

const pages = {
  'Home page': '',
  'The demo': 'restaurant.html',
  'Watch an agent': 'agent.html',
  Playground: 'docs/playground.html',
  Documentation: 'docs/',
};

function printAddresses(title, url) {
  console.log(title);
  for (const [label, path] of Object.entries(pages)) console.log(`  ${label.padEnd(16)}${url}${path}`);
}

async function printTools() {
  console.log(toolTable(JSON.parse(await outputOf(['dist/cli/bin.js', 'compile', 'demo']))));
}

/** Serves starting pages at once, the demo after the build, and the documentation when its pages are generated. */
async function serve(server) {
  const url = `http://localhost:${server.address().port}/`;
  printAddresses('These pages open as soon as they are ready:', url);
  const built = installPackages().then(buildScripts);
  const docs = built
    .then(generatePages)
    .then(() => opened) // VitePress blocks this process while it starts
    .then(() => openDocs(server));
  docs.catch(() => undefined); // the promise is awaited below
  const opened = built.then(() => openDemo(server, docsPlugin(docs, stateNow)));
  server.on('request', startingListener(opened, stateNow));
  await opened;
  console.log(`The demo is ready after ${seconds()} s. It has these tools:`);
  await printTools();
  await docs.then(() => printAddresses(`All pages are ready after ${seconds()} s:`, url)).catch(fail);
}

async function start() {
  const port = chosenPort();
  process.chdir(root);
  const server = await openServer(port);
  endTogether(
    () => demo?.close(),
    () => 0,
  );
  await serve(server).catch((error) => {
    fail(error);
    process.exit();
  });
}

await start().catch(fail);
