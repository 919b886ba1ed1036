import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { execute, root } from './checkout.js';
import { bothFolder, filesIn, packageFileOf, tarballs, type PackageFile } from './packed.js';

const checking = execute(process.execPath, ['tools/release/check-packages.mjs', tarballs.forms, tarballs.gateway], {
  cwd: root,
});
checking.catch(() => undefined); // a test below awaits it

const packages = [
  {
    path: join(bothFolder, 'node_modules/webmcp-forms'),
    tarball: tarballs.forms,
    allowed:
      /^(?:package\.json|LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md|dist\/.+|skills\/webmcp\/SKILL\.md|docs\/(?:concepts|guide|recipes|reference|rules)\/(?:[\w-]+\/)?[\w-]+\.md|docs\/measurements\.md)$/,
    maxBytes: 2_500_000,
  },
  {
    path: join(bothFolder, 'node_modules/webmcp-gateway'),
    tarball: tarballs.gateway,
    allowed: /^(?:package\.json|LICENSE|README\.md|dist\/.+)$/,
    maxBytes: 600_000,
  },
] as const;

/** The files that the fields of a package.json name. A star stands for the names of files. */
const targetsOf = ({ exports, bin = {}, customElements }: PackageFile): readonly string[] => [
  ...Object.values(exports).flatMap((entry) =>
    typeof entry === 'string'
      ? [entry]
      : Object.entries(entry).flatMap(([condition, target]) => (condition.startsWith('@') ? [] : [target])),
  ),
  ...Object.values(bin),
  ...(customElements ? [customElements] : []),
];

const isTarget = (target: string, file: string): boolean => {
  const [before = '', after] = target.replace(/^\.\//, '').split('*');
  return after === undefined ? file === before : file.startsWith(before) && file.endsWith(after);
};

for (const { path, tarball, allowed, maxBytes } of packages) {
  const { name } = packageFileOf(path);
  const files = filesIn(path);

  test(`${name} contains what its package.json names`, () => {
    const targets = targetsOf(packageFileOf(path));
    const missing = targets.filter((target) => !files.some((file) => isTarget(target, file)));
    assert.ok(targets.length > 0);
    assert.deepEqual(missing, []);
  });

  test(`${name} contains nothing but the build, the license and the documentation`, () => {
    assert.deepEqual(
      files.filter((file) => !allowed.test(file) || /(?:\.test\.|\.tsbuildinfo$|(?:^|\/)\.)/.test(file)),
      [],
    );
  });

  test(`${name} has declarations for every module that its declarations import`, () => {
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    const missing = declarations.flatMap((file) =>
      [...readFileSync(join(path, file), 'utf8').matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g)]
        .map(([, target = '']) => join(file, '..', `${target}.d.ts`))
        .filter((target) => !files.includes(target))
        .map((target) => `${file}: ${target}`),
    );
    assert.ok(declarations.length > 0);
    assert.deepEqual(missing, []);
  });

  test(`the tarball of ${name} has at most ${maxBytes} bytes`, () => {
    assert.ok(statSync(tarball).size <= maxBytes, String(statSync(tarball).size));
  });
}

test('webmcp-forms contains its worker threads', () => {
  const files = filesIn(join(bothFolder, 'node_modules/webmcp-forms'));
  for (const worker of ['dist/site/workers/worker.js', 'dist/lint/worker.js', 'dist/annotate/worker.js'])
    assert.ok(files.includes(worker), worker);
});

test('publint and Are The Types Wrong find no problem in the packages', async () => {
  await checking;
});
