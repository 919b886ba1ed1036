import type { FileValue, JsonValue, ControlGroupKind } from '../../../../src/compiler/index.js';
import { parseTemporal, type TemporalType } from '../../../../src/compiler/html/microsyntaxes.js';

/** Whether the controls of a group have exactly the value: nothing lost, added or converted. */
export function holds(kind: ControlGroupKind, controls: readonly Element[], value: JsonValue): boolean {
  const [control] = controls as [HTMLInputElement];
  switch (kind) {
    case 'text':
      return holdsText(control, value);
    case 'number':
      return typeof value === 'number' && control.value !== '' && Number(control.value) === value;
    case 'boolean':
      return control.checked === value;
    case 'radios':
      return isSameSet(checkedValues(controls), [value]);
    case 'checkboxes':
      return isSameSet(checkedValues(controls), value);
    case 'select-one':
      return isSameSet(selectedValues(control), [value]);
    case 'select-multiple':
      return isSameSet(selectedValues(control), value);
    case 'file':
      return holdsFiles(control, value);
    default:
      return typeof value === 'string';
  }
}

const checkedValues = (controls: readonly Element[]): readonly string[] =>
  (controls as readonly HTMLInputElement[]).filter(({ checked }) => checked).map(({ value }) => value);

const selectedValues = (select: Element): readonly string[] =>
  [...(select as HTMLSelectElement).selectedOptions].map(({ value }) => value);

function isSameSet(held: readonly string[], value: JsonValue): boolean {
  const distinct = new Set<JsonValue>(held);
  return Array.isArray(value) && value.length === distinct.size && value.every((each: JsonValue) => distinct.has(each));
}

function holdsText(control: HTMLInputElement, value: JsonValue): boolean {
  if (control.type === 'email' && control.multiple) {
    return JSON.stringify(control.value === '' ? [] : control.value.split(',')) === JSON.stringify(value);
  }
  if (typeof value !== 'string') return false;
  switch (control.type) {
    case 'color':
      return control.value === value.toLowerCase();
    case 'textarea':
      return control.value === value.replace(/\r\n?/g, '\n');
    case 'date':
    case 'month':
    case 'week':
    case 'time':
    case 'datetime-local':
      return isSameTime(control.type, control.value, value);
    default:
      return control.value === value;
  }
}

const isSameTime = (type: TemporalType, held: string, value: string): boolean =>
  held === value || (held !== '' && parseTemporal(type, held) === parseTemporal(type, value));

function holdsFiles({ files, multiple }: HTMLInputElement, value: JsonValue): boolean {
  if (Array.isArray(value) !== multiple) return false;
  const names = ([value].flat() as unknown as readonly FileValue[]).map(({ name }) => name);
  return JSON.stringify([...(files ?? [])].map(({ name }) => name)) === JSON.stringify(names);
}
