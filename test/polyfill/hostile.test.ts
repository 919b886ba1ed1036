import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { afterTest, namesIn, rejectionOf, toolIn } from '../support/polyfill/frame.js';
import { call, forever, next, rejectionName, register, testOver, valid } from '../support/polyfill/page.js';

apply();

/** Runs an action while an object has additional properties. */
async function patched<Value>(target: object, properties: object, run: () => Promise<Value>): Promise<Value> {
  await Promise.resolve(); // until the test runner has finished its steps
  const keys = Object.keys(properties);
  const before = keys.map((key) => Object.getOwnPropertyDescriptor(target, key));
  for (const [key, value] of Object.entries(properties)) {
    const descriptor = { __proto__: null, value: value as unknown, writable: true, configurable: true };
    Object.defineProperty(target, key, descriptor);
  }
  try {
    return await run();
  } finally {
    keys.forEach((key, index) => {
      Reflect.deleteProperty(target, key);
      if (before[index]) Object.defineProperty(target, key, before[index]);
    });
  }
}

/** Runs an action while Object.prototype has additional properties. */
const inheriting = <Value>(properties: object, run: () => Promise<Value>) => patched(Object.prototype, properties, run);

const fails = (): never => {
  throw new Error('patched');
};

describe('a page that patches its globals', () => {
  /** Registers, lists, runs and unregisters a tool, and returns the results. Has to await each call. */
  async function liveOf(name: string) {
    const controller = new AbortController();
    const options = { signal: AbortSignal.any([controller.signal, testOver()]) };
    const tool = { ...valid, name, inputSchema: { type: 'object' } };
    const registered = await document.modelContext.registerTool(tool, options);
    const listed = await toolIn(document, name);
    const result = await document.modelContext.executeTool(listed, { b: [1] });
    controller.abort();
    return { registered, inputSchema: listed.inputSchema, result, left: await namesIn(document) };
  }
  const same = { registered: undefined, inputSchema: { type: 'object' }, result: '{"b":[1]}', left: [] };

  for (const [what, target, names] of [
    ['JSON', JSON, ['stringify', 'parse']],
    ['the timers', window, ['setTimeout', 'requestAnimationFrame', 'queueMicrotask', 'MessageChannel']],
    [
      'the methods of event targets',
      EventTarget.prototype,
      ['addEventListener', 'removeEventListener', 'dispatchEvent'],
    ],
    ['the methods of promises', Promise.prototype, ['then', 'catch', 'finally']],
  ] as [string, object, string[]][]) {
    it(`tools work in a page that has replaced ${what}`, async () => {
      const properties = Object.fromEntries(names.map((name) => [name, fails]));
      expect(await patched(target, properties, () => liveOf('a'))).to.deep.equal(same);
    });
  }
});

describe('a page with a polluted Object.prototype', () => {
  it('a title on Object.prototype applies to tools without a title, as in dictionaries', async () => {
    await inheriting({ title: 'inherited' }, () => register({ name: 'a' }));
    expect((await toolIn(document, 'a')).title).to.equal('inherited');
  });

  it('a tool on Object.prototype is registered', async () => {
    const tool = { name: 'a', description: 'd', execute: () => 'ran' };
    const options = { signal: testOver() };
    await inheriting(tool, () => document.modelContext.registerTool({} as never, options));
    expect(await call('a')).to.equal('ran');
  });

  it('options on Object.prototype apply to passed options objects, and not to missing ones', async () => {
    const rejection = (...options: object[]) =>
      rejectionName(document.modelContext.registerTool({ ...valid, name: '' }, ...options));
    expect(await inheriting({ signal: 5 }, () => rejection({}))).to.equal('TypeError');
    expect(await inheriting({ exposedTo: 5 }, () => rejection({}))).to.equal('TypeError');
    expect(await inheriting({ signal: 5, exposedTo: 5 }, () => rejection())).to.equal('InvalidStateError');
    const listing = () => rejectionName(document.modelContext.getTools({}));
    expect(await inheriting({ fromOrigins: ['*'] }, listing)).to.equal('SecurityError');
    const tools = await inheriting({ fromOrigins: ['*'] }, () => document.modelContext.getTools());
    expect(tools).to.deep.equal([]);
  });

  it('descriptor members on Object.prototype do not change the listed objects', async () => {
    const polluted = { get: () => 'x', value: 5, writable: false, enumerable: false, configurable: false };
    const [tool, results] = await inheriting(polluted, async () => {
      await register({ name: 'a', inputSchema: { type: 'object' }, execute: (_, options) => Object.keys(options) });
      return [await toolIn(document, 'a'), await call('a')] as const;
    });
    expect(Object.keys(tool).join()).to.equal('description,inputSchema,name,origin,title,window');
    expect([tool.name, tool.origin, tool.inputSchema]).to.deep.equal(['a', location.origin, { type: 'object' }]);
    expect(results).to.equal('["signal"]');
  });

  it('accessors and tool members on Object.prototype do not change the listed tools', async () => {
    const polluted = { window: 5, origin: 'x', inputSchema: { inherited: true }, annotations: { debugging: true } };
    await register({ name: 'a' });
    const tool = await inheriting(polluted, () => toolIn(document, 'a'));
    expect(Object.keys(tool).join()).to.equal('description,name,origin,title,window');
    expect(tool.window).to.equal(window);
  });

  it('toJSON on Object.prototype applies to schemas and inputs, as in JSON.stringify', async () => {
    const results = await inheriting({ toJSON: () => ({ replaced: 1 }) }, async () => {
      await register({
        name: 'a',
        inputSchema: { type: 'object' },
        execute: (input: object) => String(Object.keys(input)),
      });
      const [tool] = await document.modelContext.getTools();
      return [Object.keys(tool?.inputSchema ?? {}), await document.modelContext.executeTool(tool as never, { a: 1 })];
    });
    expect(results).to.deep.equal([['replaced'], 'replaced']);
    const rejected = await inheriting({ toJSON: () => undefined }, () =>
      rejectionName(document.modelContext.registerTool({ ...valid, name: 'b', inputSchema: {} })),
    );
    expect(rejected).to.equal('TypeError');
  });
});

