import { expect } from '@open-wc/testing';
import { changeIntervalMs, timeouts } from '../../src/polyfill/agent/cross-origin/limits.js';
import { apply } from '../../src/polyfill/index.js';
import {
  afterTest,
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
  toolIn,
  until,
  windowOf,
  withoutScript,
  withScript,
} from '../support/polyfill/frame.js';

apply();

/** The position of a frame of this page in the frame tree. */
function pathOf(frame: Window): readonly number[] {
  const { parent } = frame;
  if (parent === frame) return [];
  const siblings = Array.from({ length: parent.length }, (_, index) => parent[index]);
  return [...pathOf(parent), siblings.indexOf(frame)];
}

/** Opens a frame of another origin that does not load the script, but may use tools. */
const openHostile = async (origin = third): Promise<Window> =>
  windowOf(await openFrame({ src: withoutScript(origin), allow: 'tools' }));

const toolAt = (frame: Window, members: object = {}): object => ({
  ...{ name: 't', title: '', description: 'd', inputSchema: '', path: pathOf(frame) },
  ...members,
});

/** Opens a frame that poses as a copy of the script, and is connected. */
async function openPosed(pose: (frame: Window) => object): Promise<Window> {
  const frame = await openHostile();
  await connectPosed(frame, pose(frame));
  return frame;
}

async function connectPosed(frame: Window, pose: object): Promise<void> {
  await ask(frame, 'pose', pose);
  await settle(frame);
}

function recordWarnings(): string[] {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (message: string) => warnings.push(message);
  afterTest(() => (console.warn = warn));
  return warnings;
}

const run = (...args: Parameters<Document['modelContext']['executeTool']>) =>
  document.modelContext.executeTool(...args);

