import { addForm, escape, initial, load, type EditorPage } from './page.js';

interface TrixElement extends HTMLElement {
  readonly editor: { getDocument(): { toString(): string }; undo(): void };
}

/** https://github.com/basecamp/trix#integrating-with-forms, with the description that makes the hidden input a parameter. */
export async function openTrix(): Promise<EditorPage> {
  await Promise.all([load('trix/dist/trix.umd.min.js'), load('trix/dist/trix.css')]);
  await customElements.whenDefined('trix-editor');
  const value = escape(initial.content).replaceAll('"', '&quot;');
  const { form, remove } = addForm(
    `<input id="x" type="hidden" name="content" value="${value}" data-toolparamdescription="The text.">
     <trix-editor input="x"></trix-editor>`,
  );
  const element = form.querySelector('trix-editor') as TrixElement;
  return {
    form,
    text: () => element.editor.getDocument().toString(),
    undo: () => element.editor.undo(),
    remove,
  };
}
