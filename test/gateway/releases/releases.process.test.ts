import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { createStorage, type Driver } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs-lite';
import memoryDriver from 'unstorage/drivers/memory';
import { builtPath } from '../../support/processes.js';
import { atEnd } from '../../support/at-end.js';
import { openStore } from '../../../gateway/src/node/stores.js';
import { listReleases, readRelease, writeRelease, type Release } from '../../../gateway/src/releases/releases.js';
import type { Storage } from '../../../gateway/src/stores/store.js';
import { failureOf } from '../../support/gateway/calls.js';
import { releaseOf } from '../../support/gateway/releases.js';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-releases-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const memory = (): Promise<Storage> => Promise.resolve(createStorage({ driver: memoryDriver() as Driver }));
const stores: Readonly<Record<string, () => Promise<Storage>>> = {
  memory,
  'a folder': async () => (await openStore(await makeFolder(), 'releases')).storage,
  'a folder of unstorage': async () => createStorage({ driver: fsDriver({ base: await makeFolder() }) as Driver }),
};

for (const [name, makeStorage] of Object.entries(stores)) {
  describe(`the releases in ${name}`, () => {
    it('are read as written and never overwritten', async () => {
      const storage = await makeStorage();
      const release = await releaseOf();
      assert.equal(await readRelease(storage, 'shop', '1.0.0'), undefined);
      assert.equal(await writeRelease(storage, release), 'written');
      assert.deepEqual(await readRelease(storage, 'shop', '1.0.0'), release);
      assert.equal(await writeRelease(storage, { ...release, released: 'later' }), 'same');
      const error = await failureOf(writeRelease(storage, await releaseOf({ action: 'x' })), 'config-error');
      assert.equal(
        error.message,
        'Version "1.0.0" of "shop" is already released with other actions. Use another version.',
      );
      assert.deepEqual(await readRelease(storage, 'shop', '1.0.0'), release);
    });

    it('are distinguished by names and versions with any characters', async () => {
      const storage = await makeStorage();
      const long = 'x'.repeat(1000);
      const names = [
        ...[
          'shop',
          'Shop',
          'SHOP',
          'a:b',
          'a/b',
          'a\\b',
          'a::b',
          'a',
          'a:',
          'a?b',
          'a$',
          '$',
          '',
          '_',
          '_5f',
          'é',
          'e\u0301',
        ],
        ...[
          '.',
          '..',
          '...',
          '../..',
          '..:..',
          'a..',
          '.a',
          'con',
          'CON',
          'nul.json',
          '\0',
          '\ud800',
          '\udfff',
          '😀',
          '__proto__',
        ],
        ...[long, `${long}y`, `${'X'.repeat(200)}`, 'x'.repeat(200), '~', '%2e', ' ', 'a ', '-', '-a', '*', '[a]'],
      ];
      const keyed = names.flatMap((name) => [
        { name, version: '1.0.0' },
        { name, version: '1.0.0-RC.1' },
      ]);
      const releases = await Promise.all([...keyed, { name: 'shop', version: '1.0.0-rc.1' }].map(releaseOf));
      for (const release of releases)
        assert.equal(await writeRelease(storage, release), 'written', release.metadata.name);
      for (const release of releases) {
        const { metadata, version } = release;
        assert.deepEqual(await readRelease(storage, metadata.name, version), release);
      }
      for (const name of names) {
        const { releases: listed, damaged } = await listReleases(storage, name);
        const own = releases.filter(({ metadata }) => metadata.name === name);
        const byVersion = (a: Release, b: Release): number => (a.version < b.version ? -1 : 1);
        assert.deepEqual([...listed].sort(byVersion), own.sort(byVersion));
        assert.deepEqual(damaged, []);
      }
      const keys = await storage.getKeys();
      assert.equal(new Set(keys.map((key) => key.toLowerCase())).size, releases.length);
    });

    it('are reported as unavailable if they are damaged', async () => {
      const storage = await makeStorage();
      const release = await releaseOf();
      await writeRelease(storage, release);
      const [key = ''] = await storage.getKeys();
      const other = await releaseOf({ action: 'other' });
      const damaged: readonly unknown[] = [
        ...['', 'x', '{', 'null', '[]', JSON.stringify(release).slice(0, -1)],
        ...[
          { ...release, hash: other.hash },
          { ...release, metadata: { ...release.metadata, actions: other.metadata.actions } },
        ],
        ...[
          { ...release, version: '2.0.0' },
          { ...release, manifest: null },
          { ...release, metadata: other.metadata },
        ],
        ...[await releaseOf({ name: 'other' }), await releaseOf({ version: '2.0.0' })],
      ];
      for (const item of damaged) {
        await storage.setItemRaw(key, typeof item === 'string' ? item : JSON.stringify(item));
        const error = await failureOf(readRelease(storage, 'shop', '1.0.0'), 'store-unavailable');
        assert.equal(error.message, 'The store of releases has a damaged version "1.0.0" of "shop". Restore it.');
        assert.deepEqual(await listReleases(storage, 'shop'), { releases: [], damaged: [key] });
        await failureOf(writeRelease(storage, release), 'store-unavailable');
      }
    });

    it('are written once by concurrent calls', async () => {
      const storage = await makeStorage();
      const releases = await Promise.all(['a', 'b', 'c'].map((action) => releaseOf({ action })));
      const outcomes = await Promise.all(
        releases.map((release) => writeRelease(storage, release).catch(({ code }: { code: string }) => code)),
      );
      const stored = await readRelease(storage, 'shop', '1.0.0');
      assert.equal(outcomes.filter((outcome) => outcome === 'written').length, 1, outcomes.join());
      assert.deepEqual(stored, releases[outcomes.indexOf('written')]);
    });
  });
}

