import { rowsOf, type Row } from './rows.js';
import { pressedOf, type Pressed } from './submit.js';
import { tell, type Wait } from './waits.js';

/** What a review shows of a form. */
export interface Picture {
  readonly rows: readonly Row[];
  readonly pressed: Pressed | undefined;
}

/** How long Approve is held back when something new is shown, in milliseconds. */
const hold = 500;

/** By wait: what was last shown, and since when the last of it that the person has not done. */
const painted = new WeakMap<
  Wait,
  { readonly keys: ReadonlySet<string>; readonly fill: number; readonly since: number }
>();

export const pictureOf = (wait: Wait): Picture => ({ rows: rowsOf(wait), pressed: pressedOf(wait) });

const keysOf = ({ rows, pressed }: Picture): ReadonlySet<string> =>
  new Set([...rows.map(({ key }) => key), ...(pressed ? [pressed.key] : [])]);

/** Keeps what is shown now. */
export function paint(wait: Wait): Picture {
  const picture = pictureOf(wait);
  const { rows, pressed } = picture;
  const last = painted.get(wait);
  const isNew = ({ key }: Pick<Row, 'key'>): boolean => !last?.keys.has(key);
  const isFresh =
    last?.fill !== wait.fill || rows.some((row) => row.by !== 'person' && isNew(row)) || (pressed && isNew(pressed));
  painted.set(wait, { keys: keysOf(picture), fill: wait.fill, since: isFresh ? performance.now() : last.since });
  if (isFresh) setTimeout(tell, hold + 20);
  return picture;
}

/** Whether the person can hardly have read yet what is shown. */
export const isHeld = (wait: Wait): boolean => performance.now() - (painted.get(wait)?.since ?? Infinity) < hold;

/** Whether the form would send something else than what is shown. */
export function isChangedSince(wait: Wait): boolean {
  const [then, now] = [painted.get(wait)?.keys, keysOf(pictureOf(wait))];
  return !then || then.size !== now.size || [...now].some((key) => !then.has(key));
}
