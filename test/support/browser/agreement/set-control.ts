import type { ExecuteStep } from '../../../../src/compiler/index.js';

/** Uses the setter of the element's interface, which a property of the element cannot shadow. */
const set = (element: Element, property: string, value: unknown): boolean =>
  Reflect.set(Object.getPrototypeOf(element) as object, property, value, element);

/** Runs one execute step with the platform's setters, without events. */
export function setControl(control: Element, step: ExecuteStep): void {
  switch (step.set) {
    case 'value':
      set(control, 'value', step.value);
      break;
    case 'checked':
      set(control, 'checked', step.checked);
      break;
    case 'selected':
      for (const [index, option] of [...(control as HTMLSelectElement).options].entries()) {
        set(option, 'selected', step.options.includes(index));
      }
      break;
    case 'files':
      set(control, 'files', fileList(step.files));
      break;
  }
}

function fileList(files: Extract<ExecuteStep, { set: 'files' }>['files']): FileList {
  const transfer = new DataTransfer();
  for (const { name, mediaType, content } of files) {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type: mediaType }));
  }
  return transfer.files;
}
