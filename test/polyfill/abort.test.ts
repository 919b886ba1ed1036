import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ToolExecuteOptions } from '../../src/webmcp.js';
import {
  addFrame,
  afterTest,
  ask,
  here,
  namesIn,
  openWindow,
  other,
  record,
  rejectionOf,
  settle,
  toolIn,
  until,
  windowOf,
} from '../support/polyfill/frame.js';
import { call, deferred, forever, next, quiet, rejectionName, register } from '../support/polyfill/page.js';

apply();

/** The callback of a tool that logs its start and the abort of its signal. */
const logging =
  (log: string[], run: (input: never) => unknown = forever) =>
  (input: unknown, { signal }: ToolExecuteOptions) => {
    log.push('started');
    signal.addEventListener('abort', () => log.push('signal_aborted'));
    return run(input as never);
  };

/** Registers a tool that never settles. Returns a log of the tool and of the events of the model context. */
async function registerLogged(name: string): Promise<string[]> {
  const log: string[] = [];
  await register({ name, execute: logging(log) });
  await quiet();
  return record(document, '', log);
}

/** Runs a tool and logs when the call rejects. */
const callLogged = (log: string[], name: string, controller: AbortController) =>
  rejectionOf(call(name, {}, controller)).then((reason) => (log.push('execution_rejected'), reason));

describe('executeTool with a signal', () => {
  it('an abort rejects the call, then aborts the signal of the tool, then dispatches toolcancel', async () => {
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
    expect(log).to.deep.equal(['started', 'toolactivated a', 'execution_rejected', 'signal_aborted', 'toolcancel a']);
  });

  it('an aborted call rejects with the reason of its signal', async () => {
    await register({ name: 'a', execute: forever });
    for (const reason of [null, 0, 'text', new RangeError('mine')]) {
      const controller = new AbortController();
      const rejected = rejectionOf(call('a', {}, controller));
      await next('toolactivated');
      controller.abort(reason);
      expect(await rejected).to.equal(reason);
    }
  });

  it('an abort of the signal of another window rejects the call and reaches the tool', async () => {
    const log = await registerLogged('a');
    const controller = new (windowOf(addFrame()).AbortController)();
    const rejected = callLogged(log, 'a', controller);
    await next('toolactivated');
    const canceled = next('toolcancel');
    controller.abort('mine');
    expect(await rejected).to.equal('mine');
    await canceled;
    await settle();
    expect(log).to.include.members(['signal_aborted', 'toolcancel a']);
  });

  it('an abort of the signal of a third window reaches a tool of another origin', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 't', [here], true);
    const tool = await toolIn(document, 't', [other]);
    const controller = new (windowOf(addFrame()).AbortController)();
    const rejected = rejectionOf(document.modelContext.executeTool(tool, {}, { signal: controller.signal }));
    await until(async () => (await ask(frame, 'log')).includes('toolactivated t'));
    controller.abort('mine');
    expect(await rejected).to.equal('mine');
    await until(async () => (await ask(frame, 'log')).includes('toolcancel t'));
    expect((await ask(frame, 'log')).slice(-2)).to.deep.equal(['t aborts: AbortError', 'toolcancel t']);
  });

  it("the tool receives an AbortError instead of the caller's reason", async () => {
    const options = deferred<ToolExecuteOptions>();
    await register({ name: 'a', execute: (_, received) => (options.resolve(received), forever()) });
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

  it('a call with AbortSignal.timeout rejects with a TimeoutError', async () => {
    let hasStarted = false;
    await register({ name: 'a', execute: () => ((hasStarted = true), forever()) });
    const tool = await toolIn(document, 'a');
    const canceled = next('toolcancel');
    // A tool that has not started is not canceled.
    for (let milliseconds = 50; !hasStarted; milliseconds *= 2) {
      const signal = AbortSignal.timeout(milliseconds);
      expect(await rejectionName(document.modelContext.executeTool(tool, {}, { signal }))).to.equal('TimeoutError');
    }
    expect((await canceled).toolName).to.equal('a');
  });

  it('a call with an aborted signal rejects within a microtask, and the tool does not run', async () => {
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

  it('a call that is aborted synchronously rejects at once, but the tool starts, and then its signal aborts', async () => {
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
    expect(log).to.deep.equal(['execution_rejected', 'started', 'toolactivated a', 'signal_aborted', 'toolcancel a']);
  });

  it('a result or an error after the abort is ignored', async () => {
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

  it('an abort after the result has no effect', async () => {
    const log: string[] = [];
    await register({ name: 'a', execute: logging(log, () => 'result') });
    const controller = new AbortController();
    expect(await call('a', {}, controller)).to.equal('result');
    controller.abort();
    await settle();
    expect(log).to.deep.equal(['started']);
  });

  it('an abort reaches a tool that was unregistered while it ran', async () => {
    const log: string[] = [];
    const registration = new AbortController();
    const execute = logging(log, () => (registration.abort(), forever()));
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
      'started',
      'toolactivated a',
      'execution_rejected',
      'signal_aborted',
      'toolcancel a',
    ]);
  });
});

describe('the signals of concurrent calls', () => {
  it('aborting one of two concurrent calls does not abort the other', async () => {
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

  it('concurrent calls with the same signal all abort', async () => {
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
    it(`a tool that aborts its caller (${when}) sees its signal abort after the call has rejected`, async () => {
      const log: string[] = [];
      const controller = new AbortController();
      const run = () => (soon(() => controller.abort('mine')), forever());
      await register({ name: 'a', execute: logging(log, run) });
      await quiet();
      record(document, '', log);
      const canceled = next('toolcancel');
      expect(await callLogged(log, 'a', controller)).to.equal('mine');
      await canceled;
      expect(log.filter((entry) => entry !== 'toolactivated a')).to.deep.equal([
        'started',
        'execution_rejected',
        'signal_aborted',
        'toolcancel a',
      ]);
    });
  }
});

describe('a listener that uses tools while a call is canceled', () => {
  it('a toolcancel listener can abort another call, unregister the canceled tool, and call another tool', async () => {
    const log: string[] = [];
    const controllers = [new AbortController(), new AbortController()] as const;
    const registration = new AbortController();
    const execute = ({ k }: { k: number }, { signal }: ToolExecuteOptions) =>
      new Promise((resolve) => {
        log.push(`started ${k}`);
        signal.addEventListener('abort', () => resolve('late'));
      });
    await register({ name: 'a', execute }, { signal: registration.signal });
    await register({ name: 'b', execute: () => 'b' });
    let called: Promise<string | null> | undefined;
    const listener = () => {
      log.push('toolcancel');
      controllers[1].abort('second');
      registration.abort();
      called ??= call('b');
    };
    document.modelContext.addEventListener('toolcancel', listener);
    afterTest(() => document.modelContext.removeEventListener('toolcancel', listener));
    const rejected = controllers.map((controller, k) => rejectionOf(call('a', { k }, controller)));
    await until(() => log.length === 2);
    controllers[0].abort('first');
    expect(await Promise.all(rejected)).to.deep.equal(['first', 'second']);
    await until(() => log.length === 4);
    expect(await called).to.equal('b');
    await settle();
    expect(log).to.deep.equal(['started 0', 'started 1', 'toolcancel', 'toolcancel']);
    expect(await namesIn(document)).to.deep.equal(['b']);
  });
});
