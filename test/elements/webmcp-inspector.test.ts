import { expect } from '@open-wc/testing';
import '../../elements/webmcp-inspector.js';
import type { InspectorTab, WebmcpInspector } from '../../elements/webmcp-inspector.js';
import { pace } from '../../elements/webmcp-inspector/tool-watch.js';
import type { ModelContextTool } from '../../src/index.js';
import { openResponsiveFrame } from '../support/browser/responsive-frame.js';
import { afterTest, live, place, settled, waitUntil, whereNotNative } from '../support/browser/live.js';

type SomeTool = Pick<ModelContextTool, 'name'> & Partial<ModelContextTool>;

const valid = { description: 'd', execute: (input: unknown): unknown => input };

/** Registers tools until the end of the test, or until the controller aborts. */
async function register(...tools: SomeTool[]): Promise<AbortController> {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  const { signal } = controller;
  await Promise.all(tools.map((tool) => document.modelContext.registerTool({ ...valid, ...tool }, { signal })));
  return controller;
}

/** Adds an inspector to the page until the end of the test. */
function inspector(attributes: Partial<WebmcpInspector> = {}, parent: Element = document.body): WebmcpInspector {
  const element = Object.assign(document.createElement('webmcp-inspector'), attributes);
  parent.append(element);
  afterTest(() => element.remove());
  return element;
}

const all = <Type extends Element = HTMLElement>({ shadowRoot }: WebmcpInspector, selector: string): Type[] => [
  ...(shadowRoot?.querySelectorAll<Type>(selector) ?? []),
];
const options = (element: WebmcpInspector): HTMLElement[] => all(element, '[role=option]');
const names = (element: WebmcpInspector): (string | undefined)[] =>
  all(element, '.name[part~=name], [role=option] .name').map(({ textContent }) => textContent ?? undefined);
const text = (element: WebmcpInspector, selector: string): string =>
  all(element, selector)
    .map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim())
    .join('|');
const panel = (name: string): string => `#panel-${name}`;

async function one<Type extends Element = HTMLElement>(element: WebmcpInspector, selector: string): Promise<Type> {
  await waitUntil(() => all(element, selector).length > 0, `${selector} is shown`);
  return all<Type>(element, selector)[0] as Type;
}

const lists = (element: WebmcpInspector, ...expected: string[]): Promise<void> =>
  waitUntil(() => names(element).join() === expected.join(), `it lists ${expected.join()}`);

function type(control: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  control.value = value;
  control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

const press = (target: Element, key: string): boolean =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));

/** Selects a tab, and waits for its content. */
async function open(element: WebmcpInspector, name: InspectorTab): Promise<HTMLElement> {
  element.tab = name;
  return one(element, `${panel(name)}:not([hidden]) .content`);
}

/** Opens the comparison of the profiles. */
async function openProfiles(element: WebmcpInspector): Promise<void> {
  await open(element, 'schema');
  (await one<HTMLDetailsElement>(element, 'details.profiles')).open = true;
}

/** Calls the selected tool with JSON text. */
async function send(element: WebmcpInspector, input: string): Promise<void> {
  const [, json] = [
    await one(element, 'input[type=radio]'),
    ...all<HTMLInputElement>(element, 'input[type=radio]'),
  ].slice(1);
  json?.click();
  type(await one<HTMLTextAreaElement>(element, '#json'), input);
  (await one(element, 'button.primary')).click();
}

const frames = async (count = 3): Promise<void> => {
  for (let index = 0; index < count; index++) await new Promise((resolve) => requestAnimationFrame(resolve));
};

/** Resolves when an element has been added. Unlike polling, this also detects an element that is soon removed. */
const appeared = ({ renderRoot }: WebmcpInspector, selector: string): Promise<void> =>
  new Promise((resolve) => {
    const observer = new MutationObserver((records) => {
      const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
      if (!added.some((node) => node instanceof Element && (node.matches(selector) || node.querySelector(selector))))
        return;
      observer.disconnect();
      resolve();
    });
    observer.observe(renderRoot, { subtree: true, childList: true });
  });

/** Waits until nothing more is rendered. */
async function quiet(element: WebmcpInspector): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await settled();
    await frames();
    await element.updateComplete;
  }
}

const paceOfUsers = { ...pace };
beforeEach(() => Object.assign(pace, { min: 0, max: 0, findContext: 0, mark: 1_000_000 }));
afterEach(() => Object.assign(pace, paceOfUsers));

const schema = { type: 'object', properties: { query: { type: 'string', description: 'What for.' } } };

