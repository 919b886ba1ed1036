import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  makeFolder,
  manifestText,
  openShop,
  page,
  replaceFile,
  serveInProcess,
  start,
  type Run,
  type Shop,
} from '../../support/gateway/serve-process.js';
import { until } from '../../support/until.js';

type Message = Readonly<Record<string, unknown>>;

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const callOf = (id: number, q: string): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'find', arguments: { q } },
});

const linesOf = (...messages: readonly Message[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

const send = ({ child }: Run, ...messages: readonly Message[]): void => {
  child.stdin?.write(linesOf(...messages));
};

/** All messages on standard output. */
const messagesOf = ({ stdout }: Run): readonly Message[] =>
  stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Message);

const message = (run: Run, isWanted: (message: Message) => boolean): Promise<Message> =>
  until(() => messagesOf(run).find(isWanted));

async function startStdio(): Promise<{ readonly run: Run; readonly cwd: string; readonly busy: Shop['busy'] }> {
  const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
  const run = start(['webmcp.json', '--base-url', site.origin, '--allow-private', '--mcp'], { cwd });
  return { run, cwd, busy: site.busy };
}

describe('webmcp-gateway serve --mcp', () => {
  it('writes protocol messages to standard output and the log to standard error', async () => {
    const { run } = await startStdio();
    send(run, initialize, initialized, callOf(2, 'tea'));
    const { result } = await message(run, ({ id }) => id === 2);
    assert.match(JSON.stringify(result), /q=tea/);
    await run.line('call');
    run.child.stdin?.end();
    assert.equal(await run.exit, 0);
    assert.ok(messagesOf(run).every(({ jsonrpc }) => jsonrpc === '2.0'));
    assert.equal(run.lines().at(-1)?.msg, 'stopped');
  });

  it('responds to requests that arrived before the end of its input', async () => {
    const { run, busy } = await startStdio();
    send(run, initialize, initialized, callOf(2, 'slow'), callOf(3, 'tea'));
    run.child.stdin?.end();
    const answerSlow = await busy();
    await message(run, ({ id }) => id === 3);
    answerSlow();
    assert.equal(await run.exit, 0);
    assert.deepEqual(
      messagesOf(run).map(({ id }) => id),
      [1, 3, 2],
    );
  });

  it('does not log the content of invalid messages', async () => {
    const { run } = await startStdio();
    run.child.stdin?.write('{"a": hunter2}\n{"hunter2":1}\n');
    send(run, { jsonrpc: '2.0', id: 'hunter2', result: { hunter2: 1 } }, initialize);
    await message(run, ({ id }) => id === 1);
    run.child.stdin?.end();
    assert.equal(await run.exit, 0);
    assert.deepEqual(
      run.lines().flatMap(({ msg, reason }) => (msg === 'protocol error' ? [reason] : [])),
      ['a line is not a JSON-RPC message', 'Error'],
    );
    assert.doesNotMatch(run.stderr(), /hunter2/);
  });

  it('does not wait for a cancelled call', async () => {
    const { site, stdin, stopped } = await serveInProcess(3_600_000, { mcp: true });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    stdin.write(linesOf(initialize, initialized, callOf(2, 'hang')));
    await site.busy();
    stdin.end(linesOf(cancel));
    await stopped;
  });

  it('notifies its client when the tools change', async () => {
    const { run, cwd } = await startStdio();
    send(run, initialize, initialized);
    await message(run, ({ id }) => id === 1);
    await replaceFile(cwd, 'webmcp.json', manifestText('1.1.0', page.replace('toolname=find', 'toolname=seek')));
    await message(run, ({ method }) => method === 'notifications/tools/list_changed');
    send(run, { jsonrpc: '2.0', id: 2, method: 'tools/list' });
    assert.match(JSON.stringify(await message(run, ({ id }) => id === 2)), /"seek"/);
    assert.equal(await run.stop(), 0);
  });
});
