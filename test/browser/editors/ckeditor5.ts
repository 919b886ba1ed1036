import { Bold } from '@ckeditor/ckeditor5-basic-styles';
import { ClassicEditor } from '@ckeditor/ckeditor5-editor-classic';
import { Essentials } from '@ckeditor/ckeditor5-essentials';
import { Link } from '@ckeditor/ckeditor5-link';
import { Paragraph } from '@ckeditor/ckeditor5-paragraph';
import { addForm, escape, initial, type EditorPage } from './page.js';

/** Replaces an element by an editor. */
export const createCkEditor5 = (element: HTMLElement): Promise<ClassicEditor> =>
  ClassicEditor.create(element, {
    licenseKey: 'GPL',
    plugins: [Essentials, Paragraph, Bold, Link],
    toolbar: ['undo', 'bold', 'link'],
  });

/** https://ckeditor.com/docs/ckeditor5/latest/getting-started/installation/self-hosted/quick-start.html */
export async function openCkEditor5(): Promise<EditorPage> {
  const { form, remove } = addForm(`<textarea id="content" name="content">${escape(initial.content)}</textarea>`);
  const editor = await createCkEditor5(form.querySelector('#content') as HTMLElement);
  return {
    form,
    text: () => editor.editing.view.getDomRoot()?.innerText ?? '',
    undo: () => void editor.execute('undo'),
    remove: () => void editor.destroy().then(remove),
  };
}
