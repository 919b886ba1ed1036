import { notifyReviewers, type PendingForm } from '../pending-forms.js';
import { submitButtonOf, type SubmitButtonState } from '../submit.js';
import { rowsOf, type Row } from './rows.js';

/** The state of a form that the review shows. */
export interface ShownState {
  readonly rows: readonly Row[];
  readonly button: SubmitButtonState | undefined;
}

/** Approve stays disabled this long after a change by anything but the user. */
const approveDelayMs = 500;

interface Shown {
  readonly keys: ReadonlySet<string>;
  readonly fillCount: number;
  /** The time of the last change by anything but the user. */
  readonly since: number;
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
    since: isChanged ? performance.now() : last.since,
  });
  if (isChanged) setTimeout(notifyReviewers, approveDelayMs + 20);
  return state;
}

/** Whether the user can hardly have read the last change. */
export const isChangeUnread = (pending: PendingForm): boolean =>
  performance.now() - (lastShown.get(pending)?.since ?? Infinity) < approveDelayMs;

/** Whether the form would send anything but the shown state. */
export function isChangedSinceShown(pending: PendingForm): boolean {
  const [shown, now] = [lastShown.get(pending)?.keys, keysOf(stateOf(pending))];
  return !shown || shown.size !== now.size || [...now].some((key) => !shown.has(key));
}
