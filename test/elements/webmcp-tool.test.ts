import { expect } from '@open-wc/testing';
import type { ToolCallEvent, WebmcpTool } from '../../elements/webmcp-tool.js';
import '../../elements/webmcp-tool.js';
import { openResponsiveFrame } from '../support/browser/responsive-frame.js';
import { afterTest, call, isNative, names, rejection, tool, tools, waitUntil } from '../support/browser/live.js';
import {
  addTool,
  answer,
  codes,
  changesOfReplacement,
  toolChanges,
  settled,
} from '../support/elements/webmcp-tools.js';

describe('<webmcp-tool> without a form', () => {
  it('declares the parameters of its children', async () => {
    await addTool(`name=t description="Finds stamps." tooltitle=Stamps`, [
      '<webmcp-param name=text required description="What to find"></webmcp-param>',
      '<webmcp-param name=year type=integer minimum=1840 maximum=2026 title=Year></webmcp-param>',
      '<webmcp-param name=kind enum="used unused" default=used></webmcp-param>',
    ]);
    const { description, title, inputSchema } = await tool();
    expect([description, title]).to.deep.equal(['Finds stamps.', 'Stamps']);
    expect(inputSchema).to.deep.equal({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to find' },
        year: { type: 'integer', minimum: 1840, maximum: 2026, title: 'Year' },
        kind: { type: 'string', enum: ['used', 'unused'], default: 'used' },
      },
      required: ['text'],
    });
  });

  it('declares the schema of its script', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'null' } } };
    await addTool('name=t description=d', [
      `<script type="application/schema+json">${JSON.stringify(schema)}</script>`,
    ]);
    expect((await tool()).inputSchema).to.deep.equal(schema);
  });

  it('prefers the schema that is set by script', async () => {
    const element = await addTool('name=t description=d', ['<webmcp-param name=a></webmcp-param>']);
    element.inputSchema = { type: 'object', properties: { b: {} } };
    await settled();
    expect((await tool()).inputSchema).to.deep.equal({ type: 'object', properties: { b: {} } });
    expect(codes(element)).to.deep.equal(['ignored-param']);
    Object.assign(element, { inputSchema: undefined });
    await settled();
    expect((await tool()).inputSchema).to.have.nested.property('properties.a');
  });

  it('declares its annotations', async function () {
    await addTool('name=t description=d readonly-hint untrusted-content-hint');
    const { annotations } = await tool();
    if (!annotations && isNative) this.skip();
    expect(annotations).to.include({ readOnlyHint: true, untrustedContentHint: true, consequentialHint: false });
  });

  it('can be created by a script', async () => {
    const element = Object.assign(document.createElement('webmcp-tool'), { name: 't', description: 'd' });
    element.append(
      Object.assign(document.createElement('webmcp-param'), { name: 'a', type: 'number', required: true }),
    );
    document.body.append(element);
    afterTest(() => element.remove());
    await settled();
    expect((await tool()).inputSchema).to.nested.include({ 'properties.a.type': 'number', 'required[0]': 'a' });
  });

  it('uses properties that were set before the upgrade', async () => {
    const inert = document.implementation.createHTMLDocument();
    const element = inert.createElement('webmcp-tool');
    Object.assign(element, { name: 't', description: 'd', inputSchema: { type: 'object', title: 'early' } });
    document.body.append(element);
    afterTest(() => element.remove());
    await settled();
    expect((await tool()).inputSchema).to.deep.equal({ type: 'object', title: 'early' });
    expect(Object.keys(element)).to.deep.equal([]);
  });

  it('renders only its content', async () => {
    const element = await addTool('name=t description=d', ['<webmcp-param name=a>text</webmcp-param>', '<p>seen</p>']);
    const [param, text] = [...element.children] as [HTMLElement, HTMLElement];
    expect(getComputedStyle(element).display).to.equal('contents');
    expect([param.getClientRects().length, text.getClientRects().length]).to.deep.equal([0, 1]);
  });
});

