import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import {
  addFrame,
  afterTest,
  errorOf,
  here,
  isNative,
  loaded,
  namesIn,
  openFrame,
  record,
  register,
  rejectionOf,
  settle,
  toolIn,
  until,
  windowOf,
  withoutScript,
  withScript,
  type FrameWindow,
} from '../support/polyfill/frame.js';
import { crashesNative } from '../support/polyfill/native.js';

apply();

const methods: Record<string, (context: Document['modelContext']) => Promise<unknown>> = {
  registerTool: (context) => context.registerTool({ name: 't', description: 'd', execute: () => 't' }),
  getTools: (context) => context.getTools(),
  executeTool: (context) => context.executeTool({ name: 't', description: 'd', window, origin: here }),
};

/** Frames with pages that load the script or do not. */
const pages: Record<string, () => Promise<HTMLIFrameElement>> = {
  'a page with the script': () => openFrame({ src: withScript() }),
  'a page without the script': () => openFrame({ src: withoutScript() }),
  'a srcdoc page': () => openFrame({ srcdoc: '<!doctype html><p>A page' }),
};

describe('a frame of the same origin', () => {
  for (const [page, open] of Object.entries(pages)) {
    it(`a frame with ${page} and its parent list and run the tools of each other`, async () => {
      const frame = windowOf(await open());
      await register(document, { name: 'above' });
      await register(frame.document, { name: 'below' });
      for (const caller of [document, frame.document]) {
        expect(await namesIn(caller)).to.deep.equal(['above', 'below']);
        for (const name of ['above', 'below']) {
          const tool = await toolIn(caller, name);
          expect(tool.window === (name === 'above' ? window : frame)).to.equal(true);
          expect(tool.origin).to.equal(here);
          expect(await caller.modelContext.executeTool(tool, { name })).to.equal(JSON.stringify({ name }));
        }
      }
    });
  }

  it('toolchange is dispatched in the parent and then in the frame, wherever a tool is added or removed', async () => {
    const frame = windowOf(await openFrame({ src: withScript() }));
    await namesIn(frame.document); // the browser sends changes only to documents that have listed tools
    const events: string[] = [];
    record(frame.document, 'frame', events);
    record(document, 'parent', events);
    const both = ['parent toolchange', 'frame toolchange'];
    for (const page of [document, frame.document]) {
      const registration = await register(page, { name: 't' });
      await until(() => events.length >= 2);
      expect(events.splice(0)).to.deep.equal(both);
      registration.abort();
      await until(() => events.length >= 2);
      expect(events.splice(0)).to.deep.equal(both);
    }
  });

  it('a tool with an empty exposedTo is listed, runs and is announced in all documents of its origin', async () => {
    const frame = windowOf(await openFrame({ src: withScript() }));
    await namesIn(frame.document);
    const events: string[] = [];
    record(frame.document, 'frame', events);
    record(document, 'parent', events);
    const changes = () => events.filter((event) => event.endsWith('toolchange'));
    for (const [page, caller] of [
      [document, frame.document],
      [frame.document, document],
    ] as const) {
      const registration = await register(page, { name: 't' }, { exposedTo: [] });
      const tool = await toolIn(caller, 't');
      expect(tool.inputSchema).to.equal(undefined);
      expect(await caller.modelContext.executeTool(tool, { n: 1 })).to.equal('{"n":1}');
      await until(() => changes().length >= 2);
      registration.abort();
      await until(() => changes().length >= 4);
      expect(changes().sort().join()).to.equal('frame toolchange,frame toolchange,parent toolchange,parent toolchange');
      events.length = 0;
    }
  });

  it('a frame without a page has a model context immediately after its insertion', async () => {
    const frame = windowOf(addFrame());
    expect(frame.document.modelContext instanceof frame.ModelContext).to.equal(true);
    await register(document, { name: 'above' });
    expect(await namesIn(frame.document)).to.deep.equal(['above']);
    await register(frame.document, { name: 'below' });
    expect(await namesIn(document)).to.deep.equal(['above', 'below']);
    expect(await document.modelContext.executeTool(await toolIn(document, 'below'), { n: 1 })).to.equal('{"n":1}');
  });

  it('a nested frame shares its tools with all documents of the page', async () => {
    const outer = windowOf(await openFrame({ srcdoc: '<!doctype html><body>' }));
    const inner = windowOf(await openFrame({ src: withoutScript() }, outer.document));
    const all = [document, outer.document, inner.document];
    for (const [index, page] of all.entries()) await register(page, { name: `t${index}` });
    for (const page of all) {
      expect(await namesIn(page)).to.deep.equal(['t0', 't1', 't2']);
      for (const name of ['t0', 't1', 't2']) {
        expect(await page.modelContext.executeTool(await toolIn(page, name))).to.equal('{}');
      }
    }
  });

  it('a frame shares its tools with its sibling', async () => {
    const [first, second] = [await openFrame({ src: withScript() }), await openFrame({ src: withoutScript() })];
    await register(windowOf(first).document, { name: 't' });
    const page = windowOf(second).document;
    expect(await page.modelContext.executeTool(await toolIn(page, 't'), [1])).to.equal('[1]');
  });

  /** Checks that a frame has lost the tools of its empty document after it has loaded a page. */
  async function isFresh(frame: HTMLIFrameElement, empty: Document, context: Document['modelContext']): Promise<void> {
    const page = windowOf(frame).document;
    expect(page === empty).to.equal(false);
    expect(page.modelContext === context).to.equal(false);
    expect(await namesIn(document)).to.deep.equal([]);
    expect(await namesIn(page)).to.deep.equal([]);
    expect(await errorOf(context.getTools())).to.equal('InvalidStateError');
    await register(page, { name: 't' });
    expect(await namesIn(document)).to.deep.equal(['t']);
  }

  it('a frame loses the tools of its empty document when it loads another', async () => {
    const frame = addFrame();
    const empty = windowOf(frame).document;
    const context = empty.modelContext;
    await register(empty, { name: 't' });
    expect(await namesIn(document)).to.deep.equal(['t']);
    frame.src = withoutScript();
    await loaded(frame);
    await isFresh(frame, empty, context);
  });

  const unlessItCrashes = isNative ? it.skip : it; // Chromium 156 may crash when a document is unloaded while it registers a tool
  unlessItCrashes(
    'a frame loses the tools of its empty document if the new document has the same Window object',
    async () => {
      const frame = addFrame({ src: withoutScript() });
      const empty = windowOf(frame).document;
      const context = empty.modelContext;
      Object.assign(windowOf(frame), { isKept: true });
      context.registerTool({ name: 't', description: 'd', execute: () => 't' }).catch(() => undefined);
      await loaded(frame);
      expect('isKept' in windowOf(frame)).to.equal(true);
      await isFresh(frame, empty, context);
    },
  );

  it('a frame that is removed while it loads a script does not block the tools of the page', async () => {
    const script = '<script src="/webmcp-forms.iife.js" data-chunk="/echo/hang"></script>';
    await register(document, { name: 't' });
    await namesIn(document); // frames load the agent script from now on
    const frame = addFrame({ srcdoc: script });
    await until(() => {
      const { readyState, scripts, URL } = windowOf(frame).document;
      return URL === 'about:srcdoc' && (scripts.length === 2 || readyState === 'complete');
    });
    const names = namesIn(document);
    frame.remove();
    expect(await names).to.deep.equal(['t']);
  });

  it('a frame loses its tools when it is navigated or removed', async () => {
    const frame = await openFrame({ src: withScript() });
    await register(windowOf(frame).document, { name: 'first' });
    frame.src = withoutScript();
    await loaded(frame);
    expect(await namesIn(document)).to.deep.equal([]);
    await register(windowOf(frame).document, { name: 'second' });
    expect(await namesIn(document)).to.deep.equal(['second']);
    frame.remove();
    expect(await namesIn(document)).to.deep.equal([]);
  });

  for (const [page, open] of Object.entries(pages)) {
    it(`a frame with ${page} has interfaces, errors, promises and events of its own realm`, async () => {
      const frame = windowOf(await open());
      const context = frame.document.modelContext;
      expect(frame.document.modelContext === context).to.equal(true);
      expect(context instanceof frame.ModelContext, 'ModelContext').to.equal(true);
      expect(context instanceof window.ModelContext).to.equal(false);
      expect(context.getTools() instanceof frame.Promise, 'Promise').to.equal(true);
      const invalid = await rejectionOf(context.registerTool({ name: '', description: 'd', execute: () => 't' }));
      expect(invalid instanceof frame.DOMException, 'DOMException').to.equal(true);
      expect((invalid as Error).name).to.equal('InvalidStateError');
      const incomplete = await rejectionOf(context.executeTool({} as never));
      expect(incomplete instanceof frame.TypeError, 'TypeError').to.equal(true);

      let event: Event | undefined;
      context.addEventListener('toolactivated', (activated) => (event = activated), { once: true });
      const execute = frame.eval('(_, { signal }) => signal instanceof AbortSignal') as () => boolean;
      await register(frame.document, { name: 't', execute });
      const hasOwnSignal = await document.modelContext.executeTool(await toolIn(document, 't'));
      expect(event instanceof frame.ToolActivatedEvent, 'ToolActivatedEvent').to.equal(true);
      expect(hasOwnSignal, 'AbortSignal').to.equal('true');
    });
  }

  it('a call rejects with an error of the realm of the caller', async () => {
    const frame = windowOf(await openFrame({ src: withoutScript() }));
    const execute = () => {
      throw new frame.Error('no');
    };
    await register(frame.document, { name: 't', execute });
    const error = await rejectionOf(document.modelContext.executeTool(await toolIn(document, 't')));
    expect(error instanceof DOMException).to.equal(true);
    expect((error as Error).name).to.equal('UnknownError');
  });
});

