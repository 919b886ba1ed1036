import { findElement, memberOf, type FindEditor } from './editor.js';

interface CodeMirror {
  getOption(name: 'readOnly'): unknown;
  getTextArea?(): Element;
  getValue(): string;
  setValue(value: string): void;
  save?(): void;
}

const instanceOf = (element: Element): CodeMirror | undefined => memberOf(element, 'CodeMirror');

/** Finds the CodeMirror 5 (or older) editor of a textarea by the property `CodeMirror` of its element. */
export const codemirror5: FindEditor = (control) => {
  const wrapper = findElement(control, 'CodeMirror', (each) => instanceOf(each)?.getTextArea?.() === control);
  const editor = wrapper && instanceOf(wrapper);
  if (!editor || editor.getOption('readOnly')) return undefined;
  return {
    format: 'lines',
    get value() {
      return editor.getValue();
    },
    setValue(value) {
      editor.setValue(value);
      editor.save?.();
    },
  };
};
