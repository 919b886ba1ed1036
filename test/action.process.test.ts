import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { builtPath } from './support/processes.js';
import { makeFolder, runInProcess } from './support/cli/running.js';

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uses?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const source = readFileSync(new URL('../action.yml', import.meta.url), 'utf8');
const action = parse(source) as Action;

const page = (max: number): string =>
  `<!doctype html><html lang="en"><head><title>Books</title></head><body>
<form toolname="order" tooldescription="Orders copies of a book." action="/order" method="post">
<label>Copies <input type="number" name="copies" min="1" max="${max}"></label><button>Order</button></form></body></html>`;

interface Outcome {
  /** The exit codes of the steps, by their IDs. */
  readonly codes: Readonly<Record<string, number | null>>;
  readonly output: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs the steps as a runner does: https://docs.github.com/actions/reference/workflow-syntax-for-github-actions#jobsjob_idstepsshell */
async function runSteps(cwd: string, given: Readonly<Record<string, string>>): Promise<Outcome> {
  const temporary = await makeFolder({ output: '', summary: '' });
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default] as const);
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), base: '', ...given };
  const outputs: Record<string, string> = {};
  const codes: Record<string, number | null> = {};
  let output = '';
  for (const { id = '', run, env = {} } of action.runs.steps.filter((step) => step.run !== undefined)) {
    if ((id === 'types' || id === 'diff') && inputs[id === 'types' ? 'types' : 'base'] === '') continue;
    const script = join(temporary, `${id}.sh`);
    await writeFile(script, run ?? '');
    const values = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(
        /^\$\{\{ (\w+)\.(?:\w+\.outputs\.)?([\w-]+) \}\}$/,
        (_, scope: string, key: string) => (scope === 'inputs' ? inputs[key] : outputs[key]) ?? '',
      ),
    ]);
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...(Object.fromEntries(values) as Record<string, string>),
        GITHUB_OUTPUT: join(temporary, 'output'),
        GITHUB_STEP_SUMMARY: join(temporary, 'summary'),
        RUNNER_TEMP: temporary,
      },
    });
    codes[id] = status;
    output += stdout + stderr;
    for (const line of (await readFile(join(temporary, 'output'), 'utf8')).split('\n').filter(Boolean))
      outputs[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
  }
  return { codes, output, outputs, summary: await readFile(join(temporary, 'summary'), 'utf8') };
}

/** A repository with a page and its manifest, and the program as an installed package. */
async function makeRepository(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await makeFolder({ '.gitignore': 'node_modules\n', 'index.html': page(9), ...files });
  await mkdir(join(cwd, 'node_modules/.bin'), { recursive: true });
  const program = join(cwd, 'node_modules/.bin/webmcp-forms');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${builtPath('cli/bin')}" "$@"\n`);
  await chmod(program, 0o755);
  await compile(cwd);
  commit(cwd);
  return cwd;
}

async function compile(cwd: string): Promise<void> {
  assert.equal((await runInProcess(['compile', '--out', 'webmcp.json', '.'], { cwd })).code, 0);
}

