import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ToolEvent } from '../../src/webmcp.js';
import { afterTest, isNative, rejectionOf, settle } from '../support/polyfill/frame.js';
import { call, forever, next, rejectionName, register, thrownBy } from '../support/polyfill/page.js';

apply();

const events = [
  { name: 'ToolActivatedEvent', type: 'toolactivated', handler: 'ontoolactivated' },
  { name: 'ToolCancelEvent', type: 'toolcancel', handler: 'ontoolcancel' },
] as const;

/** Sets an event handler attribute until the end of the test. */
function handle(name: 'ontoolchange' | 'ontoolactivated' | 'ontoolcancel', handler: (event: Event) => unknown): void {
  document.modelContext[name] = handler;
  afterTest(() => (document.modelContext[name] = null));
}

for (const { name, type, handler } of events) {
  describe(`the event ${name}`, () => {
    const construct = (...args: unknown[]) => Reflect.construct(window[name], args) as ToolEvent;

    it(`${name} has an empty tool name and does not bubble by default`, () => {
      for (const init of [[], [undefined], [null], [{}], [{ toolName: undefined }]]) {
        const event = construct('a', ...init);
        expect([event.type, event.toolName, event.bubbles, event.cancelable, event.composed]).to.deep.equal([
          'a',
          '',
          false,
          false,
          false,
        ]);
        expect(event).to.be.an.instanceOf(window[name]);
        expect(event).to.be.an.instanceOf(Event);
        expect(Object.prototype.toString.call(event)).to.equal(`[object ${name}]`);
        expect(event.isTrusted).to.equal(false);
      }
    });

    it(`${name} has the values of its init`, () => {
      const event = construct('a', { toolName: 't', bubbles: true, cancelable: true, composed: true });
      expect([event.toolName, event.bubbles, event.cancelable, event.composed]).to.deep.equal(['t', true, true, true]);
    });

    it(`${name} converts its type and its tool name to strings and preserves lone surrogates`, () => {
      expect(construct(null).type).to.equal('null');
      expect(construct('a', { toolName: null }).toolName).to.equal('null');
      expect(construct('a', { toolName: { toString: () => '\ud800x' } }).toolName).to.equal('\ud800x');
    });

    it(`the constructor of ${name} throws without a type, for an init that is not a dictionary, and for a symbol as a name`, () => {
      for (const args of [[], ['a', 5], ['a', 'x'], ['a', { toolName: Symbol('s') }]]) {
        expect(thrownBy(() => construct(...args))).to.equal('TypeError');
      }
    });

    it(`the constructor of ${name} reads the members of its init in the order of Web IDL`, () => {
      const log: string[] = [];
      const init = {};
      for (const key of ['toolName', 'composed', 'cancelable', 'bubbles']) {
        Object.defineProperty(init, key, { get: () => void log.push(key) });
      }
      construct('a', init);
      expect(log).to.deep.equal(['bubbles', 'cancelable', 'composed', 'toolName']);
    });

    it(`toolName of ${name} is read-only`, () => {
      const event = construct('a', { toolName: 't' });
      expect(Reflect.set(event, 'toolName', 'u')).to.equal(false);
      expect(event.toolName).to.equal('t');
      expect(Object.hasOwn(event, 'toolName')).to.equal(false);
    });

    it(`a ${name} that a script dispatches reaches the event handler`, () => {
      const seen: unknown[] = [];
      handle(handler, function (this: unknown, ...args) {
        seen.push(this, ...args);
      });
      const event = construct(type, { toolName: 't' });
      document.modelContext.dispatchEvent(event);
      expect(seen).to.deep.equal([document.modelContext, event]);
    });
  });
}

