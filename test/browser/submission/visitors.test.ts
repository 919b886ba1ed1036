import { expect } from '@open-wc/testing';
import { addFrame, openFrame } from '../../support/polyfill/frame.js';
import { afterTest, call, live, place, whereNotNative } from '../../support/browser/live.js';

interface Reports {
  readonly messages: readonly string[];
  readonly errors: readonly string[];
}

async function reportsOf(input: object, name = 't'): Promise<Reports> {
  interface Answer {
    readonly messages?: readonly string[];
    readonly errors?: readonly { readonly message: string }[];
  }
  const { messages = [], errors = [] } = JSON.parse((await call(input, {}, name)) as string) as Answer;
  return { messages, errors: errors.map(({ message }) => message) };
}

const review =
  '<p>Good. <span role=status>Order confirmed</span></p><div class="alert alert-danger">Your payment has failed.</div>';
const saved = '<p class="flash notice">The review was saved.</p>';
const controls = '<label>Text <textarea name=text></textarea></label><button>Send</button>';

const page = (reviews: string, flash = '', errors = ''): string =>
  `<main>${flash}<h1>Kettle</h1><p>A kettle of 1.5 litres, which was made in Delft.</p><div>${reviews}</div>
   <form method=post>${errors}${controls}</form></main>`;

const urlOf = (content: string): string => `/echo/content?${encodeURIComponent(content)}`;

const answered: Reports = { messages: ['The review was saved.'], errors: [] };

whereNotNative('a form with data-webmcp-response="fetch", on a page with the content of visitors', () => {
  /** Adds a page whose form is answered by another page. */
  function placePage(before: string, after: string): void {
    live();
    const attributes = 'toolname=t tooldescription=d toolautosubmit data-webmcp-response=fetch';
    place(before.replace('<form', `<form ${attributes} action="${urlOf(after)}"`));
  }

  it('is answered without their messages', async () => {
    placePage(page(review), page(review, saved));
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal(answered);
  });

  it('is answered without the messages that the call has sent', async () => {
    placePage(page(''), page(`<div>${review}</div>`, saved));
    expect(await reportsOf({ text: review })).to.deep.equal(answered);
  });

  it('is answered without their messages on another page', async () => {
    placePage(page(''), page(review, saved).replace('<h1>Kettle', '<h1>Pan'));
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal(answered);
  });

  it('is answered without their messages in a form or an aside, if the page lacks the form of the call', async () => {
    const fake = `<div class=comment><form>${controls}<p class=error role=alert>Refused</p></form></div>
      <div><p>Good.</p><aside><p role=alert>Order confirmed</p></aside><p>Nice.</p></div>`;
    placePage(page(''), page(fake, saved).replace(/<form method[^]*?<\/form>/, ''));
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal(answered);
  });

  it('is answered without the error in another form of the page, if the next page lacks the form of the call', async () => {
    const fake = `<ul><li><form>${controls}<p class=error role=alert>Card refused</p></form></li></ul>`;
    const site = `<main><h1>Kettle</h1><form method=post>${controls}</form>`;
    placePage(`${site}${fake}</main>`, `<main>${saved}<h1>Kettle</h1>${fake}</main>`);
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal(answered);
  });

  it('is answered by the errors in the form alone, if the page has too many messages to be compared', async () => {
    const many = '<p role=status>x</p>'.repeat(2001);
    placePage(page(many), page(review, saved, '<p class=error>Too short</p>'));
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal({ messages: [], errors: ['Too short'] });
  });

  it('does not advise a login for a password input in excluded content of the next page', async () => {
    placePage(page(''), page('<div data-webmcp-ignore><input type=password></div>', saved));
    expect(await call({ text: 'Nice.' })).not.to.contain('log in');
  });

  it('is answered again by the same errors in the form', async () => {
    const errors = '<ul class=errors><li>Too short</li></ul>';
    placePage(page(review), page(review, '', errors));
    const refused = { messages: [], errors: ['Too short'] };
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal(refused);
    expect(await reportsOf({ text: 'Nicer.' })).to.deep.equal(refused);
  });
});

