import { addForm, escape, initial, load, type EditorPage } from './page.js';

interface Editor {
  readonly editing: { readonly view: { getDomRoot(): HTMLElement } };
  destroy(): Promise<unknown>;
  execute(command: 'undo'): void;
}

interface Editors {
  readonly ClassicEditor: { create(element: Element, options: object): Promise<Editor> };
  readonly [plugin: string]: unknown;
}

declare global {
  interface Window {
    readonly CKEDITOR: Editors;
  }
}

/** https://ckeditor.com/docs/ckeditor5/latest/getting-started/installation/self-hosted/quick-start.html */
export async function openCkEditor5(): Promise<EditorPage> {
  await load('ckeditor5/dist/browser/ckeditor5.umd.js');
  const { form, remove } = addForm(`<textarea id="content" name="content">${escape(initial.content)}</textarea>`);
  const { ClassicEditor, Essentials, Paragraph, Bold, Link } = window.CKEDITOR;
  const editor = await ClassicEditor.create(form.querySelector('#content') as Element, {
    licenseKey: 'GPL',
    plugins: [Essentials, Paragraph, Bold, Link],
    toolbar: ['undo', 'bold', 'link'],
  });
  return {
    form,
    text: () => editor.editing.view.getDomRoot().innerText,
    undo: () => editor.execute('undo'),
    remove: () => void editor.destroy().then(remove),
  };
}