(isNative ? describe.skip : describe)('a hostile frame of another origin', () => {
  it('cannot connect as the next page of a frame with the greeting to the previous page', async () => {
    const element = await openFrame({ src: withoutScript(third), allow: 'tools' });
    const frame = windowOf(element);
    await namesIn(document); // the page greets its frames at the first use of the tools
    await until(async () => (await ask(frame, 'greetings')).length > 0);
    const stolen = await ask(frame, 'greetings');
    const accomplice = await openHostile();
    element.src = withoutScript(other);
    await loaded(element);
    for (const greeting of stolen) await ask(accomplice, 'pose', { greeting, tools: [toolAt(frame)] });
    await settle(accomplice);
    expect(await namesIn(document, [third, other])).to.deep.equal([]);
  });

  it('cannot list tools for other windows or with another origin', async () => {
    const victim = windowOf(await openFrame({ src: withScript(other), allow: 'tools' }));
    const forge = (path: readonly unknown[], origin = here): object => toolAt(self, { path, origin });
    await openPosed((frame) => ({
      tools: [
        forge(pathOf(victim)),
        forge([]),
        forge(pathOf(self)),
        forge(['length']),
        forge([{}]),
        toolAt(frame, { origin: here }),
      ],
    }));
    const tools = await document.modelContext.getTools({ fromOrigins: [third, other] });
    expect(tools.map(({ name, origin }) => `${name} ${origin}`)).to.deep.equal([`t ${third}`]);
  });

  it('loses its connection when its frame loads another page', async () => {
    const element = await openFrame({ src: withoutScript(third), allow: 'tools' });
    await connectPosed(windowOf(element), { tools: [toolAt(windowOf(element))], silent: false });
    const tool = await toolIn(document, 't', [third]);
    element.src = withScript(third);
    await loaded(element);
    await ask(windowOf(element), 'list');
    expect(await namesIn(document, [third])).to.deep.equal([]);
    expect(await errorOf(run(tool))).to.equal('UnknownError');
    expect(await ask(windowOf(element), 'requests')).to.deep.equal([]);
  });

  const limits: readonly (readonly [what: string, tool: object, warning: RegExp])[] = [
    ['a long title', { title: { repeat: 'a', times: 501 } }, /the title of a tool has more than 500 characters/],
    [
      'a long description',
      { description: { repeat: 'a', times: 10_001 } },
      /the description of a tool has more than 10000/,
    ],
    [
      'a long schema',
      { inputSchema: { repeat: ' ', times: 500_001 } },
      /the inputSchema of a tool has more than 500000/,
    ],
  ];
  for (const [what, members, warning] of limits) {
    it(`a tool with ${what} is left out and reported`, async () => {
      const warnings = recordWarnings();
      await openPosed((frame) => ({ tools: [toolAt(frame, members), toolAt(frame, { name: 'good' })] }));
      expect(await namesIn(document, [third])).to.deep.equal(['good']);
      expect(warnings.join()).to.match(warning);
    });
  }

  it('at most 1,000 tools of one page are listed, and none with an invalid name', async () => {
    const warnings = recordWarnings();
    const names = ['', 'a b', 'ä', 'a'.repeat(129), 5, null, '__proto__'];
    await openPosed((frame) => ({
      tools: [...names.map((name) => toolAt(frame, { name })), toolAt(frame, { count: 1500 })],
    }));
    const listed = await namesIn(document, [third]);
    expect([
      listed.length,
      listed.includes('__proto__'),
      listed.includes('t992'),
      listed.includes('t993'),
    ]).to.deep.equal([...[994, true, true, false]]);
    expect(warnings.join()).to.contain('it has more than 1000 tools');
  });

  it('at most 5 million characters of tools of one page are listed', async () => {
    const warnings = recordWarnings();
    await openPosed((frame) => ({
      tools: [toolAt(frame, { count: 20, inputSchema: { repeat: ' ', times: 499_000 } })],
    }));
    expect(await namesIn(document, [third])).to.have.length(10);
    expect(warnings.join()).to.contain('its tools have more than 5000000 characters');
  });

  it('strings lose invisible characters, and deep or invalid schemas are omitted', async () => {
    const smuggled = '\u{e0049}\u200b\u202e';
    const inputSchema = JSON.stringify({ properties: { [`a${smuggled}`]: { enum: [`b${smuggled}`] } } });
    const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
    await openPosed((frame) => ({
      tools: [
        toolAt(frame, { title: `T${smuggled}`, description: `D${smuggled}`, inputSchema }),
        toolAt(frame, { name: 'deep', inputSchema: deep }),
      ],
      outcome: { value: `result${smuggled} 👩🏽‍🚀` },
    }));
    const tool = await toolIn(document, 't', [third]);
    const schema = { properties: { a: { enum: ['b'] } } };
    expect([tool.title, tool.description, tool.inputSchema]).to.deep.equal(['T', 'D', schema]);
    expect((await toolIn(document, 'deep', [third])).inputSchema).to.equal(undefined);
    expect(await run(tool)).to.equal('result 👩🏽‍🚀');
  });

  it('a huge result, a huge error or an unknown error name ends the call', async () => {
    for (const [outcome, message] of [
      [{ value: { repeat: 'a', times: 8_000_001 } }, /more than 8000000 characters/],
      [{ message: { repeat: 'a', times: 50_000 }, name: { repeat: 'b', times: 200 } }, /^a{10000}$/],
      [{ value: 5 }, /was unloaded/],
    ] as const) {
      const frame = await openPosed((self) => ({ tools: [toolAt(self)], outcome }));
      const error = (await rejectionOf(run(await toolIn(document, 't', [third])))) as DOMException;
      expect([error.name, message.test(error.message)]).to.deep.equal(['UnknownError', true]);
      await ask(frame, 'send', [{ type: 'bye' }], 1);
    }
  });

  it('a page that never answers delays lists, and does not stop the tools of other pages', async () => {
    const { response } = timeouts;
    timeouts.response = 10_000;
    afterTest(() => (timeouts.response = response));
    const good = windowOf(await openFrame({ src: withScript(other), allow: 'tools' }));
    await ask(good, 'register', 'good', [here]);
    await openPosed(() => ({ silent: true }));
    expect(await namesIn(document, [other])).to.deep.equal(['good']);
    expect(await namesIn(document, [other, third])).to.deep.equal(['good']);
  });

  it('a page with 50 channels is listed once and called', async () => {
    await openPosed((self) => ({ tools: [toolAt(self)], copies: 50, outcome: { value: 'done' } }));
    expect(await namesIn(document, [third])).to.deep.equal(['t']);
    expect(await run(await toolIn(document, 't', [third]))).to.equal('done');
  });

  it('a page cannot start more than 100 calls at a time', async () => {
    let running = 0;
    let end!: (value: undefined) => void;
    const ended = new Promise((resolve) => (end = resolve));
    const execute = (): Promise<unknown> => {
      running++;
      return ended;
    };
    await register(document, { name: 'mine', execute }, { exposedTo: [third] });
    const frame = await openPosed(() => ({}));
    const message = { type: 'run', name: 'mine', path: pathOf(self), input: '{}' };
    const calls = Array.from({ length: 500 }, (_, number) => ({ ...message, number }));
    await ask(frame, 'send', [...calls, { ...message, number: 'x' }, { ...message, number: NaN }], 1);
    await until(() => running >= 100);
    await settle(frame);
    expect(running).to.equal(100);
    end(undefined);
  });

  it('a sparse array of four billion items, or a path without numbers, is ignored', async () => {
    const errors: unknown[] = [];
    const listener = (event: ErrorEvent): void => void errors.push(event.message);
    addEventListener('error', listener);
    afterTest(() => removeEventListener('error', listener));
    const frame = await openPosed(() => ({ tools: 'sparse' }));
    expect(await namesIn(document, [third])).to.deep.equal([]);
    const types = ['greet', 'run', 'policy', 'change'];
    await ask(frame, 'sendSparse', types);
    for (const path of [['length'], ['parent'], [[]], ['constructor'], [-1], [0.5]])
      await ask(
        frame,
        'send',
        types.map((type) => ({ type, path, number: 2, name: 't', input: '{}' })),
        1,
      );
    await settle(frame);
    expect(errors).to.deep.equal([]);
  });

  it('a flood of changes causes few events, and later changes are still announced', async () => {
    const frame = await openPosed(() => ({}));
    const events = record(document);
    const start = performance.now();
    await ask(frame, 'send', [{ type: 'change' }], 10_000);
    await settle(frame);
    await until(() => events.length > 0); // a busy page combines the events of a whole flood in one
    await until(async () => {
      await ask(frame, 'send', [{ type: 'change' }], 1);
      return events.length > 1;
    });
    expect(events.length).to.be.at.most(2 + (performance.now() - start) / changeIntervalMs);
  });
});
