import { addForm, escape, initial, load, type EditorPage } from './page.js';

interface Editor {
  readonly undoManager: { undo(): void };
  getContent(options?: { format: 'text' }): string;
  setContent(html: string): void;
  remove(): void;
}

declare global {
  interface Window {
    readonly tinymce: { init(options: object): Promise<Editor[]>; get(): Editor[] };
  }
}

/** https://www.tiny.cloud/docs/tinymce/latest/zip-install/ */
export async function openTinyMce(): Promise<EditorPage> {
  await load('tinymce/tinymce.min.js');
  const { form, remove } = addForm(`<textarea id="content" name="content">${escape(initial.content)}</textarea>`);
  const [editor] = (await window.tinymce.init({
    selector: '#content',
    license_key: 'gpl',
    plugins: 'link lists image',
    promotion: false,
  })) as [Editor];
  return {
    form,
    text: () => editor.getContent({ format: 'text' }),
    undo: () => editor.undoManager.undo(),
    remove: () => {
      editor.remove();
      remove();
    },
  };
}
