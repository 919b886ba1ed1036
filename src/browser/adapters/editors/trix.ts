import { query, rootOf } from '../../dom/dom-tree.js';
import { isTextarea, valueOf } from '../../dom/members.js';
import { inertHtml, isMarkup } from './content.js';
import { memberOf, type FindEditor } from './editor.js';

interface TrixEditor {
  recordUndoEntry(description: string): void;
  getDocument(): { getLength(): number };
  setSelectedRange(range: readonly [number, number]): void;
  insertHTML(html: string): void;
  insertString(text: string): void;
}

/** Finds the Trix editor whose attribute `input` names a control. */
export const trix: FindEditor = (control) => {
  if (isTextarea(control)) return undefined;
  const element = query(rootOf(control), 'trix-editor').find((each) => memberOf(each, 'inputElement') === control);
  const editor = element && memberOf<TrixEditor>(element, 'editor');
  if (!editor || memberOf(element, 'disabled')) return undefined;
  return {
    get value() {
      return valueOf(control);
    },
    setValue(value, _, isOwn) {
      editor.recordUndoEntry('Set content');
      editor.setSelectedRange([0, editor.getDocument().getLength()]);
      // Trix renders the margins of paragraphs as empty lines.
      if (isMarkup(value)) editor.insertHTML(inertHtml(value, isOwn));
      else editor.insertString(value);
    },
  };
};
