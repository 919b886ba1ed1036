import { expect } from '@open-wc/testing';
import { apply } from '../../../src/polyfill/index.js';
import { registerForms } from '../../../src/index.js';
import { afterTest, namesIn, toolIn, until } from '../../support/polyfill/frame.js';

apply();
registerForms();

const markup = (name: string): string =>
  `<form toolname=${name} tooldescription=d toolautosubmit><input name=q required></form>`;

const frameless: Readonly<Record<string, (html: string) => Document>> = {
  'document.implementation': (html) => {
    const made = document.implementation.createHTMLDocument();
    made.body.innerHTML = html;
    return made;
  },
  DOMParser: (html) => new DOMParser().parseFromString(html, 'text/html'),
};

const transfers: Readonly<Record<string, (form: HTMLFormElement) => HTMLFormElement>> = {
  adoptNode: (form) => document.adoptNode(form),
  importNode: (form) => document.importNode(form, true),
  cloneNode: (form) => form.cloneNode(true) as HTMLFormElement,
};

describe('a form in a document without a window', () => {
  for (const [maker, make] of Object.entries(frameless)) {
    it(`is not a tool (${maker})`, async () => {
      make(markup('frameless'));
      expect(await namesIn(document)).to.deep.equal([]);
    });

    for (const [transfer, move] of Object.entries(transfers)) {
      it(`is a tool that works after ${transfer} and its insertion (${maker})`, async () => {
        const form = move(make(markup('moved')).forms[0] as HTMLFormElement);
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          event.respondWith(new FormData(form).get('q'));
        });
        document.body.append(form);
        afterTest(() => form.remove());
        await until(async () => (await namesIn(document)).includes('moved')); // Chromium registers it later
        expect(await document.modelContext.executeTool(await toolIn(document, 'moved'), { q: 'ok' })).to.equal('ok');
      });
    }
  }
});
