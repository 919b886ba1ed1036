import { expect } from '@open-wc/testing';
import {
  afterTest,
  answerEntries,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  task,
  waitUntil,
  whereNotNative,
} from '../../support/browser/live.js';

const control = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;
const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** Posts text to the server, which returns it. */
const post = async (body: string): Promise<string> => {
  const response = await fetch('/echo', { method: 'POST', body });
  return ((await response.json()) as { readonly body: string }).body;
};

whereNotNative('a form whose submission its page handles', () => {
  for (const [what, requests, delay] of [
    ['at once', 0, 0],
    ['after 900 ms', 0, 900],
    ['after some requests and 900 ms', 3, 900],
  ] as const) {
    it(`keeps the values of the call for a page that reads it ${what}`, async () => {
      live({}, { scriptTimeoutMs: 300 });
      const form = placeTool('<input name=a value=old><p role=status></p>');
      const status = form.querySelector('p') as HTMLElement;
      let sent: string | undefined;
      const send = async (): Promise<void> => {
        status.textContent = 'Sending…';
        for (let count = 0; count < requests; count++) await post('prepare');
        await wait(delay);
        sent = await post(control(form, 'a').value);
      };
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        void send();
      });
      let events = 0;
      await call({ a: 'new' }).catch(() => undefined);
      for (const type of ['input', 'change', 'focusout']) form.addEventListener(type, () => events++);
      await waitUntil(() => sent !== undefined);
      expect([sent, control(form, 'a').value, events]).to.deep.equal(['new', 'new', 0]);
    });
  }

  it('is not restored when the caller aborts', async () => {
    live({}, { scriptTimeoutMs: 60_000 });
    const form = placeTool('<input name=a value=old>');
    form.addEventListener('submit', (event) => event.preventDefault());
    const controller = new AbortController();
    const result = call({ a: 'new' }, { signal: controller.signal }).catch(() => 'ended');
    await waitUntil(() => control(form, 'a').value === 'new');
    await wait(50);
    controller.abort();
    expect(await result).to.equal('ended');
    await wait(50);
    expect(control(form, 'a').value).to.equal('new');
  });
});

interface ScriptAnswer {
  readonly text?: string;
  readonly errors?: readonly { readonly parameter: string; readonly message: string }[];
}

whereNotNative('the answer to a call whose form a script sends', () => {
  const answerOf = async (input: object): Promise<ScriptAnswer> =>
    JSON.parse((await call(input)) as string) as ScriptAnswer;

  it('has the messages that the page has shown while the form was filled', async () => {
    live();
    const form = place(`<form data-toolname=t data-tooldescription=d data-toolautosubmit><input name=a>
      <p role=alert></p><button>Go</button></form>`);
    const alert = form.querySelector('p') as HTMLElement;
    control(form, 'a').addEventListener('change', () => (alert.textContent = 'That name is taken.'));
    form.addEventListener('submit', (event) => event.preventDefault());
    const { text = '', errors = [] } = await answerOf({ a: 'x' });
    expect([text, ...errors.map(({ message }) => message)].join()).to.include('That name is taken.');
  });

  it('has the error that was shown before the call and is still shown, if nothing else has happened', async () => {
    live();
    const form = place(`<div><p role=alert>You are not logged in.</p><form data-toolname=t data-tooldescription=d
      data-toolautosubmit><input name=a><button>Go</button></form><p>Words</p></div>`);
    form.addEventListener('submit', (event) => event.preventDefault());
    const { errors = [] } = await answerOf({ a: 'x' });
    expect(errors.map(({ message }) => message)).to.deep.equal(['You are not logged in.']);
  });
});

