import { findBeside } from './beside.js';
import type { FindEditor } from './editor.js';

interface CodeMirrorView {
  readonly state: { readonly doc: { readonly length: number; toString(): string }; readonly readOnly: boolean };
  dispatch(transaction: object): void;
}

/** The class EditorView of the package `@codemirror/view`. */
interface CodeMirrorClass {
  findFromDOM(element: HTMLElement): unknown;
}

/** Returns the element `.cm-editor` of a control's editor. */
type FindElement = (control: Element) => Element | null | undefined;

/**
 * Finds CodeMirror 6 editors.
 *
 * Without `elementOf`, an editor has to be beside a textarea without a box, or beside a hidden input.
 * @example
 * registerForms(document, { editors: [codemirror6(EditorView)] });
 */
export const codemirror6 =
  (EditorView: CodeMirrorClass, elementOf: FindElement = (control) => findBeside(control, '.cm-editor')): FindEditor =>
  (control) => {
    const element = elementOf(control);
    const view = element && (EditorView.findFromDOM(element as HTMLElement) as CodeMirrorView | null);
    if (!view || view.state.readOnly) return undefined;
    return {
      format: 'lines',
      get value() {
        return view.state.doc.toString();
      },
      setValue(insert) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: 'input.paste' });
      },
    };
  };
