import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import {
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
} from '../support/polyfill/frame.js';
import { call, forever, quiet, register } from '../support/polyfill/page.js';

apply();

describe('a tool that calls another', () => {
  /** The log entries of one of the two tools. */
  const about = (log: string[], name: string) => log.filter((entry) => entry.endsWith(name));

  /** Registers `outer`, which passes its signal to `inner`. */
  async function registerBoth(log: string[], runInner: () => unknown): Promise<void> {
    const listen = (name: string, signal: AbortSignal) => {
      log.push(`started ${name}`);
      signal.addEventListener('abort', () => log.push(`signal_aborted ${name}`));
    };
    await register({ name: 'inner', execute: (_, { signal }) => (listen('inner', signal), runInner()) });
    await register({
      name: 'outer',
      execute: async (_, { signal }) => {
        listen('outer', signal);
        const reason = await rejectionOf(call('inner', {}, { signal }));
        log.push(`${(reason as DOMException).name} inner`);
        throw reason;
      },
    });
  }

  it('an abort propagates to a nested call that received the signal of the outer tool', async () => {
    const log: string[] = [];
    await registerBoth(log, forever);
    record(document, '', log);
    const controller = new AbortController();
    const rejected = rejectionOf(call('outer', {}, controller));
    await until(() => log.includes('toolactivated inner'));
    controller.abort('mine');
    expect(await rejected).to.equal('mine');
    await until(() => log.includes('toolcancel inner') && log.includes('toolcancel outer'));
    const steps = ['started', 'toolactivated', 'signal_aborted', 'toolcancel'];
    expect(about(log, 'outer')).to.deep.equal(steps.map((step) => `${step} outer`));
    expect(about(log, 'inner')).to.deep.equal(
      ['started', 'toolactivated', 'AbortError', 'signal_aborted', 'toolcancel'].map((step) => `${step} inner`),
    );
    expect(log.indexOf('signal_aborted outer')).to.be.below(log.indexOf('AbortError inner'));
  });

  it('a tool can abort the nested call in which it runs', async () => {
    const log: string[] = [];
    const controller = new AbortController();
    await registerBoth(log, () => (controller.abort('mine'), forever()));
    record(document, '', log);
    expect(await rejectionOf(call('outer', {}, controller))).to.equal('mine');
    await until(() => log.includes('toolcancel inner') && log.includes('toolcancel outer'));
    expect(about(log, 'outer').at(-2)).to.equal('signal_aborted outer');
    expect(about(log, 'inner').filter((entry) => !entry.startsWith('toolactivated'))).to.deep.equal(
      ['started', 'AbortError', 'signal_aborted', 'toolcancel'].map((step) => `${step} inner`),
    );
  });

  it('nested calls continue when both tools are unregistered while they run', async () => {
    const controllers: AbortController[] = [];
    const unregister = () => controllers.forEach((controller) => controller.abort());
    const seen: unknown[] = [];
    controllers.push(
      await register({
        name: 'inner',
        execute: async (_, { signal }) => {
          unregister();
          seen.push(await namesIn(document), signal.aborted);
          return { status: 'resolved' };
        },
      }),
      await register({
        name: 'outer',
        execute: async (_, { signal }) => {
          const text = await call('inner');
          seen.push(signal.aborted);
          return text;
        },
      }),
    );
    await quiet();
    const events = record(document);
    expect(await call('outer')).to.equal('{"status":"resolved"}');
    expect(seen).to.deep.equal([[], false, false]);
    await settle();
    expect(events).to.include('toolchange');
    expect(events).not.to.include('toolcancel outer').and.not.to.include('toolcancel inner');
  });

  it('a nested call of a tool of another origin continues when both tools are unregistered while they run', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 'inner', [here], true);
    const controller = await register({
      name: 'outer',
      execute: async (input: object, { signal }) => {
        const text = await document.modelContext.executeTool(await toolIn(document, 'inner', [other]), input);
        return { text, isAborted: signal.aborted };
      },
    });
    const result = call('outer', { n: 1 });
    await until(async () => (await ask(frame, 'log')).includes('inner runs'));
    controller.abort();
    await ask(frame, 'unregister', 'inner');
    await until(async () => (await namesIn(document, [other])).length === 0);
    await ask(frame, 'finish', 'inner');
    expect(JSON.parse((await result) as string)).to.deep.equal({ text: '{"n":1}', isAborted: false });
    expect(await ask(frame, 'log')).not.to.include('inner aborts: AbortError');
  });
});
