import { expect } from '@open-wc/testing';
import { timeouts } from '../../src/polyfill/agent/cross-origin/limits.js';
import { apply } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import {
  openWindow,
  afterTest,
  ask,
  errorOf,
  extendedPage,
  here,
  isNative,
  namesIn,
  openFrame,
  openOther,
  other,
  record,
  register,
  rejectionOf,
  settle,
  third,
  toolIn,
  until,
  windowOf,
  withoutScript,
  withScript,
} from '../support/polyfill/frame.js';

apply();

const run = (...args: Parameters<Document['modelContext']['executeTool']>) =>
  document.modelContext.executeTool(...args);

const handle = (name: string, window: Window, origin = other) => ({ name, description: '', window, origin });

/** Lets lists wait for the first replies of frames however late a slow machine sends them. */
function expectLateReplies(): void {
  const { welcome } = timeouts;
  timeouts.welcome = 100_000;
  afterTest(() => (timeouts.welcome = welcome));
}

describe('a tool in a frame of another origin', () => {
  it('a tool of another origin that is exposed to this page is listed for its origin and runs', async () => {
    const frame = await openWindow();
    const events = record(document);
    await ask(frame, 'register', 't', [here]);
    await until(() => events.includes('toolchange'));
    expect(await namesIn(document)).to.deep.equal([]);
    expect(await namesIn(document, [third])).to.deep.equal([]);
    const tool = await toolIn(document, 't', [other]);
    expect(tool.window === frame).to.equal(true);
    expect([tool.origin, tool.title, tool.description, tool.inputSchema]).to.deep.equal([other, '', 't', undefined]);
    expect(await run(tool, { deep: [1, 'ü'] })).to.equal('{"deep":[1,"ü"]}');
    events.length = 0;
    await ask(frame, 'unregister', 't');
    await until(() => events.includes('toolchange'));
    expect(await namesIn(document, [other])).to.deep.equal([]);
    expect(await errorOf(run(tool))).to.equal('UnknownError');
  });

  it('a tool that a frame of another origin has registered is listed as soon as the frame has loaded', async () => {
    const keepBusy = (): void => {
      for (const end = performance.now() + 100; performance.now() < end;);
    };
    const open = async (): Promise<boolean> => {
      const frame = windowOf(await openFrame({ src: `${extendedPage('exposed', other)}&to=${here}`, allow: 'tools' }));
      const tools = await document.modelContext.getTools({ fromOrigins: [other] });
      return tools.some(({ window }) => window === frame);
    };
    expectLateReplies();
    setTimeout(keepBusy, 5);
    expect(await Promise.all(Array.from({ length: 10 }, open))).to.deep.equal(Array(10).fill(true));
  });

  it('a list that waits for a frame lists its tool when the frame loads the script meanwhile', async function () {
    if (isNative) this.skip(); // a native list does not wait
    expectLateReplies();
    await namesIn(document); // loads the agent script
    await openFrame({ src: `${extendedPage('late-script', other)}&to=${here}`, allow: 'tools' });
    expect(await namesIn(document, [other])).to.deep.equal(['late']);
  });

  for (const [title, exposedTo] of [
    ['a tool without exposedTo', undefined],
    ['a tool with an empty exposedTo', []],
    ['a tool that is exposed to a third origin', [third]],
    ['a tool that is exposed to its own origin', [other]],
  ] as const) {
    it(`${title} is visible in its own page only`, async () => {
      const frame = await openWindow();
      const events = record(document);
      await ask(frame, 'register', 't', exposedTo);
      expect(await ask(frame, 'list')).to.deep.equal([`t ${other}`]);
      expect(await namesIn(document, [other, third])).to.deep.equal([]);
      expect(await errorOf(run(handle('t', frame)))).to.equal('UnknownError');
      await ask(frame, 'unregister', 't');
      await settle(frame);
      expect(events).to.deep.equal([]);
      expect(await ask(frame, 'log')).to.deep.equal(['toolchange', 'toolchange']);
    });
  }

  it('tools of several frames of other origins are sorted together with those of this page', async () => {
    const frames = [await openWindow(), await openWindow(), await openWindow(third)] as const;
    await register(document, { name: 'b' });
    await ask(frames[0], 'register', 'c', [here]);
    await ask(frames[1], 'register', 'a', [here]);
    await ask(frames[2], 'register', 'd', [here]);
    expect(await namesIn(document, [other])).to.deep.equal(['a', 'b', 'c']);
    expect(await namesIn(document, [other, third])).to.deep.equal(['a', 'b', 'c', 'd']);
    expect((await toolIn(document, 'a', [other])).window === frames[1]).to.equal(true);
  });

  it('a listed tool does not run after it was registered again without exposedTo', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 't', [here]);
    const tool = await toolIn(document, 't', [other]);
    await ask(frame, 'unregister', 't');
    await ask(frame, 'register', 't');
    expect(await errorOf(run(tool))).to.equal('UnknownError');
    expect(await ask(frame, 'log')).not.to.include('t runs');
  });

  it('a tool of another origin continues when it is unregistered while it runs', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 't', [here], true);
    const call = run(await toolIn(document, 't', [other]), { n: 1 });
    await until(async () => (await ask(frame, 'log')).includes('t runs'));
    await ask(frame, 'unregister', 't');
    expect(await namesIn(document, [other])).to.deep.equal([]);
    await ask(frame, 'finish', 't');
    expect(await call).to.equal('{"n":1}');
    expect(await ask(frame, 'log')).not.to.include('t aborts: AbortError');
  });

  it('an abort reaches the tool of another origin, and the caller gets its own reason', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 't', [here], true);
    const tool = await toolIn(document, 't', [other]);
    const reason = { mine: true };
    const controller = new AbortController();
    const rejection = rejectionOf(run(tool, {}, { signal: controller.signal }));
    await until(async () => (await ask(frame, 'log')).includes('toolactivated t'));
    await ask(frame, 'clearLog');
    controller.abort(reason);
    expect(await rejection).to.equal(reason);
    await until(async () => (await ask(frame, 'log')).includes('toolcancel t'));
    await settle(frame);
    expect(await ask(frame, 'log')).to.deep.equal(['t aborts: AbortError', 'toolcancel t']);
  });

  it('a tool of another origin does not run for an aborted signal', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 't', [here]);
    const tool = await toolIn(document, 't', [other]);
    expect(await rejectionOf(run(tool, {}, { signal: AbortSignal.abort('no') }))).to.equal('no');
    await settle(frame);
    expect(await ask(frame, 'log')).to.deep.equal(['toolchange']);
  });
});

