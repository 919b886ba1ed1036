import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ModelContextTool, RegisterToolOptions } from '../../src/webmcp.js';
import { namesIn, record, rejectionOf, settle, toolIn } from '../support/polyfill/frame.js';
import { differsFromNative } from '../support/polyfill/native.js';
import { logged, quiet, rejectionName, register, testOver, valid } from '../support/polyfill/page.js';

apply();

/** The error name of a registration with any arguments. */
const rejection = (tool: unknown, options?: unknown): Promise<string> =>
  rejectionName(document.modelContext.registerTool(tool as ModelContextTool, options as RegisterToolOptions));

/** The error name of a registration with a valid tool except for some members. */
const rejectionWith = (part: object, options?: unknown) => rejection({ ...valid, name: 'rejected', ...part }, options);

const circular: Record<string, unknown> = {};
circular.itself = circular;

const throwing = (reason: unknown) => ({
  toJSON() {
    throw reason;
  },
});

describe('registerTool', () => {
  it('registerTool resolves with undefined', async () => {
    expect(await document.modelContext.registerTool({ ...valid, name: 'a' }, { signal: testOver() })).to.equal(
      undefined,
    );
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('registerTool dispatches toolchange before it resolves', async () => {
    await quiet();
    const log = record(document);
    await register({ name: 'a' });
    log.push('resolved');
    await settle();
    expect(log).to.deep.equal(['toolchange', 'resolved']);
  });

  differsFromNative('coalesced', 'registerTool dispatches one toolchange for all tools of one task', async () => {
    await quiet();
    const log = record(document);
    await Promise.all(['a', 'b', 'c'].map((name) => register({ name })));
    await settle();
    expect(log).to.deep.equal(['toolchange']);
  });

  it('registerTool accepts names of 1 to 128 letters, digits, underscores, hyphens and dots', async () => {
    const names = ['-', '0', 'A-Z_a.z', '__proto__', 'n'.repeat(128)];
    for (const name of names) await register({ name });
    expect(await namesIn(document)).to.deep.equal(names);
  });

  for (const name of ['', ' ', 'a b', ' a', 'a\n', 'a/b', 'a:b', 'é', '\ud800', '\u{1f600}', 'n'.repeat(129)]) {
    it(`registerTool rejects the name ${JSON.stringify(name).slice(0, 20)} with an InvalidStateError`, async () => {
      expect(await rejectionWith({ name })).to.equal('InvalidStateError');
    });
  }

  it('registerTool rejects an empty description and accepts a blank one', async () => {
    expect(await rejectionWith({ description: '' })).to.equal('InvalidStateError');
    await register({ name: 'a', description: ' ' });
    expect((await toolIn(document, 'a')).description).to.equal(' ');
  });

  it('registerTool rejects a duplicate name, also while the first registration is pending', async () => {
    const pending = register({ name: 'a' });
    expect(await rejectionWith({ name: 'a' })).to.equal('InvalidStateError');
    await pending;
    expect(await rejectionWith({ name: 'a' })).to.equal('InvalidStateError');
    expect(await namesIn(document)).to.deep.equal(['a']);
  });
});

describe('the conversion of a tool', () => {
  it('registerTool reads the members of each dictionary once, in the order of their names', async () => {
    const log: string[] = [];
    const annotations = logged(log, {}, 'annotations.');
    const tool = logged(log, { ...valid, name: 'a', annotations });
    await document.modelContext.registerTool(tool, logged(log, { signal: testOver() }, 'options.'));
    expect(log).to.deep.equal([
      'annotations',
      'annotations.consequentialHint',
      'annotations.debugging',
      'annotations.readOnlyHint',
      'annotations.untrustedContentHint',
      'description',
      'execute',
      'inputSchema',
      'name',
      'title',
      'options.exposedTo',
      'options.signal',
    ]);
  });

  it('registerTool stops at the first invalid member', async () => {
    const log: string[] = [];
    expect(await rejection(logged(log, { ...valid, execute: undefined }))).to.equal('TypeError');
    expect(log).to.deep.equal(['annotations', 'description', 'execute']);
  });

  it('registerTool rejects with the error that a getter throws', async () => {
    const error = new RangeError('mine');
    const tool = {
      ...valid,
      get name(): string {
        throw error;
      },
    };
    expect(await rejectionOf(document.modelContext.registerTool(tool))).to.equal(error);
  });

  for (const tool of [undefined, null, 5, 'x', true, Symbol('s'), {}, []]) {
    it(`registerTool rejects ${typeof tool === 'symbol' ? 'a symbol' : JSON.stringify(tool)} with a TypeError`, async () => {
      expect(await rejection(tool)).to.equal('TypeError');
    });
  }

  for (const [member, values] of Object.entries({
    name: [undefined, Symbol('s')],
    description: [undefined, Symbol('s')],
    title: [Symbol('s')],
    execute: [undefined, null, 5, {}],
    inputSchema: [null, 5, 'x', true, 1n],
    annotations: [5, 'x', true],
  })) {
    it(`registerTool rejects a ${member} of another type with a TypeError`, async () => {
      for (const value of values) expect(await rejectionWith({ [member]: value })).to.equal('TypeError');
    });
  }

  it('registerTool converts the name, the title and the description to strings', async () => {
    const page = { name: 5, title: null, description: 0 } as unknown as ModelContextTool;
    await register(page);
    const { name, title, description } = await toolIn(document, '5');
    expect([name, title, description]).to.deep.equal(['5', 'null', '0']);
  });

  it('registerTool converts the title to a USVString', async () => {
    await register({ name: 'a', title: 'x\ud800\u{1f600}' });
    await register({ name: 'b' });
    expect((await toolIn(document, 'a')).title).to.equal('x\ufffd\u{1f600}');
    expect((await toolIn(document, 'b')).title).to.equal('');
  });

  it('registerTool converts the annotations to booleans and ignores unknown ones', async () => {
    const annotations = { readOnlyHint: 'no', consequentialHint: 0, debugging: null, destructiveHint: true };
    await register({ name: 'a', annotations: annotations as object });
    await register({ name: 'b', annotations: null as unknown as object });
    const defaults = { readOnlyHint: false, untrustedContentHint: false, consequentialHint: false, debugging: false };
    expect((await toolIn(document, 'a')).annotations).to.deep.equal({ ...defaults, readOnlyHint: true });
    expect((await toolIn(document, 'b')).annotations).to.deep.equal(defaults);
  });

  for (const [wrong, options] of [
    ['a number', 5],
    ['a string', 'x'],
    ['a signal that is null', { signal: null }],
    ['an invalid signal', { signal: {} }],
    ['an exposedTo that is null', { exposedTo: null }],
    ['an exposedTo that is a string', { exposedTo: 'https://example.com' }],
    ['an exposedTo that is not iterable', { exposedTo: {} }],
    ['an exposedTo with a symbol in it', { exposedTo: [Symbol('s')] }],
  ] as const) {
    it(`registerTool rejects options that are or contain ${wrong} with a TypeError, before it checks the tool`, async () => {
      expect(await rejectionWith({ name: '' }, options)).to.equal('TypeError');
    });
  }

  it('registerTool accepts null as options, and any iterable as exposedTo', async () => {
    expect(await rejectionWith({ name: '' }, null)).to.equal('InvalidStateError');
    await register(
      { name: 'a' },
      { exposedTo: new Set(['https://example.com']) as unknown as string[], signal: testOver() },
    );
    expect(await namesIn(document)).to.deep.equal(['a']);
  });
});

describe('the input schema of a tool', () => {
  it('the input schema is copied at registration', async () => {
    const inputSchema = { type: 'object' };
    await register({ name: 'a', inputSchema });
    inputSchema.type = 'array';
    expect((await toolIn(document, 'a')).inputSchema).to.deep.equal({ type: 'object' });
  });

  it('the input schema is not validated', async () => {
    const inputSchema = { type: 'nothing', $ref: '#/no', properties: 5, pattern: '(', format: [], required: 'x' };
    await register({ name: 'a', inputSchema });
    expect((await toolIn(document, 'a')).inputSchema).to.deep.equal(inputSchema);
  });

  for (const [kind, inputSchema] of [
    ['has a toJSON that returns undefined', { toJSON: () => undefined }],
    ['has a toJSON that returns a symbol', { toJSON: () => Symbol('s') }],
    ['is a function', () => ({})],
    ['is circular', circular],
    ['has a BigInt in it', { minimum: 1n }],
  ] as const) {
    it(`registerTool rejects an input schema with a TypeError if it ${kind}`, async () => {
      expect(await rejectionWith({ inputSchema })).to.equal('TypeError');
    });
  }

  it('registerTool rejects with the error that toJSON of the schema throws', async () => {
    for (const reason of [new RangeError('mine'), 5, undefined]) {
      const tool = { ...valid, name: 'a', inputSchema: throwing(reason) };
      expect(await rejectionOf(document.modelContext.registerTool(tool))).to.equal(reason);
    }
  });

  const texts = { string: { toJSON: () => 'text' }, date: new Date(0), number: { toJSON: () => 5 } };

  it('registerTool accepts an input schema whose JSON is not an object', async () => {
    for (const [name, inputSchema] of Object.entries(texts)) await register({ name, inputSchema });
    const tool = { name: 'date', description: '', origin: location.origin, window };
    expect(await document.modelContext.executeTool(tool, { a: 1 })).to.equal('{"a":1}');
  });

  differsFromNative('unlistedSchema', 'getTools omits an input schema whose JSON is not an object', async () => {
    for (const [name, inputSchema] of Object.entries(texts)) await register({ name, inputSchema });
    const tools = await document.modelContext.getTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(['date', 'number', 'string']);
    for (const tool of tools) expect(tool).not.to.have.property('inputSchema');
  });
});

describe('the order of the checks of registerTool', () => {
  const aborted = { signal: AbortSignal.abort(new DOMException('gone', 'AbortError')) };
  const exposed = { exposedTo: ['*'] };
  const steps = [
    ['the name is a duplicate', { name: 'taken' }, {}, 'InvalidStateError'],
    ['the name is invalid', { name: '' }, {}, 'InvalidStateError'],
    ['the description is empty', { description: '' }, {}, 'InvalidStateError'],
    ['the schema is circular', { inputSchema: circular }, {}, 'TypeError'],
    ['the signal is aborted', {}, aborted, 'AbortError'],
    ['an origin is invalid', {}, exposed, 'SecurityError'],
  ] as const;

  steps.forEach(([what, part, options, expected], index) => {
    it(`registerTool rejects if ${what}, before its later checks`, async () => {
      await register({ name: 'taken' });
      const later = steps.slice(index + 1).filter(([, tool]) => !('name' in part && 'name' in tool));
      for (const [, laterPart, laterOptions] of later) {
        const tool = { ...laterPart, ...part };
        expect(await rejectionWith(tool, { ...laterOptions, ...options })).to.equal(expected);
      }
      expect(await rejectionWith(part, options)).to.equal(expected);
    });
  });
});
