import { expect } from '@open-wc/testing';
import type { AwaitUserDetail } from '../../../src/index.js';
import {
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  rejection,
  settled,
  task,
  tool,
  whereNotNative,
  waitUntil,
} from '../../support/browser/live.js';

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;
const value = (form: HTMLFormElement, name: string): string => control(form, name).value;
const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;

/** Waits until the form waits for the user. */
const awaitUserEvent = (form: HTMLFormElement): Promise<CustomEvent> =>
  new Promise((resolve) =>
    form.addEventListener('webmcp-await-user', (event) => resolve(event as CustomEvent), { once: true }),
  );

/** Responds to the submissions of a form with a value. */
const respond = (form: HTMLFormElement, answer: unknown): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.respondWith(answer);
  });

whereNotNative('a call of a form with toolautosubmit', () => {
  it('fills the form, submits it with its default button, and resolves with the response as a string', async () => {
    live();
    const form = placeTool('<input name=a><input name=b type=number step=any><button name=go value=1>Go</button>');
    answerEntries(form);
    expect(await call({ a: 'x', b: 19999.99 })).to.equal('[["a","x"],["b","19999.99"],["go","1"]]');
  });

  for (const [answer, text] of [
    ['text', 'text'],
    [Promise.resolve({ a: 1 }), '{"a":1}'],
    [undefined, 'undefined'],
    [null, 'null'],
    ['', ''],
    [7n, '7'],
    [new Map([[1, 2]]), '{}'],
    ['\ud800', '\ud800'],
  ] as [unknown, string][]) {
    it(`resolves with ${String(text) || 'the empty string'}`, async () => {
      live();
      respond(placeTool('<input name=a>'), answer);
      expect(await call({ a: 'x' })).to.equal(text);
    });
  }

  it('resolves with the last of several responses', async () => {
    live();
    const form = placeTool('<input name=a>');
    respond(form, 'first');
    respond(form, 'last');
    expect(await call({ a: 'x' })).to.equal('last');
  });

  it('accepts a response in a microtask of the submission, but no later response', async () => {
    live();
    const form = placeTool('<input name=a>');
    let late: unknown;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void Promise.resolve().then(() => event.respondWith('soon'));
      void settled().then(() => {
        try {
          event.respondWith('late');
        } catch (error) {
          late = error;
        }
      });
    });
    expect(await call({ a: 'x' })).to.equal('soon');
    await waitUntil(() => late !== undefined);
    expect((late as DOMException).name).to.equal('InvalidStateError');
  });

  it('rejects with the reason of a rejected response', async () => {
    live();
    const reason = new Error('sold out');
    placeTool('<input name=a>').addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith(Promise.reject(reason));
    });
    const error = await rejection(call({ a: 'x' }));
    expect([error.name, error.message, error.cause === reason, error.errors[0]?.code]).to.deep.equal([
      ...['UnknownError', 'The page rejected its response: sold out', true, 'rejected'],
    ]);
  });

  for (const [what, answer] of [
    ['a symbol', Symbol('x')],
    [
      'a circular object',
      (() => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      })(),
    ],
    ['a nested bigint', { a: 1n }],
  ] as [string, unknown][]) {
    it(`rejects for ${what} as the response`, async () => {
      live();
      respond(placeTool('<input name=a>'), answer);
      expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-serializable']);
    });
  }

  it('rejects if the page prevents the submission without a response', async () => {
    live();
    placeTool('<input name=a>').addEventListener('submit', (event) => event.preventDefault());
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-answered']);
  });

  it('resolves with null for a navigation, also by form.submit()', async () => {
    live();
    const form = placeTool('<input name=a>');
    expect(await call({ a: 'x' })).to.equal(null);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      form.submit();
    });
    expect(await call({ a: 'y' })).to.equal(null);
  });

  it('fills controls with values of other types that have the same text', async () => {
    live();
    const form = placeTool(`<input name=a><input name=b type=number><input name=c type=checkbox>
      <select name=d><option>1<option>2</select><input name=e type=checkbox checked>`);
    answerEntries(form);
    const input = { a: 123, b: '456', c: 1, d: 2, e: 'false' };
    expect(await call(input)).to.equal('[["a","123"],["b","456"],["c","on"],["d","2"]]');
  });

  it('reports every invalid parameter and does not change the form', async () => {
    live();
    const form = placeTool('<input name=a value=old><input name=b type=number><select name=c><option>x</select>');
    const error = await rejection(call({ a: 'new', b: 'many', c: 'y', d: 1 }));
    expect(error.errors.map(({ parameter, code }) => `${parameter} ${code}`)).to.deep.equal([
      ...['b wrong-type', 'c not-offered', 'd unknown-parameter'],
    ]);
    expect(value(form, 'a')).to.equal('old');
    expect(error.name).to.equal('UnknownError');
  });

  it('reports every violated constraint and restores the form', async () => {
    live();
    const form = placeTool(`<input name=a value=old required><input name=b type=number min=10 value=11>
      <input name=c maxlength=3 value=ccc><input name=d minlength=3><input name=e pattern=[a-z]+><select name=f><option>1<option>2</select>`);
    const found = await errorCodes(call({ a: '', b: 5, c: 'four', d: 'x', e: '1', f: '2' }));
    expect(found).to.deep.equal([
      ...['a: value-missing', 'b: range-underflow', 'c: too-long', 'd: too-short', 'e: pattern-mismatch'],
    ]);
    expect([...new FormData(form)]).to.deep.equal([
      ['a', 'old'],
      ['b', '11'],
      ['c', 'ccc'],
      ['d', ''],
      ['e', ''],
      ['f', '1'],
    ]);
  });

  it('fills a select whose options depend on another control', async () => {
    live();
    const form = placeTool('<select name=country><option>us<option>fr</select><select name=city><option>ny</select>');
    const city = form.elements.namedItem('city') as HTMLSelectElement;
    control(form, 'country').addEventListener('change', () => {
      setTimeout(() => city.replaceChildren(new Option('paris'), new Option('lyon')), 100);
    });
    answerEntries(form);
    expect(await call({ country: 'fr', city: 'lyon' })).to.equal('[["country","fr"],["city","lyon"]]');
  });

  it('fills several selects that depend on each other', async () => {
    live();
    const names = ['s0', 's1', 's2', 's3'];
    for (const delay of [undefined, 120]) {
      const form = placeTool(names.map((name) => `<select name=${name}><option>${name}a</select>`).join(''));
      control(form, 's0').append(new Option('s0b'));
      for (const [index, name] of names.slice(0, -1).entries()) {
        const next = control(form, names[index + 1] as string);
        const offer = (): void => next.replaceChildren(new Option(`${next.name}a`), new Option(`${next.name}b`));
        control(form, name).addEventListener('change', () => (delay ? void setTimeout(offer, delay) : offer()));
      }
      answerEntries(form);
      const input = Object.fromEntries(names.map((name) => [name, `${name}b`]));
      expect(Object.fromEntries(JSON.parse((await call(input)) as string) as [string, string][])).to.deep.equal(input);
      form.remove();
    }
  });

  it('restores the form if a dependent select never offers the value', async () => {
    live({}, { optionsTimeoutMs: 100 });
    const form = placeTool(
      '<select name=country><option>us<option>fr</select><select name=city><option>la<option selected>ny</select>',
    );
    const city = form.elements.namedItem('city') as HTMLSelectElement;
    const country = form.elements.namedItem('country') as HTMLSelectElement;
    country.addEventListener('change', () => {
      const cities = country.value === 'fr' ? ['paris', 'lyon'] : ['la', 'ny'];
      city.replaceChildren(...cities.map((name) => new Option(name)));
    });
    expect(await errorCodes(call({ country: 'fr', city: 'ny' }))).to.deep.equal(['city: not-offered']);
    expect([country.value, city.value]).to.deep.equal(['us', 'ny']);
  });

  it('refuses at once, without an event, a value that a select does not offer', async () => {
    live();
    const form = placeTool(
      `<input name=a><select name=size><option>S<option>M<option>L</select><input name=b>
       <input type=radio name=r value=1><input type=radio name=r value=2>`,
    );
    const log: string[] = [];
    for (const type of ['focusin', 'input', 'change']) form.addEventListener(type, ({ type }) => log.push(type));
    expect(await errorCodes(call({ a: 'x', size: 'XL', b: 'y', r: '3' }))).to.deep.equal([
      'size: not-offered',
      'r: not-offered',
    ]);
    expect(log).to.deep.equal([]);
  });

  it('fills the controls after a dependent select only once the select offers the value', async () => {
    live({}, { optionsTimeoutMs: 100 });
    const form = placeTool(
      `<input name=a><select name=country><option>us<option>fr</select>
       <select name=city><option>la<option>ny</select><input name=b>`,
    );
    const changed: string[] = [];
    form.addEventListener('change', ({ target }) => changed.push((target as HTMLInputElement).name));
    const input = { a: 'x', country: 'fr', city: 'lyon', b: 'y' };
    expect(await errorCodes(call(input))).to.deep.equal(['city: not-offered']);
    expect(changed).to.deep.equal(['a', 'country', 'a', 'country']);
    const city = form.elements.namedItem('city') as HTMLSelectElement;
    control(form, 'country').addEventListener('change', () => {
      setTimeout(() => city.replaceChildren(new Option('paris'), new Option('lyon')), 20);
    });
    answerEntries(form);
    expect(await call(input)).to.equal('[["a","x"],["country","fr"],["city","lyon"],["b","y"]]');
  });

  it('waits for options of a select whose options have changed before, even if no control precedes the select', async () => {
    live({}, { optionsTimeoutMs: 500 });
    const form = placeTool('<select name=slot><option>9:00<option>9:30</select><input name=day type=date>');
    const slot = form.elements.namedItem('slot') as HTMLSelectElement;
    const offer = (...slots: string[]): void => slot.replaceChildren(...slots.map((text) => new Option(text)));
    control(form, 'day').addEventListener('change', () => setTimeout(() => offer('12:00', '12:30'), 20));
    answerEntries(form);
    const input = { day: '2026-11-23', slot: '12:30' };
    expect(await errorCodes(call(input))).to.deep.equal(['slot: not-offered']);
    offer('10:00', '10:30');
    expect(await call(input)).to.equal('[["slot","12:30"],["day","2026-11-23"]]');
  });

  it('submits a value that the page fetches while the form is busy', async () => {
    live();
    const form = placeTool('<input name=zip><input name=city readonly><button>Go</button>');
    control(form, 'zip').addEventListener('change', () => {
      form.ariaBusy = 'true';
      setTimeout(() => {
        control(form, 'city').value = 'Köln';
        form.ariaBusy = null;
      }, 20);
    });
    answerEntries(form);
    expect(await call({ zip: '50667' })).to.equal('[["zip","50667"],["city","Köln"]]');
  });

  it('submits a form that stays busy, after a while', async () => {
    live({}, { optionsTimeoutMs: 10 });
    const form = placeTool('<input name=a><button>Go</button>');
    form.ariaBusy = 'true';
    answerEntries(form);
    expect(await call({ a: 'x' })).to.equal('[["a","x"]]');
  });

  it('rejects soon if a form becomes idle without enabling its button', async () => {
    live({}, { optionsTimeoutMs: 20 });
    const form = placeTool('<input name=a><button disabled>Go</button>');
    form.ariaBusy = 'true';
    setTimeout(() => (form.ariaBusy = null), 20);
    expect(String(await call({ a: 'x' }).catch(String))).to.include('no enabled submit button');
  });

  it('reports a value that the page changes, and restores the form', async () => {
    live();
    const form = placeTool('<input name=a value=1><input name=b value=2>');
    const b = form.elements.namedItem('b') as HTMLInputElement;
    b.addEventListener('input', () => (b.value = '2'));
    expect(await errorCodes(call({ a: 'x', b: 'y' }))).to.deep.equal(['b: not-kept']);
    expect([value(form, 'a'), value(form, 'b')]).to.deep.equal(['1', '2']);
  });

  it('runs the calls of one form one after another, each with its own result', async () => {
    live();
    const form = placeTool('<input name=a>');
    let running = 0;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      expect(++running).to.equal(1);
      const answer = value(form, 'a');
      event.respondWith(new Promise((resolve) => setTimeout(() => resolve((running--, answer)), 30)));
    });
    const results = await Promise.all([call({ a: '1' }), call({ a: '2' }), call({ a: '3' })]);
    expect(results).to.deep.equal(['1', '2', '3']);
  });

  it('rejects with the code busy if the page does not respond to the previous call in time', async () => {
    live({}, { busyTimeoutMs: 50 });
    const form = placeTool('<input name=a>');
    respond(form, new Promise(() => undefined));
    const controller = new AbortController();
    const first = rejection(call({ a: '1' }, { signal: controller.signal }));
    expect(await errorCodes(call({ a: '2' }))).to.deep.equal([': busy']);
    controller.abort('enough');
    expect(await first).to.equal('enough');
  });

  it('resolves even if the page disables, resets, renames or removes the form before it responds', async () => {
    live();
    for (const busy of [
      (form: HTMLFormElement) => form.reset(),
      (form: HTMLFormElement) => form.querySelector('fieldset')?.setAttribute('disabled', ''),
      (form: HTMLFormElement) => form.setAttribute('toolname', 'u'),
      (form: HTMLFormElement) => form.removeAttribute('tooldescription'),
      (form: HTMLFormElement) => form.remove(),
    ]) {
      const form = placeTool('<fieldset><input name=a></fieldset>');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith(
          task()
            .then(task)
            .then(() => 'done'),
        );
        setTimeout(() => busy(form));
      });
      expect(await call({ a: 'x' })).to.equal('done');
      form.remove();
    }
  });

  it('rejects a call that a submit listener makes of its own tool, and the next call works', async () => {
    live();
    const form = placeTool('<input name=a>');
    let nested: Promise<unknown> | undefined;
    const handle = await tool();
    form.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        nested = document.modelContext.executeTool(handle, { a: 'nested' });
        event.respondWith(nested);
      },
      { once: true },
    );
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': rejected']);
    expect(await errorCodes(nested as Promise<unknown>)).to.deep.equal([': busy']);
    respond(form, 'next');
    expect(await call({ a: 'x' })).to.equal('next');
  });

  it('rejects with the reason of an abort, and restores the form', async () => {
    live();
    const form = placeTool('<input name=a value=old><select name=s><option>1<option>2</select>');
    const controller = new AbortController();
    control(form, 'a').addEventListener('input', () => controller.abort('enough'), { once: true });
    const reason = await call({ a: 'new', s: '2' }, { signal: controller.signal }).catch((error: unknown) => error);
    expect(reason).to.equal('enough');
    await waitUntil(() => value(form, 'a') === 'old' && value(form, 's') === '1');
  });
});

