import { Validator as Interpreter } from '@cfworker/json-schema';
import { apply, type Validator } from '../../../src/polyfill/index.js';

const interpreter: Validator = (schema) => {
  const validator = new Interpreter(schema, '2020-12', false);
  return (input) =>
    validator
      .validate(input)
      .errors.filter(({ keyword }) => keyword !== 'properties')
      .map(({ instanceLocation, keyword, error }) => ({
        path: instanceLocation.slice(1),
        reason: keyword,
        message: error,
      }));
};

apply({ validate: location.hash === '#ajv' ? 'ajv' : interpreter });

const log: unknown[] = [];
const inputSchema = { type: 'object', properties: { year: { type: 'integer' } } };
const { modelContext } = document;
await modelContext.registerTool({
  ...{ name: 'stamp', description: 'd', inputSchema },
  execute: (input) => log.push(input),
});
const stamp = (await modelContext.getTools()).find(({ window }) => window === self);
const call = (input: object): Promise<unknown> => modelContext.executeTool(stamp as never, input);
const error = await call({ year: 1840 })
  .then(() => call({ year: 'old' }))
  .catch((reason: unknown) => reason);
const { name, message } = error as DOMException;
parent.postMessage({ name, message, log }, '*');