describe('the releases of a store', () => {
  it('have unique keys', async () => {
    const storage = await memory();
    const text = fc.string({ unit: fc.constantFrom(...'aA._-:/?$%5é\ud800'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, text, async (name, version) => {
        const release = await releaseOf({ name, version });
        await writeRelease(storage, release);
        assert.deepEqual(await readRelease(storage, name, version), release);
        for (const key of await storage.getKeys()) assert.match(key, /^[a-z0-9._-]+:[a-z0-9._-]+\.json$/);
      }),
      { numRuns: 200 },
    );
  });

  it('are unavailable after a timeout', async () => {
    const driver: Driver = { ...(memoryDriver() as Driver), getItemRaw: () => new Promise(() => undefined) };
    const storage = createStorage({ driver });
    await failureOf(readRelease(storage, 'shop', '1.0.0', { timeoutMs: 20 }), 'store-unavailable');
    await failureOf(writeRelease(storage, await releaseOf(), { timeoutMs: 20 }), 'store-unavailable');
  });

  it('are not replaced by a release whose write ends after its timeout', async () => {
    const real = memoryDriver() as Driver;
    let land: () => Promise<unknown> = () => Promise.resolve();
    const driver: Driver = {
      ...real,
      setItemRaw: (key, value: string) =>
        new Promise<void>((resolve) => {
          land = async () => {
            await real.setItem?.(key, value, {});
            resolve();
          };
          if (value.includes('"late"')) return;
          void land();
        }),
      getItemRaw: (key) => real.getItem(key),
    };
    const storage = createStorage({ driver });
    const late = writeRelease(storage, await releaseOf({ action: 'late' }), { timeoutMs: 50 });
    await failureOf(late, 'store-unavailable');
    const next = writeRelease(storage, await releaseOf({ action: 'next' }));
    const refusal = failureOf(next, 'config-error');
    await Promise.race([refusal, new Promise((resolve) => setTimeout(resolve, 20))]);
    await land();
    await refusal;
    assert.equal((await readRelease(storage, 'shop', '1.0.0'))?.metadata.actions[0]?.name, 'late');
  });

  it('are complete files without temporary files', async () => {
    const folder = await makeFolder();
    const { storage } = await openStore(folder, 'releases', { isShared: true });
    const release = await releaseOf();
    await writeRelease(storage, release);
    const path = join(folder, 'releases/shop');
    assert.deepEqual(await readdir(path), ['1.0.0.json']);
    assert.deepEqual(JSON.parse(await readFile(join(path, '1.0.0.json'), 'utf8')), JSON.parse(JSON.stringify(release)));
    assert.equal((await stat(join(path, '1.0.0.json'))).mode & 0o400, 0o400);
    await writeFile(join(path, '2.0.0.json.x.draft'), '{'); // of a process that was killed
    assert.deepEqual(await listReleases(storage, 'shop'), { releases: [release], damaged: [] });
  });

  it('need no folder for reading', async () => {
    const folder = join(await makeFolder(), 'none');
    const { storage } = await openStore(folder, 'releases', { isReadOnly: true });
    assert.equal(await readRelease(storage, 'shop', '1.0.0'), undefined);
    assert.deepEqual(await listReleases(storage, 'shop'), { releases: [], damaged: [] });
    await assert.rejects(stat(folder));
  });

  it('are written once by several processes', async () => {
    const folder = await makeFolder();
    const names = ['a', 'b', 'c', 'd'];
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const argv = [builtPath('scripts/release'), folder, name];
        return (await promisify(execFile)(process.execPath, argv)).stdout;
      }),
    );
    assert.deepEqual([...outcomes].sort(), ['config-error', 'config-error', 'config-error', 'written']);
    const { storage } = await openStore(folder, 'releases');
    const release = await readRelease(storage, 'shop', '1.0.0');
    assert.equal(release?.metadata.actions[0]?.name, names[outcomes.indexOf('written')]);
  });
});
