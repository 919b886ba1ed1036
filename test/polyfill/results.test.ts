import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { rejectionOf, settle } from '../support/polyfill/frame.js';
import { crashesNative, differsFromNative } from '../support/polyfill/native.js';
import { call, pageErrors, rejectionName, register } from '../support/polyfill/page.js';

apply();

const circular: Record<string, unknown> = {};
circular.itself = circular;

function fail(): never {
  throw new RangeError('mine');
}

function failSilently(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- a page may throw any value
  throw undefined;
}

describe('a result', () => {
  const results: [what: string, value: unknown, text: string][] = [
    ['a string', 'he"llo\n\0\u2028', 'he"llo\n\0\u2028'],
    ['a blank string', ' ', ' '],
    ['an empty string', '', 'Operation succeeded'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 1.5, '1.5'],
    ['minus zero', -0, '0'],
    ['NaN', NaN, 'NaN'],
    ['infinity', Infinity, 'Infinity'],
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['a boolean', false, 'false'],
    ['an object', { content: [{ type: 'text', text: 'é' }], b: undefined }, '{"content":[{"type":"text","text":"é"}]}'],
    ['an array', [1, undefined, () => 1], '[1,null,null]'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['a function', () => 1, 'undefined'],
    ['a function with a toJSON', Object.assign(() => 1, { toJSON: () => ({ f: 1 }) }), '{"f":1}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an error', new Error('x'), '{}'],
    ['a Map', new Map([[1, 2]]), '{}'],
    ['a Response', new Response('x'), '{}'],
    ['a String object', new String(''), '""'],
    ['a Number object', new Number(5), '5'],
    ['an object that JSON omits', { toJSON: () => undefined }, 'undefined'],
    ['an object that is null in JSON', { toJSON: () => null }, 'null'],
    ['an object that is an empty string in JSON', { toJSON: () => '' }, '""'],
    ['an object with lone surrogates', { a: '\ud800' }, '{"a":"\\ud800"}'],
    ['an object with symbols', { [Symbol('s')]: 1, a: Symbol('s') }, '{}'],
    ['a promise of a promise', Promise.resolve(Promise.resolve('x')), 'x'],
    ['a thenable', { then: (resolve: (value: unknown) => void) => resolve({ a: 1 }) }, '{"a":1}'],
  ];

  for (const [what, value, text] of results) {
    it(`${what} as the result becomes the text ${JSON.stringify(text)}`, async () => {
      await register({ name: 'a', execute: () => value });
      await register({ name: 'b', execute: () => Promise.resolve(value) });
      expect(await call('a')).to.equal(text);
      expect(await call('b')).to.equal(text);
    });
  }

  differsFromNative('loneSurrogate', 'a result with lone surrogates is not changed', async () => {
    await register({ name: 'a', execute: () => 'x\ud800' });
    expect(await call('a')).to.equal('x\ud800');
  });

  crashesNative('symbol', 'a result that is a symbol rejects with an UnknownError', async () => {
    await register({ name: 'a', execute: () => Symbol('s') });
    expect(await rejectionName(call('a'))).to.equal('UnknownError');
  });
});

describe('a failure', () => {
  const failures: [what: string, execute: () => unknown][] = [
    ['throws an error', fail],
    ['throws undefined', failSilently],
    ['rejects', () => Promise.reject(new RangeError('mine'))],
    ['rejects with a DOMException', () => Promise.reject(new DOMException('mine', 'NotFoundError'))],
    ['rejects with an AbortError', () => Promise.reject(new DOMException('mine', 'AbortError'))],
    ['returns a circular object', () => circular],
    ['returns an object that contains a BigInt', () => ({ a: 1n })],
    ['returns a BigInt object', () => Object(1n) as unknown],
    ['returns an object whose toJSON throws', () => ({ toJSON: fail })],
    [
      'returns an object with a getter that throws',
      () => Object.defineProperty({}, 'a', { get: fail, enumerable: true }),
    ],
    ['returns an object whose getter of then throws', () => Object.defineProperty({}, 'then', { get: fail })],
    ['returns a thenable that throws', () => ({ then: fail })],
    ['returns a thenable that rejects', () => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(5) })],
  ];

  for (const [what, execute] of failures) {
    it(`executeTool rejects with an UnknownError, without a page error, if a tool ${what}`, async () => {
      const errors = pageErrors();
      await register({ name: 'a', execute });
      expect(await rejectionName(call('a'))).to.equal('UnknownError');
      await settle();
      expect(errors).to.deep.equal([]);
    });
  }

  it('a failure does not unregister the tool', async () => {
    let runs = 0;
    await register({ name: 'a', execute: () => (runs++ === 0 ? fail() : 'second') });
    await rejectionOf(call('a'));
    expect(await call('a')).to.equal('second');
  });

  differsFromNative(
    'reasons',
    'the error of a failed call contains the reason, and the error of the tool as its cause',
    async () => {
      const error = new RangeError('The shop is closed.');
      await register({ name: 'a', execute: () => Promise.reject(error) });
      const reason = (await rejectionOf(call('a'))) as DOMException & { cause?: unknown };
      expect(reason).to.be.an.instanceOf(DOMException);
      expect(reason.name).to.equal('UnknownError');
      expect(reason.message).to.match(/The shop is closed\.$/);
      expect(reason.cause).to.equal(error);
    },
  );
});