describe('the list of <webmcp-inspector>', () => {
  it('lists the tools and follows added, changed and removed ones', async () => {
    const first = await register({ name: 'b_tool', title: 'B', annotations: { readOnlyHint: true } });
    const element = inspector();
    await lists(element, 'b_tool');
    expect(text(element, '[role=option]')).to.equal('b_tool script read-only B');
    expect(text(element, '.bar [role=status]')).to.equal('1 tool');
    const second = await register({ name: 'a_tool', description: 'Looks.' });
    await lists(element, 'a_tool', 'b_tool');
    expect(text(element, '[role=option] .mark')).to.equal('new');
    first.abort();
    await lists(element, 'a_tool');
    second.abort();
    await register({ name: 'a_tool', description: 'Sees.' });
    await waitUntil(() => text(element, '[role=option] .start') === 'Sees.', 'the description is new');
  });

  it('shows a message if there are no tools', async () => {
    const element = inspector();
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the message is shown');
  });

  it('removes the mark of a change after a while', async () => {
    const element = inspector();
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the inspector is ready');
    pace.mark = 100;
    const marked = appeared(element, '.mark');
    await register({ name: 'fresh' });
    await marked;
    await waitUntil(() => all(element, '.mark').length === 0, 'the mark goes');
  });

  it('marks the tools that forms define', async () => {
    live();
    place('<form toolname=of_form tooldescription=d><input name=a></form>');
    await register({ name: 'of_script' });
    const element = inspector();
    await lists(element, 'of_form', 'of_script');
    expect(text(element, '.badges')).to.equal('form|script');
  });

  it('filters tools by name, title and description', async () => {
    await register(
      { name: 'a' },
      { name: 'b', title: 'The Needle' },
      { name: 'c', description: 'needles' },
      { name: 'd' },
    );
    const element = inspector();
    await lists(element, 'a', 'b', 'c', 'd');
    type(await one<HTMLInputElement>(element, '[type=search]'), 'NEEDLE');
    await lists(element, 'b', 'c');
    expect(text(element, '.bar [role=status]')).to.equal('2 of 4 tools');
  });

  const active = (element: WebmcpInspector): string => text(element, '.active .name');

  /** Presses a key and returns the active option. */
  async function after(element: WebmcpInspector, key: string): Promise<string> {
    press(await one(element, '[role=listbox]'), key);
    await element.updateComplete;
    const list = await one(element, '[role=listbox]');
    const id = list.getAttribute('aria-activedescendant');
    expect(all(element, `#${String(id)}.active`)).to.have.length(1);
    return active(element);
  }

  it('moves and selects by keyboard', async () => {
    await register(...Array.from({ length: 15 }, (_, index) => ({ name: `tool_${String.fromCharCode(97 + index)}` })));
    const element = inspector();
    await waitUntil(() => options(element).length === 15, 'the tools are listed');
    expect((await one(element, '[role=listbox]')).tabIndex).to.equal(0);
    const steps = [active(element)];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'ArrowDown', 'PageUp', 'Home', 'ArrowUp', 't'])
      steps.push(await after(element, key));
    expect(steps.map((name) => name.replace('tool_', '')).join('')).to.equal('abcbooeaab');
    await after(element, 'Enter');
    expect([element.tool, text(element, '[aria-selected=true] .name')]).to.deep.equal(['tool_b', 'tool_b']);
  });

  it('continues from the neighbor when the active tool is removed', async () => {
    await register({ name: 'a' });
    const second = await register({ name: 'b' });
    await register({ name: 'c' });
    const element = inspector();
    await lists(element, 'a', 'b', 'c');
    expect(await after(element, 'ArrowDown')).to.equal('b');
    second.abort();
    await lists(element, 'a', 'c');
    expect(active(element)).to.equal('c');
    expect(await after(element, 'ArrowUp')).to.equal('a');
  });

  it('reports the selected tool by an event and an attribute', async () => {
    await register({ name: 'a' }, { name: 'b' });
    const element = inspector();
    const chosen: string[] = [];
    element.addEventListener('webmcp-inspector-select', ({ detail }) => chosen.push(detail.name));
    await lists(element, 'a', 'b');
    options(element)[1]?.click();
    await element.updateComplete;
    expect([chosen, element.getAttribute('tool')]).to.deep.equal([['b'], 'b']);
    element.setAttribute('tool', 'a');
    await waitUntil(() => text(element, '.detail h2') === 'a', 'the other one is shown');
  });

  it('renders a thousand tools in part, with all of them reachable by keyboard', async () => {
    await register(...Array.from({ length: 1000 }, (_, index) => ({ name: `tool_${String(index).padStart(4, '0')}` })));
    const element = inspector();
    await waitUntil(() => text(element, '.bar [role=status]') === '1000 tools', 'the tools are listed');
    expect(options(element).length).to.be.below(100);
    expect(options(element)[0]?.getAttribute('aria-setsize')).to.equal('1000');
    expect(await after(element, 'End')).to.equal('tool_0999');
    expect(options(element).at(-1)?.getAttribute('aria-posinset')).to.equal('1000');
    const list = await one(element, '[role=listbox]');
    const isSeen = (): boolean => {
      const [box, outer] = [options(element).at(-1), list].map((each) => each?.getBoundingClientRect());
      return Math.abs((box?.bottom ?? 0) - (outer?.bottom ?? 99)) < 4;
    };
    await waitUntil(isSeen, 'the last one is in sight');
    list.scrollTop = list.scrollHeight / 2;
    await waitUntil(() => names(element).includes('tool_0500'), 'those in the middle are there');
    expect(list.hasAttribute('aria-activedescendant')).to.equal(false); // the active option is not rendered
    expect(await after(element, 'ArrowUp')).to.equal('tool_0998');
    expect(await after(element, 'Home')).to.equal('tool_0000');
  });

  it('renders nothing in closed details, and the current tools when they open', async () => {
    const details = document.createElement('details');
    document.body.append(details);
    afterTest(() => details.remove());
    await register({ name: 'early' });
    const element = inspector({}, details);
    await register({ name: 'late' });
    await quiet(element);
    expect(all(element, '*').filter(({ localName }) => localName !== 'style')).to.have.length(0);
    details.open = true;
    await lists(element, 'early', 'late');
    details.open = false;
    await quiet(element);
    const later = await register({ name: 'later' });
    await quiet(element);
    expect(names(element)).to.deep.equal(['early', 'late']);
    details.open = true;
    await lists(element, 'early', 'late', 'later');
    later.abort();
  });

  it('reads the tools once for many changes', async () => {
    const element = inspector();
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the inspector is ready');
    await quiet(element);
    const { modelContext } = document;
    const getTools = modelContext.getTools.bind(modelContext);
    let reads = 0;
    Object.defineProperty(modelContext, 'getTools', {
      configurable: true,
      value: () => (reads++, getTools()),
    });
    afterTest(() => void Reflect.deleteProperty(modelContext, 'getTools'));
    Object.assign(pace, paceOfUsers);
    const start = performance.now();
    await register(...Array.from({ length: 50 }, (_, index) => ({ name: `t${String(index)}` })));
    await waitUntil(() => text(element, '.bar [role=status]') === '50 tools', 'the tools are listed');
    await quiet(element);
    expect(reads).to.be.at.most(2 + (performance.now() - start) / pace.min);
    while (reads > 0) {
      reads = 0; // reading the tools is not a change, but a browser may report some changes late
      await quiet(element);
      await new Promise((resolve) => setTimeout(resolve, pace.min));
    }
  });

  it('explains a missing model context, and starts with a polyfill that loads later', async () => {
    const { prototype } = Document;
    const attribute = Object.getOwnPropertyDescriptor(prototype, 'modelContext') as PropertyDescriptor;
    const addPolyfill = (): unknown => Object.defineProperty(prototype, 'modelContext', attribute);
    Reflect.deleteProperty(prototype, 'modelContext');
    afterTest(() => void addPolyfill());
    const element = inspector();
    await waitUntil(
      () => text(element, '.say').startsWith('This page has no document.modelContext'),
      'the message is shown',
    );
    addPolyfill();
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the polyfill is found');
    await register({ name: 'b' });
    await lists(element, 'b');
  });

  it('shows a message if the tools cannot be listed', async () => {
    const { modelContext } = document;
    const refuse = (): Promise<never> => Promise.reject(new DOMException('not here', 'NotAllowedError'));
    Object.defineProperty(modelContext, 'getTools', { configurable: true, value: refuse });
    afterTest(() => void Reflect.deleteProperty(modelContext, 'getTools'));
    const element = inspector();
    await waitUntil(() => text(element, '.say').includes('not here'), 'the message is shown');
  });
});

