import { expect } from '@open-wc/testing';
import { domTree } from '../../../src/browser/dom/dom-tree.js';
import { languageReader } from '../../../src/compiler/html/language.js';
import { languageCases } from '../../support/language-cases.js';

describe('languageReader in a live document', () => {
  for (const [title, html, lang, dir] of languageCases) {
    it(`reads the language and the direction ${title}, as in a file`, () => {
      const form = new DOMParser().parseFromString(html, 'text/html').forms[0] as HTMLFormElement;
      expect(languageReader(domTree)(form)).to.deep.equal({ ...(lang && { lang }), ...(dir && { dir }) });
    });
  }

  it('ignores the language and the direction of the host of a shadow tree', () => {
    const host = document.createElement('div');
    host.lang = 'fa';
    host.dir = 'rtl';
    const form = document.createElement('form');
    host.attachShadow({ mode: 'open' }).append(form);
    expect(languageReader(domTree)(form)).to.deep.equal({});
  });
});
