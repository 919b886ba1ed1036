import { expect } from '@open-wc/testing';
import { afterTest, call, live, place, whereNotNative } from '../../support/browser/live.js';

const otherOrigin = `http://127.0.0.1:${location.port}`;

const placeForm = (attributes: string, controls = '<input name=a><button>Go</button>'): HTMLFormElement =>
  place(`<form toolname=t tooldescription=d toolautosubmit target=next ${attributes}>${controls}</form>`);

/** Adds the frame that receives the submission, until the test is over. Returns whether it has received one. */
function watchNext(): () => boolean {
  const frame = document.createElement('iframe');
  frame.name = 'next';
  let hasLoaded = false;
  document.body.append(frame);
  frame.addEventListener('load', () => (hasLoaded = true));
  afterTest(() => frame.remove());
  return () => hasLoaded;
}

/** Whether a call waits for the user, or the form is sent without the user. */
async function outcomeOf(form: HTMLFormElement): Promise<'waits' | 'sent'> {
  const controller = new AbortController();
  const waits = new Promise<'waits'>((resolve) => form.addEventListener('webmcp-await-user', () => resolve('waits')));
  const sent = call({ a: 'x' }, { signal: controller.signal }).then(() => 'sent' as const);
  const outcome = await Promise.race([waits, sent]);
  controller.abort();
  await sent.catch(() => undefined);
  return outcome;
}

whereNotNative('a form with toolautosubmit that is submitted to another origin', () => {
  const foreign: readonly (readonly [what: string, place: () => HTMLFormElement])[] = [
    ['its action', () => placeForm(`action=${otherOrigin}/echo`)],
    ['its action with the scheme mailto', () => placeForm('action=mailto:a@b.example')],
    [
      'its action, with data-webmcp-response=fetch',
      () => placeForm(`action=${otherOrigin}/echo data-webmcp-response=fetch`),
    ],
    [
      'the formaction of its button',
      () => placeForm('action=/echo', `<input name=a><button formaction=${otherOrigin}/echo>Go</button>`),
    ],
    [
      'the formaction of a button outside of the form',
      () => {
        place(`<button form=f formaction=${otherOrigin}/echo>Go</button>`);
        return placeForm('id=f action=/echo');
      },
    ],
    [
      'the base URL of the page',
      () => {
        const base = document.createElement('base');
        base.href = `${otherOrigin}/`;
        document.head.prepend(base);
        afterTest(() => base.remove());
        return placeForm('action=/echo');
      },
    ],
    [
      'an action that the page sets when the form is filled',
      () => {
        const form = placeForm('action=/echo');
        form.addEventListener('input', () => (form.action = `${otherOrigin}/echo`));
        return form;
      },
    ],
    [
      'an action that the page sets when the form is submitted',
      () => {
        const form = placeForm('action=/echo');
        form.addEventListener('submit', () => (form.action = `${otherOrigin}/echo`));
        return form;
      },
    ],
    [
      'an action that the page sets at the event formdata',
      () => {
        const form = placeForm('action=/echo');
        form.addEventListener('formdata', () => (form.action = `${otherOrigin}/echo`));
        return form;
      },
    ],
    [
      'an action that the page sets before it calls submit()',
      () => {
        const form = placeForm('action=/echo');
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          form.action = `${otherOrigin}/echo`;
          form.submit();
        });
        return form;
      },
    ],
  ];

  for (const [what, placeForeign] of foreign) {
    it(`waits for the user if the origin comes from ${what}`, async () => {
      live();
      const hasLoaded = watchNext();
      expect(await outcomeOf(placeForeign())).to.equal('waits');
      expect(hasLoaded()).to.equal(false);
    });
  }

  it('is submitted by the user', async () => {
    live();
    watchNext();
    const form = placeForm(`action=${otherOrigin}/echo`);
    form.addEventListener('webmcp-await-user', () => form.querySelector('button')?.click());
    expect(await call({ a: 'x' })).to.equal(null);
  });

  it('is submitted without the user if the author has allowed the origin', async () => {
    live({ autosubmitOrigins: ['no URL', `${otherOrigin}/path`] });
    watchNext();
    expect(await outcomeOf(placeForm(`action=${otherOrigin}/echo`))).to.equal('sent');
  });

  it('waits for the user if the author has allowed another origin', async () => {
    live({ autosubmitOrigins: ['https://pay.example', 'data:,'] });
    expect(await outcomeOf(placeForm(`action=${otherOrigin}/echo`))).to.equal('waits');
  });
});

whereNotNative('a form with toolautosubmit that is not submitted to another origin', () => {
  for (const [what, attributes] of [
    ['the page itself', ''],
    ['the origin of the page', 'action=/echo'],
    ['a script', 'action="javascript:void 0"'],
    ['nowhere', `action=${otherOrigin}/echo method=dialog`],
    ['an invalid URL', 'action=http://['],
  ] as const) {
    it(`is submitted without the user if its destination is ${what}`, async () => {
      live();
      watchNext();
      const form = placeForm(attributes);
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        event.respondWith('sent');
      });
      expect(await outcomeOf(form)).to.equal('sent');
    });
  }
});
