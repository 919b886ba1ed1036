import { expect } from '@open-wc/testing';
import { apply, type Validator } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import { isNative, toolIn } from '../support/polyfill/frame.js';

const inputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    year: { type: 'integer', minimum: 1840 },
    issued: { type: 'string', format: 'date' },
    'a/b': { type: 'object', required: ['c'] },
  },
  required: ['name'],
};

interface DataError extends DOMException {
  readonly errors: readonly { parameter: string; code: string; path: string; message: string }[];
}

let controller: AbortController;

/** Registers a tool under a validator and calls it. The log contains the input that reached the tool. */
async function call(validate: 'ajv' | Validator, input: object, more: Partial<ModelContextTool> = {}) {
  const log: unknown[] = [];
  apply({ signal: controller.signal, validate });
  const execute = (received: unknown) => log.push(received);
  await document.modelContext.registerTool({ name: 'stamp', description: 'd', inputSchema, execute, ...more });
  const result = document.modelContext.executeTool(await toolIn(document, 'stamp'), input);
  return {
    log,
    error: await result.then(
      () => undefined,
      (error: unknown) => error,
    ),
  };
}

(isNative ? describe.skip : describe)('input validation', () => {
  beforeEach(() => (controller = new AbortController()));
  afterEach(() => controller.abort());

  it('valid input reaches the tool', async () => {
    const input = { name: 'Penny Black', year: 1840, issued: '1840-05-06' };
    expect(await call('ajv', input)).to.deep.equal({ log: [input], error: undefined });
  });

  it('invalid input rejects with all errors, and the tool does not run', async () => {
    const { log, error } = await call('ajv', { year: 'old', issued: 'May', 'a/b': {} });
    const { name, message, errors } = error as DataError;
    expect(log).to.deep.equal([]);
    expect(name).to.equal('DataError');
    expect(JSON.parse(message)).to.deep.equal({
      path: '/name',
      reason: 'required',
      schemaPath: '/required',
      tool: 'stamp',
    });
    expect(errors.map(({ parameter, code, path }) => [parameter, code, path])).to.deep.equal([
      ['name', 'required', '/name'],
      ['year', 'type', '/year'],
      ['issued', 'format', '/issued'],
      ['a/b', 'required', '/a~1b/c'],
    ]);
  });

  it('the input of a tool without a schema is not validated', async () => {
    const { log } = await call('ajv', { anything: 1 }, { inputSchema: undefined as never });
    expect(log).to.deep.equal([{ anything: 1 }]);
  });

  it('a call of a tool with an invalid schema rejects with the name of the tool, which does not run', async () => {
    const { log, error } = await call('ajv', {}, { inputSchema: { type: 'nonsense' } });
    expect(log).to.deep.equal([]);
    expect((error as DOMException).name).to.equal('UnknownError');
    expect((error as DOMException).message).to.match(/"stamp" cannot be validated, so the tool was not run.*type/s);
  });

  it('a validator function receives a copy of the schema and the name of the tool', async () => {
    const received: unknown[] = [];
    const { error } = await call((schema, tool) => {
      received.push(schema, tool);
      return () => Promise.resolve([{ path: '/name', reason: 'taste', message: 'not this one' }]);
    }, {});
    expect(received).to.deep.equal([inputSchema, { name: 'stamp' }]);
    expect(received[0]).to.not.equal(inputSchema);
    expect((error as DataError).errors).to.deep.equal([
      { parameter: 'name', code: 'taste', message: 'not this one', path: '/name' },
    ]);
  });

  it('an error of a validator rejects the call', async () => {
    const { log, error } = await call(() => {
      throw new Error('out of order');
    }, {});
    expect(log).to.deep.equal([]);
    expect((error as DOMException).message).to.contain('out of order');
  });

  it('the schema of a tool is compiled once', async () => {
    let made = 0;
    const counting: Validator = () => {
      made++;
      return () => [];
    };
    await call(counting, {});
    await document.modelContext.executeTool(await toolIn(document, 'stamp'));
    expect(made).to.equal(1);
  });
});

(isNative ? describe.skip : describe)('under a strict content security policy', () => {
  /** Runs a module in a page with a strict content security policy. Resolves with the message that it posts. */
  function inStrictPage(validator: string): Promise<{ name: string; message: string; log: unknown[] }> {
    const frame = document.createElement('iframe');
    frame.src = `/test/polyfill/frames/strict.html#${validator}`;
    return new Promise((resolve) => {
      const listener = ({ data, source }: MessageEvent) => {
        if (source !== frame.contentWindow || !Object.hasOwn(data as object, 'log')) return;
        window.removeEventListener('message', listener);
        frame.remove();
        resolve(data as never);
      };
      window.addEventListener('message', listener);
      document.body.append(frame);
    });
  }

  it("validate: 'ajv' rejects with a message that names the content security policy and the alternatives", async () => {
    const { name, message, log } = await inStrictPage('ajv');
    expect(log).to.deep.equal([]);
    expect(name).to.equal('UnknownError');
    expect(message).to.match(/content security policy of this page forbids.*a function as apply/s);
  });

  it('a validator that interprets schemas works', async () => {
    const { name, message, log } = await inStrictPage('interpreter');
    expect(log).to.deep.equal([{ year: 1840 }]);
    expect(name).to.equal('DataError');
    expect(JSON.parse(message)).to.include({ path: '/year', reason: 'type' });
  });
});
