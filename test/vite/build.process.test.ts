import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { Plugin, Rollup } from 'vite';
import type { Manifest } from '../../src/build.js';
import { webmcpForms } from '../../src/vite/index.js';
import { makeFolder, runInProcess, toolForm } from '../support/cli/running.js';
import { createSite } from '../../src/vite/site.js';
import { until } from '../support/until.js';
import { build, change, configOf, majors, makeSite, toolsOf } from '../support/vite/sites.js';

const read = async (root: string, path = 'dist/webmcp.json'): Promise<string> => readFile(join(root, path), 'utf8');
const tools = (text: string) => toolsOf(JSON.parse(text) as Manifest);

/** The tools in the output of a watcher; empty while Vite is writing the file. */
const toolsOnDisk = async (root: string) => {
  try {
    return tools(await read(root));
  } catch {
    return {};
  }
};
const shopTools = { 'help.html': ['ask'], 'index.html': ['find_books'], 'shop/order.html': ['order_book'] };
const broken =
  '<!doctype html>\n<p>Order</p>\n<form toolname="order book" tooldescription="d"><button>Go</button></form>';

const validating = "import { validate } from 'virtual:webmcp-forms/validators';\nglobalThis.validate = validate;";

const latePage = (name: string, path: string): Plugin => ({
  name,
  apply: 'build',
  async closeBundle() {
    await writeFile(path, toolForm('late'));
  },
});

