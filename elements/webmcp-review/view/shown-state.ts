import type { PendingForm } from '../pending-forms.js';
import { submitButtonOf, type SubmitButtonState } from '../submit.js';
import { isDelayed, startDelay } from './painted-time.js';
import { rowsOf, type Row } from './rows.js';

/** The state of a form that the review shows. */
interface ShownState {
  readonly rows: readonly Row[];
  readonly button: SubmitButtonState | undefined;
}

interface Shown {
  readonly keys: ReadonlySet<string>;
  readonly fillCount: number;
  /** The painted time until which Approve is delayed because of the last change by anything but the user. */
  readonly delayEnd: number;
}

const lastShown = new WeakMap<PendingForm, Shown>();

const stateOf = (pending: PendingForm): ShownState => ({ rows: rowsOf(pending), button: submitButtonOf(pending) });

const keysOf = ({ rows, button }: ShownState): ReadonlySet<string> =>
  new Set([...rows, ...(button ? [button] : [])].map(({ key }) => key));

/** Records the current state as shown, and returns it. */
export function showState(pending: PendingForm): ShownState {
  const state = stateOf(pending);
  const { rows, button } = state;
  const last = lastShown.get(pending);
  const isNew = ({ key }: Pick<Row, 'key'>): boolean => !last?.keys.has(key);
  const isChanged =
    last?.fillCount !== pending.fillCount ||
    rows.some((row) => row.changedBy !== 'user' && isNew(row)) ||
    (button && isNew(button));
  lastShown.set(pending, {
    keys: keysOf(state),
    fillCount: pending.fillCount,
    delayEnd: isChanged ? startDelay() : last.delayEnd,
  });
  return state;
}

/** Whether the user can hardly have read the last change. */
export const isChangeUnread = (pending: PendingForm): boolean =>
  isDelayed(lastShown.get(pending)?.delayEnd ?? Infinity);

/** Whether the form would send anything but the shown state. */
export function isChangedSinceShown(pending: PendingForm): boolean {
  const [shown, now] = [lastShown.get(pending)?.keys, keysOf(stateOf(pending))];
  return !shown || shown.size !== now.size || [...now].some((key) => !shown.has(key));
}
