import { expect } from '@open-wc/testing';
import { openFrame, record } from '../support/polyfill/frame.js';
import { pageErrors } from '../support/polyfill/page.js';
import {
  afterTest,
  call,
  errorCodes,
  live,
  names,
  place,
  placeTool,
  rejection,
  settled,
  task,
  tool,
  whereNotNative,
} from '../support/browser/live.js';

const listenTo = (target: EventTarget, type: string, listener: (event: Event) => void, once = false): void =>
  EventTarget.prototype.addEventListener.call(target, type, listener, { once });
const find = (form: Element, selector: string): HTMLInputElement =>
  Element.prototype.querySelector.call(form, selector) as HTMLInputElement;
const entries = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)]);

/** Responds to the submissions of a form with its entries, even if controls clobber the form. */
function answer(form: HTMLFormElement): void {
  listenTo(form, 'submit', (event) => {
    event.preventDefault();
    if ((event as SubmitEvent).agentInvoked) (event as SubmitEvent).respondWith(entries(form));
  });
}

/** A tool that responds with its entries. */
function placeAnswering(controls: string, attributes?: string): HTMLFormElement {
  const form = placeTool(controls, attributes);
  answer(form);
  return form;
}

/** Waits until a form waits for the user. */
const awaitUserEvent = (): Promise<Event> =>
  new Promise((resolve) => document.addEventListener('webmcp-await-user', resolve, { once: true }));

/** Ends the test before its timeout, so that the test runner gets its built-ins back. */
const hung = (): Promise<never> =>
  new Promise((_, reject) => void later(() => reject(new Error('It did not settle.')), 100_000));
const later = window.setTimeout.bind(window);

/** Runs a function while properties of an object are replaced. */
async function whilePatched<Value>(
  target: object,
  properties: PropertyDescriptorMap,
  run: () => Promise<Value>,
): Promise<Value> {
  await task(); // the test runner uses the built-ins until then
  const before = Object.keys(properties).map((key) => [key, Object.getOwnPropertyDescriptor(target, key)] as const);
  Object.defineProperties(target, properties);
  try {
    return await Promise.race([run(), hung()]);
  } finally {
    for (const [key, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, key, descriptor);
      else Reflect.deleteProperty(target, key);
    }
  }
}

beforeEach(() => void live({}, { optionsTimeoutMs: 100 }));

whereNotNative('a form with a control named', () => {
  for (const name of [
    ...['submit', 'requestSubmit', 'reset', 'elements', 'length', 'attributes', 'classList', 'className', 'id', 'name'],
    ...['parentNode', 'parentElement', 'ownerDocument', 'childNodes', 'firstChild', 'nodeType', 'localName', 'tagName'],
    ...['isConnected', 'getRootNode', 'contains', 'namespaceURI', 'shadowRoot', 'getAttribute', 'querySelectorAll'],
    ...['addEventListener', 'dispatchEvent', 'method', 'action', 'noValidate', 'checkValidity', 'focus', 'matches'],
    ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON'],
  ]) {
    it(`${name} can be called, and waits for the user`, async () => {
      const form = place(
        `<form toolname=t tooldescription=d toolautosubmit><input name=${name}><button>Go</button></form>`,
      );
      answer(form);
      const filled = (value: string) => JSON.stringify([[name, value]]);
      expect(await call({ [name]: 'x' })).to.equal(filled('x'));
      expect(await errorCodes(call({ other: 'x' }))).to.deep.equal(['other: unknown-parameter']);
      Element.prototype.removeAttribute.call(form, 'toolautosubmit');
      const waiting = awaitUserEvent();
      const result = call({ [name]: 'y' });
      await waiting;
      find(form, 'button').click();
      expect(await result).to.equal(filled('y'));
      Element.prototype.setAttribute.call(form, 'toolname', 'u');
      expect(await names()).to.deep.equal(['u']);
    });
  }

  it('after every member of form elements can be called, and is unregistered when it is removed', async () => {
    const members = new Set<string>();
    for (
      let up: object = HTMLFormElement.prototype;
      up !== Object.prototype;
      up = Object.getPrototypeOf(up) as object
    ) {
      for (const key of Object.keys(up)) members.add(key);
    }
    const form = placeAnsweringLater([...members].map((name) => `<input name="${name}">`).join(''));
    const input = Object.fromEntries([...members].map((name) => [name, name]));
    expect(await call(input)).to.equal(JSON.stringify(Object.entries(input)));
    Element.prototype.remove.call(form);
    expect(await names()).to.deep.equal([]);
  });

  it('elements, submit or parentNode by its ID can be called', async () => {
    placeAnsweringLater('<input id=elements name=a><input id=submit name=b><input id=parentNode name=c>');
    expect(await call({ a: '1', b: '2', c: '3' })).to.equal('[["a","1"],["b","2"],["c","3"]]');
  });

  /** A form whose own methods are clobbered. */
  function placeAnsweringLater(controls: string): HTMLFormElement {
    const form = placeTool(controls);
    answer(form);
    return form;
  }
});

