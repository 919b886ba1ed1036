import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { execute, root } from './checkout.js';

const folder = mkdtempSync(join(tmpdir(), 'release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const checkout = join(folder, 'checkout');
const remote = join(folder, 'remote.git');
const copied = [
  ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'gateway/package.json', 'gateway/distribution', 'tools'],
  ...['test/package.json', 'test/package-lock.json', 'docs/starter/package.json'],
];

const git = (...args: readonly string[]) =>
  execute('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: checkout });

/** Links each package, because npm writes the installed versions into the folder `node_modules` itself. */
function linkPackages(folder: string): void {
  mkdirSync(join(checkout, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder)))
    if (name !== '.package-lock.json') symlinkSync(join(root, folder, name), join(checkout, folder, name));
}

/** A repository with the files that a release changes, and a remote. */
async function createCheckout(): Promise<void> {
  for (const file of copied) cpSync(join(root, file), join(checkout, file), { recursive: true });
  for (const folder of ['node_modules', 'test/node_modules']) linkPackages(folder);
  await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', ...copied);
  await git('commit', '--quiet', '--message', 'First');
  await git('remote', 'add', 'origin', remote);
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
}

const statusOf = async (): Promise<string> => (await git('status', '--short', '--untracked-files=no')).stdout;

await createCheckout();

describe('a release', () => {
  it('is rehearsed without a change of the checkout or of the remote', async () => {
    const dryRun = ['run', 'release', '--', '9.8.7', '--dry-run', '--ci'];
    const { stdout, stderr } = await execute('npm', dryRun, { cwd: checkout });
    const steps = [
      'npm test',
      'npm run build',
      'check-packages',
      'set-version.mjs 9.8.7',
      'cdn-tags',
      'npm publish --provenance',
    ];
    for (const step of [...steps, 'npm publish --workspace webmcp-gateway --provenance', 'v9.8.7'])
      assert.ok((stdout + stderr).includes(step), step);
    assert.equal(await statusOf(), '');
    assert.equal((await git('tag')).stdout, '');
  });

  it('is refused if the checkout has changes', async () => {
    await git('rm', '--quiet', '--cached', 'CHANGELOG.md');
    const release = execute('npm', ['run', 'release', '--', '9.8.7', '--dry-run', '--ci'], { cwd: checkout });
    await assert.rejects(release, /Working dir must be clean/);
    await git('reset', '--quiet');
  });

  it('sets one version in both packages, in the dependency of the gateway and in the changelog', async () => {
    await execute(process.execPath, ['tools/release/set-version.mjs', '9.8.7'], { cwd: checkout });
    const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
    const [forms, gateway] = ['package.json', 'gateway/package.json'].map(
      (file) =>
        JSON.parse(read(file)) as { readonly version: string; readonly dependencies: Readonly<Record<string, string>> },
    );
    assert.equal(forms?.version, '9.8.7');
    assert.equal(gateway?.version, '9.8.7');
    assert.equal(gateway.dependencies['webmcp-forms'], '9.8.7');
    for (const file of ['server.json', 'manifest.json'])
      assert.match(read(`gateway/distribution/${file}`), /"version": "9\.8\.7"/);
    assert.match(read('gateway/distribution/Dockerfile'), /webmcp-gateway@9\.8\.7 /);
    assert.match(read('docs/starter/package.json'), /"webmcp-forms": "\^9\.8\.7"/);
    assert.match(read('CHANGELOG.md'), /## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d\n/);
    assert.match(read('package-lock.json'), /"version": "9\.8\.7"/);
  });
});
