import { expect } from '@open-wc/testing';
import { inspectForm, registerForms, toolOf, type Annotate, type ToolAttribute } from '../../src/index.js';
import {
  afterTest,
  answerEntries,
  call,
  isNative,
  live,
  names,
  place,
  settled,
  tool,
  waitUntil,
} from '../support/browser/live.js';

const controls = `<label>E-mail <input name=email type=email required></label><button>Go</button>`;
const foreign = (attributes = ''): HTMLFormElement =>
  place(`<form action="javascript:void 0" ${attributes}>${controls}</form>`);

/** Annotates the form with all attributes, and each control with a description. */
const annotations =
  (form: HTMLFormElement, words: Partial<Record<ToolAttribute, string>>): Annotate =>
  (element, attribute) =>
    element === form ? (words[attribute] ?? null) : attribute === 'toolparamdescription' ? 'Where to write to' : null;

const words = { toolname: 't', tooldescription: 'Subscribes.', toolautosubmit: '' };

function register(form: HTMLFormElement, annotate: Annotate, options = {}): (element: Element) => void {
  const controller = new AbortController();
  afterTest(() => controller.abort());
  return registerForms(form, { signal: controller.signal, annotate, ...options });
}

/** Resolves when the form is registered. Browsers with WebMCP list tools without waiting for lazily loaded modules. */
const registered = (): Promise<void> => waitUntil(async () => (await names()).includes('t'));

describe('the option annotate', () => {
  it('registers a form without attributes', async () => {
    const form = foreign();
    answerEntries(form);
    register(form, annotations(form, words));
    await registered();
    const { description, inputSchema } = await tool();
    expect(description).to.equal('Subscribes.');
    expect(inputSchema).to.nested.include({ 'properties.email.description': 'Where to write to' });
    expect(await call({ email: 'a@b.example' })).to.equal('[["email","a@b.example"]]');
  });

  it('reports an error for one form, and registers the forms after it', async () => {
    const { onerror } = window;
    const errors: unknown[] = [];
    window.onerror = (...[, , , , error]) => errors.push(error?.message) > 0;
    afterTest(() => (window.onerror = onerror));
    const broken = foreign();
    const form = foreign();
    const annotate = annotations(form, words);
    live({
      annotate(element, attribute) {
        if (element === broken && errors.length === 0) throw new Error('The annotation is broken.');
        return annotate(element, attribute);
      },
    });
    await registered();
    await waitUntil(() => errors.length > 0);
    expect(errors[0]).to.equal('The annotation is broken.');
  });

  it('does not override attributes in the page', () => {
    const form = foreign('toolname=own');
    const { name, description } = toolOf(form, { annotate: annotations(form, words) });
    expect([name, description]).to.deep.equal(['own', 'Subscribes.']);
  });

  it('is called only with the names of annotations', () => {
    const form = foreign();
    const attributes = new Set<string>();
    toolOf(form, { annotate: (_, attribute) => (attributes.add(attribute), null) });
    expect([...attributes].filter((name) => !/^(?:tool|data-webmcp-)/.test(name))).to.deep.equal([]);
  });

  it('is called again, and updates the tool, after the function that registerForms returned is called', async () => {
    const form = foreign();
    const now = { ...words };
    const changed = register(form, (element, attribute) => annotations(form, now)(element, attribute));
    await registered();
    expect(await names()).to.deep.equal(['t']);
    now.tooldescription = 'Subscribes to news.';
    changed(form);
    await settled();
    expect((await tool()).description).to.equal('Subscribes to news.');
  });

  it('does not change the page', async () => {
    const form = foreign();
    const before = form.outerHTML;
    register(form, annotations(form, words));
    await settled();
    expect(form.outerHTML).to.equal(before);
  });
});

describe('the option annotations', () => {
  it('sets the annotations of the listed tools', async function () {
    const form = foreign();
    register(form, annotations(form, words), { annotations: { readOnlyHint: true } });
    await registered();
    const { annotations: listed } = await tool();
    if (!listed && isNative) this.skip(); // the browser's draft has no annotations
    expect(listed).to.include({ readOnlyHint: true, consequentialHint: false });
  });
});

describe('registerForms without a host', () => {
  it('uses the polyfill of another script, so that errors have their details', async function () {
    if (isNative) this.skip();
    const form = foreign();
    register(form, annotations(form, words));
    await settled();
    const error = await call({ email: 1 }).then(null, (reason: { errors: { code: string }[] }) => reason);
    expect(error).to.have.nested.property('errors[0].code', 'type-mismatch');
  });

  it('does not register a form twice', async function () {
    if (isNative) this.skip();
    foreign('toolname=twice tooldescription=d');
    live();
    const codes: string[] = [];
    live({ host: undefined, onDiagnostic: ({ code }) => codes.push(code) });
    await settled();
    expect(await names()).to.deep.equal(['twice']);
    expect(codes).to.include('duplicate-tool-name');
  });
});

describe('inspectForm', () => {
  it('returns the source of each description and the controls of each parameter', () => {
    const form = place(
      `<form toolname=t tooldescription=d><label>Seat <input name=seat title="Row and number"></label>
       <input name=code toolparamdescription="A code" required><button>Go</button></form>`,
    );
    const { parameters, diagnostics } = inspectForm(form, { profile: 'precise' });
    expect(
      parameters.map(({ name, required, words }) => [
        name,
        required,
        ...words.map(({ source, text }) => source + text),
      ]),
    ).to.deep.equal([
      ['seat', false, 'labelSeat '],
      ['code', true, 'toolparamdescriptionA code'],
    ]);
    expect(parameters.map((parameter) => parameter.controls)).to.deep.equal([[form[0]], [form[1]]]);
    expect(diagnostics).to.deep.equal([]);
  });

  it('returns the diagnostics of a form that is not a tool', () => {
    const { tool: made, diagnostics } = inspectForm(place('<form><input><button>Go</button></form>'));
    expect(made.name).to.equal('');
    expect(diagnostics.map(({ code }) => code)).to.deep.equal([
      'missing-tool-name',
      'missing-tool-description',
      'missing-parameter-name',
    ]);
  });
});
