import { expect } from '@open-wc/testing';
import { apply, type Validator } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import { isNative, toolIn } from './frame.js';

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

let stop: AbortController;

/** Registers a tool under a validator, and calls it. The log has what reached the tool. */
async function call(validate: 'ajv' | Validator, input: object, more: Partial<ModelContextTool> = {}) {
  const log: unknown[] = [];
  apply({ signal: stop.signal, validate });
  const execute = (given: unknown) => log.push(given);
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

(isNative ? describe.skip : describe)('checking the input of tools', () => {
  beforeEach(() => (stop = new AbortController()));
  afterEach(() => stop.abort());

  it('lets valid input through to the tool', async () => {
    const input = { name: 'Penny Black', year: 1840, issued: '1840-05-06' };
    expect(await call('ajv', input)).to.deep.equal({ log: [input], error: undefined });
  });

  it('refuses invalid input with everything that is wrong, before the tool runs', async () => {
    const { log, error } = await call('ajv', { year: 'old', issued: 'May', 'a/b': {} });
    const { name, message, errors } = error as DataError;
    expect(log).to.deep.equal([]);
    expect(name).to.equal('DataError');
    expect(JSON.parse(message)).to.deep.equal({
      ...{ path: '/name', reason: 'required', schemaPath: '/required' },
      tool: 'stamp',
    });
    expect(errors.map(({ parameter, code, path }) => [parameter, code, path])).to.deep.equal([
      ['name', 'required', '/name'],
      ['year', 'type', '/year'],
      ['issued', 'format', '/issued'],
      ['a/b', 'required', '/a~1b/c'],
    ]);
  });

  it('does not check a tool without a schema', async () => {
    const { log } = await call('ajv', { anything: 1 }, { inputSchema: undefined as never });
    expect(log).to.deep.equal([{ anything: 1 }]);
  });

  it('says which tool has a schema that cannot be used, and does not run it', async () => {
    const { log, error } = await call('ajv', {}, { inputSchema: { type: 'nonsense' } });
    expect(log).to.deep.equal([]);
    expect((error as DOMException).name).to.equal('UnknownError');
    expect((error as DOMException).message).to.match(/"stamp" cannot be validated, so the tool was not run.*type/s);
  });

  it('takes a validator function, which gets a copy of the schema and the name', async () => {
    const given: unknown[] = [];
    const { error } = await call((schema, tool) => {
      given.push(schema, tool);
      return () => Promise.resolve([{ path: '/name', reason: 'taste', message: 'not this one' }]);
    }, {});
    expect(given).to.deep.equal([inputSchema, { name: 'stamp' }]);
    expect(given[0]).to.not.equal(inputSchema);
    expect((error as DataError).errors).to.deep.equal([
      { parameter: 'name', code: 'taste', message: 'not this one', path: '/name' },
    ]);
  });

  it('reports a validator that fails', async () => {
    const { log, error } = await call(() => {
      throw new Error('out of order');
    }, {});
    expect(log).to.deep.equal([]);
    expect((error as DOMException).message).to.contain('out of order');
  });

  it('makes the check of a tool once', async () => {
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
  /** Runs a module in a page that allows no code but its files, and gives what it posts. */
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

  it('says that Ajv cannot work there, and what can', async () => {
    const { name, message, log } = await inStrictPage('ajv');
    expect(log).to.deep.equal([]);
    expect(name).to.equal('UnknownError');
    expect(message).to.match(/content security policy of this page forbids.*a function as apply/s);
  });

  it('checks with a validator that interprets schemas', async () => {
    const { name, message, log } = await inStrictPage('interpreter');
    expect(log).to.deep.equal([{ year: 1840 }]);
    expect(name).to.equal('DataError');
    expect(JSON.parse(message)).to.include({ path: '/year', reason: 'type' });
  });
});