describe('<webmcp-inspector>', () => {
  const markup = '</script><img src=x onerror="hacked = 1"><!-- <script>hacked = 1</script> <b class=injected>';

  it('shows names, descriptions, schemas and results as text', async () => {
    await register({
      name: 'evil',
      title: markup,
      description: markup,
      inputSchema: {
        type: 'object',
        properties: { [markup]: { type: 'string', description: markup, enum: [markup] } },
      },
      execute: () => markup,
    });
    const element = inspector({ tool: 'evil' });
    await send(element, '{}');
    await waitUntil(() => text(element, '.done').includes('done'), 'the call is done');
    await waitUntil(() => text(element, 'pre').includes('onerror'), 'the result is shown');
    expect(all(element, 'img, script, b, .injected')).to.have.length(0);
    await open(element, 'schema');
    await waitUntil(() => text(element, `${panel('schema')} pre`).includes('onerror'), 'the schema is shown');
    await open(element, 'log');
    (await one<HTMLDetailsElement>(element, `${panel('log')} details`)).open = true;
    await waitUntil(() => text(element, `${panel('log')} pre`).includes('onerror'), 'the result is in the log');
    expect(all(element, 'img, script, b, .injected')).to.have.length(0);
    expect(text(element, '.start')).to.include('<img src=x');
    expect('hacked' in window).to.equal(false);
  });

  it('shows the beginning of a large schema, and all of it on demand', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `p${String(index)}`,
        { type: 'string', description: 'x'.repeat(70) },
      ]),
    );
    await register({ name: 'large', inputSchema: { type: 'object', properties } });
    const element = inspector({ tool: 'large' });
    await one(element, '.fields input');
    expect(all(element, '.fields input')).to.have.length(50);
    await open(element, 'schema');
    const pre = await one(element, `${panel('schema')} pre`);
    expect(pre.textContent?.length).to.be.below(10_000);
    (await one(element, `${panel('schema')} button`)).click();
    await waitUntil(() => text(element, `${panel('schema')} pre`).includes('"p9999"'), 'all is shown');
  });

  it('stays in its shadow tree: it adds no form or tool to the page and hides typing from its listeners', async () => {
    live();
    await register({ name: 'a', inputSchema: schema });
    const heard: string[] = [];
    const controller = new AbortController();
    afterTest(() => controller.abort());
    for (const each of ['keydown', 'input', 'submit'])
      document.addEventListener(each, (event) => heard.push(event.type), { signal: controller.signal });
    const forms = document.forms.length;
    const element = inspector({ tool: 'a' });
    const field = await one<HTMLInputElement>(element, '#p0');
    type(field, 'x');
    press(field, 'x');
    (await one(element, 'button.primary')).click();
    await waitUntil(() => text(element, '.done').includes('done'), 'the call is done');
    expect([document.forms.length - forms, heard]).to.deep.equal([0, []]);
    expect((await document.modelContext.getTools()).map(({ name }) => name)).to.deep.equal(['a']);
    press(field, 'Escape');
    expect(heard, 'a drawer can close').to.deep.equal(['keydown']);
  });

  it('removes its listeners when it is removed, and works when it is inserted again', async () => {
    const { modelContext } = document;
    const targets = [document, modelContext, window];
    let count = 0;
    const signals: AbortSignal[] = [];
    for (const target of targets) {
      const add = target.addEventListener.bind(target);
      Object.defineProperty(target, 'addEventListener', {
        configurable: true,
        value(...args: [string, EventListener, AddEventListenerOptions?]) {
          count++;
          const { signal } = args[2] ?? {};
          if (signal) signals.push(signal);
          add(...args);
        },
      });
      afterTest(() => void Reflect.deleteProperty(target, 'addEventListener'));
    }
    await register({ name: 'a' });
    const element = inspector();
    await lists(element, 'a');
    await waitUntil(() => count >= 6, 'the inspector listens');
    element.remove();
    expect([signals.length, signals.every(({ aborted }) => aborted)]).to.deep.equal([count, true]);
    document.body.append(element);
    await lists(element, 'a');
  });

  it('works twice on a page', async () => {
    await register({ name: 'a', inputSchema: schema });
    const [one, two] = [inspector({ tool: 'a' }), inspector()];
    await lists(one, 'a');
    await lists(two, 'a');
    await send(one, '{"query":"x"}');
    await waitUntil(() => text(one, '.result').includes('done'), 'one has called');
    await open(one, 'log');
    await open(two, 'log');
    await waitUntil(() => text(one, '.entries').includes('call from here'), 'the call is logged');
    await quiet(two);
    expect(text(two, '.entries')).not.to.include('call from here');
    one.remove();
    await register({ name: 'b' });
    await lists(two, 'a', 'b');
  });

  it('keeps the entered input of a removed tool until the tool returns', async () => {
    const controller = await register({ name: 'a', inputSchema: schema });
    await register({ name: 'b' });
    const element = inspector({ tool: 'a' });
    type(await one<HTMLInputElement>(element, '#p0'), 'kept');
    controller.abort();
    await waitUntil(() => text(element, '.say.error') === 'a was unregistered.', 'the message is shown');
    await register({ name: 'a', inputSchema: schema });
    await waitUntil(() => all(element, '.say.error').length === 0, 'the tool is back');
    expect((await one<HTMLInputElement>(element, '#p0')).value).to.equal('kept');
  });

  it('restores selected options by value when the schema changes, and announces those that are gone', async () => {
    const element = inspector({ tool: 'a' });
    const offer = (...values: string[]): Promise<AbortController> => {
      const properties = { c: { enum: values }, m: { type: 'array', items: { enum: values } }, t: { type: 'string' } };
      return register({ name: 'a', inputSchema: { type: 'object', properties } });
    };
    const chosen = (): string =>
      text(element, '#p0 option:checked') +
      all(element, ':checked:not(option, [name])')
        .map((box) => text_(box))
        .join('');
    const text_ = (box: HTMLElement): string => box.parentElement?.textContent?.trim() ?? '';
    const first = await offer('x', 'y');
    (await one<HTMLSelectElement>(element, '#p0')).value = '1';
    all<HTMLInputElement>(element, '[type=checkbox]')[0]?.click();
    type(await one<HTMLInputElement>(element, '#p2'), 'typed');
    first.abort();
    const second = await offer('z', 'x', 'y');
    await waitUntil(() => all(element, '#p0 option').length === 4, 'the fields follow the schema');
    await waitUntil(() => chosen() === 'yx', 'the choice is the same');
    second.abort();
    await offer('x', 'z');
    await waitUntil(() => text(element, '#p0 option') === 'not set|x|z', 'the fields follow the schema again');
    await waitUntil(() => chosen() === 'not setx', 'the removed option is unset');
    expect((await one<HTMLInputElement>(element, '#p2')).value).to.equal('typed');
    await waitUntil(
      () => element.shadowRoot?.textContent?.includes('The selected value of c was removed.'),
      'the message is shown',
    );
  });

  it('lists the tools of a frame with their page, and does not keep the frame alive', async () => {
    const frame = await openResponsiveFrame(async () => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<!doctype html><title>The frame</title>';
      const loaded = new Promise((resolve) => (frame.onload = resolve));
      document.body.append(frame);
      afterTest(() => frame.remove());
      await loaded;
      return frame;
    });
    await frame.contentDocument?.modelContext.registerTool({ ...valid, name: 'framed' });
    await register({ name: 'own' });
    const element = inspector({ tool: 'framed' });
    await lists(element, 'framed', 'own');
    expect(text(element, '[role=option]')).to.include('in The frame');
    await send(element, '{"a":1}');
    await waitUntil(() => text(element, '.done').includes('done'), 'the call in the frame is done');
    frame.remove();
    await waitUntil(() => text(element, '.say.error').includes('framed'), 'the tool is gone');
    await lists(element, 'own');
  });

  for (const scheme of ['light', 'dark'])
    it(`has no accessibility violations in the ${scheme} scheme`, async () => {
      const root = document.documentElement;
      root.style.cssText = `color-scheme: ${scheme}; background: ${scheme === 'dark' ? '#000' : '#fff'}`;
      afterTest(() => root.removeAttribute('style'));
      const tool = { annotations: { readOnlyHint: true }, inputSchema: { ...schema, required: ['query'] } };
      await register({ name: 'a', ...tool }, { name: 'b', execute: () => Promise.reject(new Error('no')) });
      const element = inspector({ tool: 'b' });
      await send(element, '{}');
      await waitUntil(() => text(element, '.failed').includes('failed'), 'the call has failed');
      element.tool = 'a';
      await one(element, '#p0');
      await send(element, '{}');
      await waitUntil(() => text(element, '.done').includes('done'), 'the call is done');
      for (const tab of ['call', 'schema', 'parameters', 'findings', 'log'] as const) {
        await open(element, tab);
        await quiet(element);
        for (const details of all<HTMLDetailsElement>(element, 'details')) details.open = true;
        await quiet(element);
        await expect(element).to.be.accessible();
      }
    });
});

