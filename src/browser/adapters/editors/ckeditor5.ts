import { inertHtml } from './content.js';
import { findElement, memberOf, type FindEditor } from './editor.js';

interface CkEditor {
  readonly sourceElement?: Element;
  readonly isReadOnly: boolean;
  readonly data: { set(data: string, options: object): void };
  getData(): string;
  updateSourceElement(): void;
}

const instanceOf = (element: Element): CkEditor | undefined => memberOf(element, 'ckeditorInstance');

/** Finds the CKEditor 5 instance of a textarea by the property `ckeditorInstance` of its editable element. */
export const ckeditor5: FindEditor = (control) => {
  const editable = findElement(control, 'ck-editor__editable', (each) => instanceOf(each)?.sourceElement === control);
  const editor = editable && instanceOf(editable);
  if (!editor || editor.isReadOnly) return undefined;
  return {
    get value() {
      return editor.getData();
    },
    setValue(value, _, isOwn) {
      editor.data.set(inertHtml(value, isOwn), { batchType: { isUndoable: true } });
      editor.updateSourceElement();
    },
  };
};
