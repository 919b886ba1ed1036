import { expect } from '@open-wc/testing';
import {
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  rejection,
  settled,
  tools,
  whereNotNative,
  waitUntil,
} from '../../support/browser/live.js';

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;
const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;
const awaitUserEvent = (form: HTMLFormElement): Promise<unknown> =>
  new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));
const answer = (form: HTMLFormElement, respond: (event: SubmitEvent) => void): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    respond(event);
  });

whereNotNative('a call', () => {
  for (const [code, end] of [
    ['removed', (form) => form.remove()],
    ['renamed', (form) => form.setAttribute('toolname', 'u')],
  ] as [string, (form: HTMLFormElement) => void][]) {
    it(`rejects together with the waiting calls when the form is ${code}`, async () => {
      live();
      const form = placeTool('<input name=a><button>Go</button>', '');
      const calls = [errorCodes(call({ a: '1' })), errorCodes(call({ a: '2' }))];
      await awaitUserEvent(form);
      end(form);
      expect(await Promise.all(calls)).to.deep.equal([[`: ${code}`], [`: ${code}`]]);
      expect(form.className).to.equal('');
    });
  }

  it('rejects when the forms are unregistered', async () => {
    const controller = live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = errorCodes(call({ a: 'x' }));
    await awaitUserEvent(form);
    controller.abort();
    expect(await result).to.deep.equal([': removed']);
  });

  it('rejects and restores the form when a listener disables the submit button', async () => {
    live();
    const form = placeTool('<input name=a value=old><button>Go</button>', '');
    control(form, 'a').addEventListener('change', () => (button(form).disabled = true), { once: true });
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': no-submit-button']);
    expect([control(form, 'a').value, form.className]).to.deep.equal(['old', '']);
  });

  it("rejects with the page's error, and removes the class of the form", async () => {
    live();
    const form = placeTool('<input name=a>');
    control(form, 'a').addEventListener('change', () => document.implementation.createHTMLDocument().adoptNode(form));
    const error = await rejection(call({ a: 'x' }));
    expect(error.errors.map(({ code }) => code)).to.have.length(1);
    expect(form.className).to.equal('');
  });

  it('ignores a time limit that timers cannot represent', async () => {
    live({ awaitUser: Infinity });
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = call({ a: 'x' });
    await awaitUserEvent(form);
    answer(form, (event) => event.respondWith('done'));
    await settled();
    button(form).click();
    expect(await result).to.equal('done');
  });
});

whereNotNative('a response', () => {
  it('resolves the call even if the listener removes the form', async () => {
    live();
    for (const submit of [
      (form: HTMLFormElement) => form.requestSubmit(),
      (form: HTMLFormElement) => button(form).click(),
    ]) {
      const form = placeTool('<input name=a><button>Go</button>', '');
      const result = call({ a: 'x' });
      await awaitUserEvent(form);
      answer(form, (event) => {
        event.respondWith('done');
        form.remove();
      });
      submit(form);
      expect(await result).to.equal('done');
    }
  });

  it('is ignored if a script submits without a button and then removes the form', async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = errorCodes(call({ a: 'x' }));
    await awaitUserEvent(form);
    answer(form, (event) => event.respondWith('done'));
    form.requestSubmit();
    form.remove();
    expect(await result).to.deep.equal([': removed']);
  });

  it('resolves the call even if a microtask of the submission removes the form', async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = call({ a: 'x' });
    await awaitUserEvent(form);
    answer(form, (event) => {
      event.respondWith('done');
      queueMicrotask(() => form.remove());
    });
    form.requestSubmit();
    expect(await result).to.equal('done');
  });

  it('is reported as missing if the page only clears the form', async () => {
    live();
    for (const clear of [
      (form: HTMLFormElement) => form.reset(),
      (form: HTMLFormElement) => (control(form, 'a').value = ''),
    ]) {
      const form = placeTool('<input name=a required><button>Go</button>', '');
      const result = errorCodes(call({ a: 'x' }));
      await awaitUserEvent(form);
      answer(form, () => clear(form));
      button(form).click();
      expect(await result).to.deep.equal([': not-answered']);
      form.remove();
    }
  });

  it('is an error instead of null if a listener removes the form before the browser submits it', async () => {
    live();
    const form = placeTool('<input name=a>');
    form.addEventListener('submit', () => form.remove());
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-submitted']);
  });

  it('is rejected if the page sends it in a timer after the submission', async () => {
    live();
    const form = placeTool('<input name=a>');
    let late = '';
    answer(form, (event) =>
      setTimeout(() => {
        try {
          event.respondWith('late');
        } catch (error) {
          late = (error as DOMException).name;
        }
      }),
    );
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-answered']);
    await waitUntil(() => late !== '');
    expect(late).to.equal('InvalidStateError');
  });

  it('can come from a second submission after the page found the first one invalid', async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = call({ a: 'x' });
    await awaitUserEvent(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const isValid = control(form, 'a').value === 'user';
      control(form, 'a').setAttribute('aria-invalid', String(!isValid));
      if (isValid) event.respondWith('done');
    });
    button(form).click();
    await settled();
    control(form, 'a').value = 'user';
    button(form).click();
    expect(await result).to.equal(
      'done\nThe value of "a" was changed before the user submitted the form. It is "user".',
    );
  });
});

