// @module-tag built
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { run as runGateway } from '../../gateway/src/cli/cli.js';
import { run as runForms } from '../../src/cli/cli.js';
import { blocksIn, root, type CodeBlock } from './code-blocks/blocks.js';

const programs = { 'webmcp-forms': runForms, 'webmcp-gateway': runGateway };
const command = /^npx (webmcp-forms|webmcp-gateway) (?!serve |init$)(.*)$/;

/** The commands of the guides that do not run here. */
const notRun: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /^npm install\b/, reason: 'test/e2e/package/ installs the packed packages' },
  { pattern: /^npx webmcp-forms init$/, reason: 'asks questions, which test/init/ answers' },
  { pattern: /^npx (?:-y )?webmcp-gateway serve /, reason: 'serves until it is stopped, as test/gateway/node/ does' },
  { pattern: /^npx http-server /, reason: 'serves until it is stopped' },
  { pattern: /^curl /, reason: 'needs the gateway of the line before, which test/e2e/ calls in this way' },
  { pattern: /^claude /, reason: 'needs an account' },
  { pattern: /^docker /, reason: 'needs Docker' },
];

const guides = readdirSync(`${root}docs/guide`).filter((file) => file.endsWith('.md'));
const blocksOf = (guide: string): readonly CodeBlock[] =>
  blocksIn(guide, readFileSync(`${root}docs/guide/${guide}`, 'utf8'));

/** The lines of a script, with continued lines joined. */
const linesOf = ({ language, code }: CodeBlock): readonly string[] =>
  language === 'sh'
    ? code
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .filter((line) => line !== '')
    : [];

/** The commands of a guide that copy a file of the last release. */
const release = /^git show \S+:(\S+) > (\S+)$/;

test('every command of the guides runs in these tests, or has a reason not to run', () => {
  const lines = guides.flatMap(blocksOf).flatMap(linesOf);
  const others = lines.filter((line) => !command.test(line) && !release.test(line));
  expect(others.filter((line) => !notRun.some(({ pattern }) => pattern.test(line)))).toEqual([]);
  expect(notRun.filter(({ pattern }) => !others.some((line) => pattern.test(line)))).toEqual([]);
  const running = guides.filter((guide) =>
    blocksOf(guide)
      .flatMap(linesOf)
      .some((line) => command.test(line)),
  );
  expect(running).toEqual(Object.keys(files).sort());
});

const page = `${blocksOf('static-site.md').find(({ language }) => language === 'html')?.code ?? ''}`;
const annotated = page.replace('<form', '<form toolname="book_room" tooldescription="Books a room for some nights."');

/** The files that the commands of each guide read. */
const files: Readonly<Record<string, readonly [path: string, content: string]>> = {
  'builds.md': ['pages/index.html', annotated],
  'fixed-applications.md': ['copies/tickets/new.html', page],
  'server-rendered.md': ['templates/index.html', page],
  'static-site.md': ['pages/index.html', page],
};

async function output(line: string, folder: string): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const context = { stdin: Readable.from([]), stdout: stream, stderr: stream, cwd: folder, env: {} };
  const [, program = '', words = ''] = command.exec(line) ?? [];
  const exitCode = await programs[program as keyof typeof programs](words.split(' '), context);
  assert.equal(exitCode, 0, `${line}: ${text}`);
  return text;
}

/** Serves a file as the application of the guide. */
async function serveFile(path: string): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(readFileSync(path)),
  ).listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}

for (const [guide, [path, content]] of Object.entries(files)) {
  test(`the commands of docs/guide/${guide} work as they are written, with the output that the guide shows`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guide-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const site = await serveFile(file);
    let printed = '';
    for (const block of blocksOf(guide)) {
      const shown = printed + readFileSync(file, 'utf8');
      if (block.language === 'text') assert.ok(shown.includes(block.code.trimEnd()), `${block.place}\n${shown}`);
      for (const line of linesOf(block)) {
        const [, from, to] = release.exec(line) ?? [];
        if (from && to) copyFileSync(join(folder, from), join(folder, to));
        if (command.test(line)) printed = await output(line.replace('http://localhost:8000/', site), folder);
      }
    }
  });
}