describe('an event handler', () => {
  const dispatch = () => document.modelContext.dispatchEvent(new Event('toolchange', { cancelable: true }));

  it('an event handler is called in the order in which it was first set, among the listeners', () => {
    const log: string[] = [];
    const listen = (label: string) => {
      const listener = () => void log.push(label);
      document.modelContext.addEventListener('toolchange', listener);
      afterTest(() => document.modelContext.removeEventListener('toolchange', listener));
    };
    listen('first');
    handle('ontoolchange', () => log.push('old'));
    listen('last');
    handle('ontoolchange', () => log.push('new'));
    dispatch();
    document.modelContext.ontoolchange = null;
    dispatch();
    document.modelContext.ontoolchange = () => log.push('again');
    dispatch();
    expect(log.join()).to.equal('first,new,last,first,last,first,last,again');
  });

  it('an event handler prevents the default by returning false', () => {
    handle('ontoolchange', () => false);
    expect(dispatch()).to.equal(false);
    handle('ontoolchange', () => undefined);
    expect(dispatch()).to.equal(true);
  });

  it('an event handler that is not a function is not called', () => {
    let calls = 0;
    handle('ontoolchange', { handleEvent: () => calls++ } as unknown as () => void);
    dispatch();
    expect(calls).to.equal(0);
  });
});

describe('the events of a call', () => {
  it('a call dispatches toolactivated once, after the tool has started', async () => {
    const log: string[] = [];
    const seen: ToolEvent[] = [];
    handle('ontoolactivated', (event) => seen.push(event as ToolEvent) && log.push('toolactivated'));
    await register({ name: 'started', execute: () => void log.push('started') });
    await call('started').then(() => log.push('resolved'));
    await settle();
    expect(log).to.deep.equal(['started', 'toolactivated', 'resolved']);
    const [event] = seen;
    expect(event).to.be.an.instanceOf(window.ToolActivatedEvent);
    expect(event?.toolName).to.equal('started');
    expect([event?.bubbles, event?.cancelable, event?.composed]).to.deep.equal([false, false, false]);
    expect(event?.isTrusted).to.equal(isNative);
  });

  it('a call dispatches toolactivated for a tool that fails', async () => {
    const activated = next('toolactivated');
    await register({ name: 'failing', execute: () => Promise.reject(new Error('no')) });
    expect(await rejectionName(call('failing'))).to.equal('UnknownError');
    expect((await activated).toolName).to.equal('failing');
  });

  it('a call of a missing tool dispatches no events', async () => {
    const seen: Event[] = [];
    handle('ontoolactivated', (event) => seen.push(event));
    const tool = { name: 'missing', description: '', origin: location.origin, window };
    expect(await rejectionName(document.modelContext.executeTool(tool))).to.equal('UnknownError');
    await settle();
    expect(seen).to.deep.equal([]);
  });

  it('an aborted call dispatches toolcancel once, after the rejection', async () => {
    const log: string[] = [];
    const seen: ToolEvent[] = [];
    handle('ontoolcancel', (event) => seen.push(event as ToolEvent) && log.push('toolcancel'));
    await register({ name: 'aborted', execute: forever });
    const controller = new AbortController();
    const activated = next('toolactivated');
    const rejected = rejectionOf(call('aborted', {}, controller)).then(() => log.push('rejected'));
    await activated;
    const canceled = next('toolcancel');
    controller.abort();
    await Promise.all([rejected, canceled]);
    await settle();
    expect(log).to.deep.equal(['rejected', 'toolcancel']);
    const [event] = seen;
    expect(event).to.be.an.instanceOf(window.ToolCancelEvent);
    expect(event?.toolName).to.equal('aborted');
    expect([event?.bubbles, event?.cancelable, event?.composed]).to.deep.equal([false, false, false]);
    expect(event?.isTrusted).to.equal(isNative);
  });

  it('toolcancel is dispatched in a later task than the rejection', async () => {
    const seen: Event[] = [];
    handle('ontoolcancel', (event) => seen.push(event));
    await register({ name: 'aborted', execute: forever });
    const controller = new AbortController();
    const activated = next('toolactivated');
    const rejected = rejectionOf(call('aborted', {}, controller));
    await activated;
    const canceled = next('toolcancel');
    controller.abort();
    await rejected;
    for (let microtasks = 0; microtasks < 100; microtasks++) await Promise.resolve();
    expect(seen).to.deep.equal([]);
    await canceled;
    expect(seen).to.have.lengthOf(1);
  });

  it('an abort after the result dispatches no toolcancel', async () => {
    const seen: Event[] = [];
    handle('ontoolcancel', (event) => seen.push(event));
    await register({ name: 'ended' });
    const controller = new AbortController();
    await call('ended', {}, controller);
    controller.abort();
    await settle();
    expect(seen).to.deep.equal([]);
  });
});
