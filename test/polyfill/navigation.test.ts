import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import {
  ask,
  errorOf,
  here,
  loaded,
  namesIn,
  openFrame,
  other,
  record,
  register,
  rejectionOf,
  settle,
  toolIn,
  until,
  windowOf,
  withoutScript,
  withScript,
} from '../support/polyfill/frame.js';
import { pageErrors } from '../support/polyfill/page.js';

apply();

const never = (): Promise<never> => new Promise(() => undefined);
/** Ignores the answer of a page that may be unloaded first. */
const leave = (promise: Promise<unknown>) => void promise.catch(() => undefined);
/** The entries of a log without toolchange, whose time differs between pages. */
const callsIn = (log: readonly string[]): readonly string[] => log.filter((line) => line !== 'toolchange');
/** Another URL of a page. */
const nextOf = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}next`;

const open = (origin = here) => openFrame({ src: withScript(origin), allow: 'tools' });

/** Opens a frame with a tool that never settles, and lists the tool here. */
async function frameWithTool(origin: string) {
  const frame = await open(origin);
  await ask(windowOf(frame), 'register', 't', [here], true);
  return { frame, tool: await toolIn(document, 't', [origin]) };
}

/** The error name of a call that is running when an action happens. */
async function errorAfter(origin: string, action: (frame: HTMLIFrameElement) => unknown): Promise<string> {
  const { frame, tool } = await frameWithTool(origin);
  const error = errorOf(document.modelContext.executeTool(tool));
  await until(async () => (await ask(windowOf(frame), 'log')).includes('t runs'));
  await action(frame);
  return error;
}

for (const [origins, origin] of [
  ['the same origin', here],
  ['another origin', other],
] as const) {
  describe(`the call of a tool in a frame of ${origins}`, () => {
    it(`the call of a tool in a frame of ${origins} rejects with an UnknownError when the frame is removed`, async () => {
      expect(await errorAfter(origin, (frame) => frame.remove())).to.equal('UnknownError');
    });

    it(`the call of a tool in a frame of ${origins} rejects with an UnknownError when the frame is navigated to any page`, async () => {
      for (const url of [withScript(here), withScript(other), withoutScript(here), withoutScript(other)]) {
        expect(await errorAfter(origin, (frame) => (frame.src = nextOf(url))), url).to.equal('UnknownError');
      }
    });

    it(`the call of a tool in a frame of ${origins} rejects with an UnknownError when the frame navigates itself`, async () => {
      const navigate = (frame: HTMLIFrameElement) =>
        leave(ask(windowOf(frame), 'navigate', nextOf(withScript(origin))));
      expect(await errorAfter(origin, navigate)).to.equal('UnknownError');
    });

    it(`the call of a tool in a frame of ${origins} rejects with an InvalidStateError if the frame was removed before`, async () => {
      const { frame, tool } = await frameWithTool(origin);
      frame.remove();
      expect(await errorOf(document.modelContext.executeTool(tool))).to.equal('InvalidStateError');
    });

    it(`the call of a tool in a frame of ${origins} rejects with an UnknownError if the frame was navigated before`, async () => {
      const { frame, tool } = await frameWithTool(origin);
      for (const url of [withScript(origin), withoutScript(origin)]) {
        frame.src = nextOf(url);
        await loaded(frame);
        expect(await errorOf(document.modelContext.executeTool(tool)), url).to.equal('UnknownError');
      }
    });
  });

  describe(`a tool that a frame of ${origins} has called`, () => {
    const departures: Record<string, (frame: HTMLIFrameElement) => unknown> = {
      'is removed': (frame) => frame.remove(),
      'is navigated': (frame) => (frame.src = nextOf(withScript(origin))),
      'is navigated to a page without the script': (frame) => (frame.src = nextOf(withoutScript(origin))),
      'navigates itself': (frame) => leave(ask(windowOf(frame), 'navigate', nextOf(withScript(origin)))),
    };
    for (const [departure, depart] of Object.entries(departures)) {
      it(`the signal of a tool aborts, with one toolcancel, when the calling frame of ${origins} ${departure}`, async () => {
        const frame = await open(origin);
        const log: string[] = [];
        const execute: ModelContextTool['execute'] = (_, { signal }) => {
          log.push('runs');
          signal.addEventListener('abort', () => log.push(`aborts: ${(signal.reason as Error).name}`));
          return never();
        };
        await register(document, { name: 't', execute }, { exposedTo: [origin] });
        await ask(windowOf(frame), 'list', [here]);
        record(document, '', log);
        leave(ask(windowOf(frame), 'execute', 't'));
        await until(() => log.includes('toolactivated t'));
        depart(frame);
        await until(() => log.includes('toolcancel t'));
        await settle();
        expect(log).to.deep.equal(['runs', 'toolactivated t', 'aborts: AbortError', 'toolcancel t']);
      });
    }

    it(`a tool that finishes before its calling frame of ${origins} is unloaded is not canceled`, async () => {
      const frame = await open(origin);
      let aborts = 0;
      const execute: ModelContextTool['execute'] = (_, { signal }) => {
        signal.addEventListener('abort', () => aborts++);
        return 'done';
      };
      await register(document, { name: 't', execute }, { exposedTo: [origin] });
      await ask(windowOf(frame), 'list', [here]);
      const events = record(document);
      expect(await ask(windowOf(frame), 'execute', 't')).to.equal('done');
      frame.remove();
      await settle();
      expect([aborts, ...callsIn(events)]).to.deep.equal([0, 'toolactivated t']);
    });
  });

  describe(`toolactivated, for a tool in a frame of ${origins}`, () => {
    it(`toolactivated is dispatched only in the frame of ${origins} that has the tool`, async () => {
      const frame = windowOf(await open(origin));
      const bystander = windowOf(await open(origin));
      await ask(frame, 'register', 't', [here]);
      await ask(frame, 'clearLog');
      await ask(bystander, 'clearLog');
      const events = record(document);
      expect(await document.modelContext.executeTool(await toolIn(document, 't', [origin]), { n: 1 })).to.equal(
        '{"n":1}',
      );
      await settle(frame, bystander);
      expect(callsIn(await ask(frame, 'log'))).to.deep.equal(['t runs', 'toolactivated t']);
      expect(callsIn(await ask(bystander, 'log'))).to.deep.equal([]);
      expect(callsIn(events)).to.deep.equal([]);
    });

    it(`toolactivated is not dispatched in a calling frame of ${origins}`, async () => {
      const frame = windowOf(await open(origin));
      await register(document, { name: 't' }, { exposedTo: [origin] });
      await ask(frame, 'list', [here]);
      await ask(frame, 'clearLog');
      const events = record(document);
      expect(await ask(frame, 'execute', 't', { n: 1 })).to.equal('{"n":1}');
      await settle(frame);
      expect(callsIn(events)).to.deep.equal(['toolactivated t']);
      expect(callsIn(await ask(frame, 'log'))).to.deep.equal([]);
    });
  });
}

describe('a tool that removes its own frame', () => {
  it('the call of a tool that removes its own frame rejects with an UnknownError, without toolactivated', async () => {
    const frame = await open();
    const { document: page } = windowOf(frame);
    const execute = () => {
      frame.remove();
      return 'done';
    };
    await register(page, { name: 't', execute });
    const tool = await toolIn(document, 't');
    const events = record(page);
    expect(await errorOf(document.modelContext.executeTool(tool))).to.equal('UnknownError');
    await settle();
    expect(callsIn(events)).to.deep.equal([]);
  });

  it('a call whose tool removes its frame on abort rejects with the reason of the caller, without toolcancel', async () => {
    const frame = await open();
    const { document: page } = windowOf(frame);
    const execute: ModelContextTool['execute'] = (_, { signal }) => {
      signal.addEventListener('abort', () => frame.remove());
      return never();
    };
    await register(page, { name: 't', execute });
    const tool = await toolIn(document, 't');
    const events = record(page);
    const controller = new AbortController();
    const rejection = rejectionOf(document.modelContext.executeTool(tool, {}, { signal: controller.signal }));
    await until(() => events.includes('toolactivated t'));
    controller.abort();
    expect((await rejection) === controller.signal.reason).to.equal(true);
    await until(() => !frame.isConnected);
    await settle();
    expect(callsIn(events)).to.deep.equal(['toolactivated t']);
  });
});

describe('a tool that calls the tool of another frame', () => {
  it('a nested call and its caller reject with an UnknownError when the frame of the inner tool is removed', async () => {
    const [outer, inner] = [await open(), await open()];
    await ask(windowOf(inner), 'register', 'inner', [], true);
    const { modelContext } = windowOf(outer).document;
    let innerError = '';
    const execute: ModelContextTool['execute'] = async () => {
      const call = modelContext.executeTool(await toolIn(windowOf(outer).document, 'inner'));
      innerError = await errorOf(call);
      return call;
    };
    await register(windowOf(outer).document, { name: 'outer', execute });
    const error = errorOf(document.modelContext.executeTool(await toolIn(document, 'outer')));
    await until(async () => (await ask(windowOf(inner), 'log')).includes('inner runs'));
    inner.remove();
    expect([await error, innerError]).to.deep.equal(['UnknownError', 'UnknownError']);
  });

  it('an abort cancels a nested call that received the signal of the outer tool', async () => {
    const [outer, inner] = [windowOf(await open()), windowOf(await open())];
    await ask(inner, 'register', 'inner', [], true);
    const execute: ModelContextTool['execute'] = async (_, { signal }) =>
      outer.document.modelContext.executeTool(await toolIn(outer.document, 'inner'), {}, { signal });
    await register(outer.document, { name: 'outer', execute });
    const events = record(outer.document);
    const controller = new AbortController();
    const tool = await toolIn(document, 'outer');
    const error = errorOf(document.modelContext.executeTool(tool, {}, { signal: controller.signal }));
    await until(async () => (await ask(inner, 'log')).includes('toolactivated inner'));
    controller.abort();
    expect(await error).to.equal('AbortError');
    await until(async () => (await ask(inner, 'log')).includes('toolcancel inner'));
    expect((await ask(inner, 'log')).slice(-2)).to.deep.equal(['inner aborts: AbortError', 'toolcancel inner']);
    expect(callsIn(events)).to.deep.equal(['toolactivated outer', 'toolcancel outer']);
  });
});

describe('a frame that calls its own tool', () => {
  /** Opens a frame whose own call of its tool is running. */
  async function openCalling() {
    const frame = await open();
    const page = windowOf(frame);
    await ask(page, 'register', 't', [], true);
    await ask(page, 'list');
    const call = ask(page, 'execute', 't', { n: 1 });
    leave(call);
    await until(async () => (await ask(page, 'log')).includes('toolactivated t'));
    return { frame, page, call };
  }

  it('a call continues when its frame is navigated to a fragment', async () => {
    const { page, call } = await openCalling();
    page.location.hash = 'part';
    page.history.pushState({}, '', '?pushed');
    await settle(page);
    await ask(page, 'finish', 't');
    expect(await call).to.equal('{"n":1}');
    expect(callsIn(await ask(page, 'log'))).to.deep.equal(['t runs', 'toolactivated t']);
  });

  it('a frame can be navigated, or be removed, while it calls its own tool', async () => {
    const errors = pageErrors();
    for (const next of [withScript(), withoutScript()].map(nextOf)) {
      const { frame } = await openCalling();
      frame.src = next;
      await loaded(frame);
      expect(await namesIn(document)).to.deep.equal([]);
      await register(windowOf(frame).document, { name: 't' });
      expect(await document.modelContext.executeTool(await toolIn(document, 't'), { n: 2 })).to.equal('{"n":2}');
      frame.remove();
    }
    const { frame } = await openCalling();
    frame.remove();
    await settle();
    expect(await namesIn(document)).to.deep.equal([]);
    expect(errors).to.deep.equal([]);
  });
});
