import { inertHtml } from './content.js';
import type { FindEditor } from './editor.js';

interface ProseMirrorView {
  readonly editable: boolean;
  readonly state: {
    readonly doc: { readonly content: { readonly size: number }; slice(from: number): unknown };
    readonly tr: { delete(from: number, to: number): unknown };
  };
  dispatch(transaction: unknown): void;
  pasteHTML(html: string): boolean;
  serializeForClipboard(slice: unknown): { readonly dom: HTMLElement };
}

/** Returns the ProseMirror view that edits a control's value. */
type FindView = (control: Element) => object | null | undefined;

/**
 * Finds ProseMirror editors, including editors of libraries that are built on ProseMirror, such as Tiptap.
 * @example
 * registerForms(document, { editors: [prosemirror((control) => (control.id === 'body' ? view : undefined))] });
 */
export const prosemirror =
  (viewOf: FindView): FindEditor =>
  (control) => {
    const view = viewOf(control) as ProseMirrorView | null | undefined;
    if (!view?.editable) return undefined;
    return {
      format: 'unknown',
      get value() {
        return view.serializeForClipboard(view.state.doc.slice(0)).dom.innerHTML;
      },
      setValue(value, _, isOwn) {
        const { doc, tr } = view.state;
        view.dispatch(tr.delete(0, doc.content.size));
        if (value) view.pasteHTML(inertHtml(value, isOwn));
      },
    };
  };
