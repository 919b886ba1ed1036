import { follow, type Entry } from './entries.js';
import { isBox, read, type Held } from './held.js';
import { labelOf, legendOf, nameOf } from './labels.js';
import { isSame, keyOf, textOf } from './same.js';
import type { Wait } from './waits.js';

/** What a person reads of a value. */
export type Shown =
  | { readonly kind: 'empty' | 'masked' | 'unknown' | 'absent' | 'on' | 'off' }
  | { readonly kind: 'text'; readonly texts: readonly string[] }
  | { readonly kind: 'color' | 'date'; readonly value: string; readonly type: string }
  | { readonly kind: 'files'; readonly files: readonly File[] };

export interface Row {
  readonly label: string;
  /** The control that is to be edited. */
  readonly control: HTMLElement | undefined;
  readonly before: Shown;
  readonly now: Shown;
  readonly by: 'agent' | 'person' | 'page';
  /** Differs as soon as something else would be sent, also where that is not shown. */
  readonly key: string;
}

/** What has changed since before the call, control by control; the boxes and buttons of a group are one. */
export function rowsOf({ form, entries }: Pick<Wait, 'form' | 'entries'>): readonly Row[] {
  follow(form, entries);
  return groups(entries)
    .filter((group) => group.some(isChanged))
    .map((group) => withKey(group, group.length > 1 ? groupRow(group) : singleRow(group[0] as Entry)));
}

const withKey = (group: readonly Entry[], row: Omit<Row, 'key'>): Row => {
  const held = group.map((entry) => nowOf(entry)).map((now) => now && keyOf(now));
  return { ...row, key: JSON.stringify([row.label, row.now, held]) };
};

function groups(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const found = new Map<unknown, Entry[]>();
  for (const entry of entries) {
    const key = groupOf(entry) ?? entry;
    const group = found.get(key);
    if (group) group.push(entry);
    else found.set(key, [entry]);
  }
  return [...found.values()];
}

function groupOf({ control, filled, kind }: Entry): string | undefined {
  if (filled.kind !== 'checked' || !control || !isBox(control) || !control.name) return undefined;
  return `${kind.split('\n')[2] ?? ''}\n${control.name}`;
}

const nowOf = ({ control }: Entry): Held | undefined => control && read(control);

function isChanged(entry: Entry): boolean {
  const now = nowOf(entry);
  const { before, filled } = entry;
  if (entry.isLate) return !!now && isSent(entry.control) && !isEmpty(now);
  if (before === 'absent') return !isEmpty(filled) || (!!now && !isEmpty(now));
  if (before === 'unknown') return true;
  return !now || !isSame(before, filled) || !isSame(before, now);
}

const isSent = (control: Element | undefined): boolean =>
  !!control && nameOf(control) !== '' && !control.matches(':disabled');

const isEmpty = (held: Held): boolean => ['empty', 'off'].includes(shown(held).kind);

function byWhom(group: readonly Entry[]): Row['by'] {
  const later = group.filter((entry) => {
    const now = nowOf(entry);
    return entry.isLate || !now || !isSame(entry.filled, now);
  });
  if (later.length === 0) return 'agent';
  return later.some(({ isEdited }) => isEdited) ? 'person' : 'page';
}

function singleRow(entry: Entry): Omit<Row, 'key'> {
  const { control, before } = entry;
  const now = nowOf(entry);
  return {
    label: control ? labelOf(control) : (entry.kind.split('\n')[1] ?? ''),
    control,
    before: typeof before === 'string' ? { kind: before } : shown(before, entry),
    now: now ? shown(now, entry) : { kind: 'absent' },
    by: byWhom([entry]),
  };
}

function groupRow(group: readonly Entry[]): Omit<Row, 'key'> {
  const controls = group.flatMap(({ control }) => control ?? []);
  const first = controls[0] as HTMLElement;
  return {
    label: legendOf(first) || nameOf(first),
    control: controls.find((control) => (control as HTMLInputElement).checked) ?? first,
    before: chosen(group, ({ before }) => before),
    now: chosen(group, nowOf),
    by: byWhom(group),
  };
}

function chosen(group: readonly Entry[], held: (entry: Entry) => Held | string | undefined): Shown {
  if (group.every((entry) => held(entry) === 'absent')) return { kind: 'absent' };
  if (group.some((entry) => held(entry) === 'unknown')) return { kind: 'unknown' };
  const texts = group.flatMap((entry) => {
    const now = held(entry);
    return typeof now === 'object' && now.kind === 'checked' && now.checked && entry.control
      ? [labelOf(entry.control, true)]
      : [];
  });
  return texts.length > 0 ? { kind: 'text', texts } : { kind: 'empty' };
}

const temporal = /^(?:date|datetime-local|month|time|week)$/;
function shown(held: Held, { control, isSecret }: Partial<Entry> = {}): Shown {
  const plain = plainOf(held, control instanceof HTMLInputElement ? control.type : '');
  return isSecret && plain.kind !== 'empty' ? { kind: 'masked' } : plain;
}

function plainOf(held: Held, type: string): Shown {
  switch (held.kind) {
    case 'checked':
      return { kind: held.checked ? 'on' : 'off' };
    case 'selected':
      return textsOf(held.chosen.map(({ text, value }) => text.trim() || value));
    case 'files':
      return held.files.length > 0 ? { kind: 'files', files: held.files } : { kind: 'empty' };
    case 'custom':
      return customOf(held.value, held.checked);
    case 'value':
      if (held.value && type === 'color') return { kind: 'color', value: held.value, type };
      return held.value && temporal.test(type) ? { kind: 'date', value: held.value, type } : textsOf([held.value]);
  }
}

function customOf(value: unknown, checked: unknown): Shown {
  if (typeof checked === 'boolean') return { kind: checked ? 'on' : 'off' };
  return textsOf((Array.isArray(value) ? value : [value]).map(textOf));
}

function textsOf(all: readonly string[]): Shown {
  const texts = all.filter((text) => text !== '');
  return texts.length > 0 ? { kind: 'text', texts } : { kind: 'empty' };
}
