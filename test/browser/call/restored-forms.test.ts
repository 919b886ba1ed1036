import { expect } from '@open-wc/testing';
import { call, errorCodes, live, place, placeTool, whereNotNative, waitUntil } from '../../support/browser/live.js';

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

const named = (name: string): HTMLInputElement => document.querySelector(`form [name=${name}]`) as HTMLInputElement;

const renderings: Readonly<Record<string, (render: () => void) => void>> = {
  'at once': (render) => render(),
  'in a microtask': (render) => queueMicrotask(render),
  'in a timer': (render) => void setTimeout(render),
};

const attributes = 'toolname=t tooldescription=d toolautosubmit';
const drawn: Readonly<Record<string, readonly [around: string, inside: (controls: string) => string]>> = {
  form: ['<main></main>', (controls) => `<form ${attributes}>${controls}</form>`],
  content: [`<form ${attributes}><main></main></form>`, (controls) => controls],
};

/** Renders a form, or its content, from a state that its events change. Returns the state. */
function placeDrawn(what: string, event: string, schedule: (render: () => void) => void): Record<string, string> {
  const [around, inside] = drawn[what] as (typeof drawn)[string];
  const state: Record<string, string> = { a: '1', kind: 'x', b: '2', code: '' };
  place(around);
  const main = document.querySelector('main') as HTMLElement;
  const render = (): void => {
    const options = ['x', 'y'].map((kind) => `<option${kind === state['kind'] ? ' selected' : ''}>${kind}</option>`);
    main.innerHTML = inside(`<input name=a value="${state['a']}"><select name=kind>${options.join('')}</select>
      <input name=b value="${state['b']}"><input name=code pattern="[0-9]*" value="${state['code']}">
      <button>Go</button>`);
  };
  render();
  main.addEventListener(event, ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    state[name] = value;
    schedule(render);
  });
  (main.parentElement as HTMLElement).addEventListener('submit', answerSubmit);
  return state;
}

function answerSubmit(event: SubmitEvent): void {
  event.preventDefault();
  event.respondWith([...new FormData(event.target as HTMLFormElement)]);
}

for (const what of Object.keys(drawn)) {
  whereNotNative(`a call of a form whose page renders its ${what} again after each change`, () => {
    for (const [when, schedule] of Object.entries(renderings)) {
      for (const event of ['input', 'change']) {
        it(`leaves all values as they were if it is rejected: ${when} after ${event}`, async () => {
          live();
          const state = placeDrawn(what, event, schedule);
          const input = { a: '5', kind: 'y', b: '6', code: 'z' };
          expect(await errorCodes(call(input))).to.deep.equal(['code: pattern-mismatch']);
          await wait(50);
          const shown = ['a', 'kind', 'b', 'code'].map((name) => named(name).value);
          expect([shown, Object.values(state)]).to.deep.equal([
            ['1', 'x', '2', ''],
            ['1', 'x', '2', ''],
          ]);
        });

        if (when === 'in a timer') continue; // the form is submitted before the timer
        it(`submits the form: ${when} after ${event}`, async () => {
          live();
          placeDrawn(what, event, schedule);
          expect(await call({ a: '5', kind: 'y', b: '6', code: '7' })).to.equal(
            '[["a","5"],["kind","y"],["b","6"],["code","7"]]',
          );
        });
      }
    }
  });
}

whereNotNative('a rejected call of a form whose choice adds a field some time later', () => {
  /** Adds a form whose choice adds a field after a delay. The field has the text of a user. */
  function placeLate(delayMs: number): void {
    const form = placeTool(`<select name=kind><option>a<option selected>b</select><span><input name=x></span>
      <input name=code pattern="[0-9]*">`);
    const place = form.querySelector('span') as HTMLElement;
    named('x').value = 'of the user';
    named('kind').addEventListener('change', () =>
      setTimeout(() => (place.innerHTML = named('kind').value === 'b' ? '<input name=x>' : ''), delayMs),
    );
  }

  for (const delayMs of [0, 20, 100]) {
    for (const [code, input] of [
      ['code: pattern-mismatch', { kind: 'a', code: 'z' }],
      ['unknown: unknown-parameter', { kind: 'a', unknown: 'z' }],
    ] as const) {
      it(`keeps the text of the user (${delayMs} ms, ${code})`, async () => {
        live();
        placeLate(delayMs);
        expect(await errorCodes(call(input))).to.deep.equal([code]);
        await wait(delayMs + 50);
        expect(named('x').value).to.equal('of the user');
      });
    }
  }

  it('does not replace the text that the user types in the meantime', async () => {
    live({}, { optionsTimeoutMs: 1000 });
    placeLate(100);
    const result = errorCodes(call({ kind: 'a', unknown: 'z' }));
    await waitUntil(() => !named('x'));
    await waitUntil(() => named('x'));
    await waitUntil(() => named('x').value !== '');
    named('x').value = 'new text';
    await result;
    expect(named('x').value).to.equal('new text');
  });

  it('is rejected at once if the form has all its controls and no choice was set', async () => {
    live({}, { optionsTimeoutMs: 100_000 });
    placeLate(0);
    const start = performance.now();
    expect(await errorCodes(call({ code: 'z' }))).to.deep.equal(['code: pattern-mismatch']);
    expect(performance.now() - start).to.be.lessThan(50_000);
  });
});

whereNotNative('a rejected call of a form whose page reuses an element for another field after a choice', () => {
  /** Adds a form that has another field before its e-mail field for companies. The elements of both fields are reused. */
  function placeReused(delayMs: number, removed: 'first' | 'last'): HTMLFormElement {
    const form = placeTool(`<select name=kind><option>person<option>company</select>
      <span><input name=mail pattern=".+@.+"></span>`);
    const place = form.querySelector('span') as HTMLElement;
    named('mail').value = 'user@example.com';
    const render = (): void => {
      const fields = named('kind').value === 'company' ? ['vat', 'mail'] : ['mail'];
      if (place.children.length > fields.length) place[`${removed}ElementChild`]?.remove();
      for (const [position, name] of fields.entries()) {
        const input = place.children[position] ?? place.appendChild(document.createElement('input'));
        input.setAttribute('name', name);
        input.setAttribute('pattern', name === 'mail' ? '.+@.+' : '.*');
      }
    };
    form.addEventListener('change', () => void setTimeout(render, delayMs));
    return form;
  }

  for (const delayMs of [0, 100, 250]) {
    for (const removed of ['first', 'last'] as const) {
      it(`restores the fields and values (${removed} element removed, ${delayMs} ms)`, async () => {
        live({}, { optionsTimeoutMs: 3000 });
        const form = placeReused(delayMs, removed);
        const input = { kind: 'company', vat: 'DE1', mail: 'nobody' };
        expect(await errorCodes(call(input))).to.deep.equal(['mail: pattern-mismatch']);
        expect([...new FormData(form)]).to.deep.equal([
          ['kind', 'person'],
          ['mail', 'user@example.com'],
        ]);
      });
    }
  }
});
