import { inertHtml } from './content.js';
import { findBeside } from './beside.js';
import type { FindEditor } from './editor.js';

interface QuillEditor {
  readonly clipboard: { convert(content: { readonly html: string }): unknown };
  readonly history: { cutoff(): void };
  getSemanticHTML(): string;
  isEnabled(): boolean;
  setContents(contents: unknown, source: 'user'): unknown;
}

/** The class Quill, of version 2 or later. */
interface QuillClass {
  find(node: Node): unknown;
}

/** Returns the container of a control's editor. */
type FindContainer = (control: Element) => Element | null | undefined;

/**
 * Finds Quill editors.
 *
 * Without `containerOf`, a container has to be beside a textarea without a box, or beside a hidden input.
 * @example
 * registerForms(document, { editors: [quill(Quill)] });
 */
export const quill =
  (Quill: QuillClass, containerOf: FindContainer = (control) => findBeside(control, '.ql-container')): FindEditor =>
  (control) => {
    const container = containerOf(control);
    const editor = container && (Quill.find(container) as QuillEditor | null | undefined);
    if (!editor?.isEnabled()) return undefined;
    return {
      format: 'unknown',
      get value() {
        return editor.getSemanticHTML();
      },
      setValue(value, _, isOwn) {
        editor.history.cutoff();
        editor.setContents(editor.clipboard.convert({ html: inertHtml(value, isOwn) }), 'user');
        editor.history.cutoff();
      },
    };
  };
