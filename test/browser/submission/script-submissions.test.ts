import { expect } from '@open-wc/testing';
import { openFrame } from '../../support/polyfill/frame.js';
import { load } from '../editors/page.js';
import {
  afterTest,
  call,
  errorCodes,
  live,
  place,
  placeTool,
  rejection,
  whereNotNative,
} from '../../support/browser/live.js';

interface ScriptAnswer {
  readonly code: string;
  readonly message: string;
  readonly text?: string;
  readonly errors?: readonly { readonly parameter: string; readonly message: string }[];
}

const takenOver = "The page's script took over the submission.";

/** A limit for scripts that send requests, which may take long on a slow machine. */
const requestTimeoutMs = 20_000;

/** Adds a tool whose script prevents the submission and runs steps. Settles soon after the page has shown something. */
function placeScripted(
  html: string,
  steps: (form: HTMLFormElement, event: SubmitEvent) => unknown,
  scriptTimeoutMs = 1000,
): HTMLFormElement {
  live({}, { scriptTimeoutMs });
  const form = place(
    html.replace('<form', '<form toolname=t tooldescription=d toolautosubmit action="javascript:void 0"'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void steps(form, event);
  });
  return form;
}

const answerOf = async (input: object = { a: 'x' }): Promise<ScriptAnswer> =>
  JSON.parse((await call(input)) as string) as ScriptAnswer;

const find = <Found extends HTMLElement>(selector: string): Found => document.querySelector<Found>(selector) as Found;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

declare global {
  interface Window {
    readonly jQuery: (target: unknown) => {
      on(type: string, listener: (this: HTMLFormElement, event: Event) => void): void;
      serialize(): string;
    };
    readonly $: { post(url: string, data: string): { done(listener: () => void): void } };
  }
}

