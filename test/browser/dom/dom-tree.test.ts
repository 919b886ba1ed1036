import { expect } from '@open-wc/testing';
import { domTree } from '../../../src/browser/dom/dom-tree.js';
import { toolOf } from '../../../src/browser/inspect-form.js';
import { describeForm, readForms, type FormDescription } from '../../../src/compiler/index.js';
import { withPage } from '../../support/browser/pages.js';

const tool = 'toolname="t" tooldescription="d"';

/** The descriptions of a page's forms. */
const read = (document: Document): readonly FormDescription[] =>
  readForms<Node, Element>(domTree, document).map(
    ({ form, scope }) => describeForm<Node, Element>(domTree, form, scope).description,
  );

const readPage = (body: string): Promise<readonly FormDescription[]> =>
  withPage(`<!doctype html><body>${body}`, ({ document }) => read(document));

const names = (form: FormDescription | undefined): readonly string[] => (form?.controls ?? []).map(({ name }) => name);

/** A form with this content, in a container that is not in the page. */
function formOf(content: string): HTMLFormElement {
  const container = document.createElement('div');
  container.innerHTML = `<form ${tool}>${content}</form>`;
  return container.firstElementChild as HTMLFormElement;
}

/** Form properties that a control of the name clobbers. */
const clobbered = [
  'attributes',
  'parentNode',
  'parentElement',
  'elements',
  'getAttribute',
  'hasAttribute',
  'children',
  'childNodes',
  'nodeType',
  'firstChild',
  'nextSibling',
  'shadowRoot',
  'localName',
  'namespaceURI',
  'getRootNode',
  'closest',
  'submit',
  'requestSubmit',
  'action',
  'method',
  'name',
  'id',
  'length',
  'form',
  'constructor',
  'toString',
  'isConnected',
];

describe('domTree', () => {
  for (const name of clobbered) {
    it(`reads the whole form if a control is named ${name}`, async () => {
      const [form, ...others] = await readPage(
        `<form ${tool} action=/a><label>L<input name=${name}></label><fieldset><legend>F</legend><input name=b></fieldset></form>`,
      );
      expect(others).to.deep.equal([]);
      expect(names(form)).to.deep.equal([name, '', 'b']);
      expect(form?.tool).to.deep.equal({ name: 't', description: 'd', title: null, autosubmit: false });
      expect(form?.action).to.equal('/a');
      expect(form?.controls[0]?.words).to.deep.equal([{ source: 'label', text: 'L' }]);
      expect(form?.controls[2]?.groups).to.deep.equal([0]);
    });
  }

  it('reads the whole form if a control is named __proto__', () => {
    const { inputSchema } = toolOf(formOf('<input name=__proto__ required>'), { profile: 'precise' });
    expect(Object.keys(inputSchema.properties ?? {})).to.deep.equal(['__proto__']);
    expect(Object.getPrototypeOf(inputSchema.properties)).to.equal(Object.prototype);
    expect(inputSchema.required).to.deep.equal(['__proto__']);
  });

  it('reads the whole form if elements clobber the methods of the document', async () => {
    const [form] = await readPage(
      `<img name=getElementById><form name=getElementById></form><img name=querySelector><img name=documentElement>` +
        `<form ${tool} id=f><x-a name=x form=f toolparamschema="{}"></x-a></form><label for=i>L</label><input id=i name=a form=f>`,
    ).then((forms) => forms.slice(1));
    expect(names(form)).to.deep.equal(['a']);
    expect(form?.controls[0]?.words).to.deep.equal([{ source: 'label', text: 'L' }]);
  });

  it('reads the whole form after the page has patched prototypes', () => {
    const form = formOf('<label>L<input name=a></label>');
    const getAttribute = Object.getOwnPropertyDescriptor(Element.prototype, 'getAttribute') as PropertyDescriptor;
    const firstChild = Object.getOwnPropertyDescriptor(Node.prototype, 'firstChild') as PropertyDescriptor;
    try {
      Element.prototype.getAttribute = () => 'patched';
      Object.defineProperty(Node.prototype, 'firstChild', { configurable: true, get: () => null });
      const { name, inputSchema } = toolOf(form);
      expect(name).to.equal('t');
      expect(inputSchema.properties).to.deep.equal({ a: { type: 'string', description: 'L' } });
    } finally {
      Object.defineProperty(Element.prototype, 'getAttribute', getAttribute);
      Object.defineProperty(Node.prototype, 'firstChild', firstChild);
    }
  });

  it('reads a document of another realm', async () => {
    await withPage(
      `<!doctype html><form ${tool}><label>L<select name=a><option>x</select></label></form>`,
      ({ document: other }) => {
        const form = other.forms[0] as HTMLFormElement;
        expect(form instanceof HTMLFormElement, 'a form of this realm').to.equal(false);
        const { inputSchema } = toolOf(form, { profile: 'precise' });
        expect(inputSchema.properties).to.deep.equal({
          a: { type: 'string', enum: ['x'], default: 'x', description: 'L' },
        });
        expect(toolOf(document.importNode(form, true)).inputSchema).to.deep.equal(toolOf(form).inputSchema);
      },
    );
  });

  it('reads a form outside of a document', () => {
    const form = document.createElement('form');
    form.innerHTML = '<label>L<input name=a></label><label for=i>M</label><input name=b id=i>';
    const { properties } = toolOf(form).inputSchema;
    expect(properties).to.deep.equal({
      a: { type: 'string', description: 'L' },
      b: { type: 'string', description: 'M' },
    });
  });

  it('reads an open shadow root with its own IDs', () => {
    const host = document.createElement('div');
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.innerHTML = `<form ${tool}></form><input name=a id=i form=f><label for=i>S</label>`;
    (shadow.firstChild as HTMLFormElement).id = 'f';
    document.body.append(host);
    const described = read(document).find((form) => form.tool.name === 't');
    host.remove();
    expect(names(described)).to.deep.equal(['a']);
    expect(described?.controls[0]?.words).to.deep.equal([{ source: 'label', text: 'S' }]);
  });

  it('returns the same options of a select as the browser', () => {
    const form = formOf('<select name=a><option>w</select>');
    const select = form.firstElementChild as HTMLSelectElement;
    const grouped = (...content: readonly Node[]): HTMLElement => {
      const group = document.createElement('optgroup');
      group.append(...content);
      return group;
    };
    select.append(grouped(new Option('x'), grouped(new Option('lost')), new Option('y')));
    select.options[0]?.append(new Option('inner'));
    const described = describeForm<Node, Element>(domTree, form).description.controls[0]?.options ?? [];
    expect(described.map(({ value }) => value)).to.deep.equal([...select.options].map(({ value }) => value));
    expect(described.map(({ value }) => value)).to.deep.equal(['winner', 'x', 'y']);
  });

  it('ignores foreign elements as controls, and style sheets as text', () => {
    const form = formOf('<label>L<svg><style>.x{}</style><title>T</title><input name=s></svg><input name=b></label>');
    const foreign = document.createElementNS('http://www.w3.org/2000/svg', 'input');
    foreign.setAttribute('name', 'f');
    form.prepend(foreign);
    const { inputSchema } = toolOf(form, { profile: 'precise' });
    const [first] = Object.values(inputSchema.properties ?? {});
    expect(Object.keys(inputSchema.properties ?? {})).to.deep.equal(['b']);
    expect(first?.description).to.equal('LT');
  });
});
