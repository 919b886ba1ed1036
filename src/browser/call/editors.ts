import { annotation } from '../../compiler/describe/label-text.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { listenFirst } from '../../platform/signals.js';
import { hasState, setState, stateOf, type ControlState } from '../dom/control-state.js';
import { domTree, isRendered, isSeen } from '../dom/dom-tree.js';
import { composedPath, inputType, isTextarea, setValueOf, valueOf } from '../dom/members.js';
import { reportError } from '../../platform/tasks.js';
import { hasContentOf, hasSameText, hasWordsOf, inertValue, isMarkup } from '../adapters/editors/content.js';
import type { FormEditor } from '../adapters/editors/editor.js';
import { widgets } from '../adapters/widgets/widgets.js';
import type { Settings } from '../settings.js';

/** The values that the running calls have set through editors. */
const setValues = new SafeWeakMap<Element, string>();

/** The state of a control with an editor. */
type EditorState = Extract<ControlState, { readonly kind: 'value' }> & {
  readonly html?: string | undefined;
  /** The value of the control itself. The page may not update it until the submission. */
  readonly own?: string;
};

/** The editor that determines the submitted value of a textarea, or of a hidden input that is a parameter. */
export function editorOf({ editors, tree }: Settings, control: Element): FormEditor | undefined {
  if (!isTextarea(control) && !isHiddenParameter(tree, control)) return undefined;
  for (const find of editors) {
    try {
      const editor = find(control);
      if (editor) return editor;
    } catch {
      // The page may use the name of an editor's global for something else, which may throw.
    }
  }
  return undefined;
}

const isHiddenParameter = (tree: Settings['tree'], control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  inputType(control) === 'hidden' &&
  annotation(tree, control, 'toolparamdescription') !== null;

/** The state of a control as the user sees it: the state of its editor, if it has an editor. */
export function editedState(settings: Settings, control: Element): ControlState {
  const editor = editorOf(settings, control);
  if (!editor) return stateOf(control);
  const own = valueOf(control);
  const { value, html } = editor;
  const state: EditorState = { kind: 'value', value, html, own };
  return state;
}

/**
 * Sets a control through its editor, if it has one, and shows its value in the widget that a script has added to it.
 *
 * @param isOfAgent - whether the value comes from the agent, so that `valueToSet` applies to controls without an editor
 */
export function setEditedState(settings: Settings, control: Element, state: ControlState, isOfAgent = false): void {
  const editor = state.kind === 'value' ? editorOf(settings, control) : undefined;
  if (editor) setEditor(editor, control, state as EditorState);
  else setState(control, isOfAgent ? inertState(control, state) : state);
  widgets.show(control);
}

const inertState = (control: Element, state: ControlState): ControlState =>
  state.kind === 'value' ? { ...state, value: valueToSet(control, state.value) } : state;

/** A value for a control. Markup is made inert if users do not see the control, because the page may show it elsewhere. */
export const valueToSet = (control: Element, value: string): string =>
  isMarkup(value) && !isSeen(control) ? inertValue(value) : value;

function setEditor(editor: FormEditor, control: Element, state: EditorState): void {
  const { value, html, own } = state;
  const before = valueOf(control);
  setValues.set(control, value);
  try {
    editor.setValue(value, html, own !== undefined);
    // Constraint validation and reviews read the control, not the editor.
    if (own !== undefined || (valueOf(control) === before && before !== value))
      setValueOf(control, own ?? editor.value);
  } catch (error) {
    reportError(error);
  }
}

/** Whether a control has exactly this state. */
export function hasEditedState(settings: Settings, control: Element, state: ControlState): boolean {
  const editor = state.kind === 'value' ? editorOf(settings, control) : undefined;
  if (!editor) return hasState(control, state);
  const { value, html, own } = state as EditorState;
  const hasOwn = own === undefined || editor.format !== 'unknown' || valueOf(control) === own;
  return hasOwn && editor.value === value && (html === undefined || editor.html === html);
}

/**
 * Whether a control has a state that the call has set. Editors may change the formatting of a value, so only
 * its content is compared.
 */
export function isSetState(settings: Settings, control: Element, state: ControlState): boolean {
  const editor = state.kind === 'value' ? editorOf(settings, control) : undefined;
  if (!editor) return hasState(control, state);
  const { value } = state as EditorState;
  const actual = editor.value;
  return actual === value || (setValues.get(control) === value && hasContent(editor, control, actual, value));
}

/**
 * Until a signal aborts, passes the values that the browser sets in controls without a box to the editors of the controls.
 * Trusted events at such controls mean that the browser fills the form for an agent. The first of these events is `input`.
 * The listener runs before the listeners of the page, which could copy the value, possibly HTML with scripts.
 */
export function updateEditors(document: Document, settings: Settings, signal: AbortSignal | undefined): void {
  const onInput = (event: Event): void => {
    const [control] = composedPath(event) as Element[];
    if (!event.isTrusted || !control || isRendered(control) || !editorOf(settings, control)) return;
    const state = stateOf(control);
    if (!isSetState(settings, control, state)) setEditedState(settings, control, state);
  };
  listenFirst(document, 'input', onInput, signal);
}

/** Forgets the value that an earlier call has set in a control. */
export const forgetSetValue = (control: Element): void => void setValues.delete(control);

/** Whether a submitted value has the content of the value that was set, in any format if the editor has an unknown format. */
export function isSubmittedValue(settings: Settings, control: Element, submitted: string, wanted: string): boolean {
  const editor = editorOf(settings, control);
  if (!editor) return withoutCarriageReturns(submitted) === withoutCarriageReturns(wanted);
  return (
    hasContent(editor, control, submitted, wanted) ||
    (editor.format === 'unknown' && hasContent(editor, control, editor.value, wanted) && hasWordsOf(submitted, wanted))
  );
}

function hasContent({ format = 'html' }: FormEditor, control: Element, actual: string, wanted: string): boolean {
  switch (format) {
    case 'html':
      return hasContentOf(actual, wanted, control);
    case 'lines':
      return withoutCarriageReturns(actual) === withoutCarriageReturns(wanted);
    case 'unknown':
      return hasSameText(actual, wanted);
  }
}

const withoutCarriageReturns = (text: string): string => text.replace(/\r\n?/g, '\n');
