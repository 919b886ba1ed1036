import { secretAutofill } from '../../src/compiler/html/autofill.js';
import type { AwaitUserDetail } from '../../src/index.js';
import { controlsOf, isBox, readControl, valueOf, type ControlValue } from './control-value.js';
import { isUnknown, previousValuesOf, type PreviousValues } from './previous-values.js';

export interface Entry {
  /** The control, or its replacement; undefined if the page has removed it. */
  control: HTMLElement | undefined;
  /** The tag name, name and type of the control, and the value of a checkbox or radio button; one per line. */
  readonly signature: string;
  /** The value before the call; `absent` if the control was not on the page before the call. */
  readonly before: ControlValue | 'unknown' | 'absent';
  /** The value that the call has set. */
  filled: ControlValue;
  /** Whether the user has changed the control since the call. */
  isEdited: boolean;
  /** Whether the value is secret. Stays true if the page reveals a password. */
  isSecret: boolean;
  /** Whether the control was added since the call and is not a replacement. */
  readonly isAdded: boolean;
}

const signatureOf = (control: Element): string =>
  [
    control.localName,
    ...['name', 'type', ...(isBox(control) ? ['value'] : [])].map((name) => control.getAttribute(name)),
  ].join('\n');

const isSecret = (control: Element): boolean =>
  ((control instanceof HTMLInputElement || control.localName.includes('-')) &&
    control.getAttribute('type')?.toLowerCase() === 'password') ||
  (control.getAttribute('autocomplete') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .some((token) => secretAutofill.test(token));

type Changes = AwaitUserDetail['changes'];

/** Without changes from the runtime, the recorded values are used. */
export function entriesOf(form: HTMLFormElement, changes?: Changes): Entry[] {
  const recorded = previousValuesOf(form);
  return controlsOf(form).map((control) => {
    const filled = readControl(control);
    const change = changes?.find((each) => each.control === control);
    const before = change
      ? (valueOf(change.before, recorded?.get(control)) ?? 'unknown')
      : recordedValue(control, recorded, filled, changes !== undefined);
    return entryOf(control, filled, before);
  });
}

const entryOf = (
  control: HTMLElement,
  filled: ControlValue,
  before: Entry['before'],
  isAdded = false,
  wasSecret = false,
): Entry => ({
  control,
  signature: signatureOf(control),
  before,
  filled,
  isEdited: false,
  isSecret: wasSecret || isSecret(control),
  isAdded,
});

/** @param hasChanges - whether the runtime has reported all changes. None is of this control, so it has not changed */
function recordedValue(
  control: Element,
  recorded: PreviousValues | undefined,
  filled: ControlValue,
  hasChanges: boolean,
): Entry['before'] {
  if (!recorded) return filled;
  if (!recorded.has(control)) return isReplacement(control, recorded) ? filled : 'absent';
  const value = recorded.get(control);
  if (value && !isUnknown(value)) return value;
  return hasChanges ? filled : 'unknown';
}

/** Whether the control replaced another one during the call. */
const isReplacement = (control: Element, recorded: PreviousValues): boolean =>
  [...recorded.keys()].some((each) => !each.isConnected && signatureOf(each) === signatureOf(control));

/** Matches replaced controls by signature if as many were added as removed, and adds entries for other new controls. */
export function syncEntries(form: HTMLFormElement, entries: Entry[]): void {
  const controls = new Set(controlsOf(form));
  const added = new Set(controls);
  for (const { control } of entries) if (control) added.delete(control);
  const lost = entries.filter(({ control }) => !control || !controls.has(control));
  const candidates = [...added];
  for (const entry of lost) {
    const sameSignature = lost.filter(({ signature }) => signature === entry.signature);
    const replacements = candidates.filter((control) => signatureOf(control) === entry.signature);
    entry.control =
      sameSignature.length === replacements.length ? replacements[sameSignature.indexOf(entry)] : undefined;
    if (entry.control) added.delete(entry.control);
  }
  for (const entry of lost) if (entry.isAdded && !entry.control) entries.splice(entries.indexOf(entry), 1);
  for (const control of added) if (!isKnownHidden(control, entries)) entries.push(addedEntry(control, entries));
  for (const entry of entries) entry.isSecret ||= !!entry.control && isSecret(entry.control);
}

/** Whether a hidden control, such as a token of the server, repeats the name and value of another control. */
const isKnownHidden = (control: Element, entries: readonly Entry[]): boolean =>
  control instanceof HTMLInputElement &&
  control.type === 'hidden' &&
  entries.some(
    ({ signature, filled }) =>
      signature === signatureOf(control) && filled.kind === 'value' && filled.value === control.value,
  );

function addedEntry(control: HTMLElement, entries: readonly Entry[]): Entry {
  const name = control.getAttribute('name');
  const wasSecret = entries.some((each) => each.isSecret && each.signature.split('\n')[1] === name);
  return entryOf(control, readControl(control), 'absent', true, wasSecret);
}
