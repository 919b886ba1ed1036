import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ExecuteToolOptions, RegisteredTool } from '../../src/webmcp.js';
import { rejectionOf, toolIn } from '../support/polyfill/frame.js';
import { differsFromNative } from '../support/polyfill/native.js';
import { call, logged, rejectionName, register } from '../support/polyfill/page.js';

apply();

/** A tool that does not come from a list. */
const handMade = (name: string) => ({ name, description: '', origin: location.origin, window });

const execute = (tool: unknown, input?: unknown, options?: unknown) =>
  document.modelContext.executeTool(tool as RegisteredTool, input as object, options as ExecuteToolOptions);

const circular: Record<string, unknown> = {};
circular.itself = circular;

function throwMine(): never {
  throw new RangeError('mine');
}

describe('the first argument of executeTool', () => {
  it('executeTool reads the members of the tool in the order of their names, before the options', async () => {
    await register({ name: 'a' });
    const log: string[] = [];
    await execute(logged(log, handMade('a')), {}, logged(log, {}, 'options.'));
    expect(log.join()).to.equal('annotations,description,inputSchema,name,origin,title,window,options.signal');
  });

  it('executeTool finds a tool by the name, window and origin of any object', async () => {
    await register({ name: 'a', execute: () => 'ran' });
    expect(await execute({ ...handMade('a'), description: 'not that', title: 5 })).to.equal('ran');
    expect(await execute({ ...handMade('a'), origin: location.href })).to.equal('ran');
    expect(await execute({ ...handMade('a'), origin: location.origin.toUpperCase() })).to.equal('ran');
  });

  for (const tool of [undefined, null, 5, 'x', {}, []]) {
    it(`executeTool rejects with a TypeError if the tool is ${JSON.stringify(tool)}`, async () => {
      expect(await rejectionName(execute(tool))).to.equal('TypeError');
    });
  }

  for (const [member, values] of Object.entries({
    name: [undefined, Symbol('s')],
    description: [undefined, Symbol('s')],
    origin: [undefined, Symbol('s')],
    window: [undefined, null, {}, document, 5],
    title: [Symbol('s')],
    inputSchema: [null, 5, 'x'],
    annotations: [5, 'x'],
  })) {
    it(`executeTool rejects with a TypeError if the member ${member} is missing or has another type`, async () => {
      await register({ name: 'a' });
      for (const value of values) {
        expect(await rejectionName(execute({ ...handMade('a'), [member]: value }))).to.equal('TypeError');
      }
    });
  }

  for (const origin of ['', 'nope', 'null', 'http://\ud800', 'data:x', 'about:blank']) {
    it(`executeTool rejects at once with a NotSupportedError for the origin ${JSON.stringify(origin)} and any input`, async () => {
      await register({ name: 'a' });
      const tool = { ...handMade('a'), origin };
      expect(await rejectionName(execute(tool))).to.equal('NotSupportedError');
      expect(await rejectionName(execute(tool, 5, { signal: AbortSignal.abort() }))).to.equal('NotSupportedError');
      const log: string[] = [];
      execute(tool).catch(() => log.push('rejected'));
      await Promise.resolve();
      expect(log).to.deep.equal(['rejected']);
    });
  }

  it('executeTool rejects with an UnknownError if the tool does not exist, was unregistered or has another origin', async () => {
    const controller = await register({ name: 'a' });
    const tool = await toolIn(document, 'a');
    expect(await rejectionName(execute({ ...tool, name: 'b' }))).to.equal('UnknownError');
    expect(await rejectionName(execute({ ...tool, origin: 'https://example.com' }))).to.equal('UnknownError');
    controller.abort();
    expect(await rejectionName(execute(tool))).to.equal('UnknownError');
  });

  it('executeTool runs the current tool of that name', async () => {
    const controller = await register({ name: 'a', execute: () => 'old' });
    const tool = await toolIn(document, 'a');
    controller.abort();
    await register({ name: 'a', execute: () => 'new' });
    expect(await execute(tool)).to.equal('new');
  });

  for (const options of [5, 'x', { signal: null }, { signal: {} }]) {
    it(`executeTool rejects with a TypeError for the options ${JSON.stringify(options)}`, async () => {
      await register({ name: 'a' });
      expect(await rejectionName(execute(handMade('a'), {}, options))).to.equal('TypeError');
    });
  }
});

describe('the input of executeTool', () => {
  const functions: unknown[] = [() => 1, { toJSON: () => undefined }, { toJSON: () => Symbol('s') }];

  it('the input is copied by JSON', async () => {
    const seen: unknown[] = [];
    await register({ name: 'a', execute: (input) => void seen.push(input) });
    const input = { a: { b: [1, undefined] }, c: undefined, d: NaN, e: -0, f: '\ud800', g: new Date(0) };
    await call('a', input);
    expect(seen).to.deep.equal([{ a: { b: [1, null] }, d: null, e: 0, f: '\ud800', g: '1970-01-01T00:00:00.000Z' }]);
    expect(Object.getPrototypeOf(seen[0])).to.equal(Object.prototype);
  });

  for (const [what, input, text] of [
    ['undefined becomes an empty object', undefined, '{}'],
    ['an array stays an array', [1, '2'], '[1,"2"]'],
    ['a Map becomes an empty object', new Map([[1, 2]]), '{}'],
    ['inherited members are omitted', Object.create({ inherited: 1 }), '{}'],
    ['toJSON is called', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  ] as [string, unknown, string][]) {
    it(`the input is converted by JSON: ${what}`, async () => {
      await register({ name: 'a' });
      expect(await execute(handMade('a'), input)).to.equal(text);
    });
  }

  it('the input is not validated by default', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    await register({ name: 'a', inputSchema });
    expect(await call('a', { b: 5 })).to.equal('{"b":5}');
  });

  for (const input of [
    null,
    5,
    true,
    5n,
    Symbol('s'),
    '',
    'text',
    '5',
    'null',
    '{',
    ...functions,
    { a: 1n },
    circular,
  ]) {
    const text = typeof input === 'string' ? JSON.stringify(input) : typeof input;
    it(`executeTool rejects with a TypeError for an input that is not an object in JSON (${text})`, async () => {
      await register({ name: 'a' });
      expect(await rejectionName(execute(handMade('a'), input))).to.equal('TypeError');
      expect(await rejectionName(execute(handMade('b'), input, { signal: AbortSignal.abort() }))).to.equal('TypeError');
    });
  }

  for (const input of [{ toJSON: () => 5 }, { toJSON: () => null }, new String('x'), new Date(0)]) {
    it(`executeTool rejects with an UnknownError if the input is ${JSON.stringify(input)} in JSON`, async () => {
      let runs = 0;
      await register({ name: 'a', execute: () => runs++ });
      expect(await rejectionName(execute(handMade('a'), input))).to.equal('UnknownError');
      expect(runs).to.equal(0);
    });
  }

  it('executeTool rejects with the error that reading the input throws', async () => {
    await register({ name: 'a' });
    const reasons = [{ toJSON: throwMine }, Object.defineProperty({}, 'a', { get: throwMine, enumerable: true })];
    for (const input of reasons) {
      expect(await rejectionOf(execute(handMade('a'), input))).to.be.an.instanceOf(RangeError);
    }
  });

  differsFromNative('jsonText', 'the input may be the JSON text of an object or of an array', async () => {
    await register({ name: 'a' });
    expect(await call('a', ' {"a": 1}')).to.equal('{"a":1}');
    expect(await call('a', '[1]')).to.equal('[1]');
  });
});
