import { expect } from '@open-wc/testing';
import { registerForms } from '../../../src/index.js';
import {
  afterTest,
  answerEntries,
  call,
  host,
  live,
  names,
  place,
  placeTool,
  settled,
  tool,
  tools,
  whereNotNative,
} from '../../support/browser/live.js';
import type { RegisteredTool } from '../../../src/webmcp.js';

const description = async (parameter: string, name = 't'): Promise<unknown> => {
  const { properties = {} } = (await tool(name)).inputSchema as {
    properties?: Record<string, { description?: string }>;
  };
  return properties[parameter]?.description;
};

/** Counts toolchange events until the test is over. */
function countChanges(): () => number {
  let count = 0;
  const listener = () => count++;
  document.modelContext.addEventListener('toolchange', listener);
  afterTest(() => document.modelContext.removeEventListener('toolchange', listener));
  return () => count;
}

whereNotNative('registerForms', () => {
  it('registers the annotated forms of a page and of its open shadow trees', async () => {
    place('<form toolname=a tooldescription=d></form><form toolname=b></form><form tooldescription=d></form>');
    const element = document.createElement('div');
    document.body.append(element);
    afterTest(() => element.remove());
    element.attachShadow({ mode: 'open' }).innerHTML = '<form toolname=c tooldescription></form>';
    live();
    expect(await names()).to.deep.equal(['a', 'c']);
  });

  it('registers a form with its description, title and input schema', async () => {
    live();
    placeTool('<label>Name <input name=n required></label>', 'tooltitle=Title');
    const { name, title, description: text, inputSchema, annotations } = await tool();
    expect({ name, title, text, inputSchema, annotations }).to.deep.equal({
      ...{ name: 't', title: 'Title', text: 'd', annotations: undefined },
      inputSchema: { type: 'object', properties: { n: { type: 'string', description: 'Name' } }, required: ['n'] },
    });
  });

  it('registers added forms with one toolchange, and unregisters removed forms with another', async () => {
    live();
    await settled();
    const changes = countChanges();
    const form = place('<form toolname=a tooldescription></form><form toolname=b tooldescription></form>');
    await settled();
    expect([await names(), changes()]).to.deep.equal([['a', 'b'], 1]);
    form.parentElement?.remove();
    await settled();
    expect([await names(), changes()]).to.deep.equal([[], 2]);
  });

  for (const [what, change, expected] of [
    [
      'a change of the text of a label',
      (form) => (((form.querySelector('label') as Element).firstChild as Text).data = 'New'),
      'New',
    ],
    ['a change outside', (form) => ((form.parentElement?.querySelector('i') as Element).textContent = 'x'), 'Own'],
    ['a new annotation', (form) => form.elements[0]?.setAttribute('toolparamdescription', 'P'), 'P'],
    ['a new label', (form) => form.insertAdjacentHTML('afterend', '<label for=c>More</label>'), 'Own; More'],
    ['the removal of its ID', (form) => (form.elements[0] as Element).removeAttribute('id'), 'Own'],
  ] as [string, (form: HTMLFormElement) => unknown, string][]) {
    it(`describes a control correctly after ${what}`, async () => {
      live();
      const form = placeTool('<label>Own<input id=c name=c></label>');
      form.insertAdjacentHTML('afterend', '<i></i>');
      await settled();
      change(form);
      expect(await description('c')).to.equal(expected);
    });
  }

  it('updates the tool after labels move, even twice in one task', async () => {
    live();
    const form = placeTool('<input id=c name=c>');
    form.insertAdjacentHTML('afterend', '<div><label for=c>Own</label></div><div></div>');
    const [first, second] = form.parentElement?.querySelectorAll('div') ?? [];
    const label = form.parentElement?.querySelector('label') as Element;
    await settled();
    second?.append(label);
    first?.append(label);
    expect(await description('c')).to.equal('Own');
    first?.replaceChildren(label);
    expect(await description('c')).to.equal('Own');
    label.textContent = 'New';
    expect(await description('c')).to.equal('New');
  });

  it('reads labels outside of the root element', async () => {
    place('<label for=c>Outside</label><div id=root><form toolname=t tooldescription><input id=c name=c></form></div>');
    const other = place('<form toolname=u tooldescription></form>');
    const controller = new AbortController();
    afterTest(() => controller.abort());
    registerForms(document.querySelector('#root') as Element, { host, signal: controller.signal });
    expect(await description('c')).to.equal('Outside');
    expect(await names()).to.deep.equal(['t']);
    other.remove();
  });

  it('updates the tool after the options of a select change', async () => {
    live();
    const form = placeTool('<select name=s><option>a</select>');
    await tools();
    (form.elements[0] as HTMLSelectElement).add(new Option('b'));
    expect((await tool()).inputSchema)
      .to.have.nested.property('properties.s.enum')
      .that.deep.equals(['a', 'b']);
  });

  it("updates the tool after changes of a surrounding fieldset and of a control's form attribute", async () => {
    live();
    const form = place(
      '<fieldset><form id=f toolname=t tooldescription><input name=a></form></fieldset><input name=b>',
    );
    const properties = async () => Object.keys((await tool()).inputSchema?.['properties' as never] ?? {});
    expect(await properties()).to.deep.equal(['a']);
    form.parentElement?.parentElement?.querySelector('[name=b]')?.setAttribute('form', 'f');
    expect(await properties()).to.deep.equal(['a', 'b']);
    form.parentElement?.setAttribute('disabled', '');
    expect(await properties()).to.deep.equal(['b']);
  });

  it('fires no toolchange for mutations that do not change a tool', async () => {
    live();
    const form = placeTool('<label>N <input name=n></label>');
    await settled();
    const changes = countChanges();
    (form.elements[0] as HTMLInputElement).value = 'typed';
    form.className = 'busy';
    form.append(document.createElement('p'));
    form.setAttribute('tooldescription', 'other');
    form.setAttribute('tooldescription', 'd');
    document.body.setAttribute('lang', 'fr');
    await settled();
    expect(changes()).to.equal(0);
  });

  it('keeps a moved form registered', async () => {
    live();
    const form = placeTool('<input name=n>');
    await settled();
    const changes = countChanges();
    document.body.append(form);
    await settled();
    expect([changes(), await names()]).to.deep.equal([0, ['t']]);
    form.remove();
  });

  it('registers the next form of a name when the first is removed, and keeps the first when another is removed', async () => {
    live();
    const [first, second, third] = [1, 2, 3].map((token) => {
      const form = placeTool(`<input type=hidden name=csrf_token value=${token}>`);
      answerEntries(form);
      return form;
    }) as [HTMLFormElement, HTMLFormElement, HTMLFormElement];
    expect(await call()).to.equal('[["csrf_token","1"]]');
    second.remove();
    expect(await call()).to.equal('[["csrf_token","1"]]');
    first.remove();
    expect(await call()).to.equal('[["csrf_token","3"]]');
    third.setAttribute('toolname', 'u');
    expect(await names()).to.deep.equal(['u']);
  });

  it('registers a form when the imperative tool of its name is unregistered', async () => {
    live();
    const controller = new AbortController();
    const imperative = { name: 't', description: 'imperative', execute: () => '' };
    await document.modelContext.registerTool(imperative, { signal: controller.signal });
    placeTool('<input name=n>');
    await settled();
    expect((await tool()).description).to.equal('imperative');
    controller.abort();
    await settled();
    expect((await tool()).description).to.equal('d');
  });

  it('registers forms of shadow roots that are attached later', async () => {
    live();
    const element = place('<form></form>').parentElement as Element;
    await settled();
    const shadow = element.attachShadow({ mode: 'open' });
    shadow.innerHTML = '<form toolname=s tooldescription></form>';
    await settled();
    expect(await names()).to.deep.equal(['s']);
    element.remove();
    expect(await names()).to.deep.equal([]);
  });

  it('unregisters the forms when the signal aborts', async () => {
    const controller = live();
    placeTool('<input name=n>');
    expect(await names()).to.deep.equal(['t']);
    controller.abort();
    expect(await names()).to.deep.equal([]);
    placeTool('<input name=n>');
    await settled();
    expect(await names()).to.deep.equal([]);
  });

  it('uses the schemas of the option profile', async () => {
    live({ profile: 'precise' });
    placeTool('<input name=n maxlength=3>');
    expect((await tool()).inputSchema).to.have.nested.property('properties.n.maxLength', 3);
    expect(await call({ n: 'abc' })).to.equal(null);
  });
});

