import { expect } from '@open-wc/testing';
import '../../elements/webmcp-inspector.js';
import type { InspectorSource, InspectorTab, SourceTool, WebmcpInspector } from '../../elements/webmcp-inspector.js';
import { pace } from '../../elements/webmcp-inspector/tool-watch.js';
import { afterTest, live, place, waitUntil } from '../support/browser/live.js';

const paceOfUsers = { ...pace };
beforeEach(() => Object.assign(pace, { min: 0, max: 0, findContext: 0, mark: 1_000_000 }));
afterEach(() => Object.assign(pace, paceOfUsers));

/** Adds an inspector to the page until the end of the test. */
function inspector(attributes: Partial<WebmcpInspector> = {}): WebmcpInspector {
  const element = Object.assign(document.createElement('webmcp-inspector'), attributes);
  document.body.append(element);
  afterTest(() => element.remove());
  return element;
}

const all = <Type extends Element = HTMLElement>({ shadowRoot }: WebmcpInspector, selector: string): Type[] => [
  ...(shadowRoot?.querySelectorAll<Type>(selector) ?? []),
];

const texts = (element: WebmcpInspector, selector: string): readonly string[] =>
  all(element, selector).map(({ textContent }) => (textContent ?? '').replace(/\s+/g, ' ').trim());

async function one<Type extends Element = HTMLElement>(element: WebmcpInspector, selector: string): Promise<Type> {
  await waitUntil(() => all(element, selector).length > 0, `${selector} is shown`);
  return all<Type>(element, selector)[0] as Type;
}

async function register(name: string, rest: object = {}): Promise<void> {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  const tool = { name, description: 'd', execute: (input: unknown): unknown => input, ...rest };
  await document.modelContext.registerTool(tool, { signal: controller.signal });
}

const inputSchema = { type: 'object', properties: { query: { type: 'string' }, count: { type: 'integer' } } };

const selectedTab = (element: WebmcpInspector): string => texts(element, '[role=tab][aria-selected=true]').join();

