import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { endWithTest } from '../../support/processes.js';
import { execute } from './checkout.js';
import { bothFolder, formsFolder, importsOf, listeningUrl } from './packed.js';

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

/** The size of the files in a folder, as npm counts the unpacked size of a package. */
const megabytesOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true }).reduce(
    (sum, file) => sum + (file.isFile() ? statSync(join(file.parentPath, file.name)).size / 1e6 : 0),
    0,
  );

const editors = ['ckeditor5', 'codemirror5', 'codemirror6', 'prosemirror', 'quill', 'tinymce', 'trix'].map(
  (name) => `/editors/${name}.js`,
);

describe('webmcp-forms, installed into an empty folder', () => {
  const run = (file: string, ...args: readonly string[]) => execute(file, args, { cwd: formsFolder });

  it('installs at most 31 packages and 20 MB', () => {
    const modules = join(formsFolder, 'node_modules');
    const packages = packagesIn(modules);
    assert.ok(packages.length <= 31, `${packages.length} packages: ${packages.join(', ')}`);
    const size = megabytesOf(modules);
    assert.ok(size <= 20, `${size.toFixed(1)} MB`);
  });

  it('compiles a page from the command line', async () => {
    const { stdout } = await run('npx', '--no-install', 'webmcp-forms', 'compile', 'index.html');
    assert.match(stdout, /"name": "find"/);
  });

  it('exports every entry that Node can import', async () => {
    const entries = ['', '/compiler', '/headless', '/node-fetch', '/build', '/cli', '/client', '/polyfill', ...editors];
    await run('node', '--input-type=module', '-e', importsOf(entries.map((entry) => `webmcp-forms${entry}`)));
  });
});

describe('webmcp-gateway, installed into an empty folder', () => {
  it('installs at most 42 packages and 27 MB beside webmcp-forms', () => {
    const modules = join(bothFolder, 'node_modules');
    const forms = new Set(packagesIn(join(formsFolder, 'node_modules')));
    const packages = packagesIn(modules).filter((name) => !forms.has(name));
    assert.ok(packages.length <= 42, `${packages.length} packages: ${packages.join(', ')}`);
    const size = megabytesOf(modules) - megabytesOf(join(formsFolder, 'node_modules'));
    assert.ok(size <= 27, `${size.toFixed(1)} MB`);
  });

  it('releases and serves a manifest', async () => {
    const cwd = join(bothFolder, 'released');
    mkdirSync(cwd);
    const run = (...args: readonly string[]) => execute('npx', ['--no-install', ...args], { cwd });
    const named = ['--name', 'shop', '--manifest-version', '1.0.0', '--out', 'webmcp.json'];
    await run('webmcp-forms', 'compile', ...named, '../index.html');
    assert.match((await run('webmcp-gateway', 'release', 'webmcp.json')).stdout, /^sha256-/);
    const bin = join(bothFolder, 'node_modules/webmcp-gateway/dist/cli/bin.js');
    const args = [bin, 'serve', '--base-url', 'https://shop.example/', '--port', '0', 'webmcp.json'];
    const { stderr } = endWithTest(spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] }));
    const metadata: unknown = await (await fetch(await listeningUrl(stderr))).json();
    const { name, actions } = metadata as { name: string; actions: { name: string }[] };
    assert.deepEqual([name, actions.map((action) => action.name)], ['shop', ['find']]);
  });
});