describe('a tool with the name of an Object.prototype member', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    it(`a tool can be named ${name}`, async () => {
      const tool = { name, description: '', origin: location.origin, window };
      expect(await rejectionName(document.modelContext.executeTool(tool))).to.equal('UnknownError');
      const controller = await register({ name, execute: () => 'ran' });
      expect(await call(name)).to.equal('ran');
      controller.abort();
      expect(await namesIn(document)).to.deep.equal([]);
    });
  }

  it('a parameter can have the name of an Object.prototype member, in the schema and in the input', async () => {
    const own = JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}') as object;
    const results: unknown[] = [];
    const execute = (input: object) => {
      results.push(Object.keys(input), Object.getPrototypeOf(input), Reflect.get({}, 'polluted'));
      return input;
    };
    await register({ name: 'a', inputSchema: { properties: own }, execute });
    const { inputSchema } = await toolIn(document, 'a');
    expect(JSON.stringify(inputSchema)).to.equal(JSON.stringify({ properties: own }));
    const input = '{"__proto__":{"polluted":1},"constructor":2}';
    expect(await call('a', JSON.parse(input) as object)).to.equal(input);
    expect(results).to.deep.equal([['__proto__', 'constructor'], Object.prototype, undefined]);
  });
});

describe('a hostile tool', () => {
  it('a tool cannot settle its call twice', async () => {
    const then = (resolve: (value: string) => void, reject: (reason: unknown) => void) => {
      resolve('first');
      reject(new Error('second'));
      resolve('third');
      throw new Error('fourth');
    };
    await register({ name: 'a', execute: () => ({ then }) });
    expect(await call('a')).to.equal('first');
  });

  it('an error in a getter of a result only rejects that call', async () => {
    await register({ name: 'bad', execute: () => new Proxy({}, { get: fails, ownKeys: fails }) });
    await register({ name: 'good', execute: () => 'result' });
    const [bad, good] = await Promise.allSettled([call('bad'), call('good')]);
    expect((bad as PromiseRejectedResult).reason).to.have.property('name', 'UnknownError');
    expect(good).to.have.property('value', 'result');
  });

  it('a tool cannot change the input of other calls or the listed objects', async () => {
    const inputs: object[] = [];
    await register({
      name: 'a',
      inputSchema: { type: 'object' },
      execute: (input: { list: number[] }) => {
        inputs.push(input);
        input.list.push(2);
        return input;
      },
    });
    const input = { list: [1] };
    expect([await call('a', input), await call('a', input)]).to.deep.equal(['{"list":[1,2]}', '{"list":[1,2]}']);
    expect(inputs[0]).not.to.equal(inputs[1]);
    expect(input).to.deep.equal({ list: [1] });
  });

  it('a tool may register and unregister tools while it is listed or runs', async () => {
    await register({
      name: 'a',
      execute: async () => {
        const controller = await register({ name: 'b', execute: () => 'from b' });
        const result = await call('b');
        controller.abort();
        return result;
      },
    });
    expect(await call('a')).to.equal('from b');
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('a hundred calls that never settle do not block others', async () => {
    await register({ name: 'stuck', execute: forever });
    await register({ name: 'a', execute: () => 'done' });
    const activated = next('toolactivated');
    const controller = new AbortController();
    const stuck = Array.from({ length: 100 }, () => rejectionOf(call('stuck', {}, controller)));
    await activated;
    expect(await call('a')).to.equal('done');
    controller.abort('mine');
    expect(new Set(await Promise.all(stuck))).to.deep.equal(new Set(['mine']));
  });
});

describe('10,000 tools', () => {
  it('10,000 tools can be registered, listed in order, run and unregistered together', async function () {
    this.timeout(120_000);
    const controller = new AbortController();
    afterTest(() => controller.abort());
    const names = Array.from({ length: 10_000 }, (_, index) => `tool-${String(index).padStart(5, '0')}`);
    await Promise.all(
      names.map((name) =>
        document.modelContext.registerTool(
          { name, description: 'd', execute: () => name },
          { signal: controller.signal },
        ),
      ),
    );
    const tools = await document.modelContext.getTools();
    expect(tools.map(({ name }) => name).join() === names.join()).to.equal(true);
    expect(await document.modelContext.executeTool(tools[5000] as never)).to.equal('tool-05000');
    controller.abort();
    expect(await namesIn(document)).to.deep.equal([]);
  });
});

describe('a page with a signal on Object.prototype', () => {
  it('aborting a signal on Object.prototype unregisters the tools', async () => {
    const controller = new AbortController();
    const tool = { ...valid, name: 'inherits' };
    await inheriting({ signal: controller.signal }, () => document.modelContext.registerTool(tool, {}));
    expect(await namesIn(document)).to.deep.equal(['inherits']);
    controller.abort();
    expect(await namesIn(document)).to.deep.equal([]);
  });
});
