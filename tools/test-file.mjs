import { parseArgs } from 'node:util';
import { fail, runNode } from './run.mjs';

const usage = 'npm run test:file -- test/compiler/describe/describe.test.ts [FILE …]';

const inBrowsers = /^(?:\.\/)?test\/(?:browser|native|polyfill|elements)(?:\/|$)/;

async function testFiles() {
  const files = parseArgs({ allowPositionals: true }).positionals;
  if (files.length === 0) throw new Error(`No file is named.\nUsage: ${usage}`);
  const [pages, modules] = [
    files.filter((file) => inBrowsers.test(file)),
    files.filter((file) => !inBrowsers.test(file)),
  ];
  const codes = [];
  if (modules.length > 0)
    codes.push(
      await runNode(['test/node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts', ...modules]),
    );
  if (pages.length > 0) {
    const options = [
      '--conditions=@webmcp-forms/source',
      'node_modules/@web/test-runner/dist/bin.js',
      '--files',
      ...pages.map((path) => (path.endsWith('.ts') ? path : `${path.replace(/\/$/, '')}/**/*.test.ts`)),
    ];
    const isNative = pages.some((file) => file.includes('test/native'));
    codes.push(await runNode(options, { env: { ENGINES: process.env.ENGINES ?? (isNative ? 'webmcp' : 'chromium') } }));
  }
  process.exitCode = codes.find((code) => code !== 0) ?? 0;
}

await testFiles().catch(fail);