describe('a call of <webmcp-tool>', () => {
  it('is an event that bubbles out of shadow trees and is answered with a value', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    afterTest(() => host.remove());
    host.attachShadow({ mode: 'open' }).innerHTML = '<webmcp-tool name=t description=d></webmcp-tool>';
    let event: ToolCallEvent | undefined;
    host.addEventListener('toolcall', (called) => {
      event = called;
      called.respondWith({ sum: 3 });
    });
    await settled();
    expect(await call({ a: [1] })).to.equal('{"sum":3}');
    expect([event?.name, event?.input, event?.cancelable, event?.composed]).to.deep.equal([
      ...['t', { a: [1] }, true, true],
    ]);
    expect(event?.signal).to.be.instanceOf(AbortSignal);
  });

  it('awaits a promise', async () => {
    answer(await addTool('name=t description=d'), (event) => event.respondWith(settled().then(() => 'later')));
    expect(await call()).to.equal('later');
  });

  it('uses the last of several answers, and ignores rejections of the others', async () => {
    answer(await addTool('name=t description=d'), (event) => {
      event.respondWith(Promise.reject(new Error('first')));
      event.respondWith('last');
    });
    expect(await call()).to.equal('last');
  });

  it('accepts an answer in a microtask but not later', async () => {
    let late: unknown;
    answer(await addTool('name=t description=d'), (event) => {
      void Promise.resolve().then(() => event.respondWith('soon'));
      void settled().then(() => {
        try {
          event.respondWith('late');
        } catch (error) {
          late = error;
        }
      });
    });
    expect(await call()).to.equal('soon');
    await waitUntil(() => late !== undefined);
    expect((late as DOMException).name).to.equal('InvalidStateError');
  });

  it('rejects with the reason of the answer', async () => {
    const reason = new RangeError('sold out');
    answer(await addTool('name=t description=d'), (event) => event.respondWith(Promise.reject(reason)));
    await expectFailure('RangeError', 'sold out', reason);
  });

  it('is declined by preventDefault()', async () => {
    answer(await addTool('name=t description=d'), (event) => event.preventDefault());
    await expectFailure('NotAllowedError', 'The page declined the call of "t".');
  });

  it('rejects with advice if no listener answers', async () => {
    await addTool('name=t description=d');
    await expectFailure('NotSupportedError', 'No listener answered the call of "t". Listen for "toolcall"');
  });

  it('aborts its signal when the caller cancels', async () => {
    let signal: AbortSignal | undefined;
    const caller = new AbortController();
    answer(await addTool('name=t description=d'), (event) => {
      ({ signal } = event);
      event.respondWith(new Promise(() => undefined));
      caller.abort(new Error('enough'));
    });
    expect((await rejection(call({}, { signal: caller.signal }))).message).to.equal('enough');
    await waitUntil(() => signal?.aborted);
  });

  it('continues when its tool is changed, renamed and removed', async () => {
    let done: (value: string) => void = () => undefined;
    let begun: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const element = await addTool('name=t description=d');
    answer(element, (event) => {
      event.respondWith(new Promise((resolve) => (done = resolve)));
      begun();
    });
    const running = call();
    await isBegun;
    element.description = 'e';
    await settled();
    element.name = 'u';
    await settled();
    expect(await names()).to.deep.equal(['u']);
    element.remove();
    await settled();
    expect(await names()).to.deep.equal([]);
    done('done');
    expect(await running).to.equal('done');
  });
});

/** Over a native WebMCP, a failure is a result: browsers lose the reason. */
async function expectFailure(name: string, message: string, cause?: unknown): Promise<void> {
  if (isNative) {
    const failure = JSON.parse((await call()) ?? '') as Record<string, unknown>;
    expect([failure.isError, failure.name]).to.deep.equal([true, name]);
    expect(failure.message).to.contain(message);
    return;
  }
  const error = await rejection(call());
  expect(error.message).to.contain(message);
  expect((error.cause as Error).name).to.equal(name);
  if (cause) expect(error.cause).to.equal(cause);
}

describe('a change of <webmcp-tool>', () => {
  it('updates the tool with the current children and attributes', async () => {
    const element = await addTool('name=t description=d', ['<webmcp-param name=a></webmcp-param>']);
    const param = element.querySelector('webmcp-param') as Element;
    const properties = async (): Promise<unknown> => Reflect.get((await tool()).inputSchema ?? {}, 'properties');
    param.setAttribute('type', 'boolean');
    await settled();
    expect(await properties()).to.deep.equal({ a: { type: 'boolean' } });
    element.insertAdjacentHTML('beforeend', '<webmcp-param name=b></webmcp-param>');
    param.remove();
    await settled();
    expect(await properties()).to.deep.equal({ b: { type: 'string' } });
    element.removeAttribute('name');
    await settled();
    expect(await tools()).to.deep.equal([]);
  });

  it('updates the tool with the text of its schema', async () => {
    const element = await addTool('name=t description=d', ['<script type="application/schema+json">{}</script>']);
    (element.firstChild?.firstChild as Text).data = '{"type":"object"}';
    await settled();
    expect((await tool()).inputSchema).to.deep.equal({ type: 'object' });
  });

  it('causes one toolchange event for a task, and none if nothing differs', async () => {
    const element = await addTool('name=t description=d', ['<webmcp-param name=a></webmcp-param>']);
    const changes = await toolChanges();
    const param = element.querySelector('webmcp-param') as Element;
    element.setAttribute('description', 'e');
    element.setAttribute('tooltitle', 'e');
    param.setAttribute('title', 'e');
    await settled();
    expect(await changes(changesOfReplacement)).to.equal(changesOfReplacement);
    element.setAttribute('description', 'f');
    element.setAttribute('description', 'e');
    param.setAttribute('title', 'e');
    element.classList.add('x');
    await settled();
    expect(await changes()).to.equal(0);
  });

  it('is not caused by a move', async () => {
    const element = await addTool('name=t description=d');
    const changes = await toolChanges();
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    afterTest(() => elsewhere.remove());
    elsewhere.append(element);
    await settled();
    const root = elsewhere.attachShadow({ mode: 'open' });
    root.append(element);
    await settled();
    expect([await changes(), await names()]).to.deep.equal([0, ['t']]);
  });

  it('applies to the listeners of later calls', async () => {
    const element = await addTool('name=t description=d');
    answer(element, (event) => event.respondWith('first'));
    answer(element, (event) => event.respondWith('second'));
    expect(await call()).to.equal('second');
  });
});

