import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'vitest';
import { run } from '../../../gateway/src/cli/cli.js';
import type { WebtoolMetadata } from '../../../gateway/src/index.js';
import { Collector } from '../../support/cli/running.js';
import { listen, makeFolder, manifestText, page, post } from '../../support/gateway/serve-process.js';

const site = ['--base-url', 'https://shop.example/'];
const config = JSON.stringify({ values: { pay: { pw: 'S3CRET' } } });
const files = { 'webmcp.json': manifestText(), 'config.json': config };

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function command(cwd: string, ...args: readonly string[]): Promise<Outcome> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const code = await run(args, { stdin: Readable.from([]), stdout, stderr, cwd, env: {} });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const metadataAt = async (url: string): Promise<WebtoolMetadata> =>
  (await (await fetch(url)).json()) as WebtoolMetadata;
const namesOf = ({ actions }: WebtoolMetadata): readonly string[] => actions.map(({ name }) => name);

describe('webmcp-gateway serve, with releases', () => {
  for (const [options, names] of [
    [[], ['find', 'order']],
    [['--autosubmit-only'], ['find']],
    [
      ['--config', 'config.json'],
      ['find', 'order', 'pay'],
    ],
    [['--client-secrets'], ['find', 'order', 'pay']],
  ] as const) {
    it(`serves the hash of a release with the same options: ${options.join(' ') || 'none'}`, async () => {
      const cwd = await makeFolder(files);
      const { code, stdout, stderr } = await command(cwd, 'release', ...options, 'webmcp.json');
      assert.deepEqual([code, stderr.includes('S3CRET')], [0, false], stderr);
      const { url } = await listen([...site, ...options, 'webmcp.json'], { cwd });
      const [latest, released] = [await metadataAt(url), await metadataAt(`${url}1.0.0`)];
      assert.deepEqual([`${latest.hash}\n`, `${released.hash}\n`], [stdout, stdout]);
      assert.deepEqual([namesOf(latest), namesOf(released)], [names, names]);
    });
  }

  it('does not start when it excludes an action of the release', async () => {
    const cwd = await makeFolder(files);
    await command(cwd, 'release', '--config', 'config.json', 'webmcp.json');
    const { code, stderr } = await command(cwd, 'serve', ...site, 'webmcp.json');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /"pay", which this gateway excludes: its configuration has no value for pw\. Use the same options/,
    );
  });

  it('serves an earlier release unchanged, and reports why an action is not available', async () => {
    const cwd = await makeFolder(files);
    const { stdout } = await command(cwd, 'release', '--config', 'config.json', 'webmcp.json');
    const next = { ...files, 'webmcp.json': manifestText('2.0.0', page.replace('Finds things.', 'Finds.')) };
    const folder = await makeFolder(next);
    const { url } = await listen([...site, '--store', `${cwd}/.webmcp`, 'webmcp.json'], { cwd: folder });
    assert.equal(`${(await metadataAt(`${url}1.0.0`)).hash}\n`, stdout);
    const { status, body } = await post(url, { version: '1.0.0', action: 'pay', request: { what: 'x' } });
    assert.deepEqual([status, body.error?.code], [422, 'CONFIG_ERROR']);
    assert.equal(
      body.error?.message,
      'The action is not available on this gateway: its configuration has no value for pw.',
    );
  });
});
