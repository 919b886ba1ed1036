import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, LanguageSupport, LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { parser } from '@lezer/html';
import { tags } from '@lezer/highlight';
import { limits } from '../limits.js';
import type { Edit, PageFinding } from '../reading.js';

export interface EditorOptions {
  readonly text: string;
  readonly label: string;
  onChange(): void;
  /** Returns the content of the tooltip of a finding. */
  renderFinding(finding: PageFinding): Node;
}

/** The part of the page that a finding or a form is at. */
export type Position = NonNullable<PageFinding['place']>;

const html = new LanguageSupport(LRLanguage.define({ name: 'html', parser }));

const colors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.tagName, class: 'hl-tag' },
    { tag: tags.attributeName, class: 'hl-attribute' },
    { tag: tags.attributeValue, class: 'hl-value' },
    { tag: [tags.comment, tags.documentMeta], class: 'hl-comment' },
    { tag: tags.angleBracket, class: 'hl-bracket' },
  ]),
);

/** The editor of the page's source. Its offsets are those of the text with `\n` at the ends of lines. */
export class Editor {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  readonly #options: EditorOptions;
  #isHighlighted: boolean;

  constructor(parent: HTMLElement, options: EditorOptions) {
    this.#options = options;
    this.#isHighlighted = isHighlighted(options.text.length);
    const extensions = [
      history(),
      drawSelection(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      lineNumbers(),
      lintGutter(),
      colors,
      this.#language.of(this.#isHighlighted ? html : []),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && this.#onChange()),
    ];
    this.#view = new EditorView({ parent, state: EditorState.create({ doc: options.text, extensions }) });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  get length(): number {
    return this.#view.state.doc.length;
  }

  replace(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.length, insert: text }, selection: { anchor: 0 } });
  }

  /** Adds text, as one step for undo, selects what was added first and moves the focus to it. */
  apply(edits: readonly Edit[]): void {
    const [{ at: anchor, text } = { at: 0, text: '' }] = edits.toSorted((one, other) => one.at - other.at);
    this.#view.dispatch({
      changes: edits.map((edit) => ({ from: edit.at, insert: edit.text })),
      selection: { anchor, head: anchor + text.length },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      userEvent: 'input.complete',
    });
    this.#view.focus();
  }

  showFindings(findings: readonly PageFinding[]): void {
    const { doc } = this.#view.state;
    const diagnostics = findings.map((finding) => this.#diagnostic(doc, finding));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Selects a part of the page and moves the focus to it. */
  reveal(place: Position): void {
    const { from, to } = rangeOf(this.#view.state.doc, place);
    this.#view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    this.#view.focus();
  }

  end(): void {
    this.#view.destroy();
  }

  #diagnostic(doc: Text, finding: PageFinding): Diagnostic {
    const { severity, message, place = { line: 1, column: 1 } } = finding;
    const renderMessage = (): Node => this.#options.renderFinding(finding);
    return { ...rangeOf(doc, place), severity, message, renderMessage };
  }

  #onChange(): void {
    const isShort = isHighlighted(this.length);
    if (isShort !== this.#isHighlighted) {
      this.#isHighlighted = isShort;
      const effects = this.#language.reconfigure(isShort ? html : []);
      queueMicrotask(() => this.#view.dispatch({ effects }));
    }
    this.#options.onChange();
  }
}

const isHighlighted = (length: number): boolean => length <= limits.highlighted;

function rangeOf(doc: Text, { line, column, endLine = line, endColumn = column + 1 }: Position) {
  const from = offsetOf(doc, line, column);
  return { from, to: Math.max(from, offsetOf(doc, endLine, endColumn)) };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}
