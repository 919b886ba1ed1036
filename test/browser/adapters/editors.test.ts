import { expect } from '@open-wc/testing';
import { openCkEditor5 } from '../editors/ckeditor5.js';
import { openCodeMirror5 } from '../editors/codemirror5.js';
import { openCodeMirror6 } from '../editors/codemirror6.js';
import { initial, type EditorPage } from '../editors/page.js';
import { openProseMirror } from '../editors/prosemirror.js';
import { openQuill } from '../editors/quill.js';
import { openTinyMce } from '../editors/tinymce.js';
import { openTrix } from '../editors/trix.js';
import type { RegisterFormsOptions } from '../../../src/index.js';
import { afterTest, call, live, names, task, waitUntil } from '../../support/browser/live.js';

/** The text without white space, in which the editors differ. */
const compact = (text: string): string => text.replace(/\s+/g, '');

const textOf = (html: string): string =>
  compact(new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '');

/** Opens a page with an editor, and registers its form. */
async function open(
  load: () => EditorPage | Promise<EditorPage>,
  options: (page: EditorPage) => RegisterFormsOptions,
): Promise<EditorPage> {
  const page = await load();
  afterTest(() => page.remove());
  live(options(page));
  await waitUntil(async () => (await names()).includes('t')); // browsers with WebMCP register tools asynchronously
  return page;
}

const openInTool = (load: () => EditorPage | Promise<EditorPage>): Promise<EditorPage> => open(load, adapted);

const entriesOf = (answer: string | null) => JSON.parse(answer as string) as { title: string; content: string };

/** The message of a failed call: of the exception, or of the result where the browser drops exceptions. */
async function failure(answer: Promise<string | null>): Promise<string> {
  try {
    const { isError, message } = JSON.parse((await answer) as string) as { isError?: boolean; message?: string };
    if (!isError) throw new Error('The call succeeded.');
    return message as string;
  } catch (error) {
    return (error as Error).message;
  }
}

const adapted = ({ editors = [] }: EditorPage): RegisterFormsOptions => ({ editors });
const withoutAdapter = (): RegisterFormsOptions => ({});

for (const [name, load, options] of [
  ['TinyMCE', openTinyMce, adapted],
  ['CKEditor 5', openCkEditor5, adapted],
  ['Trix', openTrix, adapted],
  ['Quill with its adapter', openQuill, adapted],
  ['Quill without an adapter', openQuill, withoutAdapter],
  ['ProseMirror with its adapter', openProseMirror, adapted],
  ['ProseMirror without an adapter', openProseMirror, withoutAdapter],
] as const) {
  describe(`${name} in a form`, () => {
    it('shows and submits the HTML of a call', async () => {
      const page = await open(load, options);
      const answer = await call({ title: 'New', content: '<p>One <strong>two</strong></p><p>Three</p>' });
      expect(entriesOf(answer).title).to.equal('New');
      expect(textOf(entriesOf(answer).content)).to.equal('OnetwoThree');
      expect(entriesOf(answer).content).to.match(/<(strong|b)>two/);
      expect(compact(page.text())).to.equal('OnetwoThree');
    });

    it('shows and submits the paragraphs of plain text', async () => {
      const page = await open(load, options);
      const { content } = entriesOf(await call({ content: 'a < b & c\n\nd' }));
      expect(textOf(content)).to.equal('a<b&cd');
      expect(page.text()).to.match(/a < b & c\s*\n\s*d/);
    });

    it('is restored with its formatting when the call is rejected', async () => {
      const page = await open(load, options);
      const control = page.form.elements.namedItem('content') as HTMLTextAreaElement | HTMLInputElement;
      const { value } = control;
      expect(await failure(call({ title: '', content: 'New' }))).to.include('title');
      await task();
      expect(control.value).to.equal(value);
      expect(compact(page.text())).to.equal('Firstline');
      expect(entriesOf(await call({ title: 'x' })).content).to.match(/<(strong|b)>line/);
    });

    it('runs no script in the value of a call', async () => {
      await open(load, options);
      const content = '<p>Text<img src=x: onerror="window.hasRun = true"></p><svg onload="window.hasRun = true"></svg>';
      await call({ content }).catch(() => undefined);
      await task();
      expect(window).not.to.have.property('hasRun');
      expect(document.querySelector('[onerror],[onload]')).to.equal(null);
    });

    it('is emptied by an empty value', async () => {
      const page = await open(load, options);
      expect(textOf(entriesOf(await call({ content: '' })).content)).to.equal('');
      expect(compact(page.text())).to.equal('');
    });
  });
}

