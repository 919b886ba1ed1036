import { expect } from '@open-wc/testing';
import { registerForms, type CallError, type JsonSchema } from '../../src/index.js';
import type { RegisteredTool } from '../../src/webmcp.js';
import { afterTest, live, place, waitUntil } from '../support/browser/live.js';
import { openResponsiveFrame } from '../support/browser/responsive-frame.js';

const data = 'data-toolname=t data-tooldescription=d';

/** A form that the browser does not register. */
const placeData = (controls: string, attributes = 'data-toolautosubmit'): HTMLFormElement =>
  place(`<form ${data} action="javascript:void 0" ${attributes}>${controls}</form>`);

const tools = async (): Promise<RegisteredTool[]> =>
  (await document.modelContext.getTools()).filter((tool) => tool.window === window);

const names = async (): Promise<string[]> => (await tools()).map(({ name }) => name);

/** Polls until a function returns a value: the browser registers tools in tasks of its own. */
async function until<Value>(read: () => Promise<Value | undefined | false>): Promise<Value> {
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const listed = (name = 't'): Promise<RegisteredTool> =>
  until(async () => (await tools()).find((tool) => tool.name === name));

const isGone = (name = 't'): Promise<true> => until(async () => !(await names()).includes(name));

/** Opens a frame until the end of the test, and another one if the browser does not respond to it. */
const openFrame = (attributes: Partial<Pick<HTMLIFrameElement, 'srcdoc' | 'allow'>>): Promise<HTMLIFrameElement> =>
  openResponsiveFrame(async () => {
    const frame = Object.assign(document.createElement('iframe'), attributes);
    const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    afterTest(() => frame.remove());
    await isLoaded;
    return frame;
  });

/** Waits for pending registrations. */
async function settled(): Promise<void> {
  place('<form data-toolname=settled data-tooldescription=d></form>');
  await listed('settled');
}

const call = async (input: object, name?: string): Promise<string | null> =>
  document.modelContext.executeTool(await listed(name), input);

const startPrecise = (): AbortController => live({ profile: 'precise' });

const properties = async (): Promise<Readonly<Record<string, JsonSchema>>> =>
  ((await listed()).inputSchema as { properties: Record<string, JsonSchema> }).properties;

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;

function answerEntries(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.agentInvoked) event.respondWith([...new FormData(form, event.submitter)]);
  });
}

/** The result of a failed call: the browser drops the reason of a rejection. */
interface Failure {
  readonly isError: true;
  readonly message: string;
  readonly errors: readonly CallError[];
}

const failure = async (input: object): Promise<Failure> => JSON.parse((await call(input)) as string) as Failure;

const errorCodes = async (input: object): Promise<string[]> =>
  (await failure(input)).errors.map(({ parameter, code }) => `${parameter}: ${code}`);

const awaitUserEvent = (form: HTMLFormElement): Promise<Event> =>
  new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));

