import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { isNative } from '../support/polyfill/frame.js';
import { crashesNative } from '../support/polyfill/native.js';
import { applyTo, methodOf, propertyOf, rejectionName, thrownBy, valid } from '../support/polyfill/page.js';

apply();

type Constructor = { new (...args: unknown[]): object; readonly prototype: object };
const interfaceOf = (name: string) => Reflect.get(window, name) as Constructor;
const interfaces = [
  {
    name: 'ModelContext',
    parent: EventTarget,
    length: 0,
    members: [
      ...['executeTool', 'getTools', 'ontoolactivated', 'ontoolcancel', 'ontoolchange', 'registerTool'],
      // Overridden, because a listener for tool events loads the agent script, and the inherited method cannot be observed.
      ...(isNative ? [] : ['addEventListener']),
    ],
  },
  { name: 'ToolActivatedEvent', parent: Event, length: 1, members: ['toolName'] },
  { name: 'ToolCancelEvent', parent: Event, length: 1, members: ['toolName'] },
];

for (const { name, parent, length, members } of interfaces) {
  describe(`the interface ${name}`, () => {
    it(`${name} is a non-enumerable property of the window`, () => {
      const { value, ...attributes } = propertyOf(window, name);
      expect(value).to.be.a('function');
      expect(attributes).to.deep.equal({ writable: true, enumerable: false, configurable: true });
    });

    it(`${name} inherits from ${parent.name}`, () => {
      expect(Object.getPrototypeOf(interfaceOf(name))).to.equal(parent);
      expect(Object.getPrototypeOf(interfaceOf(name).prototype)).to.equal(parent.prototype);
    });

    it(`${name} has a name, a length and a read-only prototype, and no other properties`, () => {
      const constructor = interfaceOf(name);
      const fixed = { writable: false, enumerable: false, configurable: true };
      expect(Reflect.ownKeys(constructor).sort()).to.deep.equal(['length', 'name', 'prototype']);
      expect(propertyOf(constructor, 'name')).to.deep.equal({ ...fixed, value: name });
      expect(propertyOf(constructor, 'length')).to.deep.equal({ ...fixed, value: length });
      const { value: _, ...attributes } = propertyOf(constructor, 'prototype');
      expect(attributes).to.deep.equal({ ...fixed, configurable: false });
    });

    it(`${name}.prototype has the members, the constructor and the tag`, () => {
      const { prototype } = interfaceOf(name);
      const keys = [...members, 'constructor', Symbol.toStringTag];
      expect(Reflect.ownKeys(prototype)).to.have.members(keys);
      expect(propertyOf(prototype, 'constructor')).to.deep.equal({
        value: interfaceOf(name),
        writable: true,
        enumerable: false,
        configurable: true,
      });
      expect(propertyOf(prototype, Symbol.toStringTag)).to.deep.equal({
        value: name,
        writable: false,
        enumerable: false,
        configurable: true,
      });
    });

    it(`${name} cannot be called without new`, () => {
      expect(thrownBy(() => applyTo(interfaceOf(name), undefined, 'type'))).to.equal('TypeError');
    });
  });
}

describe('attributes', () => {
  const attributes = [
    ['ModelContext', 'ontoolchange', true],
    ['ModelContext', 'ontoolactivated', true],
    ['ModelContext', 'ontoolcancel', true],
    ['ToolActivatedEvent', 'toolName', false],
    ['ToolCancelEvent', 'toolName', false],
    ['Document', 'modelContext', false],
  ] as const;

  for (const [name, attribute, settable] of attributes) {
    it(`${name}.${attribute} is an accessor that throws a TypeError for other objects`, () => {
      const { get, set, ...rest } = propertyOf(interfaceOf(name).prototype, attribute);
      expect(rest).to.deep.equal({ enumerable: true, configurable: true });
      expect([get?.name, get?.length]).to.deep.equal([`get ${attribute}`, 0]);
      expect([set?.name, set?.length]).to.deep.equal(settable ? [`set ${attribute}`, 1] : [undefined, undefined]);
      for (const target of [{}, null, 5, interfaceOf(name).prototype, new EventTarget()]) {
        expect(thrownBy(() => applyTo(get, target))).to.equal('TypeError');
        if (settable) expect(thrownBy(() => applyTo(set, target, null))).to.equal('TypeError');
      }
    });
  }

  it('an event handler attribute accepts any object, and becomes null for other values', () => {
    for (const name of ['ontoolchange', 'ontoolactivated', 'ontoolcancel'] as const) {
      expect(document.modelContext[name]).to.equal(null);
      for (const value of [() => undefined, {}, { handleEvent: () => undefined }]) {
        document.modelContext[name] = value as () => void;
        expect(document.modelContext[name]).to.equal(value);
      }
      for (const value of [5, 'x', undefined, null]) {
        document.modelContext[name] = () => undefined;
        document.modelContext[name] = value as null;
        expect(document.modelContext[name]).to.equal(null);
      }
    }
  });
});