describe('the tabs of <webmcp-inspector>', () => {
  it('preselect a single tool, and none of several', async () => {
    await register('only', { inputSchema });
    const element = inspector();
    await one(element, '#p0');
    expect([element.tool, element.getAttribute('tool')]).to.deep.equal(['only', 'only']);
    await register('other');
    const second = inspector();
    await waitUntil(() => all(second, '[role=option]').length === 2, 'both are listed');
    await waitUntil(() => texts(second, '#panel-call').join().startsWith('Select a tool'), 'the message is shown');
    expect(second.tool).to.equal('');
  });

  it('follow the ARIA pattern: one tab stop, arrow keys, Home and End, and panels with the names of their tabs', async () => {
    await register('only');
    const element = inspector();
    await waitUntil(() => all(element, '[role=tab]').length === 5, 'the tabs are shown');
    const press = async (key: string): Promise<string> => {
      const target = element.shadowRoot?.activeElement ?? all(element, '[role=tab]')[0];
      target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
      await element.updateComplete;
      expect(element.shadowRoot?.activeElement?.textContent?.trim(), key).to.equal(selectedTab(element));
      return selectedTab(element);
    };
    const visited: string[] = [];
    for (const key of ['ArrowRight', 'ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home', 'ArrowLeft'])
      visited.push(await press(key));
    expect(visited.join()).to.equal('Schema,Parameters,Log,Call,Log,Call,Log');
    expect(element.getAttribute('tab')).to.equal('log');
    for (const tab of all(element, '[role=tab]')) {
      const panel = all(element, `#${tab.getAttribute('aria-controls') ?? ''}`)[0];
      const isSelected = tab.getAttribute('aria-selected') === 'true';
      expect([panel?.getAttribute('aria-labelledby'), tab.tabIndex, panel?.hidden]).to.deep.equal([
        tab.id,
        isSelected ? 0 : -1,
        !isSelected,
      ]);
    }
  });

  it('keep the focus and the entered input while tools change and another tab is shown', async () => {
    await register('a', { inputSchema });
    const element = inspector();
    const field = await one<HTMLInputElement>(element, '#p0');
    field.value = 'kept';
    field.focus();
    await register('b');
    await waitUntil(() => all(element, '[role=option]').length === 2, 'both are listed');
    expect(element.shadowRoot?.activeElement).to.equal(field);
    all(element, '#tab-schema')[0]?.click();
    await one(element, '#panel-schema pre');
    all(element, '#tab-call')[0]?.click();
    await waitUntil(() => !all(element, '#panel-call')[0]?.hidden, 'the call is shown again');
    expect((await one<HTMLInputElement>(element, '#p0')).value).to.equal('kept');
  });

  it('scroll inside their height, even with 50 parameters in a width of 390 pixels', async () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${String(index)}`, {}]));
    await register('many', { inputSchema: { type: 'object', properties } });
    const element = inspector();
    element.style.width = '390px';
    await one(element, '#p49');
    const panel = await one(element, '#panel-call');
    expect(panel.scrollHeight).to.be.above(panel.clientHeight);
    expect(element.clientHeight).to.be.below(700);
    expect(element.scrollWidth).to.be.at.most(390);
    for (const tab of all(element, '[role=tab]'))
      expect(tab.getBoundingClientRect().right).to.be.at.most(element.getBoundingClientRect().right);
  });

  it('color the JSON of a schema, without a change of its text', async () => {
    const schema = { type: 'object', properties: { 'a"b': { enum: [1.5, true, null, 'x: {'] } } };
    await register('only', { inputSchema: schema });
    const element = inspector({ tab: 'schema' });
    const pre = await one(element, '#panel-schema pre');
    expect(JSON.parse(pre.textContent ?? '')).to.deep.equal(schema);
    expect(texts(element, 'pre .key')).to.include('"a\\"b"');
    expect(texts(element, 'pre .string')).to.include('"x: {"');
    expect([texts(element, 'pre .number'), texts(element, 'pre .literal')]).to.deep.equal([['1.5'], ['true', 'null']]);
  });

  it('show the reason for a failure first, in view and at the field of its parameter', async () => {
    const errors = [{ parameter: 'count', code: 'wrong-type', message: 'Parameter "count" must be an integer.' }];
    const failure = Object.assign(new Error('Invalid input.'), { errors });
    const tools: readonly SourceTool[] = [{ name: 'fails', description: 'd', inputSchema }];
    const source: InspectorSource = Object.assign(new EventTarget(), {
      getTools: () => Promise.resolve(tools),
      executeTool: () => Promise.reject(failure),
    });
    const element = inspector({ source });
    await one(element, '#p0');
    (await one(element, 'button.primary')).click();
    const result = await one(element, '.result .errors');
    const [first] = texts(element, '.result > *');
    expect(first).to.match(/^failed/);
    expect(texts(element, '.result :is(dt, dd)')).to.deep.equal([
      'count',
      'Parameter "count" must be an integer. wrong-type',
    ]);
    expect(texts(element, '#p1-error')).to.deep.equal(['Parameter "count" must be an integer.']);
    const isInView = (): boolean => {
      const panel = all(element, '#panel-call')[0]?.getBoundingClientRect();
      return result.getBoundingClientRect().top < (panel?.bottom ?? 0);
    };
    await waitUntil(isInView, 'the reason is in view');
    element.tab = 'log';
    await waitUntil(
      () => texts(element, '#panel-log summary').join().includes('failed'),
      'the log has the failure and its reason',
    );
    expect(texts(element, '#panel-log summary').join()).to.include('must be an integer');
  });
});

describe('the parameters in <webmcp-inspector>', () => {
  it('show the reasons why controls are not parameters, with the profiles concerned', async () => {
    live();
    place(`<form data-toolname=f data-tooldescription="Sends.">
      <label>Text <input name=text required value=x></label>
      <label>Password <input name=pw type=password></label>
      <label>Unnamed <input></label><input name=off disabled><input name=fixed readonly><input name=csrf type=hidden>
      <label>Plan <input name=plan type=file></label><input name=__prefix__-x aria-label=Row>
      <div data-webmcp-ignore><input name=ignored></div><input name=foreign form=none>
      <button>Send</button></form>`);
    const element = inspector({ tab: 'parameters' });
    await one(element, '.excluded');
    const found = all(element, '.excluded > li').map((item) => {
      const [name, code] = [item.querySelector('.name'), item.querySelector('p code')];
      const profiles = item.querySelector('p .quiet:not(code)')?.textContent ?? '';
      return [name?.textContent, code?.textContent, profiles].join(' ').trim();
    });
    expect(found).to.deep.equal([
      'pw excluded-secret in precise, portable',
      'without a name missing-parameter-name',
      'off disabled',
      'fixed read-only',
      'csrf hidden',
      'plan unsupported-type in chromium',
      '__prefix__-x template-row in precise, portable',
      'ignored ignored',
      'foreign other-form',
    ]);
    expect(texts(element, '#panel-parameters .plain:not(.excluded) .row')[0]).to.equal(
      'text (required in chromium) Show on page',
    );
  });

  it('show that a tool of a script has no controls', async () => {
    await register('only', { inputSchema });
    const element = inspector({ tab: 'parameters' });
    await waitUntil(
      () => texts(element, '#panel-parameters').join().startsWith('A script defines the tool'),
      'the message is shown',
    );
  });
});

describe('the property source of <webmcp-inspector>', () => {
  type TestSource = Required<Pick<InspectorSource, 'getTools' | 'executeTool' | 'findings'>> &
    EventTarget & {
      tools: readonly SourceTool[];
      calls: unknown[];
    };

  const sourceOf = (...tools: SourceTool[]): TestSource => {
    const source = Object.assign(new EventTarget(), {
      tools,
      calls: [] as unknown[],
      getTools: () => Promise.resolve(source.tools),
      executeTool: (tool: SourceTool, input: object) => {
        source.calls.push([tool.name, input]);
        return Promise.resolve('{"sum":5}');
      },
      findings: () =>
        Promise.resolve([
          { severity: 'warning' as const, code: 'some-rule', message: 'Look.', place: 'line 3', url: '#rule' },
        ]),
    });
    return source;
  };

  it('replaces the tools of the page, and updates them at its event toolchange', async () => {
    await register('of_page');
    const source = sourceOf({ id: 'one', name: 'first', description: 'd', inputSchema });
    const element = inspector({ source });
    const field = await one<HTMLInputElement>(element, '#p0');
    field.value = 'x';
    (await one(element, 'button.primary')).click();
    await waitUntil(() => texts(element, '.result pre').join().includes('"sum": 5'), 'the result is shown');
    expect(source.calls).to.deep.equal([['first', { query: 'x' }]]);
    source.tools = [{ id: 'one', name: 'renamed', description: 'd', inputSchema }];
    source.dispatchEvent(new Event('toolchange'));
    await waitUntil(() => texts(element, '[role=option] .name').join() === 'renamed', 'the name is new');
    await waitUntil(() => element.tool === 'renamed', 'the tool stays selected');
    expect((await one<HTMLInputElement>(element, '#p0')).value).to.equal('x');
  });

  it('can be a model context', async () => {
    await register('of_page', { inputSchema });
    const element = inspector({ source: document.modelContext });
    (await one<HTMLInputElement>(element, '#p0')).value = 'x';
    (await one(element, 'button.primary')).click();
    await waitUntil(() => texts(element, '.result pre').join() === '{ "query": "x" }', 'the result is shown');
  });

  it('provides findings, which are shown with their places and links and counted in the tab', async () => {
    const element = inspector({ source: sourceOf({ name: 'a', description: 'd' }) });
    await waitUntil(() => texts(element, '#tab-findings').join() === 'Findings 1', 'the findings are counted');
    element.tab = 'findings';
    await waitUntil(() => texts(element, '[part=findings] li').join().includes('line 3'), 'the finding is listed');
    expect((await one<HTMLAnchorElement>(element, '[part=findings] a')).getAttribute('href')).to.equal('#rule');
  });

  it('can be replaced by another source, or by the tools of the page', async () => {
    await register('of_page');
    const element = inspector({ source: sourceOf({ name: 'a', description: 'd' }) });
    const lists = (name: string): Promise<unknown> =>
      waitUntil(
        () => texts(element, '[role=option] .name').join() === name && element.tool === name,
        `it lists ${name}`,
      );
    await lists('a');
    element.source = sourceOf({ name: 'b', description: 'd' });
    await lists('b');
    element.source = undefined;
    await lists('of_page');
  });

  it('allows content in the slot result, which is shown after a call', async () => {
    const element = inspector({ source: sourceOf({ name: 'a', description: 'd' }) });
    const content = Object.assign(document.createElement('p'), { slot: 'result', textContent: 'Sent.' });
    element.append(content);
    await one(element, 'button.primary');
    expect(content.assignedSlot).to.equal(null);
    all(element, 'button.primary')[0]?.click();
    await waitUntil(() => content.assignedSlot, 'the content is shown');
  });
});

const tabs: readonly InspectorTab[] = ['call', 'schema', 'parameters', 'findings', 'log'];

for (const scheme of ['light', 'dark'])
  it(`<webmcp-inspector> for a form has no accessibility violations in the ${scheme} scheme`, async () => {
    const root = document.documentElement;
    root.style.cssText = `color-scheme: ${scheme}; background: ${scheme === 'dark' ? '#000' : '#fff'}`;
    afterTest(() => root.removeAttribute('style'));
    live();
    place(
      '<form data-toolname=f data-tooldescription=d><label>A <input name=a></label><input><button>Go</button></form>',
    );
    const element = inspector();
    for (const tab of tabs) {
      element.tab = tab;
      await one(element, `#panel-${tab}:not([hidden]) :is(.content, form)`);
      await waitUntil(() => !texts(element, `#panel-${tab}`).join().includes('Loading…'), 'it is loaded');
      await expect(element).to.be.accessible();
    }
  });
