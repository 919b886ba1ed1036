import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import {
  addFrame,
  ask,
  errorOf,
  here,
  isNative,
  loaded,
  namesIn,
  openFrame,
  other,
  record,
  register,
  rejectionOf,
  settle,
  third,
  until,
  windowOf,
  withoutScript,
  withScript,
  type FrameAttributes,
} from './frame.js';

apply();

/** The names of the errors of registerTool, getTools and executeTool in a page. */
async function refusals(page: Window): Promise<readonly string[]> {
  const tool = { name: 'no-such-tool', origin: here, path: 'top' };
  const calls = [ask(page, 'register', 'refused', [here]), ask(page, 'list', [here]), ask(page, 'execute', tool)];
  return Promise.all(calls.map(errorOf));
}

const refused = Array<string>(3).fill('NotAllowedError');
const allowed = ['no error', 'no error', 'UnknownError'];

/** A page in a frame, and, one after another, the pages in the frames within. */
async function nest(...frames: readonly FrameAttributes[]): Promise<Window> {
  const [outermost, ...inner] = frames;
  let page: Window = windowOf(await openFrame(outermost!));
  for (const frame of inner) {
    await ask(page, 'open', frame);
    page = page[0]!;
  }
  return page;
}

describe('the permissions policy of a frame', () => {
  for (const [allow, origin, isAllowed] of [
    ['', here, true],
    ["tools 'none'", here, false],
    ["tools 'self'", here, true],
    [`tools ${other}`, here, false],
    ['camera *; microphone', here, true],
    ['', other, false],
    ['camera *', other, false],
    ['tools', other, true],
    ['  tools  *  ', other, true],
    ['Tools *', other, false],
    ['tools *', other, true],
    ["tools 'src'", other, true],
    ["tools 'self'", other, false],
    ["tools 'none'", other, false],
    [`tools ${other}`, other, true],
    [`tools 'self' ${third} ${other}`, other, true],
    [`tools ${third}`, other, false],
    [`camera; tools ${other}; microphone *`, other, true],
    ["tools *; tools 'none'", other, true],
    ["tools 'none'; tools *", other, false],
    ['toolset *', other, false],
  ] as const) {
    const place = origin === here ? 'the same origin' : 'another origin';
    it(`allow="${allow.replaceAll(/:\d+/g, '')}" ${isAllowed ? 'lets' : 'does not let'} ${place} use tools`, async () => {
      const frame = windowOf(await openFrame({ src: withScript(origin), allow }));
      expect(await refusals(frame)).to.deep.equal(isAllowed ? allowed : refused);
    });
  }

  it('refuses with a DOMException of the realm of the frame', async () => {
    const frame = windowOf(await openFrame({ src: withoutScript(), allow: "tools 'none'" }));
    const error = await rejectionOf(frame.document.modelContext.getTools());
    expect(error instanceof frame.DOMException).to.equal(true);
    expect((error as Error).name).to.equal('NotAllowedError');
  });

  it('also counts for an empty page', async () => {
    const frame = windowOf(addFrame({ allow: "tools 'none'" }));
    expect(await errorOf(frame.document.modelContext.getTools())).to.equal('NotAllowedError');
  });

  it('is asked again when the frame is navigated to another origin', async () => {
    for (const [allow, after] of [
      ['tools', refused],
      [`tools ${other}`, refused],
      ['tools *', allowed],
    ] as const) {
      const frame = await openFrame({ src: withScript(other), allow });
      expect(await refusals(windowOf(frame)), allow).to.deep.equal(allowed);
      ask(windowOf(frame), 'navigate', withScript(third)).catch(() => undefined);
      await loaded(frame);
      expect(await refusals(windowOf(frame)), allow).to.deep.equal(after);
    }
  });

  it('keeps toolchange from a page that may not use tools, even if they are exposed to it', async () => {
    const [without, frame] = [
      await nest({ src: withScript(other) }),
      await nest({ src: withScript(other), allow: 'tools' }),
    ];
    const none = windowOf(await openFrame({ src: withScript(), allow: "tools 'none'" }));
    const events = record(none.document);
    await ask(frame, 'clearLog');
    const registration = await register(document, { name: 't' }, { exposedTo: [other] });
    await until(async () => (await ask(frame, 'log')).length === 1);
    registration.abort();
    await until(async () => (await ask(frame, 'log')).length === 2);
    await settle(without, none);
    expect(await ask(without, 'log')).to.deep.equal([]);
    expect(events).to.deep.equal([]);
  });

  it('of every frame around a page must let it', async () => {
    const inner = { src: withScript(third), allow: 'tools' };
    const outer = { src: withScript(other), allow: `tools ${other} ${third}` };
    expect(await refusals(await nest(outer, inner))).to.deep.equal(allowed);
    expect(await refusals(await nest(outer, { src: inner.src }))).to.deep.equal(refused);
    expect(await refusals(await nest({ src: outer.src }, inner))).to.deep.equal(refused);
  });

  it('also counts for a page of another origin within a frame of this page', async () => {
    const inner = { src: withScript(other), allow: 'tools' };
    for (const src of [withScript(), withoutScript()]) {
      expect(await refusals(await nest({ src }, inner)), src).to.deep.equal(allowed);
      expect(await refusals(await nest({ src }, { src: inner.src })), src).to.deep.equal(refused);
      expect(await refusals(await nest({ src, allow: "tools 'none'" }, inner)), src).to.deep.equal(refused);
    }
  });

  it('also counts for a page of the origin of the top within a page of another', async () => {
    const inner = { src: withScript(), allow: 'tools' };
    const outer = { src: withScript(other), allow: 'tools *' };
    expect(await refusals(await nest(outer, inner))).to.deep.equal(allowed);
    expect(await refusals(await nest(outer, { src: inner.src }))).to.deep.equal(refused);
    expect(await refusals(await nest({ src: outer.src }, inner))).to.deep.equal(refused);
  });
});