function commit(cwd: string): void {
  const git = (...argv: readonly string[]): unknown => execFileSync('git', argv, { cwd, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false', 'commit', '-m', 'a');
}

describe('the GitHub Action', () => {
  it('is a composite action whose steps get only declared inputs, and never expand one in a script', () => {
    assert.equal(action.runs.using, 'composite');
    for (const [, name = ''] of source.matchAll(/\$\{\{ inputs\.([\w-]+)/g)) assert.ok(name in action.inputs, name);
    for (const { run = '' } of action.runs.steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('has the inputs and outputs that the documentation uses', () => {
    const page = readFileSync(new URL('../docs/reference/github-action.md', import.meta.url), 'utf8');
    const [, workflow = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    const { jobs } = parse(workflow) as { jobs: { tools: { steps: readonly { with?: object }[] } } };
    for (const name of jobs.tools.steps.flatMap((step) => Object.keys(step.with ?? {})))
      assert.ok(name in action.inputs, name);
    for (const [, name = ''] of page.matchAll(/steps\.tools\.outputs\.(\w+)/g)) assert.ok(name in action.outputs, name);
  });

  it('passes for a manifest that is up to date, and writes the findings as SARIF', async () => {
    const cwd = await makeRepository();
    const { codes, outputs, output, summary } = await runSteps(cwd, { base: 'HEAD' });
    assert.deepEqual(codes, { program: 0, compile: 0, lint: 0, diff: 0 }, output);
    const sarif = JSON.parse(await readFile(outputs['sarif'] ?? '', 'utf8')) as { readonly version: string };
    assert.equal(sarif.version, '2.1.0');
    assert.deepEqual([outputs['comment'], summary], [undefined, '']);
  });

  it('fails for a stale manifest and for lint errors, and annotates the lines of the pull request', async () => {
    const cwd = await makeRepository();
    const broken = page(9).replace('toolname="order"', 'toolname="order books"');
    await writeFile(join(cwd, 'index.html'), broken);
    const { codes, output, outputs } = await runSteps(cwd, {});
    assert.deepEqual(codes, { program: 0, compile: 1, lint: 1 });
    assert.match(output, /webmcp\.json is stale/);
    assert.match(output, /^::error .*file=index\.html,line=2/m);
    assert.ok(existsSync(outputs['sarif'] ?? ''));
  });

  it('describes the changes since the base in a comment and in the summary, as text', async () => {
    const cwd = await makeRepository();
    await writeFile(join(cwd, 'index.html'), page(5));
    await compile(cwd);
    const { codes, outputs, summary } = await runSteps(cwd, { base: 'HEAD' });
    assert.deepEqual(codes, { program: 0, compile: 0, lint: 0, diff: 0 });
    assert.match(summary, /^### Changes of the WebMCP tools\n\n {4}index\.html order\n {6}breaking +\S.*maximum/);
    assert.ok(
      summary
        .split('\n')
        .slice(2)
        .every((line) => line === '' || line.startsWith('    ')),
    );
    assert.equal(await readFile(outputs['comment'] ?? '', 'utf8'), summary);
    const failed = await runSteps(cwd, { base: 'HEAD', 'fail-on-breaking': 'true' });
    assert.equal(failed.codes['diff'], 1);
    assert.match(failed.output, /::error::The tools have breaking changes\./);
  });

  it('writes no comment if the base has no manifest or does not exist', async () => {
    const cwd = await makeRepository();
    for (const options of [{ base: 'HEAD', manifest: 'other.json' }, { base: '0'.repeat(40) }]) {
      if (options.manifest) await runInProcess(['compile', '--out', 'other.json', '.'], { cwd });
      const { codes, output, outputs } = await runSteps(cwd, options);
      assert.equal(codes['diff'], 0, output);
      assert.match(output, /so its changes are unknown/);
      assert.equal(outputs['comment'], undefined);
    }
  });

  it('compares the types of the tools with a file', async () => {
    const cwd = await makeRepository();
    await runInProcess(['types', '--out', 'tools.d.ts', '.'], { cwd });
    assert.equal((await runSteps(cwd, { types: 'tools.d.ts' })).codes['types'], 0);
    await writeFile(join(cwd, 'tools.d.ts'), '');
    const { codes, output } = await runSteps(cwd, { types: 'tools.d.ts' });
    assert.equal(codes['types'], 1);
    assert.match(output, /::error::tools\.d\.ts is stale\./);
  });

  it('reads several pages, of which one has spaces and another begins with a hyphen', async () => {
    const cwd = await makeRepository({ 'a b/x.html': page(3), '-c/y.html': '<p>Nothing</p>' });
    const pages = 'index.html\n\na b\n-c\n';
    const argv = ['compile', '--out', 'two.json', '--', 'index.html', 'a b', '-c'];
    assert.equal((await runInProcess(argv, { cwd })).code, 0);
    const { codes, output } = await runSteps(cwd, { pages, manifest: 'two.json' });
    assert.deepEqual(codes, { program: 0, compile: 0, lint: 0 }, output);
  });

  it('runs the given version of the program, or the latest if none is given or installed', async () => {
    const cwd = await makeFolder({ 'index.html': page(9) });
    const commandOf = async (version: string): Promise<string> => {
      const [program] = action.runs.steps;
      const output = join(await makeFolder({ output: '' }), 'output');
      const env = { ...process.env, INPUT_VERSION: version, GITHUB_OUTPUT: output };
      execFileSync('bash', ['-e', '-c', program?.run ?? ''], { cwd, env });
      return await readFile(output, 'utf8');
    };
    assert.equal(await commandOf('1.2.3'), 'command=npx --yes webmcp-forms@1.2.3\n');
    assert.equal(await commandOf(''), 'command=npx --yes webmcp-forms\n');
  });
});
