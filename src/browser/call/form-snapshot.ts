import { groupBy } from '../../group-by.js';
import { SafeMap, SafeSet } from '../../platform/collections.js';
import { nextTask, wait } from '../../platform/timers.js';
import { customControls, type CustomState } from '../dom/custom-controls.js';
import {
  hasState,
  optionElements,
  optionValues,
  setValueAsScript,
  writeState,
  type ControlState,
} from '../dom/control-state.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import { focusedElement } from '../dom/focus.js';
import { inputType, isConnected, removeAttribute } from '../dom/members.js';
import { widgets } from '../adapters/widgets/widgets.js';
import type { LiveForm } from '../forms/live-form.js';
import type { Settings } from '../settings.js';
import { editedState, editorOf, forgetSetValue, hasEditedState, setEditedState } from './editors.js';
import { optionsTimeoutOf, pollIntervalMs, type RunningCall } from './running-call.js';

export interface Change {
  readonly control: Element;
  readonly before: ControlState | CustomState;
  readonly after: ControlState | CustomState;
}

interface ControlSnapshot {
  readonly control: Element;
  readonly state: ControlState | CustomState;
  /** The selected options. They are compared by identity, or by value if the page has replaced them. */
  readonly options: ReadonlySet<Element>;
  readonly values: readonly string[];
  readonly name: string | null;
  readonly key: string;
  /** Whether the control is a hidden input without the attribute `value`. Setting its value adds the attribute. */
  readonly isUnset: boolean;
}

interface Difference {
  readonly snapshot: ControlSnapshot;
  readonly control: Element;
  readonly after: ControlState | CustomState;
  readonly restore: () => void;
  /** Restores a control without events, unless it is a custom element, has an editor, or has lost options. */
  readonly write: () => void;
}

const nativeControls = new Set(['input', 'select', 'textarea']);

export class FormSnapshot {
  /** Whether the form is restored when the call fails. */
  isRestorable = true;
  readonly #call: RunningCall;
  /** The form at the start of the call. The page may replace it later. */
  readonly #form: LiveForm;
  #snapshots: readonly ControlSnapshot[];
  /** The snapshots of the controls that the form had before the call. */
  readonly #initial: ReadonlySet<ControlSnapshot>;
  /** The controls with their names, because a page may reuse an element for another control. */
  readonly #included = new SafeMap<Element, string | null>();
  #recorded: ReadonlySet<ControlSnapshot> | undefined;

  constructor(call: RunningCall, controls: readonly Element[]) {
    this.#call = call;
    this.#form = call.form;
    this.#snapshots = controls.flatMap((control) => snapshotOf(control, call.form.settings) ?? []);
    this.#initial = new SafeSet(this.#snapshots);
    for (const control of controls) this.#included.set(control, nameOf(control));
  }