describe('a page two frames down, of a third origin', () => {
  const outer = { src: withScript(other), allow: `tools ${other} ${third}` };

  it('shares an exposed tool with the top, in both directions', async () => {
    const inner = await nest(outer, { src: withScript(third), allow: 'tools' });
    await ask(inner, 'register', 'below', [here]);
    await register(document, { name: 'above' }, { exposedTo: [third] });
    const tools = await document.modelContext.getTools({ fromOrigins: [third] });
    expect(tools.map(({ name }) => name)).to.deep.equal(['above', 'below']);
    expect(tools[1]!.window === inner).to.equal(true);
    expect(await document.modelContext.executeTool(tools[1]!, { n: 1 })).to.equal('{"n":1}');
    expect(await ask(inner, 'list', [here])).to.deep.equal([`above ${here}`, `below ${third}`]);
    expect(await ask(inner, 'execute', 'above', { n: 2 })).to.equal('{"n":2}');
    expect(await ask(inner.parent, 'list', [here, third])).to.deep.equal([]);
  });

  it('is refused where no script in the page around it can say that it may', async () => {
    const page = await nest({ ...outer, src: withoutScript(other) }, { src: withScript(third), allow: 'tools' });
    const unknown = ['no error', 'NotSupportedError', 'NotSupportedError']; // what it registers is shown to nobody
    expect(await refusals(page)).to.deep.equal(isNative ? allowed : unknown); // the browser knows without asking
  });
});

describe('a page of an opaque origin', () => {
  for (const allow of ['tools *', 'tools']) {
    it(`that may use tools by allow="${allow}" registers and lists them, and runs none`, async () => {
      const frame = await nest({ src: withScript(), allow, sandbox: 'allow-scripts' });
      await ask(frame, 'register', 't', [here]);
      expect(await ask(frame, 'list')).to.deep.equal(['t null']);
      expect(await errorOf(ask(frame, 'execute', 't'))).to.equal('NotSupportedError');
      expect(await ask(frame, 'log')).to.deep.equal(['toolchange']);
    });
  }

  it('is refused without a policy that lets it', async () => {
    const frame = await nest({ src: withScript(), sandbox: 'allow-scripts' });
    expect(await refusals(frame)).to.deep.equal(refused);
  });

  it('sees no tools of others, and no others see its own', async () => {
    const frame = await nest({ src: withScript(), allow: 'tools *', sandbox: 'allow-scripts' });
    await ask(frame, 'register', 'theirs', [here]);
    await register(document, { name: 'ours' }, { exposedTo: [other] });
    expect(await ask(frame, 'list', [here])).to.deep.equal(['theirs null']);
    expect(await namesIn(document, [other])).to.deep.equal(['ours']);
    const window = frame;
    for (const origin of ['null', here]) {
      const call = document.modelContext.executeTool({ name: 'theirs', description: '', window, origin });
      expect(await errorOf(call), origin).to.equal(origin === here ? 'UnknownError' : 'NotSupportedError');
    }
  });
});
