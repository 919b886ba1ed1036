import { expect } from '@open-wc/testing';
import type { ElementDiagnostic } from '../../elements/diagnostic.js';
import '../../elements/webmcp-tool.js';
import { afterTest, call, names, place, tool } from '../support/browser/live.js';
import {
  addTool,
  answer,
  codes,
  formsLoaded,
  changesOfReplacement,
  toolChanges,
  settled,
} from '../support/elements/webmcp-tools.js';

const script = (text: string): string => `<script type="application/schema+json">${text}</script>`;

/** Records the arguments of `console.warn` until the end of the test. */
function warnings(): unknown[][] {
  const { warn } = console;
  const seen: unknown[][] = [];
  console.warn = (...args: unknown[]) => void seen.push(args);
  afterTest(() => (console.warn = warn));
  return seen;
}

before(formsLoaded);

describe('diagnostics of <webmcp-tool>', () => {
  it('are reported by an event, once on the console, and by a state, until they are corrected', async () => {
    const logged = warnings();
    const reported: [EventTarget | null, ElementDiagnostic][] = [];
    const listener = (event: CustomEvent<ElementDiagnostic>): void => void reported.push([event.target, event.detail]);
    document.body.addEventListener('webmcp-diagnostic', listener);
    afterTest(() => document.body.removeEventListener('webmcp-diagnostic', listener));
    const element = await addTool('description=d');
    const [diagnostic] = element.diagnostics;
    expect(diagnostic).to.deep.equal({
      code: 'missing-tool-name',
      severity: 'error',
      message: 'The <webmcp-tool> has no name. Add one.',
    });
    expect(reported).to.deep.equal([[element, diagnostic]]);
    expect(logged).to.deep.equal([[`missing-tool-name: ${diagnostic?.message}`, element]]);
    expect(element.matches(':state(invalid)')).to.equal(true);
    element.name = 't';
    await settled();
    expect([element.diagnostics, element.matches(':state(invalid)')]).to.deep.equal([[], false]);
    element.name = '';
    await settled();
    expect([reported.length, logged.length]).to.deep.equal([2, 1]);
  });

  for (const [what, attributes, expected] of [
    ['no name', 'description=d', 'missing-tool-name'],
    ['an empty name', 'name="" description=d', 'missing-tool-name'],
    ['a name with a space', 'name="a b" description=d', 'invalid-tool-name'],
    ['a name that is too long', `name=${'a'.repeat(129)} description=d`, 'invalid-tool-name'],
    ['markup as the name', 'name="<img src=x onerror=alert(1)>" description=d', 'invalid-tool-name'],
    ['no description', 'name=t', 'missing-tool-description'],
    ['a blank description', 'name=t description=" "', 'missing-tool-description'],
    ['a missing form', 'name=t description=d for=nowhere', 'form-not-found'],
    ['an empty reference', 'name=t description=d for=""', 'form-not-found'],
  ] as const) {
    it(`prevent the registration: ${what}`, async () => {
      warnings();
      const element = await addTool(attributes);
      expect([codes(element), await names()]).to.deep.equal([[expected], []]);
    });
  }

  it('report an unknown profile, which is ignored', async () => {
    warnings();
    place('<form id=f action="javascript:void 0"><label>A <input name=a></label><button>Go</button></form>');
    const element = await addTool('name=t description=d for=f profile=constructor sensitive=yes');
    expect([codes(element), await names()]).to.deep.equal([['unknown-profile', 'unknown-sensitive'], ['t']]);
  });
});

describe('an invalid schema of <webmcp-tool>', () => {
  for (const [text, position] of [
    ['', 'line 1, column 1'],
    ['{', 'line 1, column 2'],
    ['{"a": 1,}', 'line 1, column 9'],
    ['{\n  "a": tru\n}', 'line 2, column 8'],
    ['{"a" 1}', 'line 1, column 6'],
    ['{"a": [1, 2}', 'line 1, column 12'],
    ['{"a": "\n"}', 'line 1, column 7'],
    ["{'a': 1}", 'line 1, column 2'],
    ['{} {}', 'line 1, column 4'],
    ['{"a": 01}', 'line 1, column 8'],
    ['{"a": TRUE}', 'line 1, column 7'],
    ['[1, 2', 'line 1, column 6'],
    ['[,]', 'line 1, column 2'],
  ] as const) {
    it(`is reported with the position of the syntax error: ${JSON.stringify(text)}`, async () => {
      warnings();
      const element = await addTool('name=t description=d', [script(text)]);
      expect([codes(element), await names()]).to.deep.equal([['invalid-schema'], []]);
      expect(element.diagnostics[0]?.message).to.contain(`at ${position},`);
    });
  }

  for (const text of ['[]', 'null', '"text"', '1']) {
    it(`is reported if it is not an object: ${text}`, async () => {
      warnings();
      const element = await addTool('name=t description=d', [script(text)]);
      expect(codes(element)).to.deep.equal(['invalid-schema']);
      expect(element.diagnostics[0]?.message).to.contain('is not an object');
    });
  }

  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const [what, inputSchema] of [
    ['a circular object', circle],
    ['a bigint', { maximum: 1n }],
    ['an array', []],
    ['a string', '{}'],
    ['an object that serializes as a string', { toJSON: () => 'x' }],
    ['an object that throws when it is read', new Proxy({}, { ownKeys: () => { throw new Error('no'); } })], // oxfmt-ignore
  ] as const) {
    it(`is reported if a script sets ${what}`, async () => {
      warnings();
      const element = await addTool('name=t description=d');
      Object.assign(element, { inputSchema });
      await settled();
      expect([codes(element), await names()]).to.deep.equal([['invalid-schema'], []]);
      Object.assign(element, { inputSchema: null });
      await settled();
      expect([codes(element), await names()]).to.deep.equal([[], ['t']]);
    });
  }

  it('is corrected by a change of the text', async () => {
    warnings();
    const element = await addTool('name=t description=d', [script('{')]);
    (element.firstElementChild as Element).textContent = '{}';
    await settled();
    expect([codes(element), await names()]).to.deep.equal([[], ['t']]);
  });
});