whereNotNative('a document with an image named', () => {
  for (const name of [
    ...['URL', 'activeElement', 'addEventListener', 'body', 'defaultView', 'documentElement', 'getElementById'],
    ...['hasFocus', 'nodeType', 'querySelectorAll', 'readyState', 'referrer'],
  ]) {
    it(`${name} has tools that can be called`, async () => {
      const image = document.createElement('img');
      image.name = name;
      const { documentElement } = document;
      documentElement.append(image);
      afterTest(() => image.remove());
      placeAnswering('<label for=c>C</label><input id=c name=a>');
      expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    });
  }
});

whereNotNative('a page whose listener', () => {
  const fails = (): never => {
    throw new Error('of the page');
  };

  for (const type of ['input', 'change', 'submit']) {
    it(`throws in ${type} does not affect the call`, async () => {
      const form = placeTool('<input name=a>');
      const errors = pageErrors();
      form.addEventListener(type, fails);
      answer(form);
      expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
      expect(errors.map(String)).to.deep.equal(['Error: of the page']);
    });
  }

  it('throws in submit after preventDefault() makes the call reject, and the next call works', async () => {
    const form = placeTool('<input name=a>');
    const errors = pageErrors();
    form.addEventListener('submit', (event) => (event.preventDefault(), fails()), { once: true });
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-answered']);
    expect(errors).to.have.length(1);
    answer(form);
    expect(await call({ a: 'y' })).to.equal('[["a","y"]]');
  });

  for (const [what, act] of [
    ['removes the form', (form) => form.remove()],
    ['renders the form again', (form) => (form.innerHTML = '<input name=b value=new>')],
    ['empties the form', (form) => form.replaceChildren()],
    ['removes the next control', (form) => form.querySelector('[name=b]')?.remove()],
    ['disables the next control', (form) => (find(form, '[name=b]').disabled = true)],
    ['renames the next control', (form) => (find(form, '[name=b]').name = 'c')],
    ['moves the next control out', (form) => form.parentElement?.append(find(form, '[name=b]'))],
  ] as [string, (form: HTMLFormElement) => unknown][]) {
    it(`${what} while it is filled makes the call reject with a code, and the next form works`, async () => {
      const form = placeAnswering('<input name=a value=old><input name=b type=number value=1>');
      find(form, '[name=a]').addEventListener('input', () => act(form), { once: true });
      const found = await errorCodes(call({ a: 'new', b: 2 }));
      expect(found.length).to.be.greaterThan(0);
      expect(found.every((fault) => /: (unknown-parameter|removed|wrong-type|not-kept)$/.test(fault))).to.equal(true);
      form.remove();
      placeAnswering('<input name=a>');
      expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    });
  }

  for (const [what, act] of [
    ['resets the form', (form) => form.reset()],
    ['sets location.hash', () => (location.hash = 'hostile')],
    ['renames the tool', (form) => form.setAttribute('toolname', 'u')],
    ['moves the form', (form) => form.parentElement?.append(form)],
    ['calls form.requestSubmit()', (form) => form.requestSubmit()],
    ['adds a control', (form) => form.insertAdjacentHTML('beforeend', '<input type=hidden name=c>')],
    [
      'replaces the control by its copy',
      (form) => find(form, '[name=b]').replaceWith(find(form, '[name=b]').cloneNode()),
    ],
  ] as [string, (form: HTMLFormElement) => unknown][]) {
    it(`${what} while it is filled does not affect the next call`, async () => {
      const form = placeAnswering('<input name=a value=old><input name=b>');
      find(form, '[name=a]').addEventListener('input', () => act(form), { once: true });
      await call({ a: 'x', b: 'y' }).catch(() => undefined);
      const [name] = await names();
      const result = JSON.parse((await call({ a: 'new', b: 'z' }, {}, name)) ?? '') as unknown[];
      expect(result.slice(0, 2)).to.deep.equal([
        ['a', 'new'],
        ['b', 'z'],
      ]);
    });
  }

  for (const [what, act] of [
    ['removes the form', (form) => form.remove()],
    ['resets the form', (form) => form.reset()],
    ['renders the form again', (form) => (form.innerHTML = '<input name=b>')],
    ['sets location.hash', () => (location.hash = 'hostile')],
    ['renames the tool', (form) => form.setAttribute('toolname', 'u')],
    ['adds a control that clobbers submit()', (form) => (form.innerHTML = '<input name=submit>')],
  ] as [string, (form: HTMLFormElement) => unknown][]) {
    it(`${what} while it is submitted can respond`, async () => {
      const form = placeTool('<input name=a>');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith(entries(form));
        act(form);
      });
      expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
      form.remove();
      placeAnswering('<input name=a>');
      expect(await call({ a: 'y' })).to.equal('[["a","y"]]');
    });
  }

  it('always changes a value again makes the call reject, and the form is restored', async () => {
    const form = placeAnswering('<input name=a value=0><input name=b value=old>');
    const a = find(form, '[name=a]');
    let times = 0;
    const count = () => (a.value = String(++times));
    a.addEventListener('input', count);
    expect(await errorCodes(call({ a: 'x', b: 'new' }))).to.deep.equal(['a: not-kept']);
    a.removeEventListener('input', count);
    expect(find(form, '[name=b]').value).to.equal('old');
    expect(await call({ a: 'x', b: 'y' })).to.equal('[["a","x"],["b","y"]]');
  });

  it('prevents every click makes the call reject, and the next call works', async () => {
    const form = placeAnswering('<input name=a type=checkbox value=x><input name=b value=old>');
    const prevent = (event: Event) => event.preventDefault();
    form.addEventListener('click', prevent);
    expect(await errorCodes(call({ b: 'new', a: true }))).to.deep.equal(['a: not-kept']);
    expect(entries(form)).to.equal('[["b","old"]]');
    form.removeEventListener('click', prevent);
    expect(await call({ b: 'y', a: true })).to.equal('[["a","x"],["b","y"]]');
  });

  it('stops all events does not affect the call', async () => {
    const stop = (event: Event) => event.stopImmediatePropagation();
    const types = ['input', 'change', 'webmcp-await-user', 'toolactivated'];
    for (const type of types) {
      window.addEventListener(type, stop, true);
      afterTest(() => window.removeEventListener(type, stop, true));
    }
    placeAnswering('<input name=a>');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('stops the submit event before it reaches the form makes the call resolve with null', async () => {
    const stop = (event: Event) => event.stopImmediatePropagation();
    window.addEventListener('submit', stop, true);
    afterTest(() => window.removeEventListener('submit', stop, true));
    placeAnswering('<input name=a>');
    expect(await call({ a: 'x' })).to.equal(null);
  });
});

