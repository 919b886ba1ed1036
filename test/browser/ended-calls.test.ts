import { expect } from '@open-wc/testing';
import {
  answerEntries,
  call,
  faults,
  live,
  place,
  placeTool,
  rejection,
  tools,
  whereNotNative,
  waitUntil,
} from './live.js';

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;
const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;
const asked = (form: HTMLFormElement): Promise<unknown> =>
  new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));
const answer = (form: HTMLFormElement, respond: (event: SubmitEvent) => void): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    respond(event);
  });

whereNotNative('a call that cannot go on', () => {
  for (const [code, end] of [
    ['removed', (form) => form.remove()],
    ['renamed', (form) => form.setAttribute('toolname', 'u')],
  ] as [string, (form: HTMLFormElement) => void][]) {
    it(`ends with those that wait behind it, when the form is ${code}`, async () => {
      live();
      const form = placeTool('<input name=a><button>Go</button>', '');
      const calls = [faults(call({ a: '1' })), faults(call({ a: '2' }))];
      await asked(form);
      end(form);
      expect(await Promise.all(calls)).to.deep.equal([[`: ${code}`], [`: ${code}`]]);
      expect(form.className).to.equal('');
    });
  }

  it('ends when the forms are not registered any more', async () => {
    const controller = live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = faults(call({ a: 'x' }));
    await asked(form);
    controller.abort();
    expect(await result).to.deep.equal([': removed']);
  });

  it('ends where a listener takes the submit button away, and puts the form back', async () => {
    live();
    const form = placeTool('<input name=a value=old><button>Go</button>', '');
    control(form, 'a').addEventListener('change', () => (button(form).disabled = true), { once: true });
    expect(await faults(call({ a: 'x' }))).to.deep.equal([': no-submit-button']);
    expect([control(form, 'a').value, form.className]).to.deep.equal(['old', '']);
  });

  it('says which page error ended it, and keeps nothing marked', async () => {
    live();
    const form = placeTool('<input name=a>');
    control(form, 'a').addEventListener('change', () => document.implementation.createHTMLDocument().adoptNode(form));
    const error = await rejection(call({ a: 'x' }));
    expect(error.errors.map(({ code }) => code)).to.have.length(1);
    expect(form.className).to.equal('');
  });

  it('ends after a time limit only if timers can keep it', async () => {
    live({ awaitUser: Infinity });
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = call({ a: 'x' });
    await asked(form);
    answer(form, (event) => event.respondWith('done'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    button(form).click();
    expect(await result).to.equal('done');
  });
});

whereNotNative('an answer', () => {
  it('counts although the listener that gives it removes the form, whoever submits', async () => {
    live();
    for (const submit of [
      (form: HTMLFormElement) => form.requestSubmit(),
      (form: HTMLFormElement) => button(form).click(),
    ]) {
      const form = placeTool('<input name=a><button>Go</button>', '');
      const result = call({ a: 'x' });
      await asked(form);
      answer(form, (event) => {
        event.respondWith('done');
        form.remove();
      });
      submit(form);
      expect(await result).to.equal('done');
    }
  });

  it('does not count for a script that submits without a button and removes the form then', async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = faults(call({ a: 'x' }));
    await asked(form);
    answer(form, (event) => event.respondWith('done'));
    form.requestSubmit();
    form.remove();
    expect(await result).to.deep.equal([': removed']);
  });

  it('counts although the page removes the form in a microtask of the submission', async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = call({ a: 'x' });
    await asked(form);
    answer(form, (event) => {
      event.respondWith('done');
      queueMicrotask(() => form.remove());
    });
    form.requestSubmit();
    expect(await result).to.equal('done');
  });

  it('is missed where the page clears what it has taken, by hand or by a reset', async () => {
    live();
    for (const clear of [
      (form: HTMLFormElement) => form.reset(),
      (form: HTMLFormElement) => (control(form, 'a').value = ''),
    ]) {
      const form = placeTool('<input name=a required><button>Go</button>', '');
      const result = faults(call({ a: 'x' }));
      await asked(form);
      answer(form, () => clear(form));
      button(form).click();
      expect(await result).to.deep.equal([': not-answered']);
      form.remove();
    }
  });

  it('is not null where the form went nowhere, because a listener has removed it', async () => {
    live();
    const form = placeTool('<input name=a>');
    form.addEventListener('submit', () => form.remove());
    expect(await faults(call({ a: 'x' }))).to.deep.equal([': not-submitted']);
  });

  it('comes too late in a timer', async () => {
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
    expect(await faults(call({ a: 'x' }))).to.deep.equal([': not-answered']);
    await waitUntil(() => late !== '');
    expect(late).to.equal('InvalidStateError');
  });

  it('can come from a second submission, when the page has found the first invalid', async () => {
    live();
    const form = placeTool('<input name=a><button>Go</button>', '');
    const result = call({ a: 'x' });
    await asked(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const isValid = control(form, 'a').value === 'person';
      control(form, 'a').setAttribute('aria-invalid', String(!isValid));
      if (isValid) event.respondWith('done');
    });
    button(form).click();
    await new Promise((resolve) => setTimeout(resolve, 20));
    control(form, 'a').value = 'person';
    button(form).click();
    expect(await result).to.equal('done');
  });
});

whereNotNative('a form that is put back', () => {
  it('has the old value in a control that the page has replaced', async () => {
    live();
    const form = placeTool('<input name=a value=old><input name=n type=number min=5>');
    control(form, 'a').addEventListener('input', ({ target }) => {
      (target as Element).replaceWith((target as Element).cloneNode());
    });
    form.addEventListener('change', () => (control(form, 'a').value = 'x'), { once: true });
    await rejection(call({ a: 'x', n: 1 }));
    expect(control(form, 'a').value).to.equal('old');
  });

  it('has the old choice in a dependent select that is filled later', async () => {
    live();
    const form = placeTool(`<select name=country><option>us<option>fr</select>
      <select name=city><option>la<option selected>ny</select><input name=n type=number min=5>`);
    const [country, city] = [control(form, 'country'), control(form, 'city')];
    country.addEventListener('change', () => {
      const cities = country.value === 'fr' ? ['paris'] : ['la', 'ny'];
      setTimeout(() => city.replaceChildren(...cities.map((name) => new Option(name))), 100);
    });
    expect(await faults(call({ country: 'fr', city: 'paris', n: 1 }))).to.deep.equal(['n: range-underflow']);
    expect([country.value, city.value]).to.deep.equal(['us', 'ny']);
  });

  it('leaves the choices alone that stand beside one that the page has removed', async () => {
    live();
    const form = placeTool(`<input type=checkbox name=c value=1><input type=checkbox name=c value=2 checked>
      <input type=checkbox name=c value=3><input name=n type=number min=5>`);
    control(form, 'n').addEventListener('change', () => form.querySelector('[value="1"]')?.remove(), { once: true });
    await rejection(call({ c: ['1'], n: 1 }));
    expect([...new FormData(form).getAll('c')]).to.deep.equal(['2']);
  });

  it('tells no value of a secret, and not its neighbours', async () => {
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
  it('are tools although an element in one of them throws', async () => {
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

  it('answer each with its own, when several are called at once', async () => {
    live();
    const forms = ['a', 'b'].map((name) =>
      place(`<form toolname=${name} tooldescription=d toolautosubmit><input name=x></form>`),
    );
    forms.forEach(answerEntries);
    const results = await Promise.all(['a', 'b'].map((name) => call({ x: name }, {}, name)));
    expect(results).to.deep.equal(['[["x","a"]]', '[["x","b"]]']);
  });
});
