import { undo } from '@codemirror/commands';
import { basicSetup, EditorView } from 'codemirror';
import { codemirror6 } from '../../../src/browser/adapters/editors/codemirror6.js';
import { addForm, escape, initial, type EditorPage } from './page.js';

/** Replaces a textarea by an editor, whose content it gets on submit. https://codemirror.net/docs/migration/#codemirror.fromtextarea */
export function createCodeMirror6(textarea: HTMLTextAreaElement): EditorView {
  const view = new EditorView({ doc: textarea.value, extensions: [basicSetup] });
  textarea.before(view.dom);
  textarea.style.display = 'none';
  textarea.form?.addEventListener('submit', () => (textarea.value = view.state.doc.toString()));
  return view;
}

export function openCodeMirror6(): EditorPage {
  const { form, remove } = addForm(`<textarea name="content">${escape(initial.content)}</textarea>`);
  const view = createCodeMirror6(form.querySelector('textarea') as HTMLTextAreaElement);
  return {
    form,
    editors: [codemirror6(EditorView)],
    text: () => view.state.doc.toString(),
    undo: () => void undo(view),
    remove: () => {
      view.destroy();
      remove();
    },
  };
}