whereNotNative('a page whose listener calls', () => {
  it('its own tool in input has this call run after the current one', async () => {
    const form = placeAnswering('<input name=a>');
    const handle = await tool();
    let nested: Promise<string | null> | undefined;
    form.addEventListener('input', () => void (nested = document.modelContext.executeTool(handle, { a: 'nested' })), {
      once: true,
    });
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    expect(await nested).to.equal('[["a","nested"]]');
  });

  it('its own tool in submit and awaits it gets a rejection every time, and the tool stays usable', async () => {
    const form = placeTool('<input name=a>');
    const handle = await tool();
    const nested = () => errorCodes(document.modelContext.executeTool(handle, { a: 'nested' }));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith(Promise.all([nested(), nested()]));
    });
    for (let round = 0; round < 3; round++) expect(await call({ a: 'x' })).to.equal('[[": busy"],[": busy"]]');
  });

  it('its own tool in submit without awaiting it has calls that settle, and the tool stays usable', async () => {
    const form = placeTool('<input name=a>');
    const handle = await tool();
    const nested: Promise<unknown>[] = [];
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (nested.length === 0) {
        const inner = document.modelContext.executeTool(handle, { a: 'nested' });
        nested.push(inner.catch((error: unknown) => error));
      }
      event.respondWith('done');
    });
    expect(await call({ a: 'x' })).to.equal('done');
    await Promise.all(nested);
    expect(await call({ a: 'x' })).to.equal('done');
  });

  it('another tool in submit, which calls a third, responds with their responses', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((name) => {
      const form = place(`<form toolname=${name} tooldescription=d toolautosubmit><input name=x></form>`);
      return form;
    }) as [HTMLFormElement, HTMLFormElement, HTMLFormElement];
    const pass = (form: HTMLFormElement, to: string) =>
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith(call({ x: `${find(form, 'input').value}${to}` }, {}, to));
      });
    pass(first, 'b');
    pass(second, 'c');
    answer(third);
    expect(await call({ x: '1' }, {}, 'a')).to.equal('[["x","1bc"]]');
  });

  it('another tool in input, whose listener calls the first, has calls that settle', async () => {
    const [first, second] = ['a', 'b'].map((name) => {
      const form = place(`<form toolname=${name} tooldescription=d toolautosubmit><input name=x></form>`);
      answer(form);
      return form;
    }) as [HTMLFormElement, HTMLFormElement];
    const others: Promise<unknown>[] = [];
    first.addEventListener('input', () => others.push(call({ x: '2' }, {}, 'b')), { once: true });
    second.addEventListener('input', () => others.push(call({ x: '3' }, {}, 'a')), { once: true });
    expect(await call({ x: '1' }, {}, 'a')).to.equal('[["x","1"]]');
    expect(await others[0]).to.equal('[["x","2"]]');
    expect(await others[1]).to.equal('[["x","3"]]');
  });
});

