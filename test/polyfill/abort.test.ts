import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ToolExecuteOptions } from '../../src/webmcp.js';
import { record, rejectionOf, settle, toolIn, until } from './frame.js';
import { call, deferred, forever, next, quiet, refusalOf, register } from './page.js';

apply();

/** Adds what happens to a tool to a log: that it starts, and that its signal aborts. */
const tells =
  (log: string[], run: (input: never) => unknown = forever) =>
  (input: unknown, { signal }: ToolExecuteOptions) => {
    log.push('started');
    signal.addEventListener('abort', () => log.push('signal_aborted'));
    return run(input as never);
  };

/** Registers a tool that never settles; the log tells what happens to it, and what happens at the model context. */
async function registerLogged(name: string): Promise<string[]> {
  const log: string[] = [];
  await register({ name, execute: tells(log) });
  await quiet();
  return record(document, '', log);
}

/** Runs a tool and adds to the log when the call rejects. */
const callLogged = (log: string[], name: string, controller: AbortController) =>
  rejectionOf(call(name, {}, controller)).then((reason) => (log.push('execution_rejected'), reason));

describe('a caller that aborts', () => {
  it('is told at once, then the tool, then the page', async () => {
    const log = await registerLogged('a');
    const controller = new AbortController();
    const reason = new Error('mine');
    const rejected = callLogged(log, 'a', controller);
    await next('toolactivated');
    const canceled = next('toolcancel');
    controller.abort(reason);
    expect(await rejected).to.equal(reason);
    await canceled;
    await settle();
    expect(log).to.deep.equal([
      ...['started', 'toolactivated a', 'execution_rejected', 'signal_aborted', 'toolcancel a'],
    ]);
  });

  it('gets its own reason, whatever it is', async () => {
    await register({ name: 'a', execute: forever });
    for (const reason of [null, 0, 'text', new RangeError('mine')]) {
      const controller = new AbortController();
      const rejected = rejectionOf(call('a', {}, controller));
      await next('toolactivated');
      controller.abort(reason);
      expect(await rejected).to.equal(reason);
    }
  });

  it('does not tell the tool its reason', async () => {
    const options = deferred<ToolExecuteOptions>();
    await register({ name: 'a', execute: (_, given) => (options.resolve(given), forever()) });
    const controller = new AbortController();
    const rejected = rejectionOf(call('a', {}, controller));
    const { signal } = await options.promise;
    expect(signal).not.to.equal(controller.signal);
    expect(signal.aborted).to.equal(false);
    controller.abort(new Error('secret'));
    await rejected;
    await until(() => signal.aborted);
    expect(signal.reason).to.be.an.instanceOf(DOMException);
    expect((signal.reason as DOMException).name).to.equal('AbortError');
    expect((signal.reason as DOMException).message).not.to.contain('secret');
  });

  it('that times out gets a TimeoutError', async () => {
    await register({ name: 'a', execute: forever });
    const canceled = next('toolcancel');
    expect(await refusalOf(call('a', {}, { signal: AbortSignal.timeout(20) }))).to.equal('TimeoutError');
    expect((await canceled).toolName).to.equal('a');
  });

  it('before it calls is refused within a microtask, and the tool is not run', async () => {
    const log = await registerLogged('a');
    const tool = await toolIn(document, 'a');
    const reason = new Error('mine');
    const rejected = document.modelContext.executeTool(tool, {}, { signal: AbortSignal.abort(reason) });
    rejected.catch((error: unknown) => log.push(error === reason ? 'execution_rejected' : 'another reason'));
    log.push('returned');
    await Promise.resolve();
    log.push('microtask');
    await settle();
    expect(log).to.deep.equal(['returned', 'execution_rejected', 'microtask']);
  });

  it('right after the call is told at once, and the tool still starts and is told', async () => {
    const log = await registerLogged('a');
    const tool = await toolIn(document, 'a');
    const controller = new AbortController();
    const canceled = next('toolcancel');
    const rejected = rejectionOf(document.modelContext.executeTool(tool, {}, controller)).then(() =>
      log.push('execution_rejected'),
    );
    controller.abort();
    await Promise.all([rejected, canceled]);
    await settle();
    expect(log).to.deep.equal([
      ...['execution_rejected', 'started', 'toolactivated a', 'signal_aborted', 'toolcancel a'],
    ]);
  });

  it('does not hear of a result or of an error that comes later', async () => {
    for (const settleLate of ['resolve', 'reject'] as const) {
      const late = deferred<string>();
      const controller = await register({ name: 'a', execute: () => late.promise });
      const caller = new AbortController();
      const rejected = rejectionOf(call('a', {}, caller));
      await next('toolactivated');
      caller.abort('mine');
      late[settleLate]('late');
      expect(await rejected).to.equal('mine');
      await settle(); // an unhandled rejection would fail this test
      controller.abort();
    }
  });

  it('after the result changes nothing', async () => {
    const log: string[] = [];
    await register({ name: 'a', execute: tells(log, () => 'result') });
    const controller = new AbortController();
    expect(await call('a', {}, controller)).to.equal('result');
    controller.abort();
    await settle();
    expect(log).to.deep.equal(['started']);
  });

  it('reaches a tool that was unregistered while it ran', async () => {
    const log: string[] = [];
    const registration = new AbortController();
    const execute = tells(log, () => (registration.abort(), forever()));
    await register({ name: 'a', execute }, { signal: registration.signal });
    await quiet();
    record(document, '', log);
    const controller = new AbortController();
    const rejected = callLogged(log, 'a', controller);
    await next('toolactivated');
    await settle();
    const canceled = next('toolcancel');
    controller.abort('mine');
    expect(await rejected).to.equal('mine');
    await canceled;
    expect(log.filter((entry) => entry !== 'toolchange')).to.deep.equal([
      ...['started', 'toolactivated a', 'execution_rejected', 'signal_aborted', 'toolcancel a'],
    ]);
  });
});