describe('an inactive document', () => {
  /** Every method rejects with an InvalidStateError of the realm. */
  async function rejectsAll(
    context: Document['modelContext'],
    DOMException: typeof window.DOMException,
  ): Promise<void> {
    for (const [name, call] of Object.entries(methods)) {
      const error = await rejectionOf(call(context));
      expect(error instanceof DOMException, name).to.equal(true);
      expect((error as Error).name, name).to.equal('InvalidStateError');
    }
  }

  for (const [page, open] of Object.entries({ ...pages, 'an empty page': () => Promise.resolve(addFrame()) })) {
    it(`the model context of ${page} of a removed frame rejects all operations`, async () => {
      for (const isTouched of [true, false]) {
        const frame = await open();
        const { document: gone, DOMException } = windowOf(frame);
        const context = isTouched ? gone.modelContext : undefined;
        frame.remove();
        expect(gone.modelContext === (context ?? gone.modelContext)).to.equal(true);
        await rejectsAll(gone.modelContext, DOMException);
      }
    });
  }

  crashesNative(
    'inactiveDocument',
    'the model context of a document without a window rejects all operations, whichever is the first in its realm',
    async () => {
      const frames = [await openFrame({ src: withoutScript() }), await openFrame({ src: withoutScript() })];
      const [touched, untouched] = frames.map(windowOf) as [FrameWindow, FrameWindow];
      expect(touched.document.modelContext instanceof touched.ModelContext).to.equal(true);
      for (const { document: owner, DOMException } of [window, touched, untouched]) {
        const made = owner.implementation.createHTMLDocument('');
        const { modelContext } = made;
        expect(modelContext === owner.modelContext).to.equal(false);
        expect(made.modelContext === modelContext).to.equal(true);
        await rejectsAll(modelContext, DOMException);
      }
    },
  );
});

describe('a window that a page opened', () => {
  it('the tools of a window that a page opened are visible in that window only', async function () {
    const opened = window.open(withScript()) as FrameWindow | null;
    if (!opened) return this.skip(); // the browser blocks popups
    afterTest(() => opened.close());
    await until(() => opened.location.href !== 'about:blank' && opened.document.readyState === 'complete');
    const events = record(document);
    await register(opened.document, { name: 'theirs' });
    expect(await namesIn(opened.document)).to.deep.equal(['theirs']);
    expect(await namesIn(document)).to.deep.equal([]);
    await settle(opened);
    expect(events).to.deep.equal([]);
    const theirs = await toolIn(opened.document, 'theirs');
    expect(theirs.window === opened).to.equal(true);
    expect(await errorOf(document.modelContext.executeTool(theirs))).to.equal('UnknownError');
    await register(document, { name: 'ours' });
    expect(await namesIn(opened.document)).to.deep.equal(['theirs']);
  });
});