whereNotNative('a file that the page processes at once', () => {
  const file = { name: 'a.txt', content: btoa('hi') };
  const replaceByClone = (input: HTMLInputElement): void => {
    const clone = input.cloneNode() as HTMLInputElement;
    clone.value = '';
    clone.addEventListener('change', () => replaceByClone(clone));
    input.form?.insertAdjacentHTML('beforeend', '<input type=hidden name=token value=t>');
    input.replaceWith(clone);
  };

  for (const [what, take] of [
    ['replaces the control by an empty one', replaceByClone],
    ['empties the control', (input: HTMLInputElement) => (input.value = '')],
    [
      'replaces the control by a hidden one with another name',
      (input: HTMLInputElement) => (input.outerHTML = '<input type=hidden name=photo_id value=7>'),
    ],
  ] as const) {
    it(`is set once if the page ${what}, and the answer reports it`, async () => {
      live({ profile: 'precise' });
      const form = placeTool('<input name=photo type=file><input name=title>');
      let uploads = 0;
      form.addEventListener(
        'change',
        ({ target }) => (uploads += (target as HTMLInputElement).type === 'file' ? 1 : 0),
        true,
      );
      const input = control(form, 'photo');
      input.addEventListener('change', () => take(input));
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (event.agentInvoked) event.respondWith({ saved: true });
      });
      const { saved, notes } = JSON.parse((await call({ photo: file, title: 'x' })) as string) as {
        readonly saved: boolean;
        readonly notes: readonly { readonly parameter: string; readonly message: string }[];
      };
      expect([saved, uploads, notes.map(({ parameter }) => parameter)]).to.deep.equal([true, 1, ['photo']]);
      expect(notes[0]?.message).to.equal(
        'The page has emptied or replaced the control of "photo" after the file was set. It may have accepted or rejected the file.',
      );
    });
  }

  const refusals: Readonly<Record<string, (form: HTMLFormElement, text: Element) => void>> = {
    'an alert': (_, text) => text.setAttribute('role', 'alert'),
    'the message of an invalid control': (form, text) => {
      text.id = 'refusal';
      form.querySelector('[type=file]')?.setAttribute('aria-describedby', 'refusal');
      form.querySelector('[type=file]')?.setAttribute('aria-invalid', 'true');
    },
  };
  for (const [what, show] of Object.entries(refusals)) {
    for (const attributes of ['', 'data-webmcp-response=fetch action=/echo method=post']) {
      it(`is reported with ${what} of the page if the page rejects the file ${attributes}`, async () => {
        live({ profile: 'precise', sensitive: 'include' });
        const form = place(`<form data-toolname=t data-tooldescription=d data-toolautosubmit ${attributes}>
          <input name=photo type=file><p></p><input name=key type=password><button>Go</button></form>`);
        const text = form.querySelector('p') as Element;
        control(form, 'photo').addEventListener('change', () => {
          control(form, 'photo').value = '';
          text.textContent = 'Only PNG files, s3cret.';
          show(form, text);
        });
        form.addEventListener('submit', (event) => {
          if (!attributes) event.preventDefault();
          if (!attributes) event.respondWith('saved');
        });
        const answer = (await call({ photo: file, key: 's3cret' })) as string;
        expect(answer).to.include('rejected the file. It shows: Only PNG files, ');
        expect(answer).not.to.include('took the file').and.not.to.include('shows: Only PNG files, s3cret');
      });
    }
  }
});

whereNotNative('a submit button that is disabled until something changes', () => {
  for (const [how, delay] of [
    ['at once', 0],
    ['after a while', 120],
  ] as const) {
    for (const attributes of ['', 'toolautosubmit']) {
      it(`submits the form if the page enables it ${how}: ${attributes || 'by the user'}`, async () => {
        live({}, { optionsTimeoutMs: 2000 });
        const form = placeTool('<input name=a><button name=go value=1 disabled>Go</button>', attributes);
        const enable = (): void => void (button(form).disabled = control(form, 'a').value === '');
        form.addEventListener('input', () => (delay ? void setTimeout(enable, delay) : enable()));
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          if (event.agentInvoked) event.respondWith([...new FormData(form, event.submitter)]);
        });
        form.addEventListener('webmcp-await-user', () => setTimeout(() => button(form).click()));
        expect(await call({ a: 'x' })).to.equal('[["a","x"],["go","1"]]');
      });
    }
  }

  for (const attributes of ['', 'toolautosubmit'])
    it(`makes the call fail and restores the form if the page never enables it: ${attributes || 'by the user'}`, async () => {
      live({}, { optionsTimeoutMs: 100 });
      const form = placeTool('<input name=a><button disabled>Go</button>', attributes);
      answerEntries(form);
      expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': no-submit-button']);
      expect(control(form, 'a').value).to.equal('');
    });
});

whereNotNative('a submit button that is disabled until the form is valid', () => {
  for (const attributes of ['', 'toolautosubmit'])
    it(`makes the error name the violated constraints: ${attributes || 'by the user'}`, async () => {
      live({}, { optionsTimeoutMs: 100 });
      const form = placeTool('<input name=a required><input name=b required><button disabled>Go</button>', attributes);
      form.addEventListener('input', () => (button(form).disabled = !form.checkValidity()));
      expect(await errorCodes(call({ a: 'x' }))).to.deep.equal(['b: value-missing']);
      expect(control(form, 'a').value).to.equal('');
    });
});

const placeFetched = (): HTMLFormElement =>
  place(
    '<form data-toolname=t data-tooldescription=d data-toolautosubmit data-webmcp-response=fetch action=/echo method=post><input name=a><button>Save</button></form>',
  );

