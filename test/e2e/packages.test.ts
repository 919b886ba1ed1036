import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { endWithTest } from '../processes.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'packages-'));
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const page =
  '<!doctype html><title>Shop</title><form toolname="find" tooldescription="Finds books." toolautosubmit action="/find">' +
  '<label>Words <input name="q" required></label><button>Find</button></form>';

interface Install {
  readonly cwd: string;
  readonly run: (
    file: string,
    ...args: readonly string[]
  ) => Promise<{ readonly stdout: string; readonly stderr: string }>;
}

const npm = (cwd: string, ...args: readonly string[]) =>
  execute('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });

/** Packs both packages as they would be published. */
async function pack(): Promise<{ readonly forms: string; readonly gateway: string }> {
  const { stdout } = await npm(root, 'pack', '--silent', '--pack-destination', folder, '.', './gateway');
  const [forms = '', gateway = ''] = stdout.trim().split('\n');
  return { forms: join(folder, forms), gateway: join(folder, gateway) };
}

/** Installs tarballs into an empty folder. */
async function install(...tarballs: readonly string[]): Promise<Install> {
  const cwd = await mkdtemp(join(folder, 'installed-'));
  await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(cwd, 'install', ...tarballs);
  await writeFile(join(cwd, 'index.html'), page);
  return { cwd, run: (file, ...args) => execute(file, args, { cwd }) };
}

/** The packages below a node_modules folder, nested ones too. */
function packagesIn(modules: string): readonly string[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  const paths = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name],
  );
  return paths.flatMap((path) => {
    const nested = join(modules, path, 'node_modules');
    return [path, ...(existsSync(nested) ? packagesIn(nested) : [])];
  });
}

const megabytesOf = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, file) => sum + lstatSync(join(path, file)).size / 1e6,
    0,
  );

const editors = ['ckeditor5', 'codemirror5', 'codemirror6', 'prosemirror', 'quill', 'tinymce', 'trix'].map(
  (name) => `/editors/${name}.js`,
);

const importsOf = (entries: readonly string[]): string =>
  entries
    .map((entry) => `if (Object.keys(await import('${entry}')).length === 0) throw new Error('${entry}');`)
    .join('\n');

describe('the published packages', () => {
  let tarballs: Awaited<ReturnType<typeof pack>>;
  beforeAll(async () => (tarballs = await pack()));

  describe('webmcp-forms, installed into an empty folder', () => {
    let installed: Install;
    beforeAll(async () => (installed = await install(tarballs.forms)));

    it('installs at most 45 packages and 25 MB', () => {
      const modules = join(installed.cwd, 'node_modules');
      const packages = packagesIn(modules);
      assert.ok(packages.length <= 45, `${packages.length} packages: ${packages.join(', ')}`);
      const size = megabytesOf(modules);
      assert.ok(size <= 25, `${size.toFixed(1)} MB`);
    });

    it('compiles a page from the command line', async () => {
      const { stdout } = await installed.run('npx', '--no-install', 'webmcp-forms', 'compile', 'index.html');
      assert.match(stdout, /"name": "find"/);
    });

    it('exports every entry that Node can import', async () => {
      const entries = ['', '/compiler', '/headless', '/build', '/cli', '/client', '/polyfill', ...editors];
      await installed.run(
        'node',
        '--input-type=module',
        '-e',
        importsOf(entries.map((entry) => `webmcp-forms${entry}`)),
      );
    });
  });

  describe('webmcp-gateway, installed into an empty folder', () => {
    let installed: Install;
    beforeAll(async () => (installed = await install(tarballs.forms, tarballs.gateway)));

    it('exports every entry that Node can import', async () => {
      await installed.run('node', '--input-type=module', '-e', importsOf(['webmcp-gateway', 'webmcp-gateway/node']));
    });

    it('releases and serves a manifest', async () => {
      const { run, cwd } = installed;
      const named = ['--name', 'shop', '--manifest-version', '1.0.0', '--out', 'webmcp.json'];
      await run('npx', '--no-install', 'webmcp-forms', 'compile', ...named, 'index.html');
      const { stdout } = await run('npx', '--no-install', 'webmcp-gateway', 'release', 'webmcp.json');
      assert.match(stdout, /^sha256-/);
      const bin = join(cwd, 'node_modules/webmcp-gateway/dist/cli/bin.js');
      const args = [bin, 'serve', '--base-url', 'https://shop.example/', '--port', '0', 'webmcp.json'];
      const { stderr } = endWithTest(spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] }));
      let log = '';
      for await (const chunk of stderr) {
        log += String(chunk);
        const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(log)?.[0];
        if (url === undefined) continue;
        const { name, actions } = (await (await fetch(url)).json()) as { name: string; actions: { name: string }[] };
        assert.deepEqual([name, actions.map((action) => action.name)], ['shop', ['find']]);
        return;
      }
      assert.fail(`The gateway did not start: ${log}`);
    });
  });
});