whereNotNative('a form that the script of the page sends', () => {
  it('is answered with the text of a live region', async () => {
    const save = async (): Promise<void> => {
      await fetch('/echo/text');
      find('[role=status]').textContent = 'Your order 17 was saved.';
    };
    const html = '<form><label>Name <input name=a></label></form><p role=status>Idle</p>';
    placeScripted(html, save, requestTimeoutMs);
    expect(await answerOf()).to.deep.equal({
      code: 'script-submission',
      message: `${takenOver} It may have succeeded: check before calling again.`,
      text: 'Your order 17 was saved.',
    });
  });

  it('is answered even if the page shows the same text again', async () => {
    placeScripted('<form><input name=a></form><p role=status>Saved.</p>', () => {
      find('[role=status]').textContent = 'Saved.';
    });
    expect((await answerOf()).text).to.equal('Saved.');
    expect((await answerOf()).text).to.equal('Saved.');
  });

  it('is answered by a message that the page adds elsewhere', async () => {
    placeScripted('<form><input name=a></form>', () => {
      const toast = document.createElement('div');
      toast.innerHTML = '<div role=alert><b>Saved</b> <i>at once</i></div>';
      document.body.append(toast);
      afterTest(() => toast.remove());
    });
    expect((await answerOf()).text).to.equal('Saved at once');
  });

  it('is answered by the result instead of the progress that the page shows first', async () => {
    placeScripted('<form><input name=a></form><p role=status></p>', async () => {
      find('[role=status]').textContent = 'Saving…';
      await pause(200);
      find('[role=status]').textContent = 'Saved.';
    });
    expect((await answerOf()).text).to.equal('Saved.');
  });

  it('is answered after the last of several requests if the page shows nothing before it', async () => {
    placeScripted(
      '<form><input name=a></form><p role=status></p>',
      async () => {
        await fetch('/echo/text');
        await pause(3000); // longer than the time without changes after which a call is answered
        await fetch('/echo/text');
        find('[role=status]').textContent = 'Saved.';
      },
      requestTimeoutMs,
    );
    expect((await answerOf()).text).to.equal('Saved.');
  });

  it('is answered by the content that jQuery puts in place of the form', async () => {
    await load('jquery/dist/jquery.min.js');
    live({}, { scriptTimeoutMs: requestTimeoutMs });
    place(`<section><h2>Quick draft</h2><div class=inside>
      <form toolname=t tooldescription=d toolautosubmit><label>Title <input name=a></label><button>Save</button></form>
      <h3>Recent drafts</h3><ul><li>First draft</li></ul></div></section>`);
    const { jQuery, $ } = window;
    jQuery(find('.inside form')).on('submit', function (event) {
      event.preventDefault();
      const { value } = this.elements.namedItem('a') as HTMLInputElement;
      $.post('/echo', jQuery(this).serialize()).done(() => {
        const inside = find('.inside');
        inside.innerHTML = inside.innerHTML.replace('<ul>', `<ul><li>${value}</li>`);
      });
    });
    expect((await answerOf({ a: 'Second draft' })).text).to.equal('Second draft');
  });

  it('is answered by the view that replaces the form and the content around it', async () => {
    placeScripted('<main><h1>Order</h1><form><input name=a></form></main><footer>About</footer>', () => {
      find('main').innerHTML = '<h1>Thanks</h1><p>Order <b>17</b> is <i>on its way</i>.</p>';
    });
    expect((await answerOf()).text).to.equal('Thanks\nOrder 17 is on its way.');
  });

  it('is answered by the text of a dialog that opens', async () => {
    placeScripted('<form><input name=a></form><dialog><h2>Thanks</h2><p>See you.</p></dialog>', () =>
      find<HTMLDialogElement>('dialog').show(),
    );
    expect((await answerOf()).text).to.equal('Thanks\nSee you.');
  });

  it('is answered by the visible text only', async () => {
    placeScripted(
      '<div><style>.quiet { display: none }</style><form><label>Name <input name=a></label></form><p class=quiet>Never</p></div>',
      (form) => {
        form.insertAdjacentHTML(
          'afterend',
          '<p class=quiet>No</p><p hidden>No</p><p aria-hidden=true>No</p><p style="visibility:hidden">No</p><script>"No"</script><p>Yes <span style="display:none">No</span></p>',
        );
      },
    );
    expect((await answerOf()).text).to.equal('Yes');
  });

  it('is answered by the validation errors of the page', async () => {
    placeScripted(
      '<form><label>Mail <input name=mail aria-describedby=mail-error></label><p id=mail-error></p></form>',
      (form) => {
        form.querySelector('input')?.setAttribute('aria-invalid', 'true');
        find('#mail-error').textContent = 'This address is already in use.';
      },
    );
    const { code, message, errors } = await answerOf({ mail: 'a@b.c' });
    expect({ code, message, errors }).to.deep.equal({
      code: 'script-submission',
      message: `${takenOver} The page shows errors. Correct them before calling again.`,
      errors: [{ parameter: 'mail', message: 'This address is already in use.' }],
    });
  });

  it('is answered if the page shows nothing, but has sent a request', async () => {
    placeScripted('<form><input name=a></form>', () => fetch('/echo/text'), requestTimeoutMs);
    expect(await answerOf()).to.deep.equal({
      code: 'script-submission',
      message: `${takenOver} It may have succeeded: check before calling again.`,
    });
  });

  it('is answered if the page handles the click on its button', async () => {
    const form = placeScripted('<form><input name=a><button>Go</button></form><output></output>', () => undefined);
    form.querySelector('button')?.addEventListener('click', (event) => {
      event.preventDefault();
      find('output').textContent = 'Done by a click';
    });
    expect((await answerOf()).text).to.equal('Done by a click');
  });

  it('is answered by respondWith() of a second submission, for example after a question to the user', async () => {
    const form = placeScripted('<form><input name=a></form>', () => undefined);
    let count = 0;
    form.addEventListener('submit', (event) => {
      if (count++ === 0) setTimeout(() => form.requestSubmit(), 20);
      else event.respondWith('confirmed');
    });
    expect(await call({ a: 'x' })).to.equal('confirmed');
  });

  it('resolves with null if the script submits the form later', async () => {
    placeScripted('<form><input name=a></form>', (form) => setTimeout(() => form.submit(), 20));
    expect(await call({ a: 'x' })).to.equal(null);
  });

  for (const [what, attribute, result] of [
    ['is answered', '', { code: 'script-submission' }],
    ['is answered by the next page with data-webmcp-response="page",', 'data-webmcp-response=page', { text: 'Thanks' }],
  ] as const) {
    it(`${what} if the script opens another page in its frame`, async () => {
      await openFrame({ src: `/echo/script?${attribute}` });
      const answer = JSON.parse((await call({ a: 'x' }, {}, 'scripted')) as string) as object;
      expect(answer).to.deep.include(result);
    });
  }

  it('is answered by the page that the script opens, even if that page is slow', async function () {
    // Without the Navigation API, as in WebKitGTK, a page is not told that its script opens another one.
    if (!('navigation' in window)) this.skip();
    await openFrame({ src: '/echo/slow-script?data-webmcp-response=page' });
    const answer = JSON.parse((await call({ a: 'x' }, {}, 'scripted')) as string) as object;
    expect(answer).to.deep.include({ text: 'Thanks' });
  });

  it('is answered soon by content that the script shows instead of a navigation', async function () {
    if (!('navigation' in window)) this.skip(); // without the Navigation API, scripts cannot intercept a navigation
    live({}, { scriptTimeoutMs: 10_000 });
    let isShownFor8Seconds = false;
    const form = placeTool('<input name=a>');
    form.insertAdjacentHTML('afterend', '<p></p>');
    const { navigation } = window;
    const intercept = (event: NavigateEvent): void =>
      event.intercept({
        async handler() {
          await pause(0);
          find('p').textContent = 'Shown by a script';
          void pause(8000).then(() => (isShownFor8Seconds = true));
        },
      });
    navigation.addEventListener('navigate', intercept);
    const url = location.href;
    afterTest(() => {
      navigation.removeEventListener('navigate', intercept);
      history.replaceState(null, '', url);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      location.href = '/shown';
    });
    expect((await answerOf()).text).to.equal('Shown by a script');
    expect(isShownFor8Seconds).to.equal(false);
  });

  it('rejects as in Chromium if the page neither shows nor sends anything', async () => {
    live();
    placeTool('<input name=a>').addEventListener('submit', (event) => event.preventDefault());
    const error = await rejection(call({ a: 'x' }));
    expect([error.name, error.errors[0]?.code]).to.deep.equal(['UnknownError', 'not-answered']);
    expect(error.message).to.contain('Check whether it has succeeded before calling again');
  });

  it('reports the values that the script has changed before it sent them', async () => {
    placeScripted('<form><input name=a></form><p role=status></p>', (form) => {
      (form.elements.namedItem('a') as HTMLInputElement).value = '';
      new FormData(form);
      find('[role=status]').textContent = 'Saved.';
    });
    const { text, errors } = await answerOf({ a: 'lost text' });
    expect(text).to.equal('Saved.');
    expect(errors?.map(({ parameter }) => parameter)).to.deep.equal(['a']);
    expect(errors?.[0]?.message).to.contain('""');
  });

  it('reports no lost value if the script resets the form', async () => {
    placeScripted('<form><input name=a></form><p role=status></p>', (form) => {
      form.reset();
      find('[role=status]').textContent = 'Saved.';
    });
    expect((await answerOf()).errors).to.equal(undefined);
  });

  it('is answered if a listener of the window stops the click on the button', async () => {
    placeScripted('<form><input name=a><button>Go</button></form><p role=status></p>', () => undefined);
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      find('[role=status]').textContent = 'Saved.';
    };
    window.addEventListener('click', stop, true);
    afterTest(() => window.removeEventListener('click', stop, true));
    expect((await answerOf()).text).to.equal('Saved.');
  });

  it('is answered if the page has replaced PerformanceObserver', async () => {
    placeScripted('<form><input name=a></form><p role=status></p>', () => {
      find('[role=status]').textContent = 'Saved.';
    });
    const { PerformanceObserver } = window;
    window.PerformanceObserver = class {
      observe(): void {}
    } as never;
    afterTest(() => (window.PerformanceObserver = PerformanceObserver));
    expect((await answerOf()).text).to.equal('Saved.');
  });

  it('does not repeat parts of secrets that the page shows', async () => {
    const controls = '<input name=cvc type=password><input name=pw type=password>';
    placeScripted(`<form>${controls}</form><p role=status></p>`, () => {
      find('[role=status]').textContent = `Your password is hunter22 ${'x'.repeat(4968)} hunter22.`;
    });
    const { text } = await answerOf({ cvc: '22', pw: 'hunter22' });
    expect(text?.replace(/x+/, '...')).to.equal('Your password is (not shown) ... (n');
  });

  it('does not repeat secrets that the user has entered', async () => {
    const form = placeScripted(
      '<form><input name=a><input name=pw type=password><button>Go</button></form><p role=status></p>',
      () => {
        find('[role=status]').textContent = 'Your password is hunter22.';
      },
    );
    form.removeAttribute('toolautosubmit');
    const isWaiting = new Promise((resolve) => form.addEventListener('webmcp-await-user', resolve));
    const answer = answerOf();
    await isWaiting;
    find<HTMLInputElement>('[name=pw]').value = 'hunter22';
    find('button').click();
    expect((await answer).text).to.equal('Your password is (not shown).');
  });

  it('does not repeat secrets that the page shows', async () => {
    placeScripted('<form><input name=pw type=password></form><p role=status></p>', () => {
      find('[role=status]').textContent = 'Your password is hunter22.';
    });
    expect((await answerOf({ pw: 'hunter22' })).text).to.equal('Your password is (not shown).');
  });

  it('is answered in a shadow tree', async () => {
    live({}, { scriptTimeoutMs: 1000 });
    const host = place('<form></form>').parentElement as Element;
    const root = host.attachShadow({ mode: 'open' });
    root.innerHTML =
      '<div><form toolname=t tooldescription=d toolautosubmit><input name=a></form><p role=status></p></div>';
    root.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      (root.querySelector('[role=status]') as Element).textContent = 'Saved inside.';
    });
    expect((await answerOf()).text).to.equal('Saved inside.');
  });

  it('is answered within its time limit while the page changes all the time', async () => {
    placeScripted('<div><form><input name=a></form><p>0</p></div>', (form) => {
      const clock = form.nextElementSibling as Element;
      const timer = setInterval(() => (clock.textContent = `${Number.parseInt(clock.textContent) + 1} loading...`), 5);
      afterTest(() => clearInterval(timer));
    });
    expect((await answerOf()).text).to.match(/^\d+ loading\.\.\.$/);
  });

  it('is answered soon although the page changes thousands of elements in a live region', async () => {
    placeScripted('<div><form><input name=a></form><div role=status></div></div>', () => {
      const region = find('[role=status]');
      for (let index = 0; index < 10_000; index++) region.append(document.createElement('p'));
      for (const paragraph of region.children) paragraph.append('row', document.createElement('output'));
    });
    expect((await answerOf()).text).to.equal('row');
  });

  it('is answered although the page replaces the built-ins that read the answer', async () => {
    const patched = ['FormData', 'MutationObserver', 'PerformanceObserver', 'getComputedStyle'] as const;
    placeScripted('<form><input name=a></form><p role=status></p>', () => {
      find('[role=status]').textContent = 'Saved.';
    });
    for (const name of patched) {
      const descriptor = Object.getOwnPropertyDescriptor(window, name) as PropertyDescriptor;
      afterTest(() => Object.defineProperty(window, name, descriptor));
      Object.defineProperty(window, name, {
        configurable: true,
        value: () => {
          throw new Error('of the page');
        },
      });
    }
    expect((await answerOf()).text).to.equal('Saved.');
  });

  it('rejects with the reason if the call is aborted', async () => {
    const controller = new AbortController();
    placeScripted('<form><input name=a></form>', () => controller.abort('enough'));
    expect(await call({ a: 'x' }, { signal: controller.signal }).catch((reason: unknown) => reason)).to.equal('enough');
  });

  it('has an answer of limited length', async () => {
    placeScripted('<form><input name=a></form><p role=status></p>', () => {
      find('[role=status]').textContent = 'long '.repeat(100_000);
    });
    expect((await answerOf()).text).to.have.length(5000);
  });

  it('is answered even if the script removes it', async () => {
    placeScripted('<div><form><input name=a></form></div>', async (form) => {
      form.remove();
      await pause(50);
      place('<p role=alert>Saved and gone.</p><form></form>');
    });
    expect((await answerOf()).text).to.equal('Saved and gone.');
  });

  it('rejects if the browser did not submit the form, because a listener removed it', async () => {
    live();
    const form = placeTool('<input name=a>');
    form.addEventListener('submit', () => form.remove());
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': not-submitted']);
  });
});

describe('a form with data-toolname that the script of the page sends', () => {
  it('is answered even if the page shows nothing', async () => {
    live();
    const form = place(
      '<form data-toolname=t data-tooldescription=d data-toolautosubmit action="javascript:void 0"><input name=a></form>',
    );
    form.addEventListener('submit', (event) => event.preventDefault());
    while (!(await document.modelContext?.getTools())?.some(({ name }) => name === 't')) await pause(5);
    expect((await answerOf()).code).to.equal('script-submission');
  });
});
