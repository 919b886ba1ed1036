import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { onTestFinished, test } from 'vitest';

const suite = new URL('../conformance/', import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, suite), 'utf8'));
const isValid = new Ajv2020({ strict: false, allErrors: true }).compile(read('case.schema.json') as object);

const files = ['tools', 'calls'].flatMap((kind) =>
  readdirSync(new URL(`cases/${kind}/`, suite)).map((file) => `cases/${kind}/${file}`),
);

for (const file of files) {
  test(`${file} of the conformance suite is valid, and its names are unique`, () => {
    const content = read(file);
    assert.ok(isValid(content), JSON.stringify(isValid.errors));
    const names = (content as { cases: { name: string }[] }).cases.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });
}

test('the conformance suite can be copied alone: its licence is in its folder, and its README links no other folder', () => {
  const text = (url: URL): string => readFileSync(url, 'utf8');
  assert.equal(text(new URL('LICENSE', suite)), text(new URL('../../LICENSE', suite)));
  assert.doesNotMatch(text(new URL('README.md', suite)), /\]\(\.\.\//);
});

test('the server of the conformance suite listens on loopback only', async () => {
  const { startServer } = (await import(new URL('server.mjs', suite).href)) as { startServer: () => Promise<Server> };
  const server = await startServer();
  onTestFinished(() => void server.close());
  assert.equal((server.address() as AddressInfo).address, '127.0.0.1');
});

test('the README of the conformance suite has the numbers of its cases', () => {
  const text = readFileSync(new URL('README.md', suite), 'utf8');
  for (const kind of ['tools', 'calls']) {
    const mine = files.filter((file) => file.includes(`/${kind}/`));
    const count = mine.reduce((sum, file) => sum + (read(file) as { cases: unknown[] }).cases.length, 0);
    assert.match(text, new RegExp(`\`cases/${kind}/\` has ${count} pages`));
  }
});
