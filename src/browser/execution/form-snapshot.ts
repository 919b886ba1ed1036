import { SafeSet } from '../../platform/collections.js';
import { nextTask, wait } from '../../platform/tasks.js';
import { hasState, optionElements, optionValues, setState, stateOf, type ControlState } from '../dom/control-state.js';
import { domTree, elementsOf, listOf } from '../dom/dom-tree.js';
import type { LiveForm } from '../forms/live-form.js';
import { report } from '../dom/report.js';
import type { CustomControls, CustomState } from '../settings.js';

/** A control whose value a call has changed. */
export interface Change {
  readonly control: Element;
  readonly before: ControlState | CustomState;
  readonly after: ControlState | CustomState;
}

/** What the controls of a form held before a call. */
export interface Kept {
  /** Set when what was filled in is to stay. */
  isDone: boolean;
  /** What differs now; from then on nothing else is put back. */
  takeChanges(): readonly Change[];
  /** Puts all back, with the events of a person, so that the page follows. */
  restore(): Promise<void>;
}

interface KeptState {
  readonly control: Element;
  readonly state: ControlState | CustomState;
  /** The options that were selected, and their values: a page may have replaced them. */
  readonly options: ReadonlySet<Element>;
  readonly values: ReadonlySet<string>;
  /** What the control has in common with one that the page may have replaced it by. */
  readonly kind: string;
}

const kinds = new Set(['input', 'select', 'textarea']);
/** How long, and in which steps, the options of a dependent select are waited for; milliseconds. */
const patience = { total: 1000, step: 50 };

/** Keeps what the controls of a form hold. */
export function keep({ element, settings: { custom } }: LiveForm, controls: readonly Element[]): Kept {
  const states = controls.flatMap((control) => keepState(control, custom) ?? []);
  let taken: ReadonlySet<KeptState> | undefined;
  const changed = (): readonly Put[] =>
    controlsNow(element, states)
      .filter((each) => taken?.has(each.kept) ?? true)
      .flatMap(({ kept, control }) => putFor(kept, control, custom) ?? []);
  const restoreOnce = (): void => {
    for (const { put } of changed().filter(({ kept }) => isChosen(kept))) put();
    for (const { put } of changed()) put();
  };
  return {
    isDone: false,
    takeChanges() {
      const found = changed();
      taken = new SafeSet(found.map((each) => each.kept));
      return found.map(({ control, kept, after }) => ({ control, before: kept.state, after }));
    },
    async restore() {
      restoreOnce();
      await nextTask(); // pages and frameworks follow later, and dependent selects with them
      restoreOnce();
      for (let waited = 0; waited < patience.total && changed().some(isSelect); waited += patience.step) {
        await wait(patience.step);
        for (const { put } of changed().filter(isSelect)) put(); // no more: a person may be typing
      }
    },
  };
}

/** How a control that differs is put back. */
interface Put {
  readonly kept: KeptState;
  readonly control: Element;
  readonly after: ControlState | CustomState;
  readonly put: () => void;
}

const kindOf = (control: Element): string =>
  ['name', 'type', ...(/^(?:checkbox|radio)$/.test(domTree.attribute(control, 'type') ?? '') ? ['value'] : [])].reduce(
    (kind, name) => `${kind} ${domTree.attribute(control, name) ?? ''}`,
    domTree.localName(control),
  );

function keepState(control: Element, custom: CustomControls | undefined): KeptState | undefined {
  custom?.forget(control);
  const isNative = kinds.has(domTree.localName(control));
  const isNamed = !!domTree.attribute(control, 'name'); // what has no name is a part of another, as a radio of a group
  const state = isNative ? stateOf(control) : isNamed ? custom?.state(control) : undefined;
  if (!state) return undefined;
  const options = state.kind === 'selected' ? optionElements(control).filter((_, index) => state.options[index]) : [];
  return {
    ...{ control, state, kind: kindOf(control) },
    options: new SafeSet(options),
    values: new SafeSet(optionValues(control, options)),
  };
}

function putFor(kept: KeptState, control: Element, custom: CustomControls | undefined): Put | undefined {
  if (kept.state.kind === 'custom') {
    const { state } = kept;
    const after = custom?.state(control);
    if (!custom || !after || custom.isSame(state, after)) return undefined;
    return { kept, control, after, put: () => attempt(() => custom.restore(control, state)) };
  }
  const before = stateNow(control, kept, kept.state);
  if (!before) return { kept, control, after: stateOf(control), put: () => undefined };
  if (hasState(control, before)) return undefined;
  return { kept, control, after: stateOf(control), put: () => setState(control, before) };
}

/** The controls, or those that stand for them in a form that the page has rendered anew: as many, of the same kind. */
function controlsNow(form: Element, states: readonly KeptState[]): readonly Pick<Put, 'kept' | 'control'>[] {
  const all = new SafeSet(states.map(({ control }) => control));
  const fresh = listOf(elementsOf(form)).filter((control) => !all.has(control));
  const isLost = ({ control }: KeptState): boolean => domTree.formOwner(control) !== form;
  const lost = states.filter(isLost);
  return states.flatMap((kept) => {
    if (!isLost(kept)) return { kept, control: kept.control };
    const alike = lost.filter(({ kind }) => kind === kept.kind);
    const others = fresh.filter((control) => kindOf(control) === kept.kind);
    const control = others.length === alike.length ? others[alike.indexOf(kept)] : undefined;
    return control ? { kept, control } : [];
  });
}

/**
 * What a control has to hold to be as it was: of a select whose options were replaced, those of the same values; undefined
 * if it has none of them.
 */
function stateNow(control: Element, { options, values }: KeptState, state: ControlState): ControlState | undefined {
  if (state.kind !== 'selected') return state;
  const now = optionElements(control);
  const texts = optionValues(control, now);
  const isSame = now.some((option) => options.has(option));
  const chosen = now.map((option, index) => (isSame ? options.has(option) : values.has(texts[index] as string)));
  return values.size > 0 && !chosen.includes(true) ? undefined : { kind: 'selected', options: chosen };
}

/** The chosen one of a group is clicked first: that unchecks the others as a person does. */
const isChosen = ({ state }: KeptState): boolean => state.kind === 'checked' && state.checked;

/** A select whose option is not there yet. */
const isSelect = ({ kept }: Put): boolean => kept.state.kind === 'selected';

function attempt(steps: () => void): void {
  try {
    steps();
  } catch (error) {
    report(error);
  }
}
