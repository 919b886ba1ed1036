import { OwnSet } from '../platform/collections.js';
import { nextTask } from '../platform/tasks.js';
import { hasState, optionElements, optionValues, setState, stateOf, type ControlState } from './control-state.js';
import { domTree } from './dom-tree.js';
import type { CustomControls } from './settings.js';

/** A control whose value a call has changed. */
export interface Change {
  readonly control: Element;
  readonly before: ControlState;
  readonly after: ControlState;
}

/** What the controls of a form held before a call. */
export interface Kept {
  /** Set when what was filled in is to stay. */
  isDone: boolean;
  /** What differs now. */
  changes(): readonly Change[];
  /** Puts all back, with the events of a person, so that the page follows. */
  restore(): Promise<void>;
}

interface KeptState {
  readonly control: Element;
  readonly state: ControlState;
  /** The options that were selected, and their values: a page may have replaced them. */
  readonly options: ReadonlySet<Element>;
  readonly values: ReadonlySet<string>;
}

const kinds = new Set(['input', 'select', 'textarea']);

/** Keeps what controls hold. */
export function keep(controls: readonly Element[], custom: CustomControls | undefined): Kept {
  const states = controls.filter((control) => kinds.has(domTree.localName(control))).map(keepState);
  const puts = controls.flatMap((control) => (domTree.localName(control).includes('-') && custom?.keep(control)) || []);
  const changed = (): readonly KeptState[] => states.filter((kept) => !hasState(kept.control, stateNow(kept)));
  const restoreOnce = (): void => {
    for (const kept of changed().filter(isChosen)) setState(kept.control, stateNow(kept));
    for (const kept of changed()) setState(kept.control, stateNow(kept));
  };
  return {
    isDone: false,
    changes: () => changed().map(({ control, state }) => ({ control, before: state, after: stateOf(control) })),
    async restore() {
      restoreOnce();
      for (const put of puts) put();
      await nextTask(); // pages and frameworks follow later, and dependent selects with them
      restoreOnce();
    },
  };
}

function keepState(control: Element): KeptState {
  const state = stateOf(control);
  const options = state.kind === 'selected' ? optionElements(control).filter((_, index) => state.options[index]) : [];
  return { control, state, options: new OwnSet(options), values: new OwnSet(optionValues(control, options)) };
}

/** What a control has to hold to be as it was: of a select whose options were replaced, those of the same values. */
function stateNow({ control, state, options, values }: KeptState): ControlState {
  if (state.kind !== 'selected') return state;
  const now = optionElements(control);
  const texts = optionValues(control, now);
  const isSame = now.some((option) => options.has(option));
  return {
    kind: 'selected',
    options: now.map((option, index) => (isSame ? options.has(option) : values.has(texts[index] as string))),
  };
}

/** The chosen one of a group is clicked first: that unchecks the others as a person does. */
const isChosen = ({ state }: KeptState): boolean => state.kind === 'checked' && state.checked;