whereNotNative('different forms of one name', () => {
  const tip = (to: string): HTMLFormElement =>
    placeTool(`<input type=hidden name=to value=${to}><input name=amount>`, 'toolautosubmit tooltitle=Tip');

  it('are not registered, whichever is first', async () => {
    tip('mallory');
    tip('site');
    placeTool('<input name=a>', 'data-toolname=u');
    live();
    expect(await names()).to.deep.equal([]);
  });

  for (const [what, extra] of [
    ['a hidden control', '<input type=hidden name=to value=mallory data-webmcp-ignore>'],
    ['a select', '<div data-webmcp-ignore><select name=to><option>mallory</select></div>'],
  ] as const) {
    it(`are not registered if one of them submits ${what} of excluded content`, async () => {
      placeTool(`<input type=hidden name=to value=site><input name=amount>${extra}`, 'toolautosubmit tooltitle=Tip');
      tip('site');
      live();
      expect(await names()).to.deep.equal([]);
    });
  }

  it('are not called by an agent that listed an earlier tool of the name', async () => {
    live();
    const listed = tip('site');
    const [known] = await tools();
    listed.remove();
    const sent: string[] = [];
    for (const to of ['mallory', 'site'])
      tip(to).addEventListener('submit', (event) => {
        event.preventDefault();
        sent.push(to);
      });
    const failure = await document.modelContext.executeTool(known as RegisteredTool, { amount: '1' }).then(
      () => undefined,
      (reason: unknown) => (reason as DOMException).name,
    );
    expect([typeof failure, sent]).to.deep.equal(['string', []]);
  });

  it('are not registered if a copy of one of them has another destination, method, answer or value', async () => {
    const html = (other = ''): string =>
      `<form ${other} toolname=t tooldescription=d action="/own"><input type=hidden name=to value=site><input name=a></form>`;
    place(html());
    live();
    for (const other of [
      '',
      'action="/other"',
      'method=post',
      'enctype=text/plain',
      'target=_blank',
      'data-webmcp-response=fetch',
      'data-hx-post="/other"',
      'hx-vals=\'{"to":"mallory"}\'',
    ]) {
      const copy = place(html(other));
      await settled();
      expect([other, await names()]).to.deep.equal([other, other === '' ? ['t'] : []]);
      copy.remove();
    }
  });

  it('are not registered if a button of a copy has another attribute that scripts read', async () => {
    placeTool('<button>Go</button>');
    const copy = placeTool('<button>Go</button>');
    live();
    expect(await names()).to.deep.equal(['t']);
    copy.remove();
    placeTool('<button data-turbo-method=delete>Go</button>');
    await settled();
    expect(await names()).to.deep.equal([]);
  });

  it('are not registered if a copy inherits attributes of htmx from an element around it', async () => {
    const html = '<form toolname=t tooldescription=d action="/own"><input name=a></form>';
    place(html);
    live();
    for (const wrapper of ['class=narrow data-width=3', 'data-hx-vals=\'{"to":"mallory"}\'', 'hx-boost=true']) {
      const copy = place(`<div ${wrapper}><div>${html}</div></div>`);
      await settled();
      expect([wrapper, await names()]).to.deep.equal([wrapper, wrapper.startsWith('class') ? ['t'] : []]);
      copy.remove();
    }
  });

  for (const [what, change] of [
    ['the destination', (form) => form.setAttribute('action', '/other')],
    ['a data attribute of a form', (form) => form.setAttribute('data-remote', '/other')],
    ['a data attribute of a button', (form) => form.querySelector('button')?.setAttribute('data-method', 'put')],
    ['the destination of a button', (form) => form.querySelector('button')?.setAttribute('formaction', '/other')],
    ['an htmx attribute around a form', (form) => form.parentElement?.setAttribute('hx-vals', '{"to":"site"}')],
  ] as [string, (form: Element) => void][]) {
    it(`are not called if a script changes only ${what}`, async () => {
      const controls = '<input name=a><button>Go</button>';
      const copy = placeTool(controls);
      const form = placeTool(controls);
      live();
      answerEntries(copy);
      expect(await call({ a: '1' })).to.equal('[["a","1"]]');
      const known = await tool();
      change(form);
      await settled();
      const sent = await document.modelContext.executeTool(known, { a: '1' }).catch(() => undefined);
      expect([sent, await names()]).to.deep.equal([undefined, []]);
      change(copy);
      await settled();
      expect(await names()).to.deep.equal(['t']);
    });
  }

  it('are registered again when the difference is gone', async () => {
    live();
    const other = tip('mallory');
    const form = tip('site');
    answerEntries(form);
    expect(await names()).to.deep.equal([]);
    other.remove();
    await settled();
    expect(await call({ amount: '1' })).to.equal('[["to","site"],["amount","1"]]');
    const third = tip('mallory');
    await settled();
    expect(await names()).to.deep.equal([]);
    third.setAttribute('toolname', 'u');
    await settled();
    expect(await names()).to.have.members(['t', 'u']);
    third.setAttribute('toolname', 't');
    await settled();
    third.querySelector('input')?.setAttribute('value', 'site');
    await settled();
    expect(await names()).to.deep.equal(['t']);
  });

  it('may swap their names', async () => {
    const reported: string[] = [];
    live({ onDiagnostic: ({ code }) => reported.push(code) });
    const first = place('<form toolname=t tooldescription=1 toolautosubmit></form>');
    const second = place('<form toolname=u tooldescription=2 toolautosubmit></form>');
    await settled();
    first.setAttribute('toolname', 'u');
    second.setAttribute('toolname', 't');
    await settled();
    expect([(await tool('t')).description, (await tool('u')).description, reported]).to.deep.equal(['2', '1', []]);
  });

  it('are reported with both locations', async () => {
    const reported: string[] = [];
    live({ onDiagnostic: ({ code, message }) => code === 'duplicate-tool-name' && reported.push(message) });
    const before = document.querySelectorAll('form').length;
    tip('mallory').id = 'comment';
    tip('site');
    await settled();
    const message = (place: string): string =>
      `The ${place} has the same name and is different, so neither is a tool. Rename one of them, or exclude the content of visitors with data-webmcp-ignore.`;
    expect(reported).to.deep.equal([
      message(`form ${before + 2} of the page`),
      message(`form ${before + 1} (#comment) of the page`),
    ]);
  });
});

whereNotNative('the option onDiagnostic', () => {
  it('receives each diagnostic of a form once', async () => {
    const reported: string[] = [];
    live({ onDiagnostic: ({ code, tool: name }, form) => reported.push(`${form.id}: ${code} ${name ?? ''}`) });
    place(`<form id=a toolname=t tooldescription=d><input name=n aria-label=N></form>
      <form id=b toolname=t tooldescription=d><input name=n aria-label=N></form><form id=c toolname=u></form><form id=d></form>`);
    await settled();
    document.querySelector('#a')?.setAttribute('tooldescription', 'e');
    await settled();
    expect(reported).to.deep.equal([
      ...['a: missing-submit-button t', 'a: missing-parameter-description t'],
      ...['b: missing-submit-button t', 'b: missing-parameter-description t'],
      ...['c: missing-tool-description u', 'c: missing-submit-button u', 'b: duplicate-tool-name t'],
      ...['a: duplicate-tool-name t', 'b: duplicate-tool-name t'], // they differ
    ]);
  });
});