describe('a call from <webmcp-inspector>', () => {
  const everything = {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string', description: 'Some text.', default: 'stamps' },
      count: { type: 'integer', examples: [3] },
      flag: { type: 'boolean' },
      color: {
        anyOf: [
          { const: 1, title: 'Red' },
          { const: 'b', title: 'Blue' },
        ],
      },
      size: { enum: ['s', 'm', null] },
      tags: { type: 'array', items: { enum: ['x', 'y', 'z'] } },
      other: { type: 'object' },
      nothing: true,
    },
  };
  const inputs: unknown[] = [];
  const echo = { name: 'echo', inputSchema: everything, execute: (input: unknown) => (inputs.push(input), 'ok') };
  beforeEach(() => (inputs.length = 0));

  it('is made by a form that follows the schema', async () => {
    await register(echo);
    const element = inspector({ tool: 'echo' });
    const field = await one<HTMLInputElement>(element, '#p0');
    expect(text(element, 'label[for=p0]')).to.equal('text (required)');
    expect([field.placeholder, text(element, '#p0-hint')]).to.deep.equal(['default: stamps', 'Some text.']);
    expect((await one<HTMLInputElement>(element, '#p1')).placeholder).to.equal('for example 3');
    expect(text(element, '#p3 option')).to.equal('not set|Red|Blue');
    for (const [id, value] of [
      ['p0', 'a'],
      ['p1', '7'],
      ['p6', '{"a":[1]}'],
    ] as const)
      type(await one<HTMLInputElement>(element, `#${id}`), value);
    for (const [id, value] of [
      ['p2', '1'],
      ['p3', '0'],
      ['p4', '2'],
    ] as const)
      (await one<HTMLSelectElement>(element, `#${id}`)).value = value;
    for (const box of all<HTMLInputElement>(element, '[type=checkbox]').filter((_, index) => index !== 1)) box.click();
    (await one(element, 'button.primary')).click();
    await waitUntil(() => inputs.length > 0, 'the call is done');
    expect(inputs).to.deep.equal([
      { text: 'a', count: 7, flag: false, color: 1, size: null, tags: ['x', 'z'], other: { a: [1] } },
    ]);
  });

  it('sends invalid input: no required parameters, text for a number, any JSON', async () => {
    await register(echo);
    const element = inspector({ tool: 'echo' });
    type(await one<HTMLInputElement>(element, '#p1'), 'many');
    (await one(element, 'button.primary')).click();
    await waitUntil(() => inputs.length === 1, 'the call is done');
    await send(element, '{"unknown":[null]}');
    await waitUntil(() => inputs.length === 2, 'the second call is done');
    expect(inputs).to.deep.equal([{ count: 'many' }, { unknown: [null] }]);
  });

  it('shows the position of a JSON syntax error and sends nothing', async () => {
    await register(echo);
    const element = inspector({ tool: 'echo' });
    await send(element, '{\n  "a": 1,\n  "b": nope\n}');
    await waitUntil(
      () => text(element, '#json-error') === 'Line 3, column 8: the JSON is invalid.',
      'the message is shown',
    );
    await send(element, '{}');
    await waitUntil(() => inputs.length === 1, 'the next one is sent');
    expect(text(element, '#json-error')).to.equal('');
  });

  it('rejects numbers that JavaScript cannot represent', async () => {
    await register(echo);
    const element = inspector({ tool: 'echo' });
    type(await one<HTMLInputElement>(element, '#p1'), '9007199254740993');
    (await one(element, 'button.primary')).click();
    await waitUntil(() => text(element, '#p1-error').includes('would become 9007199254740992'), 'the message is shown');
    await send(element, '{"a": 0.1,\n"b": [1e400]}');
    await waitUntil(() => text(element, '#json-error').startsWith('Line 2: 1e400'), 'the message is shown');
    expect(inputs).to.deep.equal([]);
    await send(element, '{"a": 0.10, "b": 1e21, "c": -0.0}');
    await waitUntil(() => inputs.length === 1, 'these are sent');
  });

  it('copies the input of the form to the JSON text', async () => {
    await register(echo);
    const element = inspector({ tool: 'echo' });
    type(await one<HTMLInputElement>(element, '#p0'), 'x');
    all<HTMLInputElement>(element, 'input[type=radio]')[1]?.click();
    expect((await one<HTMLTextAreaElement>(element, '#json')).value).to.equal('{\n  "text": "x"\n}');
  });

  it('logs its input and result, with indented JSON and unchanged numbers', async () => {
    await register({ name: 'a', execute: () => '{"id":12345678901234567890,"list":[]}' });
    const element = inspector({ tool: 'a' });
    await send(element, '{"q":1}');
    await waitUntil(() => text(element, '.done').includes('done'), 'the call is done');
    await open(element, 'log');
    const details = await one<HTMLDetailsElement>(element, '[part=log] .entries details');
    details.open = true;
    await waitUntil(() => details.querySelectorAll('pre').length === 2, 'the details are rendered');
    expect([...details.querySelectorAll('pre')].map(({ textContent }) => textContent)).to.deep.equal([
      '{\n  "id": 12345678901234567890,\n  "list": []\n}',
      '{\n  "q": 1\n}',
    ]);
    expect(text(element, '[role=log]')).to.match(/a: done, \d+ ms/);
  });

  it('runs beside other calls and is canceled alone', async () => {
    const signals: AbortSignal[] = [];
    const wait = (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_resolve, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    await register({ name: 'slow', execute: wait });
    const element = inspector({ tool: 'slow' });
    await send(element, '{}');
    await send(element, '{}');
    await open(element, 'log');
    await waitUntil(() => all(element, '[part=log] .running').length === 2, 'both run');
    await waitUntil(() => signals.length === 2, 'both have begun');
    const cancel = all(element, '[part=log] .entries button')[0];
    expect(cancel?.getAttribute('aria-label')).to.equal('Cancel the call of slow');
    cancel?.click();
    await waitUntil(() => text(element, '[part=log] .canceled') === 'canceled', 'one is canceled');
    await waitUntil(() => signals[1]?.aborted, 'the signal is aborted');
    expect([signals[0]?.aborted, all(element, '[part=log] .running').length]).to.deep.equal([false, 1]);
    element.remove();
    await waitUntil(() => signals[0]?.aborted, 'the other one ends with the inspector');
  });

  it('continues when the inspector moves', async () => {
    let signal: AbortSignal | undefined;
    let answer: (value: string) => void = () => undefined;
    const execute = (_: unknown, options: { signal: AbortSignal }): Promise<string> => {
      ({ signal } = options);
      return new Promise((resolve) => (answer = resolve));
    };
    await register({ name: 'slow', execute });
    const element = inspector({ tool: 'slow' });
    await send(element, '{}');
    await waitUntil(() => signal, 'the call runs');
    await open(element, 'log');
    const other = document.createElement('div');
    document.body.append(other);
    afterTest(() => other.remove());
    other.append(element);
    answer('late');
    await waitUntil(() => text(element, '[part=log] .done').includes('done'), 'the call is logged');
    expect(signal?.aborted).to.equal(false);
  });

  it('is shown with its tool if the log is hidden', async () => {
    await register(echo);
    const element = inspector({ tool: 'echo', hideLog: true });
    await send(element, '{}');
    await waitUntil(() => text(element, '.result .done') === 'done', 'the outcome is shown');
    expect([all(element, '#tab-log').length, element.hasAttribute('hide-log')]).to.deep.equal([0, true]);
  });
});