whereNotNative('a form with data-webmcp-response="page", on a page with the content of visitors', () => {
  const attributes = 'toolname=next tooldescription=d toolautosubmit data-webmcp-response=page';

  /** Loads a page in a frame. Its form is answered by another page, or by the same page. */
  const openPage = (before: string, after?: string): Promise<unknown> => {
    const action = after === undefined ? '' : `action="${urlOf(after)}"`;
    return openFrame({ src: urlOf(before.replace('<form', `<form ${attributes} ${action}`)) });
  };
  const reports = (text: string): Promise<Reports> => reportsOf({ text }, 'next');

  it('is answered without their messages', async () => {
    await openPage(page(review), page(review, saved));
    expect(await reports('Nice.')).to.deep.equal(answered);
  });

  it('is answered by the same page without their messages, but with a message that a style sheet had hidden', async () => {
    await openPage(page(review) + saved.replace('notice', 'notice unstyled'), page(review) + saved);
    expect(await reports('Nice.')).to.deep.equal(answered);
  });

  it('is answered without the messages that the call has sent', async () => {
    await openPage(page(''), page(`<div>${review}</div>`, saved));
    expect(await reports(review)).to.deep.equal(answered);
  });

  it('is answered again by the same message', async () => {
    await openPage(page(''), page(review, saved).replace('<form', `<form ${attributes}`));
    expect(await reports('Nice.')).to.deep.equal(answered);
    expect(await reports('Nicer.')).to.deep.equal(answered);
  });

  it('does not store the value of a password', async () => {
    live();
    const name = 'stores';
    addFrame({ name });
    const form = page('').replace('<button', '<input type=password name=p><button');
    place(form.replace('<form', `<form ${attributes} target=${name} action="${urlOf(page('', saved))}"`));
    const { prototype } = Storage;
    const setItem = Object.getOwnPropertyDescriptor(prototype, 'setItem') as PropertyDescriptor;
    const stored: string[] = [];
    Object.defineProperty(prototype, 'setItem', {
      ...setItem,
      value(this: Storage, key: string, value: string) {
        stored.push(value);
        Reflect.apply(setItem.value as typeof this.setItem, this, [key, value]);
      },
    });
    afterTest(() => Object.defineProperty(prototype, 'setItem', setItem));
    await reportsOf({ text: 'A long text', p: 'correct horse' }, 'next');
    expect(stored.join()).to.contain('A long text').and.not.to.contain('correct horse');
  });
});