describe('operations', () => {
  for (const [name, length] of [
    ['registerTool', 1],
    ['getTools', 0],
    ['executeTool', 1],
  ] as const) {
    it(`${name} is an enumerable method that is not a constructor`, () => {
      const { value, ...attributes } = propertyOf(window.ModelContext.prototype, name);
      const method = value as Constructor & { readonly length: number; readonly name: string };
      expect(attributes).to.deep.equal({ writable: true, enumerable: true, configurable: true });
      expect([method.name, method.length]).to.deep.equal([name, length]);
      expect(Object.hasOwn(method, 'prototype')).to.equal(false);
      expect(thrownBy(() => new method())).to.equal('TypeError');
    });

    it(`${name} rejects instead of throwing if this is another object`, async () => {
      const tool = { ...valid, name: 'x', origin: location.origin, window };
      for (const target of [{}, null, undefined, 5, window.ModelContext.prototype, new EventTarget(), window]) {
        const result = applyTo(methodOf(window.ModelContext.prototype, name), target, tool);
        expect(result).to.be.an.instanceOf(Promise);
        expect(await rejectionName(result as Promise<unknown>)).to.equal('TypeError');
      }
    });
  }

  it('registerTool and executeTool reject with a TypeError without their required arguments', async () => {
    for (const name of ['registerTool', 'executeTool']) {
      const result = applyTo(methodOf(document.modelContext, name), document.modelContext);
      expect(await rejectionName(result as Promise<unknown>)).to.equal('TypeError');
    }
  });
});

describe('document.modelContext', () => {
  it('document.modelContext is always the same ModelContext', () => {
    expect(document.modelContext).to.be.an.instanceOf(window.ModelContext);
    expect(document.modelContext).to.be.an.instanceOf(EventTarget);
    expect(Object.getPrototypeOf(document.modelContext)).to.equal(window.ModelContext.prototype);
    expect(Object.prototype.toString.call(document.modelContext)).to.equal('[object ModelContext]');
    expect(document.modelContext).to.equal(document.modelContext);
  });

  it('document.modelContext has no own properties, and the document has no own property modelContext', () => {
    expect(Reflect.ownKeys(document.modelContext)).to.deep.equal([]);
    expect(Object.hasOwn(document, 'modelContext')).to.equal(false);
  });

  it('document.modelContext cannot be replaced by assignment', () => {
    const { modelContext } = document;
    expect(Reflect.set(document, 'modelContext', {})).to.equal(false);
    expect(document.modelContext).to.equal(modelContext);
  });

  it('new ModelContext() throws, for subclasses too', () => {
    expect(thrownBy(() => new window.ModelContext())).to.equal('TypeError');
    class Own extends (window.ModelContext as unknown as typeof EventTarget) {}
    expect(thrownBy(() => new Own())).to.equal('TypeError');
  });

  crashesNative(
    'inactiveDocument',
    'the model context of a document without a window is another object that rejects all operations',
    async () => {
      const page = document.implementation.createHTMLDocument();
      const { modelContext } = page;
      expect(modelContext).to.be.an.instanceOf(window.ModelContext);
      expect(modelContext).not.to.equal(document.modelContext);
      expect(modelContext).to.equal(page.modelContext);
      const tool = { ...valid, name: 'x', origin: location.origin, window };
      for (const promise of [
        modelContext.registerTool(tool),
        modelContext.getTools(),
        modelContext.executeTool(tool),
      ]) {
        expect(await rejectionName(promise)).to.equal('InvalidStateError');
      }
    },
  );
});