whereNotNative('a restored form', () => {
  it('has the old value in a control that the page replaced', async () => {
    live();
    const form = placeTool('<input name=a value=old><input name=n type=number min=5>');
    control(form, 'a').addEventListener('input', ({ target }) => {
      (target as Element).replaceWith((target as Element).cloneNode());
    });
    form.addEventListener('change', () => (control(form, 'a').value = 'x'), { once: true });
    await rejection(call({ a: 'x', n: 1 }));
    expect(control(form, 'a').value).to.equal('old');
  });

  it('has the same disabled radio button checked as before, although a click does nothing', async () => {
    live();
    const form = placeTool(`<input type=radio name=c value=old disabled checked><input type=radio name=c value=new>
      <input name=n type=number min=5>`);
    expect(await errorCodes(call({ c: 'new', n: 1 }))).to.deep.equal(['n: range-underflow']);
    const radios = form.querySelectorAll<HTMLInputElement>('[name=c]');
    expect(Array.from(radios, ({ checked }) => checked)).to.deep.equal([true, false]);
  });

  it('has the old option in a dependent select whose options are added later', async () => {
    live();
    const form = placeTool(`<select name=country><option>us<option>fr</select>
      <select name=city><option>la<option selected>ny</select><input name=n type=number min=5>`);
    const [country, city] = [control(form, 'country'), control(form, 'city')];
    country.addEventListener('change', () => {
      const cities = country.value === 'fr' ? ['paris'] : ['la', 'ny'];
      setTimeout(() => city.replaceChildren(...cities.map((name) => new Option(name))), 100);
    });
    expect(await errorCodes(call({ country: 'fr', city: 'paris', n: 1 }))).to.deep.equal(['n: range-underflow']);
    expect([country.value, city.value]).to.deep.equal(['us', 'ny']);
  });

  it('has the other checkboxes as before if the page removed one', async () => {
    live();
    const form = placeTool(`<input type=checkbox name=c value=1><input type=checkbox name=c value=2 checked>
      <input type=checkbox name=c value=3><input name=n type=number min=5>`);
    control(form, 'n').addEventListener('change', () => form.querySelector('[value="1"]')?.remove(), { once: true });
    await rejection(call({ c: ['1'], n: 1 }));
    expect([...new FormData(form).getAll('c')]).to.deep.equal(['2']);
  });

  it('does not reveal a sensitive value, or similar values, in its error', async () => {
    live();
    placeTool(`<input name=code type=number step=10 autocomplete=one-time-code>
      <input name=word type=password minlength=9>`);
    const error = await rejection(call({ code: 123457, word: 'hunter2' }));
    expect(error.errors.map(({ parameter, code }) => `${parameter} ${code}`)).to.deep.equal([
      ...['code step-mismatch', 'word too-short'],
    ]);
    expect(JSON.stringify([error.message, error.errors])).not.to.match(/1234|hunter|\b7\b/);
  });
});

whereNotNative('the forms of a page', () => {
  it('are registered even if an element in one of them throws', async () => {
    customElements.define(
      'throwing-element',
      class extends HTMLElement {
        static formAssociated = true;
        get value(): string {
          throw new Error('not rendered yet');
        }
      },
    );
    live({ profile: 'precise' });
    place('<form toolname=a tooldescription=d><throwing-element name=x></throwing-element></form>');
    place('<form toolname=b tooldescription=d></form>');
    expect((await tools()).map(({ name }) => name)).to.deep.equal(['a', 'b']);
  });

  it('resolve concurrent calls with their own responses', async () => {
    live();
    const forms = ['a', 'b'].map((name) =>
      place(`<form toolname=${name} tooldescription=d toolautosubmit><input name=x></form>`),
    );
    forms.forEach(answerEntries);
    const results = await Promise.all(['a', 'b'].map((name) => call({ x: name }, {}, name)));
    expect(results).to.deep.equal(['[["x","a"]]', '[["x","b"]]']);
  });
});