describe('the log of <webmcp-inspector>', () => {
  it('logs the events of the page and can be cleared', async () => {
    const element = inspector({ tab: 'log' });
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the inspector is ready');
    const form = place('<form toolname=f></form>');
    const over = new AbortController();
    const dispatch = (type: string, detail: object | null): boolean =>
      form.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
    await waitUntil(() => {
      if (text(element, '.entries').includes('waiting')) return true;
      dispatch('webmcp-await-user', { toolName: 'f', signal: over.signal });
      return false;
    }, 'the event is logged');
    dispatch('webmcp-response', { status: 200 });
    dispatch('webmcp-diagnostic', { code: 'some-code', severity: 'error', message: 'Wrong.', tool: 'f' });
    for (const type of ['webmcp-await-user', 'webmcp-response', 'webmcp-diagnostic']) dispatch(type, null);
    const log = '[part=log] .entries';
    await waitUntil(() => text(element, log).includes('error: some-code: Wrong.'), 'the diagnostic is there');
    expect(text(element, log)).to.include('waiting for the user f waiting').and.to.include('response f');
    expect(text(element, '[role=log]')).to.include('f: waiting for the user');
    over.abort();
    await waitUntil(() => text(element, log).includes('waiting for the user f done'), 'the wait is over');
    (await one(element, '[part=log] button')).click();
    await waitUntil(() => text(element, '[part=log]') === 'The log is empty.', 'the log is empty');
  });

  it('logs calls by other scripts, and counts consecutive tool changes in one entry', async () => {
    const element = inspector({ tab: 'log' });
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the inspector is ready');
    await quiet(element);
    await register({ name: 'a' }, { name: 'b' });
    const two = await register({ name: 'c' });
    await waitUntil(() => text(element, '.entries').includes('tools changed'), 'the change is there');
    two.abort();
    await waitUntil(() => / [2-9] times/.test(text(element, '.entries')), 'both are counted');
    expect(all(element, '.entries li')).to.have.length(1);
    const [tool] = await document.modelContext.getTools();
    if (!tool) throw new Error('No tool.');
    await document.modelContext.executeTool(tool, {});
    await waitUntil(() => text(element, '.entries').includes('activated a'), 'the call is there');
  });

  it('keeps the latest 500 entries', async () => {
    const element = inspector({ tab: 'log' });
    await waitUntil(() => text(element, '.say') === 'No tools.', 'the inspector is ready');
    const detail = { code: 'c', severity: 'warning', message: 'm' };
    const dispatch = (): boolean =>
      document.dispatchEvent(new CustomEvent('webmcp-diagnostic', { detail: { ...detail, tool: 't' } }));
    await waitUntil(() => dispatch() && all(element, '.entries li').length > 0, 'the event is logged');
    for (let index = 0; index < 600; index++) dispatch();
    await waitUntil(() => all(element, '.entries li').length === 500, 'the log is full');
    expect(all(element, '[role=log] p')).to.have.length(8);
  });

  whereNotNative('for forms', () => {
    it('shows the errors of a call with their parameters', async () => {
      live();
      place('<form toolname=f tooldescription=d toolautosubmit><input name=n type=number max=5><input name=m></form>');
      const element = inspector({ tool: 'f' });
      await send(element, '{"n":"x","unknown":1}');
      await waitUntil(() => text(element, '.failed').includes('failed'), 'the call has failed');
      expect(text(element, '.result :is(dt, dd) code').split('|').sort()).to.deep.equal([
        ...['n', 'unknown', 'unknown-parameter', 'wrong-type'],
      ]);
    });
  });
});

