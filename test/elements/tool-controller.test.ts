import { expect } from '@open-wc/testing';
import { LitElement } from 'lit';
import { ToolController } from '../../elements/tool-controller.js';
import { afterTest, call, names, tool } from '../support/browser/live.js';
import { changesOfReplacement, toolChanges, settled } from '../support/elements/webmcp-tools.js';

class CounterView extends LitElement {
  static override properties = { count: { type: Number }, label: {} };
  declare count: number;
  declare label: string | undefined;
  /** The signal of the last call. */
  signal: AbortSignal | undefined;
  finish: ((value: string) => void) | undefined;

  constructor() {
    super();
    this.count = 0;
    this.label = 'Counts';
    new ToolController(this, () => {
      const { count, label } = this;
      if (label === undefined) return undefined;
      const execute = (input: { by?: number }): unknown => (this.count += input.by ?? count);
      return { name: 'count', description: label, execute };
    });
    new ToolController(this, {
      name: 'wait',
      description: 'Waits.',
      annotations: { readOnlyHint: true },
      execute: (_input: unknown, { signal }: { signal: AbortSignal }) => {
        this.signal = signal;
        return new Promise((resolve) => (this.finish = resolve));
      },
    });
  }
}
customElements.define('x-counter-view', CounterView);

async function place(): Promise<CounterView> {
  const view = document.createElement('x-counter-view') as CounterView;
  document.body.append(view);
  afterTest(() => view.remove());
  await settled();
  return view;
}

describe('ToolController', () => {
  it('registers the tool while the component is connected', async () => {
    const view = await place();
    expect(await names()).to.deep.equal(['count', 'wait']);
    view.remove();
    await settled();
    expect(await names()).to.deep.equal([]);
    document.body.append(view);
    await settled();
    expect(await names()).to.deep.equal(['count', 'wait']);
  });

  it('registers no tool before the component is connected', async () => {
    document.createElement('x-counter-view');
    await settled();
    expect(await names()).to.deep.equal([]);
  });

  it('runs the tool with the current state', async () => {
    const view = await place();
    expect(await call({ by: 2 }, {}, 'count')).to.equal('2');
    await view.updateComplete;
    expect(await call({}, {}, 'count')).to.equal('4');
  });

  it('keeps the registration when only the function differs', async () => {
    const view = await place();
    const changes = await toolChanges();
    view.count = 7;
    await view.updateComplete;
    expect(await changes()).to.equal(0);
    expect(await call({}, {}, 'count')).to.equal('14');
  });

  it('replaces the tool when the state changes its definition, and unregisters it for undefined', async () => {
    const view = await place();
    const changes = await toolChanges();
    view.label = 'Adds up';
    await view.updateComplete;
    expect(await changes(changesOfReplacement)).to.equal(changesOfReplacement);
    expect((await tool('count')).description).to.equal('Adds up');
    view.label = undefined;
    await settled();
    expect(await names()).to.deep.equal(['wait']);
    view.label = 'Again';
    await settled();
    expect(await names()).to.deep.equal(['count', 'wait']);
  });

  it('keeps the registration when the component moves', async () => {
    const view = await place();
    const changes = await toolChanges();
    document.body.prepend(view);
    expect(await changes()).to.equal(0);
  });

  it('lets a running call finish when the component is removed', async () => {
    const view = await place();
    const running = call({}, {}, 'wait');
    while (!view.finish) await settled();
    view.remove();
    await settled();
    expect([await names(), view.signal?.aborted]).to.deep.equal([[], false]);
    view.finish('done');
    expect(await running).to.equal('done');
  });

  it('warns on the console if the tool cannot be registered', async () => {
    const { warn } = console;
    const seen: unknown[][] = [];
    console.warn = (...args: unknown[]) => void seen.push(args);
    afterTest(() => (console.warn = warn));
    const first = await place();
    const second = await place();
    expect(seen.map(([text]) => String(text).split(':')[0])).to.deep.equal([
      ...['duplicate-tool-name', 'duplicate-tool-name'],
    ]);
    expect(seen[0]?.[1]).to.equal(second);
    first.remove();
    await settled();
    expect(await names()).to.deep.equal(['count', 'wait']);
  });
});
