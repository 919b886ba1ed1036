import { expect } from '@open-wc/testing';
import { openTinyMce } from '../editors/tinymce.js';
import { afterTest, call, live, place, placeTool, rejection, whereNotNative } from '../../support/browser/live.js';

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;

/** Adds a tool whose page runs steps when the form is submitted, as editors do. */
function placeReplacing(controls: string, steps: (form: HTMLFormElement) => void): HTMLFormElement {
  const form = placeTool(controls);
  form.addEventListener('submit', () => steps(form));
  return form;
}

/** Records whether the last submission of the form was prevented. */
function watch(form: HTMLFormElement): () => boolean | undefined {
  let last: Event | undefined;
  form.addEventListener('submit', (event) => (last = event));
  return () => last?.defaultPrevented;
}

/** Expects a rejected call that sends nothing and restores the form. */
async function expectNotKept(form: HTMLFormElement, input: Record<string, unknown>, sent: string): Promise<void> {
  const before = JSON.stringify([...new FormData(form)]);
  const wasPrevented = watch(form);
  const error = await rejection(call(input));
  const [name] = Object.keys(input);
  expect(error.errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([[name, 'not-kept']]);
  expect(error.errors[0]?.received).to.equal(JSON.stringify(input[name as string]));
  expect(error.message).to.contain(sent).and.contain('The form was not sent.');
  expect(wasPrevented()).to.equal(true);
  expect(JSON.stringify([...new FormData(form)])).to.equal(before);
}

/** Adds a form that is sent by fetch to a server that returns the request. */
const placeFetched = (controls: string): HTMLFormElement =>
  place(
    `<form toolname=t tooldescription=d toolautosubmit data-webmcp-response=fetch action=/echo method=post>${controls}</form>`,
  );

interface Answer {
  readonly json: { readonly body: string };
  readonly notes?: readonly { readonly parameter: string; readonly message: string }[];
}

const fetched = async (input: object): Promise<{ readonly body: object; readonly notes: Answer['notes'] }> => {
  const { json, notes } = JSON.parse((await call(input)) as string) as Answer;
  return { body: Object.fromEntries(new URLSearchParams(json.body)), notes };
};

whereNotNative('a value that the page replaces at submission', () => {
  for (const old of ['Selling it for 2500 by Mallory', '2500'])
    it(`is not sent, even if another entry contained the value of the call before: ${old}`, async () => {
      live();
      const form = placeTool(`<input name=price><input type=hidden name=topic value="${old}">`);
      form.addEventListener('submit', () => ((form.elements.namedItem('price') as HTMLInputElement).value = '9'));
      await expectNotKept(form, { price: '2500' }, '"9"');
    });

  for (const [what, old, submitted] of [
    ['the text of an editor', 'old', '<p>Old text</p>'],
    ['the text before the call, in another format', 'Tom & Jerry', '<p>Tom &amp; Jerry</p>'],
    ['nothing', '', ''],
    ['another text', '', 'something else'],
    ['a part of it', '', 'The new...'],
  ] as const) {
    it(`is not sent if it is replaced by ${what}`, async () => {
      live();
      const form = placeReplacing('<textarea name=content></textarea>', (form) => {
        control(form, 'content').value = submitted;
      });
      control(form, 'content').value = old;
      await expectNotKept(form, { content: 'The new text' }, JSON.stringify(submitted));
    });
  }

  it('is not sent if a number is replaced by another number', async () => {
    live();
    const form = placeReplacing('<input name=guests type=number value=1>', (form) => {
      control(form, 'guests').value = '10';
    });
    await expectNotKept(form, { guests: 15 }, '"10"');
  });

  for (const [what, steps] of [
    ['its name is removed', (form) => form.querySelector('input')?.removeAttribute('name')],
    ['it is disabled', (form) => (control(form, 'a').disabled = true)],
    ['it is removed', (form) => control(form, 'a').remove()],
  ] as [string, (form: HTMLFormElement) => void][]) {
    it(`is not sent if ${what}`, async () => {
      live();
      const form = placeTool('<input name=a value=old>');
      form.addEventListener('submit', () => steps(form));
      const wasPrevented = watch(form);
      const error = await rejection(call({ a: 'new text' }));
      expect(error.errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([['a', 'not-kept']]);
      expect(error.message).to.contain('removed the value of "a"');
      expect(wasPrevented()).to.equal(true);
    });
  }

  for (const input of [{ tags: ['1'] }, { tags: [] }]) {
    it(`is not sent if the page selects all options again: ${JSON.stringify(input)}`, async () => {
      live();
      const form = placeReplacing(
        '<select name=tags multiple><option value=1>A<option value=2 selected>B<option value=3 selected>C</select>',
        (form) => {
          for (const option of form.querySelectorAll('option')) option.selected = option.value !== '2';
        },
      );
      await expectNotKept(form, input, '["1","3"]');
    });
  }

  it('is not sent if the page checks a checkbox again', async () => {
    live();
    const form = placeReplacing('<input name=news type=checkbox checked>', (form) => {
      control(form, 'news').checked = true;
    });
    await expectNotKept(form, { news: false }, '"on"');
  });

  it('is not sent if a number loses its sign', async () => {
    live();
    const form = placeReplacing('<input name=a type=number value=1>', (form) => {
      control(form, 'a').value = '5';
    });
    await expectNotKept(form, { a: -5 }, '"5"');
  });

  it('is not sent if a file is removed', async () => {
    live({ profile: 'precise' });
    const form = placeReplacing('<input name=photo type=file>', (form) => {
      control(form, 'photo').value = '';
    });
    const wasPrevented = watch(form);
    const error = await rejection(call({ photo: { name: 'a.txt', content: btoa('hi') } }));
    expect(error.errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([['photo', 'not-kept']]);
    expect(wasPrevented()).to.equal(true);
  });

  it('is not sent if a formdata listener replaces it', async () => {
    live();
    const form = placeTool('<input name=content>');
    form.addEventListener('formdata', ({ formData }) => formData.set('content', 'from the editor'));
    const wasPrevented = watch(form);
    const error = await rejection(call({ content: 'new' }));
    expect(error.message).to.contain('from the editor');
    expect(wasPrevented()).to.equal(true);
  });

  it('is not sent if a listener of the window replaces it', async () => {
    live();
    const form = placeTool('<input name=a value=old>');
    const replace = (): void => void (control(form, 'a').value = 'old');
    window.addEventListener('submit', replace);
    afterTest(() => window.removeEventListener('submit', replace));
    await expectNotKept(form, { a: 'new' }, '"old"');
  });

  it('is not sent by form.submit()', async () => {
    live();
    const form = placeTool('<input name=a value=old>');
    let wasSent = false;
    form.action = 'javascript:void (window.wasSent = true)';
    afterTest(() => Reflect.deleteProperty(window, 'wasSent'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      control(form, 'a').value = 'old';
      form.submit();
    });
    const error = await rejection(call({ a: 'new' }));
    wasSent = Reflect.has(window, 'wasSent');
    expect([error.errors[0]?.code, wasSent]).to.deep.equal(['not-kept', false]);
  });

  it('is not sent by fetch', async () => {
    live();
    const form = placeFetched('<input name=a value=old>');
    form.addEventListener('submit', () => (control(form, 'a').value = 'old'));
    let wasSent = false;
    const fetch = window.fetch.bind(window);
    window.fetch = (...args) => {
      wasSent = true;
      return fetch(...args);
    };
    afterTest(() => (window.fetch = fetch));
    await expectNotKept(form, { a: 'new' }, '"old"');
    expect(wasSent).to.equal(false);
  });

  it('is reported for each parameter, and the next call works', async () => {
    live();
    const form = placeTool('<input name=a><input name=b><input name=c>');
    form.addEventListener('submit', () => ['a', 'b'].forEach((name) => (control(form, name).value = '')), {
      once: true,
    });
    const error = await rejection(call({ a: 'one', b: 'two', c: 'three' }));
    expect(error.errors.map(({ parameter }) => parameter)).to.deep.equal(['a', 'b']);
    expect(await call({ a: 'one', b: 'two', c: 'three' })).to.equal(null);
  });

  it('is not sent, and the controls that the page has disabled are enabled again', async () => {
    live();
    const form = placeReplacing('<input name=a value=old><input disabled><button>Go</button>', (form) => {
      control(form, 'a').value = 'old';
      for (const each of form.elements) (each as HTMLInputElement).disabled = true;
    });
    await rejection(call({ a: 'new' }));
    expect([...form.elements].map((each) => (each as HTMLInputElement).disabled)).to.deep.equal([false, true, false]);
  });

  it('is reported as sent if the page hides the submission from other listeners', async () => {
    live();
    const form = placeTool('<input name=a value=old>');
    form.addEventListener('submit', (event) => {
      event.stopImmediatePropagation();
      control(form, 'a').value = 'old';
    });
    const wasPrevented = watch(form);
    const error = await rejection(call({ a: 'new' }));
    expect(error.errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([['a', 'not-kept']]);
    expect(error.message).to.contain('"old"').and.contain('The form was sent.');
    expect(wasPrevented()).not.to.equal(true);
    expect(control(form, 'a').value).to.equal('old');
  });

  it('is never shown if it is secret', async () => {
    live();
    const form = placeReplacing('<input name=pw type=password value=old-secret>', (form) => {
      control(form, 'pw').value = 'old-secret';
    });
    const error = await rejection(call({ pw: 'new-secret' }));
    expect(error.errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([['pw', 'not-kept']]);
    expect(JSON.stringify([error.message, error.errors])).not.to.contain('secret');
    expect(form.isConnected).to.equal(true);
  });
});

whereNotNative('a value that the page changes in a usual way at submission', () => {
  for (const [what, type, given, submitted] of [
    ['trimmed', 'text', '  Ann  ', 'Ann'],
    ['converted to lowercase', 'text', 'Ann@Example.COM', 'ann@example.com'],
    ['formatted as a phone number', 'tel', '030 1234567', '+49 (30) 123-4567'],
    ['formatted as a date', 'text', '12/31/2026', '2026-12-31'],
    ['extended to a URL', 'text', 'example.com/page', 'https://www.example.com/page'],
    ['converted to HTML', 'text', 'Tom & "Jerry"', '<p>Tom &amp; &quot;Jerry&quot;</p>'],
    ['written without accents', 'text', 'Crème Brûlée', 'creme-brulee'],
    ['written in other digits', 'text', '۱۴۰۵', '1405'],
    ['converted to full width', 'text', 'ﾄｳｷｮｳ 123', 'トウキョウ１２３'],
    ['formatted as a number', 'text', '1234.5', '1,234.50'],
    ['given the decimals of a price', 'number', 5, '5.00'],
    ['formatted as a price', 'text', '9.9', '9,90 €'],
    ['converted to uppercase', 'text', 'Lange Straße', 'LANGE STRASSE'],
    ['split into JSON', 'text', 'red, green', '[{"value":"red"},{"value":"green"}]'],
    [
      'converted from Markdown',
      'text',
      'See [us](https://a.test/b) now',
      '<p>See <a href="https://a.test/b">us</a> now</p>',
    ],
    ['converted to a boolean', 'checkbox', true, 'true'],
    ['cleared, and gets a default', 'text', '', 'Untitled'],
  ] as const) {
    it(`is sent if it is ${what}, and the result has a note`, async () => {
      live();
      const form = placeFetched(`<input name=a type=${type} step=any value=7>`);
      form.addEventListener('submit', () => (control(form, 'a').value = submitted));
      const { body, notes } = await fetched({ a: given });
      expect(body).to.deep.equal({ a: submitted });
      expect(notes?.map(({ parameter }) => parameter)).to.deep.equal(['a']);
      expect(notes?.[0]?.message).to.contain(JSON.stringify(submitted));
    });
  }

  for (const [what, controls, steps, input, body] of [
    [
      'hashes a password into another control',
      '<input name=pw type=password><input name=hash type=hidden>',
      (form) => {
        control(form, 'hash').value = 'f00ba5';
        control(form, 'pw').value = '';
      },
      { pw: 'secret' },
      { pw: '', hash: 'f00ba5' },
    ],
    [
      'collects the values in JSON',
      '<input name=a><input name=b><input name=all type=hidden>',
      (form) => {
        control(form, 'all').value = JSON.stringify([control(form, 'a').value, control(form, 'b').value]);
        for (const name of ['a', 'b']) control(form, name).disabled = true;
      },
      { a: 'first', b: 'second' },
      { all: '["first","second"]' },
    ],
    [
      'disables its button',
      '<input name=a><button name=go value=1>Go</button>',
      (form) => ((form.querySelector('button') as HTMLButtonElement).disabled = true),
      { a: 'x' },
      { a: 'x' },
    ],
    [
      'adds entries and clears a control that is not the agent’s',
      '<input name=a><input name=trap value=bot>',
      (form) => {
        control(form, 'trap').value = '';
        form.insertAdjacentHTML(
          'beforeend',
          '<input type=hidden name=token value=1><input type=hidden name=a value=2>',
        );
      },
      { a: 'x' },
      { a: '2', trap: '', token: '1' },
    ],
    [
      'removes a control without a value',
      '<input name=a value=old><input name=b>',
      (form) => control(form, 'a').remove(),
      { a: '', b: 'x' },
      { b: 'x' },
    ],
    [
      'repeats the choice in a hidden control',
      '<select name=a><option>x<option>y</select>',
      (form) => form.insertAdjacentHTML('beforeend', '<input type=hidden name=a value=y>'),
      { a: 'y' },
      { a: 'y' },
    ],
    [
      'adds the value of an unchecked checkbox',
      '<input name=a type=checkbox value=1 checked>',
      (form) => form.insertAdjacentHTML('beforeend', '<input type=hidden name=a value=0>'),
      { a: false },
      { a: '0' },
    ],
  ] as [string, string, (form: HTMLFormElement) => unknown, object, object][]) {
    it(`is sent if the page ${what}`, async () => {
      live();
      const form = placeFetched(controls);
      form.addEventListener('submit', () => void steps(form));
      const answer = await fetched(input);
      expect(answer).to.deep.equal({ body, notes: undefined });
    });
  }

  it('is sent without a note if the form navigates', async () => {
    live();
    placeReplacing('<input name=a>', (form) => (control(form, 'a').value = control(form, 'a').value.trim()));
    expect(await call({ a: ' x ' })).to.equal(null);
  });

  it('is sent by fetch after the formdata listeners have run once', async () => {
    live();
    const form = placeFetched('<input name=a>');
    let count = 0;
    form.addEventListener('formdata', ({ formData }) => formData.set('count', String(++count)));
    expect((await fetched({ a: 'x' })).body).to.deep.equal({ a: 'x', count: '1' });
  });

  it('is sent if TinyMCE converts it to HTML', async () => {
    const page = await openTinyMce();
    afterTest(() => page.remove());
    const { form } = page;
    for (const [name, value] of Object.entries({
      ...{ 'data-webmcp-response': 'fetch', action: '/echo', method: 'post' },
    })) {
      form.setAttribute(name, value);
    }
    form.addEventListener('submit', (event) => event.stopPropagation()); // otherwise its parent would answer
    live();
    const { content } = (await fetched({ title: 'New', content: 'The *new* content' })).body as { content: string };
    expect(content).to.contain('The *new* content');
  });
});

whereNotNative('a form that waits for the user', () => {
  const placeWaiting = (): HTMLFormElement => placeTool('<input name=a value=old><button>Go</button>', '');
  const waiting = (form: HTMLFormElement): Promise<Event> =>
    new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));
  const press = (form: HTMLFormElement): void => (form.querySelector('button') as HTMLButtonElement).click();

  it('may be changed by the user', async () => {
    live();
    const form = placeWaiting();
    const result = call({ a: 'new' });
    await waiting(form);
    control(form, 'a').value = 'changed';
    press(form);
    expect(await result).to.equal(null);
  });

  it('is sent when the user submits it, and the call rejects if the page has replaced a value', async () => {
    live();
    const form = placeWaiting();
    form.addEventListener('submit', () => (control(form, 'a').value = 'old'));
    const wasPrevented = watch(form);
    const result = rejection(call({ a: 'new' }));
    await waiting(form);
    press(form);
    const error = await result;
    expect(error.errors.map(({ parameter, code }) => [parameter, code])).to.deep.equal([['a', 'not-kept']]);
    expect(error.message).to.contain('The form was sent.');
    expect(wasPrevented()).to.equal(false);
  });
});