for (const [name, vite] of majors) {
  describe(`webmcpForms in a build of ${name}`, () => {
    it(`${name}: the manifest of a build is the output of webmcp-forms compile for the output folder`, async () => {
      const root = await makeSite({
        'public/.draft.html': toolForm('draft'),
        'public/.well-known/a.html': toolForm('a'),
      });
      await build(vite, root, { options: { profile: 'portable', inject: true, link: 'webmcp' } });
      const { stdout } = await runInProcess(['compile', '--profile', 'portable', join(root, 'dist')], { cwd: root });
      assert.equal(await read(root), stdout);
      assert.deepEqual(tools(stdout), shopTools);
      const { name, version, description, profile } = JSON.parse(stdout) as Manifest;
      assert.deepEqual(
        { name, version, description, profile },
        {
          name: 'shop',
          version: '1.2.3',
          description: '',
          profile: 'portable',
        },
      );
    });

    it(`${name}: the manifest has the pages of the public folder with each extension`, async () => {
      const root = await makeSite({ 'public/old.htm': toolForm('old'), 'public/strict.XHTML': toolForm('strict') });
      await build(vite, root, {});
      const { stdout } = await runInProcess(['compile', join(root, 'dist')], { cwd: root });
      assert.equal(await read(root), stdout);
      assert.deepEqual(tools(stdout), { ...shopTools, 'old.htm': ['old'], 'strict.XHTML': ['strict'] });
    });

    it(`${name}: the options set the metadata and the paths of the manifest`, async () => {
      const root = await makeSite();
      const options = { name: 'n', description: 'd', version: '9.9.9', sensitive: 'include' } as const;
      const manifest = ['/tools.json', '.well-known/webmcp.json'];
      await build(vite, root, { options: { ...options, manifest } });
      const text = await read(root, 'dist/tools.json');
      assert.equal(await read(root, 'dist/.well-known/webmcp.json'), text);
      assert.match(text, /"name": "n",\n {2}"description": "d",\n {2}"version": "9.9.9"[^]*"sensitive": "include"/);
      assert.ok(!existsSync(join(root, 'dist/webmcp.json')));
    });

    it(`${name}: include and exclude select the pages of the manifest`, async () => {
      const root = await makeSite();
      await build(vite, root, { options: { include: ['**/*.html'], exclude: 'shop/**' } });
      assert.deepEqual(Object.keys(tools(await read(root))), ['help.html', 'index.html']);
    });

    it(`${name}: the manifest has the pages that other plugins emit, change, or write in closeBundle`, async () => {
      const root = await makeSite();
      const generator: Plugin = {
        name: 'generator',
        transformIndexHtml: (html) => html.replace('find_books', 'find_magazines'),
        generateBundle(_, bundle) {
          if (!('index.html' in bundle)) throw new Error('The test requires this plugin to run after the HTML plugin.');
          this.emitFile({ type: 'asset', fileName: 'made/page.html', source: toolForm('made') });
        },
        enforce: 'post',
      };
      await build(vite, root, { plugins: [generator, latePage('late', join(root, 'dist/late.html'))] });
      assert.deepEqual(tools(await read(root)), {
        ...shopTools,
        'index.html': ['find_magazines'],
        'late.html': ['late'],
        'made/page.html': ['made'],
      });
      assert.equal(await read(root), (await runInProcess(['compile', 'dist'], { cwd: root })).stdout);
    });

    it(`${name}: a build with write: false has the manifest in its bundle`, async () => {
      const root = await makeSite();
      const { files } = await build(vite, root, { config: { build: { write: false } } });
      assert.deepEqual(tools(files['webmcp.json'] ?? ''), shopTools);
      assert.ok(!existsSync(join(root, 'dist')));
    });

    it(`${name}: a warning about an author mistake has its place in the source and a code frame`, async () => {
      const root = await makeSite({ 'shop/order.html': broken });
      const logs: Rollup.RollupLog[] = [];
      const onwarn = (log: Rollup.RollupLog) => void logs.push(log);
      await build(vite, root, { config: { build: { rollupOptions: { onwarn } } }, options: { link: 'webmcp' } });
      const [log] = logs.filter(({ pluginCode }) => pluginCode === 'invalid-tool-name');
      assert.equal(log?.id, join(root, 'shop/order.html'));
      assert.deepEqual(log.loc, { file: join(root, 'shop/order.html'), line: 3, column: 0 });
      assert.match(log.frame ?? '', /^2 \| <p>Order<\/p>\n3 \| <form toolname="order book".*\n {2}\| \^$/m);
      const { warnings } = await build(vite, root);
      const warning = warnings.find((text) => text.includes('invalid-tool-name')) ?? '';
      assert.match(warning, /shop\/order\.html(?::3:1 | \(3:0\): )invalid-tool-name: /);
      assert.ok(warning.includes('3 | <form toolname="order book"'), warning);
    });

    it(`${name}: strict fails a build with an error, but not with a warning`, async () => {
      const root = await makeSite({ 'shop/order.html': broken });
      await assert.rejects(build(vite, root, { options: { strict: true } }), (error: Error) => {
        assert.match(error.message, /invalid-tool-name: /);
        assert.ok(!existsSync(join(root, 'dist/webmcp.json')));
        return true;
      });
      const undescribed = toolForm('order_book', '<input name=copies>');
      const { warnings } = await build(vite, await makeSite({ 'shop/order.html': undescribed }), {
        options: { strict: true },
      });
      assert.ok(warnings.some((text) => text.includes('missing-parameter-description')));
    });

    it(`${name}: strict fails a build with an error in a page that is written in closeBundle`, async () => {
      const root = await makeSite();
      const late: Plugin = { name: 'late', closeBundle: () => writeFile(join(root, 'dist/late.html'), broken) };
      await assert.rejects(build(vite, root, { plugins: [late], options: { strict: true } }), /invalid-tool-name/);
    });

    it(`${name}: a page that is not text is skipped with a warning`, async () => {
      const root = await makeSite({ 'public/binary.html': Uint8Array.of(0xe4, 0x00) });
      const { warnings } = await build(vite, root);
      assert.ok(
        warnings.some((text) => /binary\.html: The page has null characters/.test(text)),
        warnings.join('\n'),
      );
      assert.deepEqual(tools(await read(root)), shopTools);
      await assert.rejects(build(vite, root, { options: { strict: true } }), /The page has null characters/);
    });

    it(`${name}: a library and a server build have no manifest`, async () => {
      const root = await makeSite({ 'lib.js': 'export const one = 1;' });
      const entry = join(root, 'lib.js');
      const config = configOf(vite, root, {}, []);
      await vite.build({ ...config, build: { ssr: entry, outDir: 'dist-server', copyPublicDir: false } });
      await vite.build({
        ...config,
        build: { lib: { entry, formats: ['es'], fileName: 'lib' }, outDir: 'dist-lib', copyPublicDir: false },
      });
      assert.ok(existsSync(join(root, 'dist-lib/lib.js')));
      assert.ok(existsSync(join(root, 'dist-server/lib.js')));
      assert.ok(!existsSync(join(root, 'dist-server/webmcp.json')));
      assert.ok(!existsSync(join(root, 'dist-lib/webmcp.json')));
    });

    it(`${name}: only the client environment of an application has a manifest`, async () => {
      const root = await makeSite({ 'server.js': 'export const one = 1;' });
      const config = configOf(vite, root, {}, []);
      const builder = await vite.createBuilder({
        ...config,
        environments: {
          client: { build: { outDir: 'dist/client' } },
          ssr: { build: { outDir: 'dist/server', rollupOptions: { input: join(root, 'server.js') } } },
        },
        builder: { sharedPlugins: true },
      });
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
      assert.deepEqual(tools(await read(root, 'dist/client/webmcp.json')), shopTools);
      assert.ok(existsSync(join(root, 'dist/server')));
      assert.ok(!existsSync(join(root, 'dist/server/webmcp.json')));
    });

    it(`${name}: watch mode updates the manifest when a page changes`, async () => {
      const root = await makeSite();
      const watcher = (await watch(vite, root)) as Rollup.RollupWatcher;
      try {
        await until(async () => 'index.html' in (await toolsOnDisk(root)));
        const page = await read(root, 'shop/order.html');
        await new Promise((resolve) => setTimeout(resolve, 300));
        await change(root, { 'shop/order.html': page.replace('order_book', 'order_map') });
        await until(async () => JSON.stringify(await toolsOnDisk(root)).includes('order_map'));
        await until(async () => String((await toolsOnDisk(root))['index.html']) === 'find_books');
      } finally {
        await watcher.close();
      }
    });

    it(`${name}: one plugin instance works in two concurrent builds`, async () => {
      const roots = await Promise.all([makeSite(), makeSite({ 'main.js': validating })]);
      const plugin = webmcpForms({ inject: true, validators: true, link: 'webmcp' });
      const configs = roots.map((root, index) => ({
        ...configOf(vite, root, {}, []),
        plugins: [plugin],
        base: `/b${index}/`,
        build: {
          rollupOptions: { input: join(root, 'index.html') },
          assetsDir: `a${index}`,
          outDir: `out${index}`,
        },
      }));
      await Promise.all(configs.map((config) => vite.build(config)));
      for (const [index, root] of roots.entries()) {
        const html = await read(root, `out${index}/index.html`);
        const [, src = ''] = new RegExp(`<script src="/b${index}/(a${index}/[^"]+)"`).exec(html) ?? assert.fail(html);
        assert.ok(existsSync(join(root, `out${index}`, src)));
        assert.ok(html.includes(`href="/b${index}/webmcp.json"`));
        assert.deepEqual(tools(await read(root, `out${index}/webmcp.json`))['index.html'], ['find_books']);
      }
    });

    it(`${name}: the manifest omits pages in folders that the command line skips`, async () => {
      const root = await makeSite({ 'server.html': '<p>' });
      const plugins: Plugin[] = [
        {
          name: 'late',
          writeBundle: () => change(root, { 'out/node_modules/a.html': toolForm('other') }),
        },
      ];
      const config = {
        publicDir: false,
        build: { outDir: 'out', rollupOptions: { input: join(root, 'main.js') } },
      } as const;
      await vite.build({ ...configOf(vite, root, { plugins }, []), ...config });
      assert.ok(!existsSync(join(root, 'out/webmcp.json')));
    });

    it(`${name}: two plugin instances work in one build`, async () => {
      const root = await makeSite();
      const other = webmcpForms({ manifest: 'portable.json', profile: 'portable', inject: true });
      await build(vite, root, { plugins: other, options: { inject: true } });
      assert.equal((JSON.parse(await read(root, 'dist/portable.json')) as Manifest).profile, 'portable');
      assert.equal((JSON.parse(await read(root)) as Manifest).profile, 'precise');
      const html = await read(root, 'dist/index.html');
      assert.equal(html.match(/webmcp-forms\.iife/g)?.length, 1);
      assert.ok(html.includes('form:is(:tool-form-active,') && !html.includes(':is(:is('));
    });
  });
}

async function watch(vite: typeof import('vite'), root: string): Promise<unknown> {
  return vite.build({ ...configOf(vite, root, { config: { build: { watch: {} } } }, []) });
}

describe('webmcpForms', () => {
  it('webmcpForms rejects a path that is not the path of a file below the base URL', () => {
    for (const manifest of ['', '/', '../webmcp.json', 'a//b', 'a/', ['ok', './x'], 'a?b']) {
      assert.throws(
        () => webmcpForms({ manifest }),
        /^TypeError: webmcpForms: manifest is not the path of a file below the base URL/,
      );
    }
    assert.throws(() => webmcpForms({ validators: { file: '../x' } }), TypeError);
  });
});

it('the manifest escapes control characters as the command line does', async () => {
  const html = toolForm('a', '<label>x\u2028y\u202ez\u009b<input name=q></label>');
  const cwd = await makeFolder({ 'a\u202e.html': html });
  const site = createSite({});
  const { page } = await site.compile('a\u202e.html', html, undefined);
  const { stdout } = await runInProcess(['compile', '.'], { cwd });
  assert.equal(await site.manifestText([page], cwd), stdout);
  assert.match(stdout, /\\u202e\.html/);
});