  /** Adds controls that have appeared. They are restored before the choices that have revealed them. */
  include(controls: readonly Element[]): void {
    const included = this.#included;
    const current = new SafeSet(this.#current().map(({ control }) => control));
    const appeared = controls.filter((control) => included.get(control) !== nameOf(control) && !current.has(control));
    const snapshots = appeared.flatMap(
      (control) => snapshotOf(control, this.#call.form.settings, included.has(control)) ?? [],
    );
    for (const control of controls) included.set(control, nameOf(control));
    this.#snapshots = [...snapshots, ...this.#snapshots];
  }

  /** Returns the changes so far, and limits `restore()` to them. */
  recordChanges(): readonly Change[] {
    const differences = this.#differences();
    this.#recorded = new SafeSet(differences.map(({ snapshot }) => snapshot));
    return differences.map(({ control, snapshot, after }) => ({ control, before: snapshot.state, after }));
  }

  /** Restores the form with the events of a user, so that frameworks notice the changes. */
  async restore(): Promise<void> {
    const call = this.#call;
    call.filled = undefined; // allows the page to replace the form again
    if (!isConnected(call.form.element)) await untilRead();
    const isChoice = ({ snapshot }: Difference): boolean => snapshot.state.kind !== 'value';
    const hasChoice = this.#differences().some(isChoice);
    let calmMs = hasChoice ? 0 : maxCalmMs;
    const tried = new SafeMap<Element, ControlSnapshot>();
    const isNew = ({ control, snapshot }: Difference): boolean => tried.get(control) !== snapshot;
    for (let round = 0; round <= this.#snapshots.length + 1; round++) {
      const open = this.#differences();
      if (round > 1 && !open.some(isNew)) break;
      for (const { control, snapshot } of open) tried.set(control, snapshot);
      this.#restoreOnce();
      // Listeners may have written other values.
      if (round > 0) for (const each of this.#differences()) if (!isNew(each)) each.write();
      await untilRead(); // frameworks render asynchronously, and dependent selects load their options
    }
    for (const { control, snapshot } of this.#current()) tried.set(control, snapshot);
    for (let waitedMs = 0; waitedMs < optionsTimeoutOf(call); waitedMs += pollIntervalMs) {
      if (calmMs >= maxCalmMs && !this.#isMissing() && !this.#differences().some(isSelect)) return;
      await wait(pollIntervalMs);
      calmMs += pollIntervalMs;
      // Only selects and new controls, because the user may be typing in other controls.
      const open = this.#differences().filter((each) => isSelect(each) || (isNew(each) && !isTypedIn(each)));
      if (open.some(isNew) || (hasChoice && this.#hasAppeared())) calmMs = 0;
      for (const { control, snapshot } of this.#current()) tried.set(control, snapshot);
      restoreEach(open);
    }
  }

  #restoreOnce(): void {
    // Check radio buttons first, which unchecks the rest of the group.
    restoreEach(this.#differences().filter(({ snapshot }) => isChecked(snapshot)));
    // A page that replaces the form after a choice may copy the other values. Restore these before the choice.
    const differences = this.#differences();
    restoreEach(this.#call.form === this.#form ? differences : differences.toReversed());
  }

  /** Whether a control that the form had before the call is still missing. */
  #isMissing(): boolean {
    const found = new SafeSet(this.#current().map(({ snapshot }) => snapshot));
    return [...(this.#recorded ?? this.#initial)].some(
      (snapshot) => this.#initial.has(snapshot) && !found.has(snapshot),
    );
  }

  /** Whether the form still has a control that appeared during the call. Always false after `recordChanges()`. */
  #hasAppeared(): boolean {
    return !this.#recorded && this.#current().some(({ snapshot }) => !this.#initial.has(snapshot));
  }

  #current(): readonly Pick<Difference, 'snapshot' | 'control'>[] {
    return currentControls(this.#call.form.element, this.#snapshots);
  }

  #differences(): readonly Difference[] {
    return this.#current()
      .filter(({ snapshot }) => this.#recorded?.has(snapshot) ?? true)
      .flatMap(({ snapshot, control }) => difference(snapshot, control, this.#call.form.settings) ?? []);
  }
}

/** The time without new controls after which a choice and the controls that depend on it count as restored. */
const maxCalmMs = 3 * pollIntervalMs;

/** Resolves after the task in which a replacement of the form continues the call. */
const untilRead = (): Promise<void> => nextTask().then(nextTask);

/** Restores controls one by one: after each change, the page may replace other controls, or the form. */
function restoreEach(differences: readonly Difference[]): void {
  const connected = new SafeSet(differences.filter(({ control }) => isConnected(control)));
  for (const each of differences) if (isConnected(each.control) || !connected.has(each)) each.restore();
}

const isTypedIn = ({ control }: Difference): boolean => focusedElement(control) === control;

/** @param isReused - whether the element was another control before, and may still have its value */
function snapshotOf(control: Element, settings: Settings, isReused = false): ControlSnapshot | undefined {
  customControls.forget(control);
  forgetSetValue(control);
  const isNative = nativeControls.has(domTree.localName(control));
  // A nameless custom element is part of another control, such as a radio button of a group.
  const isCustom = !isNative && domTree.attribute(control, 'name');
  const found = isNative ? editedState(settings, control) : isCustom ? customControls.state(control) : undefined;
  if (!found) return undefined;
  const { defaultValue } = control as HTMLInputElement;
  const state = isReused && found.kind === 'value' ? { ...found, value: defaultValue } : found;
  const selected = state.kind === 'selected' ? optionElements(control).filter((_, index) => state.options[index]) : [];
  return {
    control,
    state,
    name: nameOf(control),
    key: keyOf(control),
    isUnset: isUnset(control),
    options: new SafeSet(selected),
    values: optionValues(control, selected),
  };
}

const isUnset = (control: Element): boolean =>
  domTree.localName(control) === 'input' &&
  inputType(control) === 'hidden' &&
  domTree.attribute(control, 'value') === null;

const nameOf = (control: Element): string | null => domTree.attribute(control, 'name');

function keyOf(control: Element): string {
  const isChoice = /^(?:checkbox|radio)$/.test(domTree.attribute(control, 'type') ?? '');
  const attributes = ['name', 'type', ...(isChoice ? ['value'] : [])];
  return [domTree.localName(control), ...attributes.map((name) => domTree.attribute(control, name) ?? '')].join(' ');
}

function difference(snapshot: ControlSnapshot, control: Element, settings: Settings): Difference | undefined {
  const { state } = snapshot;
  if (state.kind === 'custom') {
    const after = customControls.state(control);
    if (!after || customControls.isSame(state, after)) return undefined;
    return { snapshot, control, after, restore: () => customControls.restore(control, state), write() {} };
  }
  const before = restorableState(control, snapshot, state);
  const count = before.kind === 'selected' ? before.options.filter(Boolean).length : 0;
  const isComplete = count >= snapshot.values.length;
  if (isComplete && hasEditedState(settings, control, before)) return undefined;
  const hasEditor = editorOf(settings, control) !== undefined;
  return {
    snapshot,
    control,
    after: editedState(settings, control),
    restore: () => {
      if (isComplete || count) setEditedState(settings, control, before);
      if (!isComplete) widgets.show(control, snapshot.values);
      if (before.kind === 'value' && !hasEditor && !hasState(control, before)) setValueAsScript(control, before.value);
      if (snapshot.isUnset) removeAttribute(control, 'value');
    },
    write() {
      if (isComplete && !hasEditor) writeState(control, before);
    },
  };
}

/**
 * Pairs the snapshots with their current controls. Replaced controls, and controls whose elements became other controls,
 * are matched by key, if equal numbers of controls with the key were removed and added.
 */
function currentControls(
  form: Element,
  snapshots: readonly ControlSnapshot[],
): readonly Pick<Difference, 'snapshot' | 'control'>[] {
  const isLost = ({ control, name }: ControlSnapshot): boolean =>
    domTree.formOwner(control) !== form || nameOf(control) !== name;
  const lost = new SafeSet(snapshots.filter(isLost));
  const kept = new SafeSet(snapshots.flatMap((snapshot) => (lost.has(snapshot) ? [] : snapshot.control)));
  const added = elementsOfForm(form).filter((control) => !kept.has(control));
  const before = groupBy([...lost], ({ key }) => key);
  const after = groupBy(lost.size > 0 ? added : [], keyOf);
  const replacements = new SafeMap<ControlSnapshot, Element>();
  for (const [key, group] of before) {
    const candidates: readonly Element[] = after.get(key) ?? [];
    if (candidates.length !== group.length) continue;
    for (const [index, snapshot] of group.entries()) replacements.set(snapshot, candidates[index] as Element);
  }
  return snapshots.flatMap((snapshot) => {
    const control = lost.has(snapshot) ? replacements.get(snapshot) : snapshot.control;
    return control ? { snapshot, control } : [];
  });
}

/** The state that restores a control. Omits selected options of the snapshot that do not exist any more. */
function restorableState(control: Element, { options, values }: ControlSnapshot, state: ControlState): ControlState {
  if (state.kind !== 'selected') return state;
  const current = optionElements(control);
  const texts = optionValues(control, current);
  const isSame = current.filter((option) => options.has(option)).length === options.size;
  const selected = current.map((option, index) =>
    isSame ? options.has(option) : values.includes(texts[index] as string),
  );
  return { kind: 'selected', options: selected };
}

const isChecked = ({ state }: ControlSnapshot): boolean => state.kind === 'checked' && state.checked;
const isSelect = ({ snapshot }: Difference): boolean => snapshot.state.kind === 'selected';
