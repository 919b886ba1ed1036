import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run as runGateway } from '../../../gateway/src/cli/cli.js';
import { readServableManifest } from '../../../gateway/src/cli/operator-config.js';
import { createGateway, GatewayError, type ManifestJson } from '../../../gateway/src/index.js';
import { createNodeFetch } from '../../../gateway/src/node/index.js';
import { run as runForms } from '../../../src/cli/cli.js';
import type { CliContext } from '../../../src/cli/program.js';
import { UsageError } from '../../../src/site/usage-error.js';
import { manifestCases, type ManifestCase, type ManifestCommand } from '../generators/manifests.js';
import { hold, sequential, type Target } from '../target.js';

/** Manifests that every command and the gateway read from disk. */
export const manifests: Target<ManifestCase> = {
  name: 'manifests',
  cases: manifestCases,
  batch: 250,
  open: () => {
    const folder = mkdtempSync(join(tmpdir(), 'webmcp-forms-fuzz-'));
    writeFileSync(join(folder, 'page.html'), '<form toolname=t tooldescription=d><input name=a></form>');
    const close = (): Promise<void> => Promise.resolve(rmSync(folder, { recursive: true, force: true }));
    return Promise.resolve(sequential((each) => check(folder, each), close));
  },
};

const store = ['--store', 'store'];

const commands: Readonly<Record<Exclude<ManifestCommand, 'serve' | 'import'>, readonly string[]>> = {
  types: ['types', 'old.json'],
  diff: ['diff', 'old.json', 'new.json'],
  merge: ['merge', 'pages.ndjson'],
  check: ['compile', '--check', '--out', 'old.json', 'page.html'],
  release: ['release', ...store, 'old.json'],
  list: ['release', '--list', ...store, 'old.json'],
};

async function check(folder: string, { command, text, other }: ManifestCase): Promise<void> {
  writeFileSync(join(folder, 'old.json'), text);
  if (command === 'serve') return checkServed(folder);
  if (command === 'import') return checkImported(text);
  if (command === 'diff') writeFileSync(join(folder, 'new.json'), other);
  if (command === 'merge') writeFileSync(join(folder, 'pages.ndjson'), linesOf(text) + linesOf(other));
  const run = commands[command][0] === 'release' ? runGateway : runForms;
  const [stdout, stderr] = [new Collected(), new Collected()];
  const context: CliContext = { stdin: Readable.from([]), stdout, stderr, cwd: folder, env: {} };
  const code = await run(commands[command], context);
  checkOutput(code, stdout.text, stderr.text);
  if (command === 'release') rmSync(join(folder, 'store'), { recursive: true, force: true });
}

/** The pages of a manifest as lines. */
function linesOf(text: string): string {
  try {
    const { pages } = JSON.parse(text) as { readonly pages: readonly unknown[] };
    return pages.map((page) => `${JSON.stringify(page)}\n`).join('');
  } catch {
    return text;
  }
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const maxReportLength = 20_000;
/** Escapes and other control characters of files, which must not reach a terminal. */

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function checkOutput(code: number, stdout: string, stderr: string): void {
  hold([0, 1, 2].includes(code), 'a command exits with a documented code', String(code));
  hold(!stderr.includes('This is a bug'), 'an invalid manifest is the fault of its author', stderr);
  hold(stderr.length < maxReportLength, 'a report is bounded', stderr);
  hold(!controls.test(stderr), 'a report has no terminal escapes', JSON.stringify(stderr));
  hold(code !== 2 || stdout === '', 'a command that fails writes nothing', stdout);
  hold(code === 0 || stderr !== '' || stdout !== '', 'a command that fails has a reason');
}

/** Nothing listens there: each call fails with a listed code. */
const baseUrl = 'http://127.0.0.1:1/';
const fetch = createNodeFetch({ allowPrivateAddresses: true });

/** `webmcp-gateway serve` rejects the file, or its gateway works. */
async function checkServed(folder: string): Promise<void> {
  try {
    await checkGateway(await readServableManifest('old.json', folder));
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof GatewayError)) throw error;
    hold(!controls.test(error.message), 'a reason has no terminal escapes', JSON.stringify(error.message));
  }
}

/** A program that imports the file as JSON gets a TypeError, or a gateway that works. */
async function checkImported(text: string): Promise<void> {
  let manifest: ManifestJson;
  try {
    manifest = JSON.parse(text) as ManifestJson;
  } catch {
    return;
  }
  try {
    createGateway(manifest, { baseUrl, allowPrivateAddresses: true, fetch });
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('The manifest is invalid')) return;
    if (error instanceof GatewayError) return;
    throw error;
  }
  await checkGateway(manifest);
}

async function checkGateway(manifest: ManifestJson): Promise<void> {
  const errors: unknown[] = [];
  const onEvent = ({ error }: { readonly error?: unknown }): void => void errors.push(error);
  const handle = createGateway(manifest, { baseUrl, allowPrivateAddresses: true, fetch, onEvent });
  const response = await handle(new Request('http://localhost/'));
  const text = await response.text();
  hold(response.status < 500, 'a manifest that is accepted can be served', `${text} ${describeErrors(errors)}`);
  const { actions = [] } = JSON.parse(text) as { readonly actions?: readonly { readonly name: string }[] };
  for (const { name } of actions.slice(0, 3)) {
    const body = JSON.stringify({ action: name, request: {} });
    const headers = { 'content-type': 'application/json' };
    const answer = await handle(new Request('http://localhost/', { method: 'POST', headers, body }));
    const result = await answer.text();
    hold(!result.includes('INTERNAL_ERROR'), 'a served manifest can be called', `${result} ${describeErrors(errors)}`);
  }
}

const describeErrors = (errors: readonly unknown[]): string =>
  errors.map((error) => (error instanceof Error ? error.stack : String(error))).join('\n');
