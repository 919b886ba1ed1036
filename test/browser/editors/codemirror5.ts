import { addForm, escape, initial, load, type EditorPage } from './page.js';

interface Editor {
  getValue(): string;
  undo(): void;
}

declare global {
  interface Window {
    readonly CodeMirror: { fromTextArea(textarea: Element): Editor };
  }
}

/** https://codemirror.net/5/doc/manual.html#fromTextArea */
export async function openCodeMirror5(): Promise<EditorPage> {
  await Promise.all([load('codemirror5/lib/codemirror.js'), load('codemirror5/lib/codemirror.css')]);
  const { form, remove } = addForm(`<textarea name="content">${escape(initial.content)}</textarea>`);
  const editor = window.CodeMirror.fromTextArea(form.querySelector('textarea') as Element);
  return { form, text: () => editor.getValue(), undo: () => editor.undo(), remove };
}