whereNotNative('a form that the script of the page sends, on a page with the content of visitors', () => {
  function placePage(before: string, steps: (main: Element) => void): void {
    live({}, { scriptTimeoutMs: 1000 });
    const form = place(before.replace('<form', '<form toolname=t tooldescription=d toolautosubmit'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      steps(form.parentElement as Element);
    });
  }
  const addStatus = (main: Element): void => main.insertAdjacentHTML('afterbegin', '<p role=status>Saved</p>');

  it('is answered without their errors', async () => {
    placePage(page(review), addStatus);
    expect(await reportsOf({ text: 'Nice.' })).to.deep.equal({ messages: [], errors: [] });
  });

  it('is answered without the errors that the call has sent', async () => {
    placePage(page(''), (main) => {
      addStatus(main);
      main.insertAdjacentHTML('beforeend', `<div>${review}</div>`);
    });
    expect(await reportsOf({ text: review })).to.deep.equal({ messages: [], errors: [] });
  });

  it('is answered by the errors in the form in an article, but not by the errors in a comment of the article', async () => {
    const article = page('').replace('<main', '<article').replace('</main>', '</article>');
    const comment = `<div class=comment><form>${controls}<p class=error>Refused</p></form></div>`;
    placePage(article, (main) => {
      main.querySelector('button')?.insertAdjacentHTML('beforebegin', '<p class=error>Too short</p>');
      main.insertAdjacentHTML('afterbegin', comment);
    });
    expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal(['Too short']);
  });

  it('is answered by the errors in the form, and by new errors around it', async () => {
    placePage(page(review, '', '<p class=error>Too short</p>'), (main) =>
      main.insertAdjacentHTML('afterbegin', '<p class=error>Try again</p>'),
    );
    expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal(['Try again', 'Too short']);
  });

  const comment = `<div><form>${controls}<p class=error>Card refused</p></form></div>`;
  for (const [where, before] of [
    ['before', `<section>${comment}<div class=own><h2>Write</h2><form>${controls}</form></div></section>`],
    ['after', `<section><div class=own><h2>Write</h2><form>${controls}</form></div>${comment}</section>`],
  ] as const)
    it(`is answered without the error in a form of a visitor ${where} it, if the script replaces the element around it`, async () => {
      live({}, { scriptTimeoutMs: 1000 });
      place(
        before.replace(
          'own><h2>Write</h2><form',
          'own><h2>Write</h2><form class=o toolname=t tooldescription=d toolautosubmit',
        ),
      );
      const form = document.querySelector('.o') as Element;
      const show = (html: string): void => {
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          (document.querySelector('.own') as Element).outerHTML = html;
        });
      };
      show(`<div class=own><h2>Write</h2><p role=status>Saved</p><form>${controls}</form></div>`);
      expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal([]);
    });

  it('is answered without an old alert of a visitor, if the script renders everything around it again', async () => {
    live({}, { scriptTimeoutMs: 1000 });
    const entry =
      '<div class=entry><a href=/bob>Bob</a><div><div class="alert alert-danger">Your card was refused.</div></div></div>';
    const all = `<h1>Kettle</h1>${entry}<form toolname=t tooldescription=d toolautosubmit>${controls}</form>`;
    const form = place(`<main>${all}</main>`);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const main = document.querySelector('main') as Element;
      setTimeout(() => (main.outerHTML = `<main><p role=status>Saved</p>${all}</main>`), 20);
    });
    expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal([]);
  });

  for (const around of ['article class=comment', 'blockquote', 'aside'])
    it(`is not answered by an old alert of a visitor, if the script shows nothing: in <${around}>`, async () => {
      live({}, { scriptTimeoutMs: 200 });
      const alert = `<${around}><span role=alert>Payment declined.</span></${around.split(' ')[0]}>`;
      const form = place(
        `<main>${alert}<form data-toolname=t data-tooldescription=d data-toolautosubmit>${controls}</form></main>`,
      );
      form.addEventListener('submit', (event) => event.preventDefault());
      expect(await call({ text: 'Nice.' })).not.to.contain('declined');
    });

  const entry = '<div class=entry><a href=/bob>Bob</a><div><p class=error role=alert>Card refused</p></div></div>';

  it('is answered without the error in the entry of a visitor that arrives meanwhile', async () => {
    placePage(page(''), (main) => {
      addStatus(main);
      main.insertAdjacentHTML('beforeend', entry);
    });
    expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal([]);
  });

  it('is answered without an error that arrives meanwhile in a form of a visitor', async () => {
    placePage(page(''), (main) => {
      addStatus(main);
      main.insertAdjacentHTML(
        'beforeend',
        `<section><form>${controls}<p class=error>Card refused</p></form></section>`,
      );
    });
    expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal([]);
  });

  it('is not answered by an old alert in the entry of a visitor, if the script shows nothing', async () => {
    live({}, { scriptTimeoutMs: 200 });
    const form = place(
      `<main>${entry.replace('class=error', '')}<form data-toolname=t data-tooldescription=d data-toolautosubmit>${controls}</form></main>`,
    );
    form.addEventListener('submit', (event) => event.preventDefault());
    expect(await call({ text: 'Nice.' })).not.to.contain('refused');
  });

  it('is answered by the error around a new form, if the script replaces the element around the form', async () => {
    live({}, { scriptTimeoutMs: 1000 });
    place(
      `<section><div class=own><h2>Write</h2><form class=o toolname=t tooldescription=d toolautosubmit>${controls}</form></div></section>`,
    );
    document.querySelector('.o')?.addEventListener('submit', (event) => {
      event.preventDefault();
      const own = document.querySelector('.own') as Element;
      own.outerHTML = `<div class=own><h2>Write</h2><form>${controls}<p class=error>Too short</p></form></div>`;
    });
    expect((await reportsOf({ text: 'Nice.' })).errors).to.deep.equal(['Too short']);
  });

  it('is answered with text that does not begin with that of an excluded live region', async () => {
    placePage(`<main><div data-webmcp-ignore></div>${page('')}</main>`, (main) => {
      main.querySelector('h1')?.insertAdjacentHTML('afterend', '<p>Saved</p>');
      document.querySelector('[data-webmcp-ignore]')?.insertAdjacentHTML('beforeend', '<p role=status>Paid</p>');
    });
    const { text } = JSON.parse((await call({ text: 'Nice.' })) as string) as { readonly text: string };
    expect(text.startsWith('Paid')).to.equal(false);
  });
});