whereNotNative('a form', () => {
  it('in a closed shadow tree is not registered and causes no error', async () => {
    const host = place('<form></form>').parentElement as Element;
    const errors = pageErrors();
    host.attachShadow({ mode: 'closed' }).innerHTML = '<form toolname=t tooldescription=d><input name=a></form>';
    await task();
    expect([await names(), errors]).to.deep.equal([[], []]);
    placeAnswering('<input name=a>');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('in a dialog can be called, open or not, and closes the dialog', async () => {
    const form = place(
      '<dialog><form method=dialog toolname=t tooldescription=d toolautosubmit><input name=a><button value=ok>Go</button></form></dialog>',
    );
    const dialog = form.parentElement as HTMLDialogElement;
    dialog.show();
    expect(await call({ a: 'x' })).to.equal(null);
    expect([dialog.open, dialog.returnValue]).to.deep.equal([false, 'ok']);
    answer(form);
    expect(await call({ a: 'y' })).to.equal('[["a","y"]]');
    dialog.showModal();
    expect(await call({ a: 'z' })).to.equal('[["a","z"]]');
    dialog.close();
  });

  it('with 5,000 options accepts the last, and rejects a value that is not an option', async () => {
    const options = Array.from({ length: 5000 }, (_, index) => `<option value=v${index}>Option ${index}`).join('');
    const form = placeAnswering(`<select name=a>${options}</select><input name=b value=old>`);
    expect(await call({ a: 'v4999' })).to.equal('[["a","v4999"],["b","old"]]');
    const { errors, message } = await rejection(call({ a: 'v5000', b: 'new' }));
    expect(errors.map(({ code }) => code)).to.deep.equal(['not-offered']);
    expect(message.length).to.be.lessThan(2000);
    expect(entries(form)).to.equal('[["a","v4999"],["b","old"]]');
    expect(await call({ a: 'v0' })).to.equal('[["a","v0"],["b","old"]]');
  });

  for (const style of ['display:none', 'visibility:hidden', 'content-visibility:hidden', 'opacity:0']) {
    it(`that is invisible (${style}) is filled, waits, and is submitted`, async () => {
      const form = placeAnswering('<input name=a><button>Go</button>', `style="${style}"`);
      const waiting = awaitUserEvent();
      const result = call({ a: 'x' });
      await waiting;
      form.requestSubmit();
      expect(await result).to.equal('[["a","x"]]');
    });
  }

  it('whose submission navigates a frame resolves with null, and can be called again', async () => {
    await openFrame({ name: 'target', src: '/test/polyfill/frames/plain.html' });
    place(
      '<form toolname=t tooldescription=d toolautosubmit target=target action=/test/browser/><input name=a></form>',
    );
    expect(await call({ a: 'x' })).to.equal(null);
    expect(await call({ a: 'y' })).to.equal(null);
  });

  /** A frame with the classic script and a form with the tool `t`. */
  const framed = () =>
    openFrame({
      srcdoc: `<script src=/webmcp-forms.iife.js></script>
        <form toolname=t tooldescription=d toolautosubmit><input name=a><input name=b></form>`,
    });

  for (const type of ['input', 'submit']) {
    it(`in a frame that a listener of ${type} removes makes the call reject without toolactivated`, async () => {
      const frame = await framed();
      const form = frame.contentDocument?.forms[0] as HTMLFormElement;
      const events = record(frame.contentDocument as Document);
      form.addEventListener(type, () => frame.remove());
      const error = await rejection(call({ a: 'x', b: 'y' }));
      expect(error.name).to.equal('UnknownError');
      await settled();
      expect(events).not.to.include('toolactivated t').and.not.to.include('toolcancel t');
      placeAnswering('<input name=a>');
      expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    });
  }

  it('in a frame that navigates before it responds makes the call reject', async () => {
    const frame = await framed();
    const form = frame.contentDocument?.forms[0] as HTMLFormElement;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith(new Promise(() => undefined));
      frame.contentWindow?.location.replace('/test/polyfill/frames/plain.html');
    });
    const error = await rejection(call({ a: 'x' }));
    expect(error.name).to.equal('UnknownError');
    placeAnswering('<input name=a>');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });
});

