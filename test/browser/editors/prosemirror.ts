import { DOMParser, DOMSerializer } from 'prosemirror-model';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { prosemirror } from '../../../src/browser/adapters/editors/prosemirror.js';
import { addForm, escape, initial, type EditorPage } from './page.js';

/** Adds an editor with the content of a textarea, which gets it back as HTML on submit. */
export function createProseMirror(place: Element, textarea: HTMLTextAreaElement): EditorView {
  const parsed = document.createElement('div');
  parsed.innerHTML = textarea.value;
  const view = new EditorView(place, {
    state: EditorState.create({ doc: DOMParser.fromSchema(schema).parse(parsed) }),
  });
  textarea.form?.addEventListener('submit', () => (textarea.value = htmlOf(view)));
  return view;
}

/** https://prosemirror.net/examples/basic/, with the textarea of the example "Friendly Markdown". */
export function openProseMirror(): EditorPage {
  const { form, remove } = addForm(
    `<textarea name="content" hidden>${escape(initial.content)}</textarea><div id="editor"></div>`,
  );
  const textarea = form.querySelector('textarea') as HTMLTextAreaElement;
  const view = createProseMirror(form.querySelector('#editor') as Element, textarea);
  return {
    form,
    editors: [prosemirror((control) => (control === textarea ? view : undefined))],
    text: () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n'),
    undo: () => undefined,
    remove: () => {
      view.destroy();
      remove();
    },
  };
}

function htmlOf({ state }: EditorView): string {
  const container = document.createElement('div');
  DOMSerializer.fromSchema(schema).serializeFragment(state.doc.content, { document }, container);
  return container.innerHTML;
}