describe('the signals of calls at once', () => {
  it('are independent of each other', async () => {
    const signals: AbortSignal[] = [];
    const second = deferred<string>();
    const execute = ({ k }: { k: number }, { signal }: ToolExecuteOptions) => {
      signals[k] = signal;
      return k === 0 ? forever() : second.promise;
    };
    await register({ name: 'a', execute });
    const controllers = [new AbortController(), new AbortController()] as const;
    const first = rejectionOf(call('a', { k: 0 }, controllers[0]));
    const result = call('a', { k: 1 }, controllers[1]);
    await until(() => signals.filter(Boolean).length === 2);
    expect(signals[0]).not.to.equal(signals[1]);
    controllers[0].abort('mine');
    expect(await first).to.equal('mine');
    await until(() => signals[0]?.aborted === true);
    expect(signals[1]?.aborted).to.equal(false);
    second.resolve('result');
    expect(await result).to.equal('result');
  });

  it('all abort where the callers share one', async () => {
    let [running, aborted] = [0, 0];
    const execute = (_: unknown, { signal }: ToolExecuteOptions) => {
      running++;
      signal.addEventListener('abort', () => aborted++);
      return forever();
    };
    await register({ name: 'a', execute });
    const controller = new AbortController();
    const reasons = Promise.all([1, 2, 3].map(() => rejectionOf(call('a', {}, controller))));
    await until(() => running === 3);
    controller.abort('mine');
    expect(await reasons).to.deep.equal(['mine', 'mine', 'mine']);
    await until(() => aborted === 3);
  });
});

describe('a tool that aborts its own caller', () => {
  const ways = { 'at once': (abort: () => void) => abort(), later: (abort: () => void) => void settle().then(abort) };

  for (const [when, soon] of Object.entries(ways)) {
    it(`${when} sees its signal abort after the caller was told`, async () => {
      const log: string[] = [];
      const controller = new AbortController();
      const run = () => (soon(() => controller.abort('mine')), forever());
      await register({ name: 'a', execute: tells(log, run) });
      await quiet();
      record(document, '', log);
      const canceled = next('toolcancel');
      expect(await callLogged(log, 'a', controller)).to.equal('mine');
      await canceled;
      expect(log.filter((entry) => entry !== 'toolactivated a')).to.deep.equal([
        ...['started', 'execution_rejected', 'signal_aborted', 'toolcancel a'],
      ]);
    });
  }
});
