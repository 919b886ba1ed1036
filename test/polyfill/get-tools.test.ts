import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { GetToolsOptions } from '../../src/webmcp.js';
import { namesIn, toolIn } from './frame.js';
import { logged, propertyOf, refusalOf, register, testOver, valid } from './page.js';

apply();

const schema = { type: 'object', properties: { z: { type: 'string' }, a: {} }, required: ['z'] };

describe('getTools', () => {
  it('resolves with a new list of new objects', async () => {
    await register({ name: 'a', inputSchema: schema, annotations: {} });
    const [first, second] = [await document.modelContext.getTools(), await document.modelContext.getTools()];
    expect(first).to.be.an('array').with.lengthOf(1);
    expect(first).to.deep.equal(second);
    expect(first).not.to.equal(second);
    expect(first[0]).not.to.equal(second[0]);
    expect(first[0]?.inputSchema).not.to.equal(second[0]?.inputSchema);
    expect(first[0]?.annotations).not.to.equal(second[0]?.annotations);
  });

  it('resolves with an empty list where there are no tools', async () => {
    expect(await document.modelContext.getTools()).to.deep.equal([]);
  });

  it('sorts by the code units of the names', async () => {
    const names = ['b', 'a', 'a9', 'a10', 'B', '_', 'Z', '.', '-', '0'];
    for (const name of names) await register({ name });
    expect(await namesIn(document)).to.deep.equal(['-', '.', '0', 'B', 'Z', '_', 'a', 'a10', 'a9', 'b']);
  });

  it('sorts after removals too', async () => {
    const controllers = [];
    for (const name of ['c', 'a', 'b']) controllers.push(await register({ name }));
    controllers[1]?.abort();
    expect(await namesIn(document)).to.deep.equal(['b', 'c']);
    await register({ name: 'a' });
    expect(await namesIn(document)).to.deep.equal(['a', 'b', 'c']);
  });

  it('lists a tool from the moment of registerTool', async () => {
    const registered = register({ name: 'a' });
    expect(await namesIn(document)).to.deep.equal(['a']);
    await registered;
  });

  it('tells all of a tool, in the order of the names', async () => {
    await register({ name: 'a', title: 'A', description: 'does a', inputSchema: schema, annotations: {} });
    const tool = await toolIn(document, 'a');
    expect(Object.keys(tool).join()).to.equal('annotations,description,inputSchema,name,origin,title,window');
    const { window: place, annotations: _, ...rest } = tool;
    expect(place).to.equal(window);
    expect(rest).to.deep.equal({
      ...{ description: 'does a', inputSchema: schema, name: 'a', origin: location.origin, title: 'A' },
    });
  });

  it('leaves out the schema and the annotations that a tool does not have', async () => {
    await register({ name: 'a' });
    const tool = await toolIn(document, 'a');
    expect(Object.keys(tool).join()).to.equal('description,name,origin,title,window');
    expect(tool.title).to.equal('');
  });

  it('tells all four annotations of a tool that has any', async () => {
    await register({ name: 'a', annotations: { debugging: true } });
    const { annotations } = await toolIn(document, 'a');
    expect(Object.entries(annotations ?? {})).to.deep.equal([
      ['consequentialHint', false],
      ['debugging', true],
      ['readOnlyHint', false],
      ['untrustedContentHint', false],
    ]);
  });

  it('gives ordinary objects, which may be changed without harm', async () => {
    await register({ name: 'a', inputSchema: schema, annotations: {} });
    const tool = await toolIn(document, 'a');
    for (const object of [tool, tool.inputSchema, tool.annotations]) {
      expect(Object.getPrototypeOf(object)).to.equal(Object.prototype);
    }
    const { value: _, ...attributes } = propertyOf(tool, 'name');
    expect(attributes).to.deep.equal({ writable: true, enumerable: true, configurable: true });
    for (const object of [tool, tool.inputSchema, tool.annotations]) {
      for (const key of Object.keys(object as object)) Reflect.deleteProperty(object as object, key);
    }
    expect((await toolIn(document, 'a')).inputSchema).to.deep.equal(schema);
  });

  it('keeps the order of the keys of a schema', async () => {
    await register({ name: 'a', inputSchema: schema });
    expect(JSON.stringify((await toolIn(document, 'a')).inputSchema)).to.equal(JSON.stringify(schema));
  });

  it('gives what JSON makes of a schema', async () => {
    await register({ name: 'list', inputSchema: [1, undefined, { toJSON: () => 'x' }] });
    await register({ name: 'object', inputSchema: { a: undefined, b: () => 1, c: NaN, d: new Date(0) } });
    expect((await toolIn(document, 'list')).inputSchema).to.deep.equal([1, null, 'x']);
    expect((await toolIn(document, 'object')).inputSchema).to.deep.equal({ c: null, d: '1970-01-01T00:00:00.000Z' });
  });
});

describe('the options of getTools', () => {
  const refusal = (options: unknown) => refusalOf(document.modelContext.getTools(options as GetToolsOptions));

  for (const [wrong, options] of [
    ['a number', 5],
    ['a string', 'x'],
    ['fromOrigins of null', { fromOrigins: null }],
    ['a string for fromOrigins', { fromOrigins: 'https://example.com' }],
    ['fromOrigins that cannot be iterated', { fromOrigins: {} }],
    ['a symbol among fromOrigins', { fromOrigins: [Symbol('s')] }],
  ] as const) {
    it(`are refused with a TypeError if they are or have ${wrong}`, async () => {
      expect(await refusal(options)).to.equal('TypeError');
    });
  }

  it('may be left out, be null, or have any iterable of origins', async () => {
    await register({ name: 'a' });
    const origins = ['https://example.com', location.origin];
    for (const options of [undefined, null, {}, { fromOrigins: [] }, { fromOrigins: new Set(origins) }]) {
      const tools = await document.modelContext.getTools(options as GetToolsOptions);
      expect(tools.map(({ name }) => name)).to.deep.equal(['a']);
    }
  });

  it('list no tool twice where they name the origin of the page', async () => {
    await document.modelContext.registerTool({ ...valid, name: 'a' }, { signal: testOver(), exposedTo: [origin] });
    expect(await namesIn(document, [origin, origin])).to.deep.equal(['a']);
  });

  it('are read once', async () => {
    const log: string[] = [];
    await document.modelContext.getTools(logged(log, {}));
    expect(log).to.deep.equal(['fromOrigins']);
  });
});
