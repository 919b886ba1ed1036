import { expect } from '@open-wc/testing';
import { describeForm } from '../../../src/compiler/index.js';
import { domTree } from '../../../src/browser/dom/dom-tree.js';
import { answerEntries, call, live, names, place, settled, tool, whereNotNative } from '../../support/browser/live.js';

const form = (name: string, controls = '<input name=a><button>Go</button>', attributes = ''): string =>
  `<form toolname=${name} tooldescription=d toolautosubmit ${attributes}>${controls}</form>`;

const properties = async (name = 't'): Promise<unknown> =>
  ((await tool(name)).inputSchema as { properties?: object }).properties;

whereNotNative('an element with data-webmcp-ignore in a page', () => {
  it('contains no tools, also in shadow trees that are added later', async () => {
    const other = place(`<div data-webmcp-ignore>${form('t')}<p></p></div>${form('t')}`).parentElement as Element;
    const attach = (name: string): void => {
      const host = document.createElement('div');
      host.attachShadow({ mode: 'open' }).innerHTML = form(name);
      other.append(host);
    };
    attach('early');
    live();
    expect(await names()).to.deep.equal(['t']);
    attach('late');
    await settled();
    expect(await names()).to.deep.equal(['t']);
    other.insertAdjacentHTML('beforeend', form('added'));
    await settled();
    expect(await names()).to.deep.equal(['t']);
  });

  it('contains no tools of elements that a shadow tree slots into it', async () => {
    const host = place(`<div><p>${form('t')}</p></div>`).parentElement as Element;
    const div = host.closest('div') as Element;
    div.attachShadow({ mode: 'open' }).innerHTML = '<div data-webmcp-ignore><slot></slot></div>';
    live();
    expect(await names()).to.deep.equal([]);
  });

  it('contributes no slotted control, label or ID to a form outside of it', async () => {
    const content = `<p><label for=c>A visitor's label</label><input id=c form=f name=to value=mallory></p>`;
    const host = place(`<div>${content}</div>${form('t', '<label for=c>Own</label><input id=c name=c>', 'id=f')}`)
      .parentElement?.firstElementChild as Element;
    host.attachShadow({ mode: 'open' }).innerHTML = '<div data-webmcp-ignore><slot></slot></div>';
    live({ profile: 'precise' });
    expect(await properties()).to.deep.equal({
      c: { type: 'string', pattern: '^[^\\n\\r]*$', description: 'Own' },
    });
  });

  it('unregisters its tools when the attribute is added, and registers them when it is removed', async () => {
    live();
    const inner = place(`<div>${form('t')}</div>`);
    const around = inner.parentElement as Element;
    const host = document.createElement('div');
    host.attachShadow({ mode: 'open' }).innerHTML = form('u');
    for (const isFirst of [true, false]) {
      around.toggleAttribute('data-webmcp-ignore');
      await settled();
      if (isFirst) around.append(host);
      await settled();
      expect(await names()).to.deep.equal([]);
      around.toggleAttribute('data-webmcp-ignore');
      await settled();
      expect(await names()).to.have.members(['t', 'u']);
    }
  });

  it('contributes no control, button, label or ID to a form outside of it', async () => {
    const html = `<div data-webmcp-ignore>
        <label for=c>A visitor's label</label><p id=hint>A visitor's hint</p><input id=c>
        <input form=f name=to value=mallory><input type=image form=f name=image>
        <button form=f name=go value=visitor>Go</button>
        <datalist id=words><option>A visitor's word</datalist>
      </div>
      ${form(
        't',
        `<label for=c>Own <q data-webmcp-ignore>of a visitor</q></label><input id=c name=c list=words aria-describedby=hint>
        <input name=internal data-webmcp-ignore><p id=hint>Own hint</p><datalist id=words><option>own</datalist>
        <button name=go value=own>Go</button>`,
        'id=f',
      )}`;
    place(html);
    const element = document.querySelector('#f') as HTMLFormElement;
    live({ profile: 'precise' });
    expect(await properties()).to.deep.equal({
      c: { type: 'string', pattern: '^[^\\n\\r]*$', examples: ['own'], description: 'Own. Own hint' },
    });
    const { description } = describeForm<Node, Element>(domTree, element);
    expect(description.controls.map(({ name }) => name)).to.deep.equal(['c', 'go']);
    answerEntries(element);
    expect(await call({ c: 'x' })).to.include('["go","own"]');
  });

  it('no longer describes a control outside of it after the attribute is added', async () => {
    live();
    place(`<label for=c>Outside</label>${form('t', '<input id=c name=c>')}`);
    expect(await properties()).to.have.nested.property('c.description', 'Outside');
    document.querySelector('label[for=c]')?.setAttribute('data-webmcp-ignore', '');
    await settled();
    expect(await properties()).not.to.have.nested.property('c.description');
  });
});