describe('<webmcp-inspector> for a form', () => {
  const data =
    '<form data-toolname=f data-tooldescription="Finds."><label>Your name <input name=a required placeholder=Ada></label>' +
    '<input name=b type=number max=5 toolparamdescription="How many"><input name=bare><button>Go</button></form>';

  it('shows the sources of each description and outlines the control without changing it', async () => {
    live();
    const form = place(data);
    const element = inspector({ tool: 'f' });
    await open(element, 'parameters');
    await one(element, `${panel('parameters')} dl`);
    const texts = text(element, `${panel('parameters')} li`).split('|');
    expect(texts[0]).to.match(/^a \(required\) Show on page label Your name$/);
    expect(texts[1]).to.include('toolparamdescription How many');
    const before = form.outerHTML;
    (await one(element, `${panel('parameters')} button`)).click();
    const line = await one(element, '[part=outline]');
    const control = form.querySelector('input') as HTMLInputElement;
    await waitUntil(
      () => Math.abs(line.getBoundingClientRect().x + 4 - control.getBoundingClientRect().x) < 1,
      'the outline is around the control',
    );
    expect([form.outerHTML, document.activeElement === control]).to.deep.equal([before, false]);
    await waitUntil(
      () => text(element, '[role=log]').includes('a is outlined on the page.'),
      'the outline is announced',
    );
    await waitUntil(() => all(element, '[part=outline]').length === 0, 'the outline goes');
  });

  it('compares the profiles', async () => {
    live();
    place(data);
    const element = inspector({ tool: 'f' });
    await openProfiles(element);
    await one(element, '.profiles table');
    expect(text(element, '.profiles table:first-of-type thead')).to.match(/chromium\s*precise\s*portable/);
    const rows = (): number => all(element, '.profiles tbody tr').length;
    const differing = all(element, '.profiles tr.differs').length;
    expect([differing > 0, rows()]).to.deep.equal([true, differing]);
    (await one(element, '.profiles [type=checkbox]')).click();
    await waitUntil(() => rows() > differing, 'all keywords are shown');
  });

  it('shows the findings of the selected tool and of the others, errors first', async () => {
    live();
    place(data);
    place('<form data-toolname="no good" data-tooldescription=d><input name=x aria-label=x></form>');
    const element = inspector({ tool: 'f' });
    await open(element, 'findings');
    // the tool may become a tool after its findings were read
    await waitUntil(() => text(element, '[part=findings] h3') === 'f|Others', 'both lists are there');
    expect(text(element, '[part=findings]')).to.include('invalid-tool-name');
    expect(text(element, '[part=findings]')).to.include('missing-parameter-description');
    expect(text(element, '[part=findings] strong')).to.match(/^(warning\|)+error/);
  });

  it('shows the form and the diagnostics of a <webmcp-tool>', async () => {
    await import('../../elements/webmcp-tool.js');
    place(`<form id=foreign><label>Word <input name=q></label><input name=code><button>Go</button></form>
      <webmcp-tool for=foreign name=by_element description=d>
        <webmcp-param name=code description="A code"></webmcp-param><webmcp-param name=none></webmcp-param>
      </webmcp-tool>`);
    const element = inspector({ tool: 'by_element' });
    await open(element, 'parameters');
    await waitUntil(() => text(element, `${panel('parameters')} li`).includes('label Word'), 'the texts are listed');
    expect(text(element, panel('parameters'))).to.contain('A code');
    await open(element, 'findings');
    await waitUntil(() => text(element, '[part=findings]').includes('unknown-control'), 'the findings are listed');
    expect(text(element, '.badges')).to.contain('element');
  });

  it('finds a form in a shadow tree whose controls clobber its methods', async () => {
    live();
    const root = document.createElement('div').attachShadow({ mode: 'open' });
    document.body.append(root.host);
    afterTest(() => root.host.remove());
    root.innerHTML =
      '<form data-toolname=f data-tooldescription=d><label>Deep <input name=getAttribute></label>' +
      '<input name=ownerDocument aria-label=o><input name=getClientRects aria-label=c></form>';
    const element = inspector({ tool: 'f', tab: 'parameters' });
    await waitUntil(() => text(element, `${panel('parameters')} li`).includes('label Deep'), 'the texts are listed');
  });
});