describe('a <webmcp-param>', () => {
  for (const [attributes, expected] of [
    ['type=number minimum=abc', { type: 'number' }],
    ['type=number maximum=0x10', { type: 'number' }],
    ['type=number minimum=1e999', { type: 'number' }],
    ['type=number minimum=""', { type: 'number' }],
    ['minimum=1', { type: 'string' }],
    ['type=integer enum="1 2 x"', { type: 'integer' }],
    ['type=integer enum="[1, 2.5]"', { type: 'integer' }],
    ['type=boolean default=maybe', { type: 'boolean' }],
    ['enum="[1"', { type: 'string' }],
    ['enum=""', { type: 'string' }],
    ['enum="[1]"', { type: 'string' }],
    ['pattern="("', { type: 'string' }],
    ['type=number pattern=a', { type: 'number' }],
    ['type=array enum="["', { type: 'array', items: { type: 'string' } }],
  ] as const) {
    it(`ignores only the invalid attribute: ${attributes}`, async () => {
      warnings();
      const element = await addTool('name=t description=d', [`<webmcp-param name=a ${attributes}></webmcp-param>`]);
      expect((await tool()).inputSchema).to.deep.equal({ type: 'object', properties: { a: expected }, required: [] });
      expect(element.diagnostics.map(({ code, severity, parameter }) => [code, severity, parameter])).to.deep.equal([
        ['invalid-param', 'warning', 'a'],
      ]);
    });
  }

  for (const [attributes, expected] of [
    ['type=number minimum=-1.5e2 maximum=.5 default=0', { type: 'number', minimum: -150, maximum: 0.5, default: 0 }],
    ['enum="a b, c"', { type: 'string', enum: ['a b', 'c'] }],
    ['enum="a  b\nc"', { type: 'string', enum: ['a', 'b', 'c'] }],
    ['enum=\'["a, b", "", "a, b"]\'', { type: 'string', enum: ['a, b', ''] }],
    ['type=integer enum="1, 2"', { type: 'integer', enum: [1, 2] }],
    ['type=number enum="[1.5]"', { type: 'number', enum: [1.5] }],
    ['type=boolean default=TRUE', { type: 'boolean', default: true }],
    ['type=array', { type: 'array', items: { type: 'string' } }],
    ['type=array enum="a b" default=a', { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] }],
    ['type=array enum="[1, 2]"', { type: 'array', items: { type: 'number', enum: [1, 2] } }],
    ['pattern="^a+$"', { type: 'string', pattern: '^a+$' }],
    ['type=" Integer "', { type: 'integer' }],
  ] as const) {
    it(`is accepted with valid attributes: ${attributes}`, async () => {
      const element = await addTool('name=t description=d', [`<webmcp-param name=a ${attributes}></webmcp-param>`]);
      expect((await tool()).inputSchema).to.deep.equal({ type: 'object', properties: { a: expected }, required: [] });
      expect(codes(element)).to.deep.equal([]);
    });
  }

  it('is ignored without a name, with a repeated name, or with an unknown type', async () => {
    warnings();
    const element = await addTool('name=t description=d', [
      '<webmcp-param name=a title=first></webmcp-param>',
      '<webmcp-param></webmcp-param>',
      '<webmcp-param name=a title=second></webmcp-param>',
      '<webmcp-param name=b type=constructor required></webmcp-param>',
    ]);
    expect((await tool()).inputSchema).to.deep.equal({
      ...{ type: 'object', properties: { a: { type: 'string', title: 'first' } }, required: [] },
    });
    expect(element.diagnostics.map(({ code, parameter = '' }) => [code, parameter])).to.deep.equal([
      ...[['invalid-param', ''], ['invalid-param', 'a'], ['invalid-param', 'b']], // oxfmt-ignore
    ]);
  });
});