describe('a tool of this page, in a frame of another origin', () => {
  it('a tool of this page that is exposed to another origin is listed there for its origin and runs', async () => {
    const frame = await openWindow();
    const registration = await register(document, { name: 't' }, { exposedTo: [third, other] });
    await until(async () => (await ask(frame, 'log')).length > 0);
    expect(await ask(frame, 'list')).to.deep.equal([]);
    expect(await ask(frame, 'list', [here])).to.deep.equal([`t ${here}`]);
    expect(await ask(frame, 'execute', 't', { n: 1 })).to.equal('{"n":1}');
    registration.abort();
    await until(async () => (await ask(frame, 'log')).length > 1);
    expect(await ask(frame, 'log')).to.deep.equal(['toolchange', 'toolchange']);
    expect(await ask(frame, 'list', [here])).to.deep.equal([]);
  });

  it('a tool of this page that is not exposed to another origin is neither listed nor run there', async () => {
    const frame = await openWindow();
    for (const exposedTo of [undefined, [], [third]]) {
      const registration = await register(document, { name: 't' }, exposedTo ? { exposedTo } : {});
      expect(await ask(frame, 'list', [here, third])).to.deep.equal([]);
      const call = ask(frame, 'execute', { name: 't', origin: here, path: 'parent' });
      expect(await errorOf(call)).to.equal('UnknownError');
      registration.abort();
    }
    await settle(frame);
    expect(await ask(frame, 'log')).to.deep.equal([]);
  });

  it('an abort in a frame of another origin reaches the tool of this page, and the frame gets its own reason', async () => {
    const frame = await openWindow();
    const log: string[] = [];
    const execute: ModelContextTool['execute'] = (_, { signal }) => {
      signal.addEventListener('abort', () => log.push((signal.reason as Error).name));
      return new Promise(() => undefined);
    };
    await register(document, { name: 't', execute }, { exposedTo: [other] });
    record(document, '', log);
    await ask(frame, 'list', [here]);
    const error = errorOf(ask(frame, 'execute', 't'));
    await until(() => log.includes('toolactivated t'));
    await ask(frame, 'abort', 't', 'enough');
    expect(await error).to.equal('enough');
    await until(() => log.includes('toolcancel t'));
    await settle(frame);
    expect(log).to.deep.equal(['toolactivated t', 'AbortError', 'toolcancel t']);
  });

  it('a failure of a tool is an UnknownError without its reason in another origin', async () => {
    const frame = await openWindow();
    const execute = () => Promise.reject(new RangeError('a secret'));
    await register(document, { name: 't', execute }, { exposedTo: [other] });
    await ask(frame, 'list', [here]);
    const error = (await rejectionOf(ask(frame, 'execute', 't'))) as Error;
    expect(error.name).to.equal('UnknownError');
    expect(error.message).not.to.include('secret');
  });
});