describe('a form with data-toolname in a browser with WebMCP', () => {
  it('is registered with the schema of the library', async () => {
    startPrecise();
    place(`<form ${data} data-tooltitle=T><label>A <input name=a maxlength=3 required></label></form>`);
    const { name, title, description, inputSchema, annotations } = await listed();
    expect({ name, title, description }).to.deep.equal({ name: 't', title: 'T', description: 'd' });
    expect(annotations?.readOnlyHint ?? false).to.equal(false);
    expect(inputSchema).to.deep.equal({
      type: 'object',
      properties: { a: { type: 'string', minLength: 1, maxLength: 3, pattern: '^[^\\n\\r]*$', description: 'A' } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('is registered with an empty description', async () => {
    startPrecise();
    place('<form data-toolname=t data-tooldescription></form>');
    await settled();
    expect(await names()).to.deep.equal(['settled', 't']);
  });

  it('is filled without changing numbers', async () => {
    startPrecise();
    const form = placeData(
      `<input name=a type=number step=any><input name=b type=checkbox><select name=c multiple><option>1<option>2</select>
       <textarea name=d></textarea><button name=go value=1>Go</button>`,
    );
    answerEntries(form);
    expect(JSON.parse((await call({ a: 19999.99, b: true, c: ['1', '2'], d: '1\n2' })) as string)).to.deep.equal([
      ['a', '19999.99'],
      ['b', 'on'],
      ['c', '1'],
      ['c', '2'],
      ['d', '1\n2'],
      ['go', '1'],
    ]);
  });

  it('accepts a file and the choice of a button', async () => {
    startPrecise();
    const form = placeData(
      '<input name=f type=file><button name=act value=a>A</button><button name=act value=b>B</button>',
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const entries = new FormData(form, event.submitter);
      event.respondWith((entries.get('f') as File).text().then((text) => [text, entries.get('act')]));
    });
    expect(await call({ f: { name: 'a.txt', content: btoa('hi') }, act: 'b' })).to.equal('["hi","b"]');
  });

  it('resolves with the errors of a call and does not change the form', async () => {
    startPrecise();
    const form = placeData('<input name=a value=old><input name=b type=number max=3><select name=c><option>x</select>');
    const { isError, message, errors } = await failure({ a: 'new', b: 'many', c: 'y', d: 1 });
    expect(isError).to.equal(true);
    expect(message).to.equal(errors.map((error) => error.message).join(' '));
    expect(errors.map(({ parameter, code }) => `${parameter}: ${code}`)).to.deep.equal([
      ...['b: wrong-type', 'c: not-offered', 'd: unknown-parameter'],
    ]);
    expect(errors[0]).to.deep.include({ received: '"many"', expected: { type: 'integer', maximum: 3 } });
    expect(await errorCodes({ a: 'new', b: 4 })).to.deep.equal(['b: range-overflow']);
    expect(control(form, 'a').value).to.equal('old');
  });

  for (const [what, respond, code] of [
    ['rejects its response', (event) => event.respondWith(Promise.reject(new Error('sold out'))), 'rejected'],
    ['responds with a value that is not serializable', (event) => event.respondWith({ a: 1n }), 'not-serializable'],
  ] as [string, (event: SubmitEvent) => void, string][]) {
    it(`resolves with an error if the page ${what}`, async () => {
      startPrecise();
      placeData('<input name=a>').addEventListener('submit', (event) => {
        event.preventDefault();
        respond(event);
      });
      expect(await errorCodes({ a: 'x' })).to.deep.equal([`: ${code}`]);
    });
  }

  it('is answered if its own script sends it', async () => {
    startPrecise();
    placeData('<input name=a>').addEventListener('submit', (event) => event.preventDefault());
    expect(JSON.parse((await call({ a: 'x' })) as string)).to.deep.include({ code: 'script-submission' });
  });

  it('resolves with an error if the page replaces a value at submission', async () => {
    startPrecise();
    const form = placeData('<textarea name=a>old</textarea>');
    form.addEventListener('submit', () => (control(form, 'a').value = 'old'), { once: true });
    expect(await errorCodes({ a: 'new' })).to.deep.equal(['a: not-kept']);
  });

  it('resolves with null, which the browser serializes, if it does not leave the page', async () => {
    startPrecise();
    placeData('<input name=a>');
    expect(await call({ a: 'x' })).to.equal('null');
  });

  it('resolves a call from the parent page when it navigates its own frame', async () => {
    const frame = await openFrame({
      srcdoc: `<script src="/webmcp-forms.iife.js"></script>
        <form data-toolname=framed data-tooldescription=d data-toolautosubmit action="/echo.html"><input name=a></form>`,
    });
    const isFramed = (tool: RegisteredTool): boolean => tool.name === 'framed';
    const framed = await until(async () => (await document.modelContext.getTools()).find(isFramed));
    const next = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    expect(await document.modelContext.executeTool(framed, { a: 'x' })).to.equal('null');
    await next;
    expect(frame.contentDocument?.URL).to.contain('/echo.html?a=x');
  });

  it('is answered by the next page of another frame', async () => {
    startPrecise();
    const frame = document.createElement('iframe');
    frame.name = 'answers';
    document.body.append(frame);
    afterTest(() => frame.remove());
    const form = placeData('<input name=a>');
    form.action = '/echo/next';
    form.method = 'post';
    form.target = 'answers';
    expect(JSON.parse((await call({ a: 'x' })) as string)).to.deep.include({ status: 200, text: 'Thanks a=x' });
  });

  it('has agentInvoked and respondWith on the event of the call only', async () => {
    startPrecise();
    const form = placeData('<input name=a><button>Go</button>');
    const seen: unknown[] = [];
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      seen.push(event.agentInvoked);
      try {
        event.respondWith('answer');
      } catch (error) {
        seen.push((error as DOMException).name);
      }
    });
    expect(await call({ a: 'x' })).to.equal('answer');
    form.requestSubmit();
    expect(seen).to.deep.equal([true, false, 'InvalidStateError']);
  });

  it('waits for the user, who may change the values', async () => {
    startPrecise();
    const form = placeData('<input name=a><button>Go</button>', '');
    answerEntries(form);
    const waiting = awaitUserEvent(form);
    const result = call({ a: 'x' });
    await waiting;
    const button = form.querySelector('button') as HTMLButtonElement;
    expect(document.activeElement === button).to.equal(true);
    control(form, 'a').value += ' and more';
    button.click();
    expect(JSON.parse((await result) as string)).to.deep.equal({
      response: [['a', 'x and more']],
      notes: [
        {
          parameter: 'a',
          message: 'The value of "a" was changed before the user submitted the form. It is "x and more".',
        },
      ],
    });
  });

  it('resolves with an error when the user resets it', async () => {
    startPrecise();
    const form = placeData('<input name=a><button>Go</button>', '');
    const waiting = awaitUserEvent(form);
    const result = errorCodes({ a: 'x' });
    await waiting;
    form.reset();
    expect(await result).to.deep.equal([': reset']);
  });

  it('is fetched with data-webmcp-response=fetch', async () => {
    startPrecise();
    placeData('<input name=a>', 'data-toolautosubmit data-webmcp-response=fetch').action = '/echo/text';
    expect(JSON.parse((await call({ a: 'x' })) as string)).to.deep.include({ status: 200, text: 'Just text' });
  });

  it('is updated after its controls, its name and its annotations change', async () => {
    startPrecise();
    const form = placeData('<input name=a>');
    answerEntries(form);
    expect(Object.keys(await properties())).to.deep.equal(['a']);
    form.insertAdjacentHTML('beforeend', '<input name=b>');
    await until(async () => 'b' in (await properties()));
    form.setAttribute('data-toolname', 'u');
    await listed('u');
    await isGone();
    expect(await call({ b: 'x' }, 'u')).to.equal('[["a",""],["b","x"]]');
    form.removeAttribute('data-tooldescription');
    await isGone('u');
  });

  it('is unregistered when its signal aborts or its element is removed', async () => {
    const controller = startPrecise();
    const form = placeData('<input name=a>');
    await listed();
    form.remove();
    await isGone();
    document.body.append(form);
    await listed();
    controller.abort();
    await isGone();
    expect(await names()).to.deep.equal([]);
    form.remove();
  });

  it('has custom elements that declare their schema by their internals', async () => {
    class Late extends HTMLElement {
      static readonly formAssociated = true;
      readonly internals = this.attachInternals() as ElementInternals & { setToolParamSchema(schema: string): void };
      value = 0;
    }
    startPrecise();
    const form = placeData('<x-late name=a></x-late>');
    customElements.define('x-late', Late);
    const control = form.querySelector('x-late') as Late;
    control.internals.setToolParamSchema('{"type":"integer"}');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith(control.value);
    });
    await until(async () => (await properties()).a?.type === 'integer');
    expect(await call({ a: 5 })).to.equal('5');
  });
});

