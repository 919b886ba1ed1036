import { quill } from '../../../src/browser/adapters/editors/quill.js';
import { addForm, escape, initial, load, type EditorPage } from './page.js';

interface Editor {
  readonly history: { undo(): void };
  getText(): string;
  getSemanticHTML(): string;
}

declare global {
  interface Window {
    readonly Quill: { new (container: Element, options: object): Editor; find(node: Node): unknown };
  }
}

/** https://quilljs.com/docs/quickstart, with a hidden textarea that gets the content at submission. */
export async function openQuill(): Promise<EditorPage> {
  await Promise.all([load('quill/dist/quill.js'), load('quill/dist/quill.snow.css')]);
  const { form, remove } = addForm(
    `<textarea name="content" hidden>${escape(initial.content)}</textarea><div id="editor">${initial.content}</div>`,
  );
  const textarea = form.querySelector('textarea') as HTMLTextAreaElement;
  const editor = new window.Quill(form.querySelector('#editor') as Element, { theme: 'snow' });
  form.addEventListener('submit', () => (textarea.value = editor.getSemanticHTML()));
  return {
    form,
    editors: [quill(window.Quill)],
    text: () => editor.getText(),
    undo: () => editor.history.undo(),
    remove,
  };
}