describe('a copy by <webmcp-inspector>', () => {
  const hostile = '</script><!--<script>-->\u2028';
  const tool = {
    ...{
      name: 'copied',
      title: 'T',
      description: hostile,
      annotations: { readOnlyHint: true, consequentialHint: true },
    },
    inputSchema: JSON.parse(`{"type":"object","properties":{"__proto__":{"const":"${hostile}"}}}`) as object,
  };

  async function copies(): Promise<{ element: WebmcpInspector; press: (index: number) => Promise<string> }> {
    await register(tool);
    const element = inspector({ tool: 'copied' });
    await open(element, 'schema');
    const refuse = (): Promise<never> => Promise.reject(new DOMException('no', 'NotAllowedError'));
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: refuse } });
    afterTest(() => void Reflect.deleteProperty(navigator, 'clipboard'));
    const press = async (index: number): Promise<string> => {
      const before = all<HTMLTextAreaElement>(element, '#copy')[0]?.value;
      all(element, `${panel('schema')} .row button`)[index]?.click();
      await waitUntil(
        () => (all<HTMLTextAreaElement>(element, '#copy')[0]?.value ?? before) !== before,
        'the text is shown',
      );
      return (await one<HTMLTextAreaElement>(element, '#copy')).value;
    };
    return { element, press };
  }

  it('is code that registers the same tool and is safe in a script element', async () => {
    const { element, press } = await copies();
    const code = await press(0);
    expect(code).not.to.match(/<\/script|<!--|<script|\u2028/i);
    await waitUntil(
      () => element.shadowRoot?.activeElement?.id === 'copy',
      'the text is selected where there is no clipboard',
    );
    let registered: ModelContextTool | undefined;
    const modelContext = { registerTool: (definition: ModelContextTool) => (registered = definition) };
    // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the code is the result
    new Function('document', code)({ modelContext });
    const { execute, ...rest } = registered as ModelContextTool;
    expect([JSON.stringify(rest), typeof execute]).to.deep.equal([
      JSON.stringify({
        ...{ name: tool.name, title: tool.title, description: tool.description, inputSchema: tool.inputSchema },
        annotations: tool.annotations,
      }),
      'function',
    ]);
  });

  it('is the tool as MCP lists it', async () => {
    const { press } = await copies();
    const { annotations, inputSchema, ...rest } = JSON.parse(await press(1)) as Record<string, unknown>;
    expect(rest).to.deep.equal({ name: 'copied', title: 'T', description: hostile });
    expect(annotations).to.deep.equal({ readOnlyHint: true, destructiveHint: true });
    expect(JSON.stringify(inputSchema)).to.equal(JSON.stringify(tool.inputSchema));
  });

  it('is written to the clipboard if there is one', async () => {
    const { element } = await copies();
    let copied = '';
    const writeText = (value: string): Promise<void> => Promise.resolve(void (copied = value));
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    all(element, `${panel('schema')} .row button`)[1]?.click();
    await waitUntil(() => text(element, `${panel('schema')} [role=status]`) === 'Copied.', 'the message is shown');
    expect([(JSON.parse(copied) as { name: string }).name, all(element, '#copy').length]).to.deep.equal(['copied', 0]);
  });
});