whereNotNative('a page that patches', () => {
  const fails = (): never => {
    throw new Error('patched');
  };
  const methods = (...keys: readonly string[]): PropertyDescriptorMap =>
    Object.fromEntries(keys.map((key) => [key, { value: fails, configurable: true, writable: true }]));
  const accessors = (...keys: readonly string[]): PropertyDescriptorMap =>
    Object.fromEntries(keys.map((key) => [key, { get: fails, set: fails, configurable: true }]));

  /** Lists tools, and makes a call that is rejected and one that succeeds, without built-ins that may be patched. */
  async function useAll(): Promise<unknown[]> {
    const context = document.modelContext;
    const list = await context.getTools();
    let handle = list[0] as (typeof list)[number];
    for (const each of list) if (each.name === 't') handle = each;
    const input = { a: 'x', b: true, c: '2', d: 19999.99 };
    let rejected: unknown;
    try {
      await context.executeTool(handle, { a: 'never', c: '3', x: 1 });
    } catch (error) {
      rejected = error;
    }
    return [rejected, await context.executeTool(handle, input)];
  }

  const controls = `<input name=a><input name=b type=checkbox><select name=c><option>1<option>2</select>
    <input name=d type=number step=any>`;

  for (const [what, target, properties] of [
    ['the setter of value', HTMLInputElement.prototype, accessors('value', 'checked', 'type', 'form', 'validity')],
    ['the members of selects', HTMLSelectElement.prototype, accessors('value', 'options', 'selectedIndex', 'form')],
    ['the members of options', HTMLOptionElement.prototype, accessors('value', 'selected', 'disabled')],
    [
      'the methods of event targets',
      EventTarget.prototype,
      methods('addEventListener', 'removeEventListener', 'dispatchEvent'),
    ],
    ['requestSubmit', HTMLFormElement.prototype, methods('requestSubmit', 'submit', 'reset', 'checkValidity')],
    ['the elements of forms', HTMLFormElement.prototype, accessors('elements', 'length', 'noValidate', 'action')],
    [
      'the methods of elements',
      Element.prototype,
      methods('getAttribute', 'hasAttribute', 'querySelector', 'querySelectorAll', 'matches', 'closest'),
    ],
    ['the members of elements', Element.prototype, accessors('localName', 'tagName', 'shadowRoot', 'classList', 'id')],
    ['the members of HTML elements', HTMLElement.prototype, methods('click', 'focus')],
    [
      'the members of nodes',
      Node.prototype,
      accessors('parentNode', 'firstChild', 'nextSibling', 'nodeType', 'ownerDocument', 'childNodes', 'isConnected'),
    ],
    ['the methods of nodes', Node.prototype, methods('contains', 'getRootNode', 'compareDocumentPosition')],
    ['the members of events', Event.prototype, accessors('eventPhase', 'target', 'defaultPrevented')],
    ['JSON', JSON, methods('stringify', 'parse')],
    ['the timers', window, methods('setTimeout', 'queueMicrotask', 'requestAnimationFrame')],
  ] as [string, object, PropertyDescriptorMap][]) {
    it(`${what} can be used during and after that`, async () => {
      const form = placeTool(controls);
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith('answered');
      });
      await names();
      const [rejected, result] = await whilePatched(target, properties, useAll);
      expect(String(rejected)).to.include('UnknownError').and.include('"x"');
      expect(result).to.equal('answered');
      expect(entries(form)).to.equal('[["a","x"],["b","on"],["c","2"],["d","19999.99"]]');
      form.reset();
      expect(await call({ a: 'y' })).to.equal('answered');
      expect(find(form, '[name=a]').value).to.equal('y');
    });
  }

  it('array methods with wrappers can be used', async () => {
    placeAnswering(controls);
    const wrapped = Object.fromEntries(
      ['map', 'filter', 'flatMap', 'find', 'some', 'every', 'includes', 'sort'].map((key) => {
        const original = Reflect.get(Array.prototype, key) as (...args: unknown[]) => unknown;
        const value = function (this: unknown, ...args: unknown[]): unknown {
          return original.apply(this, args);
        };
        return [key, { value, configurable: true, writable: true }];
      }),
    );
    const [, result] = await whilePatched(Array.prototype, wrapped, useAll);
    expect(result).to.equal('[["a","x"],["b","on"],["c","2"],["d","19999.99"]]');
  });

  for (const [what, target, keys] of [
    ['arrays', Array.prototype, ['map', 'filter', 'flatMap', 'find', 'some', 'every', 'includes', 'sort']],
    ['maps', Map.prototype, ['get', 'set', 'has', 'delete', 'values']],
    ['sets', Set.prototype, ['add', 'has', 'delete', 'values']],
    ['text', String.prototype, ['replace', 'slice', 'trim', 'split', 'toLowerCase']],
    ['objects', Object, ['keys', 'entries', 'fromEntries']],
  ] as [string, object, string[]][]) {
    it(`methods of ${what} so that they throw has calls that succeed or fail completely, and work afterwards`, () =>
      useBroken(target, keys));
  }

  async function useBroken(target: object, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const form = placeAnswering(controls);
      await names();
      const before = entries(form);
      const { modelContext } = document;
      const handle = await tool();
      const patch = methods(key);
      const outcome = await whilePatched(target, patch, () =>
        modelContext.executeTool(handle, { a: 'x', d: 5 }).then(
          () => 'done',
          () => 'failed',
        ),
      );
      expect(entries(form), key).to.equal(outcome === 'done' ? '[["a","x"],["c","1"],["d","5"]]' : before);
      expect(await call({ a: 'y', d: 19999.99 })).to.equal('[["a","y"],["c","1"],["d","19999.99"]]');
      form.remove();
    }
  }

  it('array methods while forms are added and changed has these forms as tools afterwards', async () => {
    const form = placeAnswering(controls);
    pageErrors(); // the forms are read while the methods throw
    await names();
    await whilePatched(Array.prototype, methods('map', 'filter', 'flatMap'), async () => {
      form.setAttribute('tooldescription', 'changed');
      form.insertAdjacentHTML('afterend', '<form toolname=u tooldescription=d></form>');
      await settled();
    });
    expect(await names()).to.deep.equal(['t', 'u']);
    expect((await tool()).description).to.equal('changed');
  });
});

