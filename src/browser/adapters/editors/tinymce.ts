import { setValueOf, valueOf } from '../../dom/members.js';
import { inertHtml } from './content.js';
import { globalOf, type FindEditor } from './editor.js';

interface TinyEditor {
  readonly initialized: boolean;
  readonly readonly?: boolean;
  readonly mode?: { isReadOnly?(): boolean };
  readonly undoManager: { transact(change: () => void): unknown };
  getElement(): Element;
  isHidden(): boolean;
  load(): unknown;
  save(options: { readonly set_dirty: boolean }): unknown;
}

interface TinyGlobal {
  get(): readonly TinyEditor[];
}

/**
 * Finds the TinyMCE editor of a textarea by the global `tinymce`. If the editor is hidden, as in the tab "Text" of WordPress,
 * the textarea itself is edited.
 */
export const tinymce: FindEditor = (control) => {
  const editor = globalOf<TinyGlobal>(control, 'tinymce')
    ?.get()
    .find((each) => each.initialized && each.getElement() === control);
  if (!editor || editor.isHidden() || (editor.mode?.isReadOnly?.() ?? editor.readonly)) return undefined;
  const save = (): void => void editor.save({ set_dirty: false });
  return {
    get value() {
      save();
      return valueOf(control);
    },
    setValue(value, _, isOwn) {
      // load() applies the page's conversions, such as the paragraphs of WordPress.
      setValueOf(control, inertHtml(value, isOwn));
      editor.undoManager.transact(() => editor.load());
      save();
    },
  };
};
