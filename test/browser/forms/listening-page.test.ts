import { expect } from '@open-wc/testing';
import { isNative, namesIn, openFrame, settle, until, windowOf } from '../../support/polyfill/frame.js';

const form = '<form toolname=t tooltitle=T tooldescription=d><input name=a></form>';

/** Opens a page with the classic script, whose tools only a listener uses. The page of the tests has no polyfill. */
async function openListening(body: string) {
  const srcdoc = `<!doctype html><script src=/webmcp-forms.iife.js></script><body>${body}`;
  const page = windowOf(await openFrame({ srcdoc })).document;
  let changes = 0;
  page.modelContext.ontoolchange = () => changes++;
  return { page, changes: () => changes };
}

const suite = isNative ? describe.skip : describe;

suite('a page that listens to toolchange before it has listed any tool', () => {
  for (const [change, run] of [
    ['the title of a tool', (element) => element.setAttribute('tooltitle', 'U')],
    ['the attribute toolautosubmit', (element) => element.toggleAttribute('toolautosubmit')],
    ['a required control', (element) => element.querySelector('input')?.toggleAttribute('required')],
    ['the removal of a control', (element) => element.querySelector('input')?.remove()],
  ] as [string, (element: HTMLFormElement) => void][]) {
    it(`gets one event for ${change}, and another for a change after it has listed the tools`, async () => {
      const { page, changes } = await openListening(form);
      const element = page.forms[0] as HTMLFormElement;
      run(element);
      await until(() => changes() > 0);
      expect(await namesIn(page)).to.deep.equal(['t']);
      await settle();
      expect(changes()).to.equal(1);
      element.setAttribute('tooltitle', 'V');
      await until(() => changes() > 1);
      await settle();
      expect(changes()).to.equal(2);
    });
  }

  it('gets one event for two equal forms of one name, and one for their removal', async () => {
    const { page, changes } = await openListening('');
    page.body.insertAdjacentHTML('beforeend', form + form);
    await until(() => changes() > 0);
    expect(await namesIn(page)).to.deep.equal(['t']);
    await settle();
    expect(changes()).to.equal(1);
    page.body.replaceChildren();
    await until(() => changes() > 1);
    expect(await namesIn(page)).to.deep.equal([]);
    await settle();
    expect(changes()).to.equal(2);
  });
});
