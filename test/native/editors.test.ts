import { expect } from '@open-wc/testing';
import { openCkEditor5 } from '../browser/editors/ckeditor5.js';
import { openCodeMirror5 } from '../browser/editors/codemirror5.js';
import { openProseMirror } from '../browser/editors/prosemirror.js';
import { openTinyMce } from '../browser/editors/tinymce.js';
import { afterTest, call, live, names, waitUntil } from '../support/browser/live.js';

for (const [name, open] of [
  ['TinyMCE', openTinyMce],
  ['CKEditor 5', openCkEditor5],
  ['CodeMirror 5', openCodeMirror5],
  ['ProseMirror', openProseMirror],
] as const) {
  describe(`${name} in a form that the browser registers`, () => {
    it('gets the value that the browser sets in its control', async () => {
      const page = await open();
      afterTest(() => page.remove());
      for (const attribute of ['toolname', 'tooldescription', 'toolautosubmit']) page.form.setAttribute(attribute, 'n');
      live();
      await waitUntil(async () => (await names()).includes('n'));
      const { content } = JSON.parse((await call({ content: 'Agent' }, {}, 'n')) as string) as { content: string };
      expect(content).to.include('Agent');
      expect(page.text().trim()).to.equal('Agent');
    });
  });
}

describe('an element with contenteditable in a form that the browser registers', () => {
  for (const type of ['input', 'change'])
    it(`runs no script in a value that the page copies from the control into the element as HTML at the event ${type}`, async () => {
      const form = document.createElement('form');
      form.innerHTML = '<textarea name=content hidden></textarea><div contenteditable>Old</div><button>Go</button>';
      for (const attribute of ['toolname', 'tooldescription', 'toolautosubmit']) form.setAttribute(attribute, 'n');
      const control = form.querySelector('textarea') as HTMLTextAreaElement;
      const element = form.querySelector('div') as Element;
      const copied: string[] = [];
      control.addEventListener(type, () => copied.push((element.innerHTML = control.value)));
      form.addEventListener('submit', (event) => event.preventDefault());
      document.body.append(form);
      afterTest(() => form.remove());
      live();
      await waitUntil(async () => (await names()).includes('n'));
      await call({ content: '<b>New</b><img src="x:" onerror="window.hasRun = true">' }, {}, 'n').catch(
        () => undefined,
      );
      await waitUntil(() => element.textContent === 'New');
      expect(copied.join()).to.include('<b>New</b>').and.not.to.include('onerror');
    });
});