describe('page text in <webmcp-tool>', () => {
  const image = '<img src=x onerror="document.title = String(1)">';

  it('is never parsed as HTML: names, descriptions and schemas', async () => {
    warnings();
    const { title } = document;
    const element = await addTool('name=t', [script('{"description": "<img src=x onerror=alert(1)>"}')]);
    element.description = image;
    element.tooltitle = image;
    await settled();
    const listed = await tool();
    expect([listed.description, listed.title]).to.deep.equal([image, image]);
    element.inputSchema = { enum: [image] };
    const other = await addTool('name=u description=d', ['<webmcp-param name=a></webmcp-param>']);
    const param = other.querySelector('webmcp-param') as Element;
    for (const name of ['name', 'description', 'title', 'enum', 'default', 'pattern']) param.setAttribute(name, image);
    await settled();
    expect((await tool('u')).inputSchema)
      .to.have.property('properties')
      .that.has.keys(image);
    expect([element, other].map(({ shadowRoot }) => shadowRoot?.innerHTML)).to.deep.equal([
      ...['<slot></slot>', '<slot></slot>'],
    ]);
    expect([document.title, document.querySelectorAll('img').length]).to.deep.equal([title, 0]);
  });

  it('can name a parameter like a member of Object.prototype', async () => {
    const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const element = await addTool(
      'name=t description=d',
      odd.map((name) => `<webmcp-param name=${name} type=number required></webmcp-param>`),
    );
    const { properties, required } = (await tool()).inputSchema as { properties: object; required: string[] };
    expect(Object.keys(properties)).to.deep.equal(odd);
    expect(required).to.deep.equal(odd);
    expect([codes(element), Reflect.get({}, 'type')]).to.deep.equal([[], undefined]);
    answer(element, (event) => event.respondWith(Object.keys(event.input as object)));
    expect(await call(JSON.parse('{"__proto__": 1, "constructor": 2}') as object)).to.equal(
      '["__proto__","constructor"]',
    );
  });

  it('is independent of additions to Object.prototype', async () => {
    const added = { exposedTo: ['nope'], signal: 1, title: 'x', type: 'x', capture: 1, once: 1, for: 1 };
    for (const [key, value] of Object.entries(added)) {
      Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
    }
    afterTest(() => Object.keys(added).forEach((key) => Reflect.deleteProperty(Object.prototype, key)));
    await addTool('name=t description=d', ['<webmcp-param name=a></webmcp-param>']);
    expect((await tool()).inputSchema).to.have.nested.property('properties.a.type', 'string');
  });
});

describe('a large <webmcp-tool>', () => {
  it('has a schema of a megabyte', async () => {
    const text = JSON.stringify({ type: 'object', description: 'x'.repeat(1_000_000) });
    await addTool('name=t description=d', [script(text)]);
    expect(JSON.stringify((await tool()).inputSchema)).to.equal(text);
  });

  it('reports a syntax error at the end of a schema of a megabyte', async () => {
    warnings();
    const text = `{"a": "${'x'.repeat(1_000_000)}", "b": [${'1,'.repeat(100_000)}]}`;
    const element = await addTool('name=t description=d', [script(text)]);
    expect(element.diagnostics[0]?.message).to.contain(`line 1, column ${text.length - 1},`);
  });

  it('has a thousand parameters and is registered once', async () => {
    const params = Array.from({ length: 1000 }, (_, index) => `<webmcp-param name=p${index}></webmcp-param>`);
    const element = await addTool('name=t description=d');
    const changes = await toolChanges();
    element.insertAdjacentHTML('beforeend', params.join(''));
    await settled();
    expect(Object.keys((await tool()).inputSchema as object)).to.deep.equal(['type', 'properties', 'required']);
    expect((await tool()).inputSchema).to.have.nested.property('properties.p999');
    expect(await changes(changesOfReplacement)).to.equal(changesOfReplacement);
  });
});

describe('<webmcp-tool> in a hostile page', () => {
  it('works with a form named modelContext', async () => {
    place('<form name=modelContext></form>');
    const element = await addTool('name=t description=d');
    expect(codes(element)).to.deep.equal([]);
    document.querySelector('form')?.remove();
    expect(await names()).to.deep.equal(['t']);
  });

  it('works with a listener that throws', async () => {
    const element = await addTool('name=t description=d');
    const { onerror } = window;
    const errors: unknown[] = [];
    window.onerror = (message) => errors.push(message) > 0;
    afterTest(() => (window.onerror = onerror));
    answer(element, () => {
      throw new Error('broken');
    });
    answer(element, (event) => event.respondWith('answered'));
    expect([await call(), errors.length]).to.deep.equal(['answered', 1]);
  });

  it('works with a shadow root of the page', () => {
    const inert = document.implementation.createHTMLDocument();
    const element = inert.createElement('webmcp-tool');
    element.attachShadow({ mode: 'open' }).textContent = 'own';
    document.body.append(element);
    afterTest(() => element.remove());
    expect([element.shadowRoot?.textContent, element.diagnostics]).to.deep.equal(['own', []]);
  });

  it('stops in a document without a window', async () => {
    const inert = document.implementation.createHTMLDocument();
    const element = await addTool('name=t description=d');
    inert.body.append(element);
    await settled();
    expect([await names(), element.diagnostics]).to.deep.equal([[], []]);
  });
});
