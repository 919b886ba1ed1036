import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { isExample } from '../../compiler/describe/layout/prompt-label.js';
import { valuelessTypes } from '../../compiler/html/elements.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import { foundText, type FoundText } from '../words/clean-text.js';

/** A control, or the choices of one question: radio buttons or checkboxes with one name or in one fieldset. */
export interface Field {
  readonly type: ControlDescription['type'];
  readonly name: string;
  /** The label of the control. For a group of choices, its legend. */
  readonly label: FoundText | undefined;
  readonly control: ControlDescription;
  readonly index: number;
  readonly choices: readonly ControlDescription[];
}

export function readFields(description: FormDescription): readonly Field[] {
  const choices = new Map<string, ControlDescription[]>();
  const first: { readonly key: string; readonly index: number; readonly control: ControlDescription }[] = [];
  const groups = checkboxGroups(description);
  for (const [index, control] of description.controls.entries()) {
    if (!isField(control)) continue;
    const key = choiceKey(control, groups) ?? `${index}`;
    const known = choices.get(key);
    if (known) known.push(control);
    else {
      choices.set(key, [control]);
      first.push({ key, index, control });
    }
  }
  return first.map(({ key, index, control }) => {
    const all = choices.get(key) ?? [];
    const isGroup = all.length > 1 || key.startsWith('group');
    const label = isGroup ? groupLabel(description, control) : fieldLabel(description, control);
    return { type: control.type, name: control.name, label, control, index, choices: all };
  });
}

const isField = ({ type, disabled }: ControlDescription): boolean =>
  !disabled && type !== 'hidden' && !valuelessTypes.has(type);

/** The key that the choices of one question share. */
function choiceKey(control: ControlDescription, groups: ReadonlySet<number>): string | undefined {
  const { type, name } = control;
  const [group = -1] = control.groups;
  if (type === 'checkbox' && groups.has(group)) return `group ${group}`;
  return (type === 'radio' || type === 'checkbox') && name !== '' ? `${type} ${name}` : undefined;
}

/** The groups with a legend that have several checkboxes. */
function checkboxGroups({ controls, groups }: FormDescription): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const control of controls) {
    const [group] = control.groups;
    if (control.type === 'checkbox' && group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const several = [...counts].filter(([group, count]) => count > 1 && namingText(groups[group]?.words ?? []) !== '');
  return new Set(several.map(([group]) => group));
}

function fieldLabel(description: FormDescription, control: ControlDescription): FoundText | undefined {
  const { words, type } = control;
  if (type === 'radio') return groupLabel(description, control);
  const from = (source: string, kind: FoundText['kind']): FoundText | undefined =>
    foundText(
      kind,
      namingText(words.filter((each) => each.source === source)).replace(/^(.{2,40}) \1$|(?<=.) \(\d+\/\d+\)$/, '$1'),
    );
  const placeholder = from('placeholder', 'placeholder');
  return (
    from('toolparamdescription', 'label') ??
    from('label', 'label') ??
    from('form-label', 'label') ??
    from('aria-label', 'aria-label') ??
    from('aria-labelledby', 'aria-label') ??
    from('nearby', 'nearby-text') ??
    from('title', 'label') ??
    (placeholder && !isExample(placeholder.text) ? placeholder : undefined)
  );
}

function groupLabel({ groups }: FormDescription, control: ControlDescription): FoundText | undefined {
  const [nearest] = control.groups;
  return nearest === undefined ? undefined : foundText('legend', namingText(groups[nearest]?.words ?? []));
}