whereNotNative('a form that is restored', () => {
  it('has no attribute that it did not have before the call', async () => {
    const hidden = ['', 'value', 'value=old'].map(
      (value, index) => `<input type=hidden name=h${index} ${value} title=t>`,
    );
    const described = hidden.map((html) => html.replace('title=', 'toolparamdescription='));
    const others = '<input name=a><textarea name=b></textarea><select name=c><option>x<option>y</select>';
    const form = placeTool(`${described.join('')}${others}<input name=last type=number min=5>`);
    live();
    const before = form.outerHTML;
    const input = { h0: 'x', h1: 'x', h2: 'x', a: 'x', b: 'x', c: 'y' };
    expect(await errorCodes(call({ ...input, last: 1 }))).to.deep.equal(['last: range-underflow']);
    expect(form.outerHTML).to.equal(before);
    answer(form);
    expect(await call(input)).to.contain('["h0","x"]');
  });
});

whereNotNative('an agent', () => {
  const deep = (): object => {
    let object: object = {};
    for (let depth = 0; depth < 10_000; depth++) object = { a: object };
    return object;
  };
  const circle: { self?: unknown } = {};
  circle.self = circle;

  for (const [what, input, name] of [
    ['null', null, 'TypeError'],
    ['a number', 5, 'TypeError'],
    ['a symbol', Symbol('x'), 'TypeError'],
    ['invalid JSON text', 'a=x', 'TypeError'],
    ['a circular object', circle, 'TypeError'],
    ['a bigint', { a: 1n }, 'TypeError'],
    ['a list', ['x'], 'UnknownError'],
    ['a date', new Date(0), 'UnknownError'],
    ['a String object', new String('x'), 'UnknownError'],
  ] as [string, never, string][]) {
    it(`that sends ${what} gets a ${name}, the form is unchanged, and the next call works`, async () => {
      const form = placeAnswering('<input name=a value=old>');
      const error = await rejection(call(input));
      expect([error.name, error.message !== '']).to.deep.equal([name, true]);
      expect(entries(form)).to.equal('[["a","old"]]');
      expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
    });
  }

  const huge = 'x'.repeat(10_000_000);
  /** The text for a kind of control. Chromium's check of e-mail addresses takes quadratic time. */
  const hugeFor = (kind: string): string => (kind.startsWith('email') ? huge.slice(0, 5000) : huge);
  const html: Readonly<Record<string, string>> = {
    text: '<input name=a value=old>',
    search: '<input name=a type=search value=old>',
    tel: '<input name=a type=tel value=old>',
    url: '<input name=a type=url value=http://old/>',
    email: '<input name=a type=email value=old@x.y>',
    emails: '<input name=a type=email multiple value=old@x.y>',
    password: '<input name=a type=password value=old>',
    number: '<input name=a type=number step=any value=1>',
    range: '<input name=a type=range max=10 value=1>',
    date: '<input name=a type=date value=2026-01-01>',
    month: '<input name=a type=month value=2026-01>',
    week: '<input name=a type=week value=2026-W01>',
    time: '<input name=a type=time value=10:00>',
    'datetime-local': '<input name=a type=datetime-local value=2026-01-01T10:00>',
    color: '<input name=a type=color value=#123456>',
    hidden: '<input name=a type=hidden toolparamdescription=d value=old>',
    textarea: '<textarea name=a>old</textarea>',
    checkbox: '<input name=a type=checkbox checked>',
    checkboxes: '<input name=a type=checkbox value=x checked><input name=a type=checkbox value=y>',
    radio: '<input name=a type=radio value=x checked><input name=a type=radio value=y>',
    select: '<select name=a><option>x<option>y</select>',
    'select multiple': '<select name=a multiple><option selected>x<option>y</select>',
  };
  const good: Readonly<Record<string, unknown>> = {
    ...{ url: 'http://x/', email: 'a@b.c', emails: 'a@b.c,d@e.f', number: 19999.99, range: 7, date: '2026-11-22' },
    ...{ month: '2026-11', week: '2026-W47', time: '18:30', 'datetime-local': '2026-11-22T18:30', color: '#ff0000' },
    ...{ checkbox: false, checkboxes: ['y'], radio: 'y', select: 'y', 'select multiple': ['y'] },
  };
  const wrong = 'wrong-type';
  const wrongEverywhere = [{}, { length: 1 }, [[]], [null]] as unknown[];
  const isList = (kind: string): boolean => ['emails', 'checkboxes', 'select multiple'].includes(kind);

  /** Invalid values of a kind of control, each with its error code. */
  function wrongs(kind: string): (readonly [unknown, string])[] {
    const all = wrongEverywhere.map((value) => [value, wrong] as const);
    switch (kind) {
      case 'number':
        return [...all, ...[true, '', 'many', '5 ', '0x10', 'Infinity', [5]].map((value) => [value, wrong] as const)];
      case 'range':
        return [
          ...all,
          ...[true, '', 'many', [5]].map((value) => [value, wrong] as const),
          ...[3000000000, 19999.99, -1, 11, 0.5].map((value) => [value, 'not-kept'] as const),
        ];
      case 'checkbox':
        return [...all, ...['yes', 'on', '', 1.5, 19999.99, [true]].map((value) => [value, wrong] as const)];
      case 'checkboxes':
      case 'select multiple':
        return [
          ...all,
          ...['x', 5, true].map((value) => [value, wrong] as const),
          ...[['z'], [''], ['x', 3000000000], [true]].map((value) => [value, 'not-offered'] as const),
          [['x', 'x'], 'duplicate-value'],
        ];
      case 'radio':
      case 'select':
        return [
          ...all,
          [['x'], wrong],
          ...['z', '', 'X', 3000000000, 19999.99, true].map((value) => [value, 'not-offered'] as const),
        ];
      case 'color':
        return [...all, ...['red', '', '#12', 5, true].map((value) => [value, 'not-kept'] as const)];
      case 'date':
      case 'month':
      case 'week':
      case 'time':
      case 'datetime-local':
        return [...all, ...['soon', '2026-13-45', 3000000000, true].map((value) => [value, 'not-kept'] as const)];
      case 'email':
      case 'url':
        return [...all, ...['nobody', 19999.99, true].map((value) => [value, 'type-mismatch'] as const)];
      case 'hidden':
      case 'textarea':
        return all;
      default:
        return [...all, ...(isList(kind) ? [] : [['a\nb', 'not-kept'] as const])];
    }
  }

  for (const kind of Object.keys(html)) {
    it(`that sends invalid values for ${kind} gets a code for each, the form is restored, and valid values work`, async () => {
      const form = placeAnswering(`<input name=before value=old>${html[kind] ?? ''}<input name=after value=old>`);
      const before = entries(form);
      for (const [value, code] of wrongs(kind)) {
        const what = `${kind}: ${JSON.stringify(value)}`;
        const others = code === 'not-offered' ? {} : { before: 'new', after: 'new' }; // a changed form may offer it
        const error = await rejection(call({ ...others, a: value }));
        expect(error.errors, what).to.have.length(1);
        expect([error.name, error.errors[0]?.parameter, error.errors[0]?.code], what).to.deep.equal([
          ...['UnknownError', 'a', code],
        ]);
        expect(error.errors[0]?.expected, what).to.be.an('object').that.is.not.empty;
        expect(entries(form), what).to.equal(before);
      }
      const value = kind in good ? good[kind] : 'new';
      await call({ a: value });
      const filled = new FormData(form).getAll('a');
      const expected = Array.isArray(value) ? value : value === false ? [] : [String(value)];
      expect(filled).to.deep.equal(expected);
    });
  }

  for (const kind of ['text', 'tel', 'search', 'password', 'textarea', 'hidden', 'number']) {
    for (const number of [3000000000, 19999.99]) {
      it(`that sends ${number} for ${kind} sets all digits`, async () => {
        const form = placeAnswering(html[kind] ?? '');
        await call({ a: number });
        expect(new FormData(form).get('a')).to.equal(String(number));
      });
    }
  }

  for (const kind of Object.keys(html)) {
    it(`that sends ${hugeFor(kind).length} characters for ${kind} sets them all or gets a short error, and the next call works`, async () => {
      const form = placeTool(`<div hidden>${html[kind] ?? ''}</div>`); // the layout of the text takes minutes in WebKit
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith('done');
      });
      const before = entries(form);
      if (isText(kind) && browserKeeps(kind, hugeFor(kind))) {
        expect(await call({ a: hugeFor(kind) })).to.equal('done');
        expect((new FormData(form).get('a') as string).length).to.equal(huge.length);
      } else {
        const { errors, message } = await rejection(call({ a: hugeFor(kind) }));
        expect(errors).to.have.length(1);
        expect(message.length + (errors[0]?.received.length ?? 0)).to.be.lessThan(1000);
        expect(entries(form)).to.equal(before);
      }
      expect(await call({ a: kind in good ? good[kind] : 'new' })).to.equal('done');
    });
  }

  const isText = (kind: string): boolean => ['text', 'search', 'tel', 'password', 'textarea', 'hidden'].includes(kind);

  /** WebKit truncates the values of inputs. */
  function browserKeeps(kind: string, text: string): boolean {
    const form = place(`<form hidden>${html[kind] ?? ''}</form>`);
    const control = form.elements[0] as HTMLInputElement;
    control.value = text;
    const isKept = control.value === text;
    form.remove();
    return isKept;
  }

  it('that sends a name of 10 MB gets a short error, and the next call works', async () => {
    const form = placeAnswering('<input name=a value=old>');
    const error = await rejection(call({ a: 'new', [huge]: 'x' }));
    expect(error.errors.map(({ code }) => code)).to.deep.equal(['unknown-parameter']);
    expect(error.message.length).to.be.lessThan(1000);
    expect(entries(form)).to.equal('[["a","old"]]');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('that sends 10,000 unknown parameters gets an error for each, and the next call works', async () => {
    const form = placeAnswering('<input name=a value=old>');
    const input = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, index]));
    const { errors } = await rejection(call({ a: 'new', ...input }));
    expect([errors.length, new Set(errors.map(({ code }) => code)).size]).to.deep.equal([10_000, 1]);
    expect(entries(form)).to.equal('[["a","old"]]');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  for (const kind of Object.keys(html)) {
    it(`that sends an object of 10,000 levels for ${kind} gets a short error, and the next call works`, async () => {
      const form = placeAnswering(html[kind] ?? '');
      const before = entries(form);
      const error = await rejection(call({ a: deep() }));
      expect(error.name).to.be.oneOf(['UnknownError', 'RangeError', 'InternalError']); // of JSON.stringify; InternalError in Firefox
      expect(error.message.length).to.be.lessThan(1000);
      expect(entries(form)).to.equal(before);
      expect(await call({})).to.equal(before);
    });
  }

  it('that sends members of Object.prototype as parameters gets unknown-parameter', async () => {
    const form = placeAnswering('<input name=a value=old>');
    const input = JSON.parse('{"__proto__":{"a":"x"},"constructor":1,"toString":2,"hasOwnProperty":3}') as object;
    expect(await errorCodes(call(input))).to.deep.equal([
      ...['__proto__: unknown-parameter', 'constructor: unknown-parameter'],
      ...['toString: unknown-parameter', 'hasOwnProperty: unknown-parameter'],
    ]);
    expect(entries(form)).to.equal('[["a","old"]]');
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });
});
