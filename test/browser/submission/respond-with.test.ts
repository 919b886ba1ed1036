import { expect } from '@open-wc/testing';
import { loaded, openFrame, windowOf, withoutScript } from '../../support/polyfill/frame.js';
import { afterTest, call, live, place, placeTool, rejection, whereNotNative } from '../../support/browser/live.js';

const input = (form: HTMLFormElement): HTMLInputElement => form.querySelector('input') as HTMLInputElement;
const button = (form: HTMLFormElement): HTMLButtonElement => form.querySelector('button') as HTMLButtonElement;
const target = (): Promise<HTMLIFrameElement> => openFrame({ name: 'target', src: withoutScript() });

/** Waits for an event of the model context. */
const next = (type: string): Promise<Event> =>
  new Promise((resolve) => document.modelContext.addEventListener(type, resolve, { once: true }));

beforeEach(() => void live());

/** Tools that are submitted at once, and tools that wait for the user. */
const kinds = { 'with toolautosubmit': 'toolautosubmit', 'that the user submits': '' };

for (const [kind, attributes] of Object.entries(kinds)) {
  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (attributes) return;
    await next('toolactivated');
    button(form).click();
  };

  whereNotNative(`a call of a form ${kind}`, () => {
    for (const [what, listen] of [
      ['', () => undefined],
      [
        ' although a listener calls respondWith without preventDefault, which throws an InvalidStateError',
        (form, errors) =>
          form.addEventListener('submit', (event) => {
            try {
              event.respondWith('response');
            } catch (error) {
              errors.push((error as Error).name, event.agentInvoked);
            }
          }),
      ],
    ] as [string, (form: HTMLFormElement, errors: unknown[]) => void][]) {
      it(`resolves with null and navigates the target frame${what}`, async () => {
        const frame = await target();
        const form = place(`<form toolname=t tooldescription=d ${attributes} target=target action=${withoutScript()}>
          <input name=a><button>Go</button></form>`);
        const errors: unknown[] = [];
        listen(form, errors);
        const hasLoaded = loaded(frame);
        const result = call({ a: 'x' });
        await submit(form);
        expect(await result).to.equal(null);
        await hasLoaded;
        expect([windowOf(frame).location.search, input(form).value]).to.deep.equal(['?a=x', 'x']);
        expect(errors).to.deep.equal(what ? ['InvalidStateError', true] : []);
      });
    }

    it('resolves with the response of the page although a frame is navigated meanwhile', async () => {
      const frame = await target();
      const form = placeTool('<input name=a><button>Go</button>', attributes);
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const hasLoaded = loaded(frame);
        frame.src = `${withoutScript()}?next`;
        event.respondWith(hasLoaded.then(() => 'done'));
      });
      const result = call({ a: 'x' });
      await submit(form);
      expect(await result).to.equal('done');
    });

    /** Logs the classes and the value of a form at an event. */
    function placeLogged(response: unknown) {
      const form = placeTool('<input name=a><button>Go</button>', attributes);
      const log: string[] = [];
      const note = ({ type }: Event): void =>
        void log.push([type, form.className, button(form).className, input(form).value].join(' '));
      for (const type of ['toolactivated', 'toolcancel']) {
        document.modelContext.addEventListener(type, note);
        afterTest(() => document.modelContext.removeEventListener(type, note));
      }
      form.addEventListener('submit', (event) => {
        note(event);
        event.preventDefault();
        event.respondWith(response);
      });
      return { form, log };
    }

    const active = ':tool-form-active :tool-submit-active x';

    it('has the classes and the values during toolactivated and submit, and no class afterwards', async () => {
      const { form, log } = placeLogged('done');
      const result = call({ a: 'x' });
      await submit(form);
      expect(await result).to.equal('done');
      expect(log.toSorted()).to.deep.equal([`submit ${active}`, `toolactivated ${active}`]);
      expect([form.hasAttribute('class'), button(form).hasAttribute('class')]).to.deep.equal([false, false]);
    });

    it('has no class during toolcancel', async () => {
      const { log } = placeLogged(new Promise(() => undefined));
      const controller = new AbortController();
      const [activated, canceled] = [next('toolactivated'), next('toolcancel')];
      const rejected = rejection(call({ a: 'x' }, { signal: controller.signal }));
      await activated;
      controller.abort('mine');
      expect(await rejected).to.equal('mine');
      await canceled;
      expect(log.at(-1)).to.match(/^toolcancel {3}/);
    });
  });
}