describe('a name of two <webmcp-tool> elements', () => {
  it('belongs to the first added element until it is removed, and then to the second', async () => {
    const first = await addTool('name=t description=first');
    const second = await addTool('name=t description=second', [], document.body, 'afterbegin');
    await settled();
    expect((await tool()).description).to.equal('first');
    expect([codes(first), codes(second)]).to.deep.equal([[], ['duplicate-tool-name']]);
    first.remove();
    await settled();
    expect((await tool()).description).to.equal('second');
    expect(codes(second)).to.deep.equal([]);
  });

  it('can be swapped without a diagnostic', async () => {
    const first = await addTool('name=t description=first');
    const failure: unknown[] = [];
    const listener = (event: CustomEvent): void => void failure.push(event.detail);
    document.addEventListener('webmcp-diagnostic', listener as EventListener);
    afterTest(() => document.removeEventListener('webmcp-diagnostic', listener as EventListener));
    const second = addTool('name=t description=second');
    first.remove();
    await second;
    expect([(await tool()).description, failure]).to.deep.equal(['second', []]);
  });

  it('is released when the first becomes invalid', async () => {
    const first = await addTool('name=t description=first');
    const second = await addTool('name=t description=second');
    first.name = 'u';
    await settled();
    expect(await names()).to.deep.equal(['t', 'u']);
    second.remove();
    await settled();
    expect(await names()).to.deep.equal(['u']);
  });
});

describe('<webmcp-tool> as a custom element', () => {
  it('registers its tool when it is cloned, imported or parsed, but not in a template', async () => {
    const html = '<webmcp-tool name=t description=d><webmcp-param name=a></webmcp-param></webmcp-tool>';
    const template = document.createElement('template');
    template.innerHTML = html;
    const container = document.createElement('div');
    document.body.append(container, template);
    afterTest(() => [container, template].forEach((each) => each.remove()));
    const expectTool = async (node: Node): Promise<void> => {
      container.replaceChildren(node);
      await settled();
      expect((await tool()).inputSchema).to.have.nested.property('properties.a');
      container.replaceChildren();
      await settled();
      expect(await names()).to.deep.equal([]);
    };
    await settled();
    expect(await names()).to.deep.equal([]);
    await expectTool(document.importNode(template.content, true));
    await expectTool(template.content.cloneNode(true));
    await expectTool(document.createRange().createContextualFragment(html));
    const original = await addTool('name=t description=d', ['<webmcp-param name=a></webmcp-param>']);
    original.remove();
    await expectTool(original.cloneNode(true));
  });

  it('awaits children that are not parsed yet, and registers once', async () => {
    const frame = await openResponsiveFrame(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      afterTest(() => frame.remove());
      return Promise.resolve(frame);
    });
    const parsed = frame.contentDocument as Document;
    const script = Object.assign(parsed.createElement('script'), { type: 'module' });
    script.src = new URL('../../elements/webmcp-tool.ts', import.meta.url).href;
    await new Promise((resolve, reject) => {
      Object.assign(script, { onload: resolve, onerror: reject });
      parsed.body.append(script);
    });
    const changes = await toolChanges();
    parsed.open();
    for (const part of ['<webmcp-tool name=t description=d>', '<webmcp-param name=a>', '</webmcp-param>']) {
      parsed.write(part);
      await settled();
      expect(await names()).to.deep.equal([]);
    }
    const element = parsed.querySelector('webmcp-tool') as Element;
    expect(element.shadowRoot, 'it is upgraded').not.to.equal(null);
    parsed.write('</webmcp-tool>');
    parsed.close();
    await waitUntil(async () => (await names()).length === 1);
    expect((await tool()).inputSchema).to.have.nested.property('properties.a');
    expect(await changes(1)).to.equal(1);
  });

  it('follows children that are added one by one', async () => {
    const element = await addTool('name=t description=d');
    const param = document.createElement('webmcp-param');
    element.append(param);
    await settled();
    param.setAttribute('name', 'late');
    await settled();
    expect((await tool()).inputSchema).to.have.nested.property('properties.late');
  });

  it('follows the custom element conventions', () => {
    const element: WebmcpTool = document.createElement('webmcp-tool');
    expect([element.attributes.length, element.childNodes.length, element.diagnostics]).to.deep.equal([0, 0, []]);
  });
});