describe('TinyMCE with content that a call cannot write', () => {
  it('restores the content when the call is rejected', async () => {
    await openInTool(openTinyMce);
    const html = '<!-- a -->\n<p id="b" class="lead">First</p>';
    const [editor] = window.tinymce.get();
    editor?.setContent(html);
    expect(await failure(call({ title: '', content: '<p id="c" class="lead">New<!-- d --></p>' }))).to.include('title');
    await task();
    expect(editor?.getContent()).to.equal(html);
  });
});

describe('Trix with plain text', () => {
  it('has exactly the lines of the text, as if a user had typed it', async () => {
    await openInTool(openTrix);
    expect(entriesOf(await call({ content: 'One\ntwo' })).content).to.equal('<div>One<br>two</div>');
  });
});

describe('Trix with a file', () => {
  it('replaces the URL in the JSON of an attachment by that of its image, and removes the content', async () => {
    await openInTool(openTrix);
    const attachment = '{"contentType":"image/png","content":"<b>x</b>","url":"/logout"}';
    const content = `<figure class="attachment" data-trix-attachment='${attachment}'><img src="data:image/png;base64,AA=="></figure>`;
    const { content: sent } = entriesOf(await call({ content }));
    const [figure] = new DOMParser().parseFromString(sent, 'text/html').querySelectorAll('[data-trix-attachment]');
    const { url, ...others } = JSON.parse(figure?.getAttribute('data-trix-attachment') ?? '') as { url: string };
    expect([url, 'content' in others]).to.deep.equal(['data:image/png;base64,AA==', false]);
  });
});

const code = 'if (a < b) {\n  return "<b>";\n}\n';

for (const [name, load, options] of [
  ['CodeMirror 5', openCodeMirror5, adapted],
  ['CodeMirror 6 with its adapter', openCodeMirror6, adapted],
  ['CodeMirror 6 without an adapter', openCodeMirror6, withoutAdapter],
] as const) {
  describe(`${name} in a form`, () => {
    it('shows and submits exactly the text of a call', async () => {
      const page = await open(load, options);
      expect(entriesOf(await call({ content: code })).content.replaceAll('\r', '')).to.equal(code);
      expect(page.text()).to.equal(code);
    });

    it('is restored when the call is rejected', async () => {
      const page = await open(load, options);
      expect(await failure(call({ title: '', content: code }))).to.include('title');
      expect(page.text()).to.equal(initial.content);
    });

    it('is emptied by an empty value', async () => {
      const page = await open(load, options);
      expect(entriesOf(await call({ content: '' })).content).to.equal('');
      expect(page.text()).to.equal('');
    });
  });
}

for (const [name, load] of [
  ['TinyMCE', openTinyMce],
  ['CKEditor 5', openCkEditor5],
  ['CodeMirror 5', openCodeMirror5],
  ['CodeMirror 6', openCodeMirror6],
  ['Quill', openQuill],
  ['Trix', openTrix],
] as const) {
  describe(`the undo history of ${name}`, () => {
    it('restores the content from before a call', async () => {
      const page = await open(load, adapted);
      const before = page.text();
      await call({ content: 'New' });
      page.undo();
      expect(compact(page.text())).to.equal(compact(before));
    });
  });
}
