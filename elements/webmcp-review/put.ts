import { isBox, read, type Choice, type Held } from './held.js';
import { isSame } from './same.js';

/** Puts a control back with the events of a person, past what a framework has put on the element. */
export function put(control: Element, held: Held): void {
  if (isSame(read(control), held)) return;
  if (held.kind === 'checked' && isBox(control) && (held.checked || control.type === 'checkbox'))
    return control.click();
  write(control, held);
  control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

function write(control: Element, held: Held): void {
  const owner = [HTMLInputElement, HTMLTextAreaElement].find((each) => control instanceof each)?.prototype ?? control;
  if (held.kind === 'value') Reflect.set(owner, 'value', held.value, control);
  else if (held.kind === 'checked') Reflect.set(owner, 'checked', held.checked, control);
  else if (held.kind === 'files') Reflect.set(owner, 'files', listOf(held.files), control);
  else if (held.kind === 'selected') select(control as HTMLSelectElement, held.chosen);
  else if (held.value !== undefined) Reflect.set(control, 'value', held.value);
}

function select({ options }: HTMLSelectElement, chosen: readonly Choice[]): void {
  const values = new Set(chosen.map(({ value }) => value));
  for (const option of options) option.selected = values.has(option.value);
}

function listOf(files: readonly File[]): FileList {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer.files;
}
