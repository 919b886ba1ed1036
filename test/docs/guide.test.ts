import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, test } from 'vitest';
import { run } from '../../src/cli/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const guide = readFileSync(new URL('../../docs/guide/static-site.md', import.meta.url), 'utf8');

/** The code blocks of the guide, in their order. */
const blocks = [...guide.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code: code.trimEnd(),
}));

const prefix = 'npx webmcp-forms ';

async function output(line: string): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const context = { stdin: Readable.from([]), stdout: stream, stderr: stream, cwd: folder, env: {} };
  const exitCode = await run(line.slice(prefix.length).split(' '), context);
  assert.equal(exitCode, 0, `${line}: ${text}`);
  return text;
}

test('the guide for a static site works as it is written, with the output that it shows', async () => {
  const page = join(folder, 'pages/index.html');
  mkdirSync(join(folder, 'pages'));
  writeFileSync(page, `${blocks.find(({ language }) => language === 'html')?.code ?? ''}\n`);
  let printed = '';
  let commands = 0;
  let shown = 0;
  for (const { language, code } of blocks) {
    if (language === 'text') {
      shown += 1;
      assert.ok((printed + readFileSync(page, 'utf8')).includes(code), `${code}\nis not in\n${printed}`);
    }
    for (const line of language === 'sh' ? code.split('\n').filter((line) => line.startsWith(prefix)) : []) {
      commands += 1;
      printed = await output(line);
    }
  }
  assert.deepEqual({ commands, shown }, { commands: 4, shown: 3 });
});