describe('two frames of other origins', () => {
  it('two frames share an exposed tool that their parent cannot see', async () => {
    const [owner, caller] = [await openWindow(other), await openWindow(third)];
    const events = record(document);
    await ask(owner, 'register', 't', [third]);
    await until(async () => (await ask(caller, 'log')).length > 0);
    expect(await ask(caller, 'list', [other])).to.deep.equal([`t ${other}`]);
    expect(await ask(caller, 'execute', 't', { n: 1 })).to.equal('{"n":1}');
    await ask(owner, 'unregister', 't');
    await until(async () => (await ask(caller, 'log')).length > 1);
    expect(await ask(caller, 'log')).to.deep.equal(['toolchange', 'toolchange']);
    expect(await ask(owner, 'log')).to.deep.equal(['toolchange', 't runs', 'toolactivated t', 'toolchange']);
    expect(await namesIn(document, [other, third])).to.deep.equal([]);
    expect(events).to.deep.equal([]);
  });

  it('a frame receives toolchange for a tool that is registered right after it has loaded', async () => {
    for (let times = 0; times < 5; times++) {
      const [owner, caller] = [windowOf(await openOther(other)), windowOf(await openOther(third))];
      await ask(owner, 'register', 't', [third]);
      await until(async () => (await ask(caller, 'log')).length > 0);
      expect(await ask(caller, 'log')).to.deep.equal(['toolchange']);
    }
  });

  it('a frame receives toolchange for the tools of a page that was too busy to be in its first list', async () => {
    const owner = await openWindow(other);
    await ask(owner, 'register', 't', [third]);
    const busy = ask(owner, 'block', 1000);
    const caller = windowOf(await openOther(third));
    const isListed = (await ask(caller, 'list', [other])).length > 0; // if both frames share a thread
    await busy;
    if (!isListed) await until(async () => (await ask(caller, 'log')).length > 0);
    await settle(owner, caller);
    expect(await ask(caller, 'log')).to.deep.equal(isListed ? [] : ['toolchange']);
    expect(await ask(caller, 'list', [other])).to.deep.equal([`t ${other}`]);
  });

  it('a frame receives toolchange for a tool that was registered before the two frames connected', async () => {
    const caller = await openWindow(third);
    const busy = ask(caller, 'block', 500);
    const owner = windowOf(await openOther(other));
    await ask(owner, 'register', 't', [third]);
    await busy;
    await until(async () => (await ask(caller, 'log')).length > 0);
    await settle(owner, caller);
    expect(await ask(caller, 'log')).to.deep.equal(['toolchange']);
    expect(await ask(caller, 'list', [other])).to.deep.equal([`t ${other}`]);
  });

  it('a list waits for a page that is busy for 1.5 seconds', async () => {
    const [owner, caller] = [await openWindow(other), await openWindow(third)];
    await ask(owner, 'register', 't', [third]);
    const busy = ask(owner, 'block', 1500);
    expect(await ask(caller, 'list', [other])).to.deep.equal([`t ${other}`]);
    await busy;
  });

  it('two frames of one origin share their tools without exposedTo', async () => {
    const [owner, caller] = [await openWindow(), await openWindow()];
    await ask(owner, 'register', 't');
    expect(await ask(caller, 'list')).to.deep.equal([`t ${other}`]);
    expect(await ask(caller, 'execute', 't', { n: 1 })).to.equal('{"n":1}');
    expect(await namesIn(document, [other])).to.deep.equal([]);
  });
});

describe('a frame of another origin within a frame of this one', () => {
  for (const [kind, src] of [
    ['with', withScript()],
    ['without', withoutScript()],
  ] as const) {
    it(`a nested frame in a frame ${kind} the script shares exposed tools with both ancestors`, async () => {
      const middle = windowOf(await openFrame({ src }));
      const inner = windowOf(await openFrame({ src: withScript(other), allow: 'tools' }, middle.document));
      await register(document, { name: 'top' }, { exposedTo: [other] });
      await register(middle.document, { name: 'middle' }, { exposedTo: [other] });
      await ask(inner, 'register', 'inner', [here]);
      const all = [`inner ${other}`, `middle ${here}`, `top ${here}`];
      expect(await ask(inner, 'list', [here])).to.deep.equal(all);
      for (const name of ['middle', 'top'])
        expect(await ask(inner, 'execute', name, { name })).to.equal(`{"name":"${name}"}`);
      for (const page of [document, middle.document]) {
        const tool = await toolIn(page, 'inner', [other]);
        expect(tool.window === inner).to.equal(true);
        expect(await page.modelContext.executeTool(tool, { n: 1 })).to.equal('{"n":1}');
      }
    });
  }
});
