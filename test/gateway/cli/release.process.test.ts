import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'vitest';
import { run } from '../../../gateway/src/cli/cli.js';
import { RedisServer, skip } from '../../support/gateway/redis-server.js';
import { Collector, makeFolder, runInProcess, toolForm, type Outcome } from '../../support/cli/running.js';

const page = (controls?: string): string => toolForm('book', controls);

/** Compiles a page in a folder to webmcp.json. */
async function compile(cwd: string, version: string, html = page(), ...flags: readonly string[]): Promise<void> {
  await writeFile(join(cwd, 'a.html'), html);
  const args = ['--name', 'shop', '--manifest-version', version, '--out', 'webmcp.json', ...flags];
  const { code, stderr } = await runInProcess(['compile', 'a.html', ...args], { cwd });
  assert.equal(code, 0, stderr);
}

const release = (cwd: string, ...flags: readonly string[]): Promise<Outcome> =>
  runInProcess(['release', 'webmcp.json', ...flags], { cwd, run });

const hash = /^sha256-[\w+/]{43}=\n$/;

describe('webmcp-gateway release', () => {
  it('writes a release once and prints its hash', async () => {
    const cwd = await makeFolder();
    await compile(cwd, '1.0.0');
    const first = await release(cwd);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, hash);
    assert.equal(first.stderr, 'webmcp-gateway: released shop 1.0.0 with 1 action in .webmcp\n');
    const file = join(cwd, '.webmcp/releases/shop/1.0.0.json');
    const text = await readFile(file, 'utf8');
    const { released, metadata, manifest } = JSON.parse(text) as Record<'released' | 'metadata' | 'manifest', never>;
    assert.ok(Math.abs(Date.parse(released) - Date.now()) < 60_000);
    assert.equal(`${(metadata as { hash: string }).hash}\n`, first.stdout);
    assert.deepEqual(manifest, JSON.parse(await readFile(join(cwd, 'webmcp.json'), 'utf8')));
    const again = await release(cwd);
    assert.deepEqual(again, {
      code: 0,
      stdout: first.stdout,
      stderr: 'webmcp-gateway: shop 1.0.0 is already released in .webmcp with the same actions\n',
    });
    assert.equal(await readFile(file, 'utf8'), text);
  });

  it('rejects other actions in a released version with the changes and the next version', async () => {
    const cases = [
      [page('<label>Other <input name="r"></label>'), '2.0.0', /1 breaking/],
      [page('<label>Words <input name="q"></label><label>More <input name="r"></label>'), '1.1.0', /1 widening/],
      [page().replace('Words', 'Text'), '1.0.1', /1 wording/],
    ] as const;
    const cwd = await makeFolder();
    await compile(cwd, '1.0.0');
    const { stdout: before } = await release(cwd);
    for (const [html, next, what] of cases) {
      await compile(cwd, '1.0.0', html);
      const { code, stdout, stderr } = await release(cwd);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^webmcp-gateway: shop 1\.0\.0 is already released with other actions, and releases never change/m,
      );
      assert.match(stderr, what);
      assert.ok(stderr.includes(`Set the version of the manifest to ${next}, and release it.\n`), stderr);
      await compile(cwd, next, html);
      assert.deepEqual((await release(cwd, '--check')).code, 1);
    }
    await compile(cwd, '1.0.0');
    assert.equal((await release(cwd, '--check')).stdout, before);
  });

  it('warns of a version step that is too small for the changes', async () => {
    const breaking = page('<label>Other <input name="r"></label>');
    const widening = page('<label>Words <input name="q"></label><label>More <input name="r"></label>');
    const cases = [
      ...[
        ['1.0.0', breaking, '1.9.9', '2.0.0'],
        ['1.0.0', widening, '1.0.1', '1.1.0'],
      ],
      ...[
        ['1.0.0', breaking, '2.0.0-rc.1', ''],
        ['1.0.0', widening, '1.1.0', ''],
        ['1.0.0', widening, '2.0.0', ''],
      ],
      ...[
        ['0.1.0', breaking, '0.1.1', '0.2.0'],
        ['0.1.0', breaking, '0.2.0', ''],
        ['0.1.0', widening, '0.1.1', ''],
      ],
      ...[
        ['1.0.0-a.1', breaking, '1.0.0-a.2', ''],
        ['2.0.0', breaking, '1.0.1', ''],
        ['1.0.0', page(), '1.0.1', ''],
      ],
    ] as const;
    for (const [before = '', html, version = '', better] of cases) {
      const cwd = await makeFolder();
      await compile(cwd, before);
      await release(cwd);
      await compile(cwd, version, html);
      const { code, stdout, stderr } = await release(cwd);
      assert.equal(code, 0, stderr);
      assert.match(stdout, hash);
      const warning =
        /^webmcp-gateway: warning: \S+ is too small a step from \S+: .*\. Use (\S+) for these changes\.$/m.exec(
          stderr,
        )?.[1];
      assert.equal(warning ?? '', better, `${before} ${version} ${stderr}`);
    }
  });

  it('lists the releases, the newest first, and reports damaged ones', async () => {
    const cwd = await makeFolder();
    const versions = ['1.0.0', '1.10.0', '1.2.0', '1.10.0-rc.1', '0.9.0', '1.10.0-rc.1.x', '1.10.0-2'];
    for (const version of versions) {
      await compile(cwd, version);
      assert.equal((await release(cwd)).code, 0);
    }
    const { code, stdout, stderr } = await release(cwd, '--list');
    const listed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/));
    assert.deepEqual([code, stderr], [0, 'webmcp-gateway: 7 releases of shop in .webmcp\n']);
    assert.deepEqual(
      listed.map(([version]) => version),
      ['1.10.0', '1.10.0-rc.1.x', '1.10.0-rc.1', '1.10.0-2', '1.2.0', '1.0.0', '0.9.0'],
    );
    for (const [, hash, date] of listed) assert.match(`${hash} ${date}`, /^sha256-\S{44} \d{4}-\S+Z$/);
    await writeFile(join(cwd, '.webmcp/releases/shop/1.2.0.json'), '{');
    const damaged = await release(cwd, '--list');
    assert.equal(damaged.code, 1);
    assert.match(
      damaged.stderr,
      /^webmcp-gateway: warning: the release shop:1\.2\.0\.json is damaged\. Restore it\.$/m,
    );
    await compile(cwd, '1.2.0');
    assert.match((await release(cwd)).stderr, /has a damaged version "1\.2\.0" of "shop"\. Restore it\.$/m);
  });

  it('checks a release without writing', async () => {
    const cwd = await makeFolder();
    await compile(cwd, '1.0.0');
    const { code, stdout, stderr } = await release(cwd, '--check');
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, 'webmcp-gateway: shop 1.0.0 is not released in .webmcp. Run webmcp-gateway release.\n');
    assert.equal((await release(cwd, '--list')).code, 0);
    assert.deepEqual((await readdir(cwd)).sort(), ['a.html', 'webmcp.json']);
    const { stdout: hash } = await release(cwd);
    assert.deepEqual(await release(cwd, '--check'), {
      code: 0,
      stdout: hash,
      stderr: 'webmcp-gateway: shop 1.0.0 is released in .webmcp with these actions\n',
    });
  });

  it('rejects another URL of a form in a released version, and reports changes that cannot be compared', async () => {
    const cwd = await makeFolder();
    await compile(cwd, '1.0.0');
    await release(cwd);
    await compile(cwd, '1.0.0', page().replace('<form', '<form action="/elsewhere"'));
    const { code, stderr } = await release(cwd);
    assert.equal(code, 1);
    assert.match(stderr, /action is "\/elsewhere" now, was empty/);
    assert.match(stderr, /shop 1\.0\.0 is already released with other actions/);
    await compile(cwd, '1.0.1', page(), '--profile', 'chromium');
    assert.match((await release(cwd)).stderr, /changes that cannot be compared/);
  });

  it('rejects invalid versions', async () => {
    const cwd = await makeFolder();
    for (const version of [
      '1',
      '1.0',
      'v1.0.0',
      '01.0.0',
      '1.0.0-',
      '1.0.0-01',
      '1.0.0 ',
      '',
      '../1.0.0',
      `1.0.${'9'.repeat(99)}`,
    ]) {
      await compile(cwd, '1.0.0');
      const file = join(cwd, 'webmcp.json');
      const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({ ...manifest, version }));
      const { code, stdout, stderr } = await release(cwd);
      assert.deepEqual([code, stdout], [2, ''], version);
      assert.match(stderr, /^webmcp-gateway: The version ".*" of webmcp\.json is not a semantic version\. .*\n$/);
    }
    await compile(cwd, '1.0.0-alpha.1+build.5');
    assert.equal((await release(cwd)).code, 0);
  });

  it('reports an unavailable store in one line without its password', async () => {
    const cwd = await makeFolder({ file: '' });
    await compile(cwd, '1.0.0');
    const stores = ['redis://u:S3CRET@127.0.0.1:1', 'redis://u:S3CRET@', 's3://u:S3CRET@x', 'memory', 'file'];
    for (const store of stores) {
      for (const flags of [[], ['--check'], ['--list']]) {
        const { code, stdout, stderr } = await release(cwd, '--store', store, ...flags);
        assert.deepEqual([code, stdout], [2, ''], `${store} ${stderr}`);
        assert.match(stderr, /^webmcp-gateway: [^\n]+\n$/);
        assert.doesNotMatch(stderr, /S3CRET|please report/);
      }
    }
    assert.equal((await release(cwd, '--check', '--list')).code, 2);
  });

  it('uses the store of the environment, with files that other users may read', async () => {
    const cwd = await makeFolder();
    await compile(cwd, '1.0.0');
    const [stdout, stderr] = [new Collector(), new Collector()];
    const context = { stdin: Readable.from([]), stdout, stderr, cwd, env: { WEBMCP_FORMS_STORE: 'store' } };
    assert.equal(await run(['release', 'webmcp.json'], context), 0);
    const { mode } = await stat(join(cwd, 'store/releases/shop/1.0.0.json'));
    assert.equal(mode & 0o777, 0o666 & ~process.umask());
  });

  it('writes releases to Redis', { skip }, async () => {
    const server = await RedisServer.start('--requirepass', 'S3CRET');
    const cwd = await makeFolder();
    await compile(cwd, '1.0.0');
    const store = server.url.replace('//', '//:S3CRET@');
    const { code, stderr } = await release(cwd, '--store', store);
    assert.deepEqual([code, stderr], [0, `webmcp-gateway: released shop 1.0.0 with 1 action in ${server.url}\n`]);
    assert.equal((await release(cwd, '--store', store)).code, 0);
    assert.match((await release(cwd, '--store', store, '--list')).stdout, /^1\.0\.0 {2}sha256-/);
    assert.deepEqual((await readdir(cwd)).sort(), ['a.html', 'webmcp.json']);
  });
});
