import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ExecuteToolOptions, RegisteredTool } from '../../src/webmcp.js';
import { rejectionOf, toolIn } from './frame.js';
import { differsFromNative } from './native.js';
import { call, logged, refusalOf, register } from './page.js';

apply();

/** A tool that no list gave. */
const handMade = (name: string) => ({ name, description: '', origin: location.origin, window });

const execute = (tool: unknown, input?: unknown, options?: unknown) =>
  document.modelContext.executeTool(tool as RegisteredTool, input as object, options as ExecuteToolOptions);

const circular: Record<string, unknown> = {};
circular.itself = circular;

function throwMine(): never {
  throw new RangeError('mine');
}

describe('the tool that executeTool is given', () => {
  it('is read in the order of the names of its members, before the options', async () => {
    await register({ name: 'a' });
    const log: string[] = [];
    await execute(logged(log, handMade('a')), {}, logged(log, {}, 'options.'));
    expect(log.join()).to.equal('annotations,description,inputSchema,name,origin,title,window,options.signal');
  });

  it('may be made by hand: its name, its window and its origin tell', async () => {
    await register({ name: 'a', execute: () => 'ran' });
    expect(await execute({ ...handMade('a'), description: 'not that', title: 5 })).to.equal('ran');
    expect(await execute({ ...handMade('a'), origin: location.href })).to.equal('ran');
    expect(await execute({ ...handMade('a'), origin: location.origin.toUpperCase() })).to.equal('ran');
  });

  for (const tool of [undefined, null, 5, 'x', {}, []]) {
    it(`is refused with a TypeError if it is ${JSON.stringify(tool)}`, async () => {
      expect(await refusalOf(execute(tool))).to.equal('TypeError');
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
    it(`is refused with a TypeError for a ${member} that is missing or of another type`, async () => {
      await register({ name: 'a' });
      for (const value of values) {
        expect(await refusalOf(execute({ ...handMade('a'), [member]: value }))).to.equal('TypeError');
      }
    });
  }

  for (const origin of ['', 'nope', 'null', 'http://\ud800', 'data:x', 'about:blank']) {
    it(`is refused with a NotSupportedError for the origin ${JSON.stringify(origin)}, whatever the input`, async () => {
      await register({ name: 'a' });
      const tool = { ...handMade('a'), origin };
      expect(await refusalOf(execute(tool))).to.equal('NotSupportedError');
      expect(await refusalOf(execute(tool, 5, { signal: AbortSignal.abort() }))).to.equal('NotSupportedError');
    });
  }

  it('fails with an UnknownError if there is none of its name, or not any more, or not of its origin', async () => {
    const controller = await register({ name: 'a' });
    const tool = await toolIn(document, 'a');
    expect(await refusalOf(execute({ ...tool, name: 'b' }))).to.equal('UnknownError');
    expect(await refusalOf(execute({ ...tool, origin: 'https://example.com' }))).to.equal('UnknownError');
    controller.abort();
    expect(await refusalOf(execute(tool))).to.equal('UnknownError');
  });

  it('is the tool that has its name now', async () => {
    const controller = await register({ name: 'a', execute: () => 'old' });
    const tool = await toolIn(document, 'a');
    controller.abort();
    await register({ name: 'a', execute: () => 'new' });
    expect(await execute(tool)).to.equal('new');
  });

  for (const options of [5, 'x', { signal: null }, { signal: {} }]) {
    it(`is not run with the options ${JSON.stringify(options)}: that is a TypeError`, async () => {
      await register({ name: 'a' });
      expect(await refusalOf(execute(handMade('a'), {}, options))).to.equal('TypeError');
    });
  }
});

describe('the input of executeTool', () => {
  const functions: unknown[] = [() => 1, { toJSON: () => undefined }, { toJSON: () => Symbol('s') }];

  it('reaches the tool as a copy that JSON makes', async () => {
    const seen: unknown[] = [];
    await register({ name: 'a', execute: (input) => void seen.push(input) });
    const input = { a: { b: [1, undefined] }, c: undefined, d: NaN, e: -0, f: '\ud800', g: new Date(0) };
    await call('a', input);
    expect(seen).to.deep.equal([{ a: { b: [1, null] }, d: null, e: 0, f: '\ud800', g: '1970-01-01T00:00:00.000Z' }]);
    expect(Object.getPrototypeOf(seen[0])).to.equal(Object.prototype);
  });

  for (const [what, input, text] of [
    ['nothing is an empty object', undefined, '{}'],
    ['an array is itself', [1, '2'], '[1,"2"]'],
    ['a Map is an empty object', new Map([[1, 2]]), '{}'],
    ['inherited members are left out', Object.create({ inherited: 1 }), '{}'],
    ['toJSON tells what it is', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  ] as [string, unknown, string][]) {
    it(`is what JSON makes of it: ${what}`, async () => {
      await register({ name: 'a' });
      expect(await execute(handMade('a'), input)).to.equal(text);
    });
  }

  it('is not checked against the schema of the tool', async () => {
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
    it(`is refused with a TypeError if JSON makes no object of it (${text})`, async () => {
      await register({ name: 'a' });
      expect(await refusalOf(execute(handMade('a'), input))).to.equal('TypeError');
      expect(await refusalOf(execute(handMade('b'), input, { signal: AbortSignal.abort() }))).to.equal('TypeError');
    });
  }

  for (const input of [{ toJSON: () => 5 }, { toJSON: () => null }, new String('x'), new Date(0)]) {
    it(`fails with an UnknownError, and the tool is not run, if JSON makes ${JSON.stringify(input)} of it`, async () => {
      let runs = 0;
      await register({ name: 'a', execute: () => runs++ });
      expect(await refusalOf(execute(handMade('a'), input))).to.equal('UnknownError');
      expect(runs).to.equal(0);
    });
  }

  it('that throws when it is read rejects with what it threw', async () => {
    await register({ name: 'a' });
    const reasons = [{ toJSON: throwMine }, Object.defineProperty({}, 'a', { get: throwMine, enumerable: true })];
    for (const input of reasons) {
      expect(await rejectionOf(execute(handMade('a'), input))).to.be.an.instanceOf(RangeError);
    }
  });

  differsFromNative('jsonText', 'may be the JSON text of an object or of an array', async () => {
    await register({ name: 'a' });
    expect(await call('a', ' {"a": 1}')).to.equal('{"a":1}');
    expect(await call('a', '[1]')).to.equal('[1]');
  });
});
