import type { AwaitUserDetail } from '../../src/index.js';
import { beforeOf, isUnknown } from './before.js';
import { controlsOf, heldOf, isBox, read, type Held } from './held.js';
import { isSecret } from './secret.js';

/** One control of a form that waits. */
export interface Entry {
  /** The one that stands for it now, if the page has rendered it anew; undefined if it is gone. */
  control: HTMLElement | undefined;
  readonly kind: string;
  /** What it held before the call: not known, or not on the page then. */
  readonly before: Held | 'unknown' | 'absent';
  /** What it holds since the call. */
  filled: Held;
  /** Whether the person has changed it since. */
  isEdited: boolean;
  /** Whether it was secret at any time: a page can show a password in clear. */
  isSecret: boolean;
  /** Whether it has come while the form waits, in the place of no other. */
  readonly isLate: boolean;
}

const kindOf = (control: Element): string =>
  [
    control.localName,
    ...['name', 'type', ...(isBox(control) ? ['value'] : [])].map((name) => control.getAttribute(name)),
  ].join('\n');

type Changes = AwaitUserDetail['changes'];

/** The controls of a form that was just filled; without changes of the runtime, by what was seen of it. */
export function entriesOf(form: HTMLFormElement, changes?: Changes): Entry[] {
  const before = beforeOf(form);
  return controlsOf(form).map((control) => {
    const filled = read(control);
    const change = changes?.find((each) => each.control === control);
    return {
      ...{ control, kind: kindOf(control), filled, isEdited: false, isSecret: isSecret(control), isLate: false },
      before:
        changes && change
          ? (heldOf(change.before, before?.get(control)) ?? 'unknown')
          : seenOf(control, before, filled),
    };
  });

  function seenOf(control: Element, seen: typeof before, filled: Held): Entry['before'] {
    if (!seen) return filled;
    if (!seen.has(control)) return isReplaced(control, seen) ? filled : 'absent';
    const held = seen.get(control);
    if (held && !isUnknown(held)) return held;
    return changes ? filled : 'unknown';
  }
}

/** A control that the page has put in the place of another; the runtime says if it changed. */
const isReplaced = (control: Element, seen: ReadonlyMap<Element, unknown>): boolean =>
  [...seen.keys()].some((each) => !each.isConnected && kindOf(each) === kindOf(control));

/**
 * Finds the controls that stand for those that the page has replaced: as many, of the same kind. Those that stand for none
 * are new.
 */
export function follow(form: HTMLFormElement, entries: Entry[]): void {
  const controls = new Set(controlsOf(form));
  const fresh = new Set(controls);
  for (const { control } of entries) if (control) fresh.delete(control);
  const lost = entries.filter(({ control }) => !control || !controls.has(control));
  const found = [...fresh];
  for (const entry of lost) {
    const alike = lost.filter(({ kind }) => kind === entry.kind);
    const others = found.filter((control) => kindOf(control) === entry.kind);
    entry.control = alike.length === others.length ? others[alike.indexOf(entry)] : undefined;
    if (entry.control) fresh.delete(entry.control);
  }
  for (const entry of lost) if (entry.isLate && !entry.control) entries.splice(entries.indexOf(entry), 1);
  for (const control of fresh) if (!isKnown(control, entries)) entries.push(lateEntry(control, entries));
  for (const entry of entries) entry.isSecret ||= !!entry.control && isSecret(entry.control);
}

/** A hidden control that has what one of its name had, such as a token of the server, tells nothing new. */
const isKnown = (control: Element, entries: readonly Entry[]): boolean =>
  control instanceof HTMLInputElement &&
  control.type === 'hidden' &&
  entries.some(
    ({ kind, filled }) => kind === kindOf(control) && filled.kind === 'value' && filled.value === control.value,
  );

function lateEntry(control: HTMLElement, entries: readonly Entry[]): Entry {
  const name = control.getAttribute('name');
  return {
    ...{ control, kind: kindOf(control), before: 'absent', filled: read(control), isEdited: false, isLate: true },
    isSecret: entries.some((each) => each.isSecret && each.kind.split('\n')[1] === name),
  };
}