whereNotNative('a call of a form that the user submits', () => {
  it('fills the form, focuses the button, sets the classes of both, and dispatches webmcp-await-user', async () => {
    live();
    const form = placeTool('<input name=a value=old><button>Go</button>', '');
    const result = call({ a: 'x' });
    const { changes } = (await awaitUserEvent(form)).detail as AwaitUserDetail;
    expect(document.activeElement === button(form)).to.equal(true);
    expect([form.className, button(form).className]).to.deep.equal([':tool-form-active', ':tool-submit-active']);
    expect(changes[0]).to.deep.include({
      before: { kind: 'value', value: 'old' },
      after: { kind: 'value', value: 'x' },
    });
    respond(form, 'done');
    button(form).click();
    expect(await result).to.equal('done');
    expect([form.hasAttribute('class'), button(form).hasAttribute('class')]).to.deep.equal([false, false]);
  });

  for (const [code, end] of [
    ['reset', (form) => form.reset()],
    ['removed', (form) => form.remove()],
    ['renamed', (form) => form.setAttribute('toolname', 'u')],
    ['removed', (form) => form.removeAttribute('tooldescription')],
  ] as [string, (form: HTMLFormElement) => void][]) {
    it(`rejects and fires toolcancel when the form is ${code}`, async () => {
      live();
      const form = placeTool('<input name=a><button>Go</button>', '');
      const canceled = new Promise((resolve) =>
        document.modelContext.addEventListener('toolcancel', () => resolve(form.className), { once: true }),
      );
      const result = errorCodes(call({ a: 'x' }));
      await awaitUserEvent(form);
      end(form);
      expect(await result).to.deep.equal([`: ${code}`]);
      expect(await canceled).to.equal('');
    });
  }

  it('continues after a prevented reset and after a submission that the browser blocks as invalid', async () => {
    live();
    const form = placeTool('<input name=a><input name=b><button>Go</button>', '');
    const result = call({ a: 'x' });
    await awaitUserEvent(form);
    form.addEventListener('reset', (event) => event.preventDefault());
    form.reset();
    const b = form.elements.namedItem('b') as HTMLInputElement;
    b.required = true;
    button(form).click();
    b.value = 'user';
    answerEntries(form);
    await task();
    button(form).click();
    expect(await result).to.equal('[["a","x"],["b","user"]]');
  });

  it('rejects with a TimeoutError after the time limit', async () => {
    live({ awaitUser: 20 });
    placeTool('<input name=a><button>Go</button>', '');
    const error = await rejection(call({ a: 'x' }));
    expect([error.name, error.errors[0]?.code]).to.deep.equal(['TimeoutError', 'time-limit']);
  });

  it('rejects if the form has no submit button', async () => {
    live();
    placeTool('<input name=a>', '');
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': no-submit-button']);
  });

  it('waits for the user also with toolautosubmit if sensitive controls are excluded', async () => {
    live({ sensitive: 'exclude' });
    const form = placeTool('<input name=a><input name=p type=password required><button>Go</button>');
    const result = call({ a: 'x' });
    await awaitUserEvent(form);
    (form.elements.namedItem('p') as HTMLInputElement).value = 'secret';
    respond(form, 'done');
    button(form).click();
    expect(await result).to.equal('done');
  });

  it('does not affect submissions by the user that no call waits for', () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    let seen: unknown;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      try {
        event.respondWith('x');
      } catch (error) {
        seen = [event.agentInvoked, (error as DOMException).name];
      }
    });
    button(form).click();
    expect(seen).to.deep.equal([false, 'InvalidStateError']);
  });

  it('works in a shadow tree', async () => {
    live();
    const element = place('<form></form>').parentElement as Element;
    const shadow = element.attachShadow({ mode: 'open' });
    shadow.innerHTML = '<form toolname=t tooldescription><input name=a><button>Go</button></form>';
    const form = shadow.querySelector('form') as HTMLFormElement;
    answerEntries(form);
    const result = call({ a: 'x' });
    await awaitUserEvent(form);
    button(form).click();
    expect(await result).to.equal('[["a","x"]]');
  });
});