describe('a form with toolname in a browser with WebMCP', () => {
  it('is registered once, with the schema of the browser', async () => {
    startPrecise();
    place('<form toolname=t tooldescription=d><input name=a maxlength=3></form>');
    await listed('t');
    await settled();
    const found = (await tools()).filter(({ name }) => name === 't');
    expect(found.map(({ inputSchema }) => inputSchema)).to.deep.equal([
      { type: 'object', properties: { a: { type: 'string' } }, required: [] },
    ]);
  });

  it('is registered by the browser even if it also has data-toolname', async () => {
    startPrecise();
    place(`<form toolname=plain tooldescription=d ${data}><input name=a></form>`);
    await listed('plain');
    await settled();
    expect(await names()).to.deep.equal(['plain', 'settled']);
  });

  it('is registered by the library when toolname is removed', async () => {
    startPrecise();
    const form = place(`<form toolname=plain tooldescription=d ${data}><input name=a maxlength=3></form>`);
    await listed('plain');
    form.removeAttribute('toolname');
    form.removeAttribute('tooldescription');
    await listed();
    await isGone('plain');
    expect((await properties()).a?.maxLength).to.equal(3);
  });

  it('keeps its name, and the form with data-toolname waits for it', async () => {
    startPrecise();
    const plain = place('<form toolname=t tooldescription=first><input name=a></form>');
    expect((await listed()).description).to.equal('first');
    placeData('<input name=b>');
    await settled();
    expect((await tools()).filter(({ name }) => name === 't').map(({ description }) => description)).to.deep.equal([
      'first',
    ]);
    plain.remove();
    await until(async () => (await listed()).description === 'd');
  });
});

describe('a form whose tool the browser refuses', () => {
  /** Registers the forms of a frame, waits for a condition, and returns the warnings. */
  async function warningsOf(
    html: string,
    allow: string,
    isDone: (warnings: readonly string[], page: Document) => unknown,
  ): Promise<readonly string[]> {
    const frame = await openFrame({ srcdoc: html, allow });
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (message: string) => warnings.push(message);
    afterTest(() => (console.warn = warn));
    const controller = new AbortController();
    afterTest(() => controller.abort());
    const page = frame.contentDocument as Document;
    registerForms(page, { signal: controller.signal });
    await waitUntil(() => isDone(warnings, page));
    return warnings;
  }

  it('is reported with the permissions policy that refuses it', async () => {
    const isReported = (warnings: readonly string[]): boolean => warnings.length > 0;
    const warnings = await warningsOf(`<form ${data}><input name=a></form>`, "tools 'none'", isReported);
    expect(warnings).to.deep.equal([
      'The browser has refused the tool "t" of a form. Allow "tools" in the permissions policy of the page.',
    ]);
  });

  it('is not reported while another tool has the name', async () => {
    const isNextListed = async (_: readonly string[], { modelContext }: Document): Promise<boolean> =>
      (await modelContext.getTools()).some((tool) => tool.name === 'next');
    const warnings = await warningsOf(
      `<form ${data}><input name=a></form><form data-toolname=next data-tooldescription=d></form><script>
        document.modelContext.registerTool({ name: 't', description: 'd', execute: () => 1 });
      </script>`,
      '',
      isNextListed,
    );
    expect(warnings).to.deep.equal([]);
  });
});
