import { customText, isSameValue, keyOf, isBox, readControl, type ControlValue } from '../control-value.js';
import { syncEntries, type Entry } from '../entries.js';
import type { PendingForm } from '../pending-forms.js';
import { labelOf, legendOf, nameOf } from './labels.js';

/** A displayed value. */
export type ShownValue =
  | { readonly kind: 'empty' | 'masked' | 'unknown' | 'absent' | 'on' | 'off' }
  | { readonly kind: 'text'; readonly texts: readonly string[] }
  | { readonly kind: 'color' | 'date'; readonly value: string; readonly type: string }
  | { readonly kind: 'files'; readonly files: readonly File[] };

export interface Row {
  readonly label: string;
  /** The control that the label leads to. */
  readonly control: HTMLElement | undefined;
  readonly before: ShownValue;
  readonly now: ShownValue;
  readonly changedBy: 'agent' | 'user' | 'page';
  /** Distinguishes values that look the same but differ in the submission. */
  readonly key: string;
}

/** The changed controls. The checkboxes and radio buttons of a group are one row. */
export function rowsOf({ form, entries }: Pick<PendingForm, 'form' | 'entries'>): readonly Row[] {
  syncEntries(form, entries);
  return groupsOf(entries)
    .filter((group) => group.some(isChanged))
    .map((group) => {
      const row = group.length > 1 ? groupRow(group) : singleRow(group[0] as Entry);
      const keys = group.map(currentValue).map((value) => value && keyOf(value));
      return { ...row, key: JSON.stringify([row.label, row.now, keys]) };
    });
}

function groupsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups = new Map<unknown, Entry[]>();
  for (const entry of entries) {
    const key = groupKey(entry) ?? entry;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()];
}

function groupKey({ control, filled, signature }: Entry): string | undefined {
  if (filled.kind !== 'checked' || !control || !isBox(control) || !control.name) return undefined;
  return `${signature.split('\n')[2] ?? ''}\n${control.name}`;
}

const currentValue = ({ control }: Entry): ControlValue | undefined => control && readControl(control);

function isChanged(entry: Entry): boolean {
  const now = currentValue(entry);
  const { before, filled } = entry;
  if (entry.isAdded) return !!now && isSent(entry.control) && !isEmpty(now);
  if (before === 'absent') return !isEmpty(filled) || (!!now && !isEmpty(now));
  if (before === 'unknown') return true;
  return !now || !isSameValue(before, filled) || !isSameValue(before, now);
}

const isSent = (control: Element | undefined): boolean =>
  !!control && nameOf(control) !== '' && !control.matches(':disabled');

const isEmpty = (value: ControlValue): boolean => ['empty', 'off'].includes(shownValue(value).kind);

function changedBy(group: readonly Entry[]): Row['changedBy'] {
  const later = group.filter((entry) => {
    const now = currentValue(entry);
    return entry.isAdded || !now || !isSameValue(entry.filled, now);
  });
  if (later.length === 0) return 'agent';
  return later.some(({ isEdited }) => isEdited) ? 'user' : 'page';
}

function singleRow(entry: Entry): Omit<Row, 'key'> {
  const { control, before } = entry;
  const now = currentValue(entry);
  return {
    label: control ? labelOf(control) : (entry.signature.split('\n')[1] ?? ''),
    control,
    before: typeof before === 'string' ? { kind: before } : shownValue(before, entry),
    now: now ? shownValue(now, entry) : { kind: 'absent' },
    changedBy: changedBy([entry]),
  };
}

function groupRow(group: readonly Entry[]): Omit<Row, 'key'> {
  const controls = group.flatMap(({ control }) => control ?? []);
  const first = controls[0] as HTMLElement;
  return {
    label: legendOf(first) || nameOf(first),
    control: controls.find((control) => (control as HTMLInputElement).checked) ?? first,
    before: checkedLabels(group, ({ before }) => before),
    now: checkedLabels(group, currentValue),
    changedBy: changedBy(group),
  };
}

function checkedLabels(
  group: readonly Entry[],
  valueOf: (entry: Entry) => ControlValue | string | undefined,
): ShownValue {
  if (group.every((entry) => valueOf(entry) === 'absent')) return { kind: 'absent' };
  if (group.some((entry) => valueOf(entry) === 'unknown')) return { kind: 'unknown' };
  const checked = group.filter((entry) => {
    const value = valueOf(entry);
    return typeof value === 'object' && value.kind === 'checked' && value.checked;
  });
  const texts = checked.flatMap(({ control }) => (control ? [labelOf(control, true)] : []));
  return texts.length > 0 ? { kind: 'text', texts } : { kind: 'empty' };
}

function shownValue(value: ControlValue, { control, isSecret }: Partial<Entry> = {}): ShownValue {
  const plain = plainValue(value, control instanceof HTMLInputElement ? control.type : '');
  return isSecret && plain.kind !== 'empty' ? { kind: 'masked' } : plain;
}

function plainValue(value: ControlValue, type: string): ShownValue {
  switch (value.kind) {
    case 'checked':
      return { kind: value.checked ? 'on' : 'off' };
    case 'selected':
      return shownTexts(value.chosen.map((each) => each.text.trim() || each.value));
    case 'files':
      return value.files.length > 0 ? { kind: 'files', files: value.files } : { kind: 'empty' };
    case 'custom':
      if (typeof value.checked === 'boolean') return { kind: value.checked ? 'on' : 'off' };
      return shownTexts((Array.isArray(value.value) ? value.value : [value.value]).map(customText));
    case 'value':
      if (value.value && type === 'color') return { kind: 'color', value: value.value, type };
      if (value.value && /^(?:date|datetime-local|month|time|week)$/.test(type))
        return { kind: 'date', value: value.value, type };
      return shownTexts([value.value]);
  }
}

function shownTexts(all: readonly string[]): ShownValue {
  const texts = all.filter((text) => text !== '');
  return texts.length > 0 ? { kind: 'text', texts } : { kind: 'empty' };
}
