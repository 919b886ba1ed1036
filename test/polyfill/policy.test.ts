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
  withLimits,
  withoutScript,
  withScript,
  type FrameAttributes,
} from '../support/polyfill/frame.js';

apply();

/** The error names of registerTool, getTools and executeTool in a page. */
async function errorsIn(page: Window): Promise<readonly string[]> {
  const tool = { name: 'no-such-tool', origin: here, path: 'top' };
  const calls = [ask(page, 'register', 'refused', [here]), ask(page, 'list', [here]), ask(page, 'execute', tool)];
  return Promise.all(calls.map(errorOf));
}

const denied = Array<string>(3).fill('NotAllowedError');
const allowed = ['no error', 'no error', 'UnknownError'];

/** Opens nested frames and returns the innermost window. */
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
    it(`allow="${allow.replaceAll(/:\d+/g, '')}" ${isAllowed ? 'allows' : 'does not allow'} ${place} to use tools`, async () => {
      const frame = windowOf(await openFrame({ src: withScript(origin), allow }));
      expect(await errorsIn(frame)).to.deep.equal(isAllowed ? allowed : denied);
    });
  }

  it('a denied operation rejects with a DOMException of the realm of the frame', async () => {
    const frame = windowOf(await openFrame({ src: withoutScript(), allow: "tools 'none'" }));
    const error = await rejectionOf(frame.document.modelContext.getTools());
    expect(error instanceof frame.DOMException).to.equal(true);
    expect((error as Error).name).to.equal('NotAllowedError');
  });

  it('the permissions policy of a frame applies to an empty document', async () => {
    const frame = windowOf(addFrame({ allow: "tools 'none'" }));
    expect(await errorOf(frame.document.modelContext.getTools())).to.equal('NotAllowedError');
  });

  it('the permissions policy is evaluated again when the frame is navigated to another origin', async () => {
    for (const [allow, after] of [
      ['tools', denied],
      [`tools ${other}`, denied],
      ['tools *', allowed],
    ] as const) {
      const frame = await openFrame({ src: withScript(other), allow });
      expect(await errorsIn(windowOf(frame)), allow).to.deep.equal(allowed);
      ask(windowOf(frame), 'navigate', withScript(third)).catch(() => undefined);
      await loaded(frame);
      expect(await errorsIn(windowOf(frame)), allow).to.deep.equal(after);
    }
  });

  it('toolchange is not dispatched in a denied frame, even for tools that are exposed to it', async () => {
    const [without, frame] = [
      await nest({ src: withScript(other) }),
      await nest({ src: withScript(other), allow: 'tools' }),
    ];
    const deniedFrame = windowOf(await openFrame({ src: withScript(), allow: "tools 'none'" }));
    const events = record(deniedFrame.document);
    await ask(frame, 'clearLog');
    const registration = await register(document, { name: 't' }, { exposedTo: [other] });
    await until(async () => (await ask(frame, 'log')).length === 1);
    registration.abort();
    await until(async () => (await ask(frame, 'log')).length === 2);
    await settle(without, deniedFrame);
    expect(await ask(without, 'log')).to.deep.equal([]);
    expect(events).to.deep.equal([]);
  });

  it('every ancestor frame must allow tools', async () => {
    const inner = { src: withScript(third), allow: 'tools' };
    const outer = { src: withScript(other), allow: `tools ${other} ${third}` };
    expect(await errorsIn(await nest(outer, inner))).to.deep.equal(allowed);
    expect(await errorsIn(await nest(outer, { src: inner.src }))).to.deep.equal(denied);
    expect(await errorsIn(await nest({ src: outer.src }, inner))).to.deep.equal(denied);
  });

  it('the policy of a frame also applies to a nested frame of another origin', async () => {
    const inner = { src: withScript(other), allow: 'tools' };
    for (const src of [withScript(), withoutScript()]) {
      expect(await errorsIn(await nest({ src }, inner)), src).to.deep.equal(allowed);
      expect(await errorsIn(await nest({ src }, { src: inner.src })), src).to.deep.equal(denied);
      expect(await errorsIn(await nest({ src, allow: "tools 'none'" }, inner)), src).to.deep.equal(denied);
    }
  });

  it('the policy of a frame of another origin also applies to a nested frame of the origin of the top', async () => {
    const inner = { src: withScript(), allow: 'tools' };
    const outer = { src: withScript(other), allow: 'tools *' };
    expect(await errorsIn(await nest(outer, inner))).to.deep.equal(allowed);
    expect(await errorsIn(await nest(outer, { src: inner.src }))).to.deep.equal(denied);
    expect(await errorsIn(await nest({ src: outer.src }, inner))).to.deep.equal(denied);
  });
});

describe('a page of a third origin in a nested frame', () => {
  const outer = { src: withScript(other), allow: `tools ${other} ${third}` };

  it('a nested frame of a third origin and the top share exposed tools in both directions', async () => {
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

  it('a nested frame rejects with NotSupportedError if its parent does not load the script', async () => {
    const page = await nest({ ...outer, src: withoutScript(other) }, { src: withLimits(third), allow: 'tools' });
    const unknown = ['no error', 'NotSupportedError', 'NotSupportedError']; // its tools are visible to no other page
    expect(await errorsIn(page)).to.deep.equal(isNative ? allowed : unknown); // the browser knows the policy
  });
});

describe('a page of an opaque origin', () => {
  for (const allow of ['tools *', 'tools']) {
    it(`a page of an opaque origin with allow="${allow}" can register and list tools, but cannot run tools`, async () => {
      const frame = await nest({ src: withScript(), allow, sandbox: 'allow-scripts' });
      await ask(frame, 'register', 't', [here]);
      expect(await ask(frame, 'list')).to.deep.equal(['t null']);
      expect(await errorOf(ask(frame, 'execute', 't'))).to.equal('NotSupportedError');
      expect(await ask(frame, 'rejectsAtOnce', 't')).to.equal(true);
      expect(await ask(frame, 'log')).to.deep.equal(['toolchange']);
    });
  }

  it('a page of an opaque origin is denied without an allow attribute', async () => {
    const frame = await nest({ src: withScript(), sandbox: 'allow-scripts' });
    expect(await errorsIn(frame)).to.deep.equal(denied);
  });

  it('a page of an opaque origin shares no tools with other documents', async () => {
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
