import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import {
  openWindow,
  afterTest,
  ask,
  here,
  isNative,
  namesIn,
  openFrame,
  other,
  register,
  settle,
  third,
  toolIn,
  until,
  windowOf,
  withoutScript,
} from '../support/polyfill/frame.js';

apply();

const run = (...args: Parameters<Document['modelContext']['executeTool']>) =>
  document.modelContext.executeTool(...args);

describe('the messages between pages', () => {
  it('message listeners of the pages do not receive the messages of the polyfill', async () => {
    let received = 0;
    const listener = () => received++;
    addEventListener('message', listener);
    afterTest(() => removeEventListener('message', listener));
    const [frame, sibling] = [await openWindow(), await openWindow(third)];
    await ask(frame, 'register', 't', [here, third]);
    await ask(sibling, 'list', [other]);
    await ask(sibling, 'execute', 't');
    await run(await toolIn(document, 't', [other]));
    await settle(frame, sibling);
    expect([received, await ask(frame, 'foreignMessages'), await ask(sibling, 'foreignMessages')]).to.deep.equal([
      0, 0, 0,
    ]);
  });

  it('message listeners of the pages receive the messages of other scripts', async () => {
    const frame = await openWindow();
    for (const message of ['hello', null, 1, {}, { type: 'hello' }, ['webmcp-forms']]) frame.postMessage(message, '*');
    expect(await ask(frame, 'foreignMessages')).to.equal(6);
  });

  it('a page that forges messages gets no more than the tools that are exposed to it', async () => {
    const frame = await openWindow();
    await ask(frame, 'register', 'hidden', [here], true);
    await ask(frame, 'register', 'open', [third]);
    await register(document, { name: 'mine' }, { exposedTo: [other] });
    const forger = windowOf(await openFrame({ src: withoutScript(third), allow: 'tools' }));
    const call = run(await toolIn(document, 'hidden', [other]));
    const [got, names] = await Promise.all([
      ask(forger, 'forge', ['parent', 'parent.0', 'top'], !isNative),
      namesIn(document, [other]),
    ]);
    expect(got).to.deep.equal(isNative ? { names: [], results: [] } : { names: ['open'], results: ['{}'] });
    expect(names).to.deep.equal(['hidden', 'mine']);
    const denied = windowOf(await openFrame({ src: withoutScript(third) }));
    await ask(denied, 'open', { src: withoutScript(third), allow: 'tools' });
    for (const page of [denied, denied[0] as Window]) {
      const paths = ['parent', 'top', 'top.0'];
      expect(await ask(page, 'forge', paths, false)).to.deep.equal({ names: [], results: [] });
    }
    expect(await ask(frame, 'list', [here])).to.deep.equal([`hidden ${other}`, `mine ${here}`, `open ${other}`]);
    await ask(frame, 'finish', 'hidden');
    expect(await call).to.equal('{}');
    const log = await ask(frame, 'log');
    expect(log.filter((entry) => entry.startsWith('hidden'))).to.deep.equal(['hidden runs']);
  });

  // Two copies that load at the same time greet each other, so that each has opened a channel before the other replies.
  const unlessNative = isNative ? it.skip : it; // frames of native WebMCP send no messages
  unlessNative(
    'a page whose greeting crosses that of this page is notified once of a tool that is registered already',
    async () => {
      await namesIn(document); // loads the agent, which greets each page that loads
      const frame = windowOf(await openFrame({ src: withoutScript(third), allow: 'tools' }));
      await until(async () => (await ask(frame, 'greetings')).length > 0);
      await register(document, { name: 't' }, { exposedTo: [third] });
      const [greeting] = await ask(frame, 'greetings');
      await ask(frame, 'pose', { greeting, greets: true });
      await until(async () => (await ask(frame, 'requests')).length > 0);
      await settle(frame);
      expect(await ask(frame, 'requests')).to.deep.equal(['change']);
      await register(document, { name: 'u' }, { exposedTo: [third] });
      await settle(frame);
      expect(await ask(frame, 'requests')).to.deep.equal(['change', 'change']);
    },
  );
});
