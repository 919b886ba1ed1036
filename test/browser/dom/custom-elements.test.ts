import { expect } from '@open-wc/testing';
import { domTree } from '../../../src/browser/dom/dom-tree.js';
import { toolOf } from '../../../src/browser/inspect-form.js';
import { describeForm, readForms } from '../../../src/compiler/index.js';

const tool = 'toolname="t" tooldescription="d"';

/** The names of the controls of every form in the page. */
const readNames = (): readonly (readonly string[])[] =>
  readForms<Node, Element>(domTree, document).map(({ form, scope }) =>
    describeForm<Node, Element>(domTree, form, scope).description.controls.map(({ name }) => name),
  );

/** A form with this content, in the page. */
function formOf(content: string): HTMLFormElement {
  const form = document.createElement('form');
  form.innerHTML = content;
  document.body.append(form);
  return form;
}

class Associated extends HTMLElement {
  static formAssociated = true;
  readonly internals = this.attachInternals();
}
customElements.define('x-associated', Associated);
customElements.define('x-plain', class extends HTMLElement {});

describe('a custom element as a parameter', () => {
  const schema = `toolparamschema='{"type":"integer"}'`;

  it('is described if it is form-associated and has a schema', () => {
    const form = formOf(
      `<label>L<x-associated name=a ${schema}></x-associated></label><x-plain name=b ${schema}></x-plain>` +
        `<x-unknown name=c ${schema}></x-unknown><x-associated name=d></x-associated>`,
    );
    const { properties } = toolOf(form, { profile: 'precise' }).inputSchema;
    form.remove();
    expect(properties).to.deep.equal({ a: { type: 'integer', description: 'L' } });
  });

  it('belongs to the form that its form attribute names, even if controls clobber the form', () => {
    const page = document.createElement('div');
    page.innerHTML =
      `<form id=f><input name=elements><input name=length></form><x-associated name=a form=f ${schema}></x-associated>` +
      `<form id=g><x-associated name=b form=f ${schema}></x-associated><x-associated name=c form=no ${schema}></x-associated></form>`;
    document.body.append(page);
    const forms = readNames();
    page.remove();
    expect(forms.slice(-2)).to.deep.equal([['elements', 'length', 'a', 'b'], []]);
  });

  it('belongs to the form that its form attribute names inside a shadow root', () => {
    const host = document.createElement('div');
    document.body.append(host);
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.innerHTML = `<form id=f ${tool}></form><x-associated name=a form=f ${schema}></x-associated>`;
    const { properties } = toolOf(shadow.firstChild as HTMLFormElement, { profile: 'precise' }).inputSchema;
    host.remove();
    expect(Object.keys(properties ?? {})).to.deep.equal(['a']);
  });

  it('is found in a form with 2,000 others', () => {
    const form = formOf(
      Array.from({ length: 2000 }, (_, index) => `<x-associated name=n${index} ${schema}></x-associated>`).join(''),
    );
    const { properties } = toolOf(form, { profile: 'precise' }).inputSchema;
    form.remove();
    expect(Object.keys(properties ?? {}).length).to.equal(2000);
  });
});
