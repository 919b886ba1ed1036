import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { GetToolsOptions } from '../../src/webmcp.js';
import { namesIn, toolIn } from '../support/polyfill/frame.js';
import { logged, propertyOf, rejectionName, register, testOver, valid } from '../support/polyfill/page.js';

apply();

const schema = { type: 'object', properties: { z: { type: 'string' }, a: {} }, required: ['z'] };

describe('getTools', () => {
  it('getTools resolves with a new list of new objects', async () => {
    await register({ name: 'a', inputSchema: schema, annotations: {} });
    const [first, second] = [await document.modelContext.getTools(), await document.modelContext.getTools()];
    expect(first).to.be.an('array').with.lengthOf(1);
    expect(first).to.deep.equal(second);
    expect(first).not.to.equal(second);
    expect(first[0]).not.to.equal(second[0]);
    expect(first[0]?.inputSchema).not.to.equal(second[0]?.inputSchema);
    expect(first[0]?.annotations).not.to.equal(second[0]?.annotations);
  });

  it('getTools resolves with an empty list if there are no tools', async () => {
    expect(await document.modelContext.getTools()).to.deep.equal([]);
  });

  it('getTools sorts by the code units of the names', async () => {
    const names = ['b', 'a', 'a9', 'a10', 'B', '_', 'Z', '.', '-', '0'];
    for (const name of names) await register({ name });
    expect(await namesIn(document)).to.deep.equal(['-', '.', '0', 'B', 'Z', '_', 'a', 'a10', 'a9', 'b']);
  });

  it('getTools sorts after removals too', async () => {
    const controllers = [];
    for (const name of ['c', 'a', 'b']) controllers.push(await register({ name }));
    controllers[1]?.abort();
    expect(await namesIn(document)).to.deep.equal(['b', 'c']);
    await register({ name: 'a' });
    expect(await namesIn(document)).to.deep.equal(['a', 'b', 'c']);
  });

  it('getTools lists a tool right after the call of registerTool', async () => {
    const registered = register({ name: 'a' });
    expect(await namesIn(document)).to.deep.equal(['a']);
    await registered;
  });

  it('getTools returns all members of a tool, in the order of their names', async () => {
    await register({ name: 'a', title: 'A', description: 'does a', inputSchema: schema, annotations: {} });
    const tool = await toolIn(document, 'a');
    expect(Object.keys(tool).join()).to.equal('annotations,description,inputSchema,name,origin,title,window');
    const { window: place, annotations: _, ...rest } = tool;
    expect(place).to.equal(window);
    expect(rest).to.deep.equal({
      description: 'does a',
      inputSchema: schema,
      name: 'a',
      origin: location.origin,
      title: 'A',
    });
  });

  it('getTools omits a missing schema and missing annotations', async () => {
    await register({ name: 'a' });
    const tool = await toolIn(document, 'a');
    expect(Object.keys(tool).join()).to.equal('description,name,origin,title,window');
    expect(tool.title).to.equal('');
  });

  it('getTools returns all four annotations if a tool has one of them', async () => {
    await register({ name: 'a', annotations: { debugging: true } });
    const { annotations } = await toolIn(document, 'a');
    expect(Object.entries(annotations ?? {})).to.deep.equal([
      ['consequentialHint', false],
      ['debugging', true],
      ['readOnlyHint', false],
      ['untrustedContentHint', false],
    ]);
  });

  it('getTools returns ordinary objects, whose changes do not affect the tool', async () => {
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

  it('getTools preserves the order of the keys of a schema', async () => {
    await register({ name: 'a', inputSchema: schema });
    expect(JSON.stringify((await toolIn(document, 'a')).inputSchema)).to.equal(JSON.stringify(schema));
  });

  it('getTools returns the schema as converted by JSON', async () => {
    await register({ name: 'list', inputSchema: [1, undefined, { toJSON: () => 'x' }] });
    await register({ name: 'object', inputSchema: { a: undefined, b: () => 1, c: NaN, d: new Date(0) } });
    expect((await toolIn(document, 'list')).inputSchema).to.deep.equal([1, null, 'x']);
    expect((await toolIn(document, 'object')).inputSchema).to.deep.equal({ c: null, d: '1970-01-01T00:00:00.000Z' });
  });
});

describe('the options of getTools', () => {
  const rejection = (options: unknown) => rejectionName(document.modelContext.getTools(options as GetToolsOptions));

  for (const [wrong, options] of [
    ['a number', 5],
    ['a string', 'x'],
    ['fromOrigins of null', { fromOrigins: null }],
    ['a string for fromOrigins', { fromOrigins: 'https://example.com' }],
    ['fromOrigins that cannot be iterated', { fromOrigins: {} }],
    ['a symbol among fromOrigins', { fromOrigins: [Symbol('s')] }],
  ] as const) {
    it(`getTools rejects with a TypeError for options that are or contain ${wrong}`, async () => {
      expect(await rejection(options)).to.equal('TypeError');
    });
  }

  it('the options of getTools may be missing, null, or contain any iterable of origins', async () => {
    await register({ name: 'a' });
    const origins = ['https://example.com', location.origin];
    for (const options of [undefined, null, {}, { fromOrigins: [] }, { fromOrigins: new Set(origins) }]) {
      const tools = await document.modelContext.getTools(options as GetToolsOptions);
      expect(tools.map(({ name }) => name)).to.deep.equal(['a']);
    }
  });

  it('getTools lists each tool once if fromOrigins contains the origin of the page', async () => {
    await document.modelContext.registerTool({ ...valid, name: 'a' }, { signal: testOver(), exposedTo: [origin] });
    expect(await namesIn(document, [origin, origin])).to.deep.equal(['a']);
  });

  it('getTools reads each option once', async () => {
    const log: string[] = [];
    await document.modelContext.getTools(logged(log, {}));
    expect(log).to.deep.equal(['fromOrigins']);
  });
});