whereNotNative('a form that the library has sent by fetch', () => {
  const guards: Readonly<Record<string, (form: HTMLFormElement) => void>> = {
    'disables its button': (form) => (button(form).disabled = true),
    'disables its button in a timer': (form) => void setTimeout(() => (button(form).disabled = true), 13),
    'shows progress in its button': (form) => {
      button(form).textContent = 'Saving…';
      button(form).disabled = true;
      form.setAttribute('aria-busy', 'true');
    },
    'marks itself as submitted': (form) => (form.dataset['submitted'] = '1'),
    'marks itself by a class': (form) => form.classList.add('is-sent'),
  };
  for (const [how, guard] of Object.entries(guards)) {
    it(`can be sent again if it ${how}`, async () => {
      live();
      const form = placeFetched();
      const before = form.outerHTML;
      form.addEventListener('submit', (event) => {
        if (form.dataset['submitted'] || form.classList.contains('is-sent')) event.preventDefault();
        else guard(form);
      });
      for (const a of ['one', 'two']) {
        const { json } = JSON.parse((await call({ a })) as string) as { readonly json: { readonly body: string } };
        expect(json.body).to.equal(`a=${a}`);
        await waitUntil(() => !button(form).disabled);
      }
      await wait(250);
      expect(form.outerHTML).to.equal(before);
    });
  }

  it('keeps the changes that its page makes at the event webmcp-response', async () => {
    live();
    const form = placeFetched();
    form.addEventListener('webmcp-response', () => {
      button(form).disabled = true;
      form.classList.add('done');
    });
    await call({ a: 'x' });
    await wait(250);
    expect([button(form).disabled, form.className, control(form, 'a').value]).to.deep.equal([true, 'done', 'x']);
  });
});

whereNotNative('a form without toolautosubmit', () => {
  const placeHidden = (): { readonly form: HTMLFormElement; readonly around: HTMLElement } => {
    const form = place(
      '<div style="display:none"><form data-toolname=t data-tooldescription=d><input name=a value=old><button>Go</button></form></div>',
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.agentInvoked) event.respondWith('ok');
    });
    return { form, around: form.parentElement as HTMLElement };
  };

  for (const style of [
    ...['display:none', 'visibility:hidden', 'opacity:0', 'transform:scale(0)', 'height:0;overflow:hidden'],
    ...['position:absolute;left:-9999px', 'position:fixed;top:-500px'],
  ])
    it(`is reported as an error and restored if it is invisible (${style})`, async () => {
      live({}, { optionsTimeoutMs: 100 });
      const { form, around } = placeHidden();
      around.setAttribute('style', style);
      expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-visible']);
      await task();
      expect(control(form, 'a').value).to.equal('old');
    });

  for (const [what, hide] of [
    ['it is inert', (around: HTMLElement) => around.toggleAttribute('inert', true)],
    [
      'a modal dialog is open outside of it',
      () => {
        const dialog = document.body.appendChild(document.createElement('dialog'));
        dialog.showModal();
        afterTest(() => dialog.remove());
      },
    ],
  ] as const)
    it(`is reported as an error while ${what}`, async () => {
      live({}, { optionsTimeoutMs: 100 });
      const { around } = placeHidden();
      around.style.display = '';
      hide(around);
      expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-visible']);
    });

  it('waits for the user in an open modal dialog', async () => {
    live({}, { optionsTimeoutMs: 100 });
    const { form, around } = placeHidden();
    around.style.display = '';
    const dialog = around.appendChild(document.createElement('dialog'));
    dialog.append(form);
    dialog.showModal();
    const asked = new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve, { once: true }));
    const result = call({ a: 'x' });
    await asked;
    await wait(200); // longer than a call waits for an invisible form
    button(form).click();
    expect(await result).to.equal('ok');
  });

  it('waits for the user if the page shows it after the event webmcp-await-user', async () => {
    live({}, { optionsTimeoutMs: 2000 });
    const { form, around } = placeHidden();
    document.addEventListener('webmcp-await-user', () => void setTimeout(() => (around.style.display = ''), 60), {
      once: true,
    });
    const result = call({ a: 'x' });
    await waitUntil(() => around.style.display === '');
    button(form).click();
    expect(await result).to.equal('ok');
  });

  it('waits for the user if a listener prevents the default of webmcp-await-user', async () => {
    live({}, { optionsTimeoutMs: 100 });
    const { form } = placeHidden();
    const shown = new Promise<void>((resolve) => {
      const show = (event: Event): void => {
        event.preventDefault();
        resolve();
      };
      document.addEventListener('webmcp-await-user', show, { once: true });
    });
    const result = call({ a: 'x' });
    await shown;
    await wait(200); // longer than the limit of a form that nothing shows
    form.requestSubmit();
    expect(await result).to.equal('ok');
  });
});

whereNotNative('a form that waits for the user outside of the window', () => {
  it('is scrolled to its button', async () => {
    live();
    const spacer = document.createElement('div');
    spacer.style.height = '3000px';
    document.body.append(spacer);
    afterTest(() => spacer.remove());
    const form = placeTool('<input name=a><button>Go</button>', '');
    const controller = new AbortController();
    call({ a: 'x' }, { signal: controller.signal }).catch(() => undefined);
    afterTest(() => controller.abort());
    await waitUntil(() => {
      const { top, bottom } = button(form).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  });
});
