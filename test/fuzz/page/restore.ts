import { startForms } from '../../../src/browser/forms/start-forms.js';
import { discoverForms, type DiscoveredRoot } from '../../../src/browser/discovery/discover-forms.js';
import { settingsOf } from '../../../src/browser/settings.js';
import { LazyPart } from '../../../src/platform/lazy-part.js';
import { apply } from '../../../src/polyfill/index.js';
import type { RestoreCase, UserEdit } from './restore-case.js';

const host = apply();
const atOnce = 4;

/** The first broken invariant of each case. */
export async function restore(cases: readonly RestoreCase[]): Promise<readonly (string | null)[]> {
  const results: (string | null)[] = [];
  let next = 0;
  const work = async (lane: number): Promise<void> => {
    for (let index = next++; index < cases.length; index = next++) {
      results[index] = await failureOf(cases[index] as RestoreCase, `t${lane}`).catch((error: unknown) =>
        error instanceof Error ? `it threw ${error.stack ?? error.message}` : String(error),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => work(lane)));
  return results;
}

type Control = Omit<HTMLInputElement & HTMLSelectElement, 'type'> & { readonly type: string };

async function failureOf({ content, edits, inputs, profile }: RestoreCase, name: string): Promise<string | null> {
  const container = document.createElement('div');
  container.innerHTML = `<form toolname=${name} tooldescription=d toolautosubmit action="javascript:void 0">${content}</form>`;
  const form = container.firstChild as HTMLFormElement;
  const controller = new AbortController();
  document.body.append(container);
  try {
    for (const edit of edits) editAsUser(controlsOf(form), edit);
    const forms = new LazyPart(() => ({
      startForms: (noticed: DiscoveredRoot) =>
        startForms(noticed, { ...settingsOf(noticed.options), optionsTimeoutMs: 60 }),
    }));
    discoverForms(container, { host, signal: controller.signal, profile, awaitUser: 20 }, forms);
    const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
    if (!tool) return 'the form is not a tool';
    for (const input of inputs) {
      const failure = await callAndCompare(form, () => document.modelContext.executeTool(tool, input as object));
      if (failure !== undefined) return `${JSON.stringify(input).slice(0, 300)} ${failure}`;
    }
    return null;
  } finally {
    controller.abort();
    container.remove();
  }
}

const controlsOf = (form: HTMLFormElement): readonly Control[] => Array.from(form.elements, (each) => each as Control);

function editAsUser(controls: readonly Control[], { control: index, text, flag }: UserEdit): void {
  const control = controls[index % Math.max(1, controls.length)];
  if (!control) return;
  if (control.type === 'checkbox' || control.type === 'radio') control.checked = flag;
  else if (control.type === 'file') control.files = filesOf(flag, text);
  else if (control.localName === 'select') editSelect(control, text, flag);
  else if (control.localName === 'textarea' || control.localName === 'input') control.value = text;
}

function editSelect(control: Control, text: string, flag: boolean): void {
  const option = control.options[text.length % Math.max(1, control.options.length)];
  if (option) option.selected = flag;
}

function filesOf(hasFile: boolean, text: string): FileList {
  const transfer = new DataTransfer();
  if (hasFile) transfer.items.add(new File([text], 'user.txt', { type: 'text/plain' }));
  return transfer.files;
}

/** Calls the tool. If it rejects the input, the form must be unchanged. */
async function callAndCompare(form: HTMLFormElement, call: () => Promise<unknown>): Promise<string | undefined> {
  let wasTouched = false;
  let wasSubmitted = false;
  const touch = (): void => void (wasTouched = true);
  const submit = (event: SubmitEvent): void => {
    wasSubmitted = true;
    event.preventDefault();
    if (event.agentInvoked) event.respondWith(Promise.resolve('ok'));
  };
  for (const type of ['input', 'change', 'click']) form.addEventListener(type, touch, true);
  form.addEventListener('submit', submit);
  const before = stateOf(form);
  const dirtyBefore = dirtyFlagsOf(form);
  const isRejected = await call().then(
    () => false,
    (error: unknown) => (error as Partial<Error>).name !== 'TimeoutError', // the form is filled and waits for the user
  );
  const after = stateOf(form);
  for (const type of ['input', 'change', 'click']) form.removeEventListener(type, touch, true);
  form.removeEventListener('submit', submit);
  if (!isRejected || wasSubmitted) return undefined;
  const difference = differenceOf(before, after);
  if (difference !== undefined) return `is rejected, and the form is not restored: ${difference}`;
  // A script cannot make a control clean again, but a control that was not filled keeps its flag.
  return wasTouched ? undefined : differenceOf([dirtyBefore], [dirtyFlagsOf(form)]);
}

const isText = /^(?:text|search|url|tel|password|textarea)$/;

/** The state of a form that a script can read. */
function stateOf(form: HTMLFormElement): readonly unknown[] {
  const controls = controlsOf(form).map((control) => ({
    name: control.name,
    type: control.type,
    value: control.value,
    checked: control.checked,
    indeterminate: control.indeterminate,
    files: control.files && [...control.files].map(({ name, size, type }) => [name, size, type].join()),
    selected: control.options && [...control.options].map(({ selected }) => selected),
    caret: control === document.activeElement && control.selectionStart,
    validity: control.validity && control.validationMessage,
  }));
  // The value of a hidden input is its attribute.
  const markup = form.outerHTML.replace(/(<input(?=[^>]*type="hidden")[^>]*?) value="[^"]*"/g, '$1');
  // The other lanes use the page at the same time, so that the focus may be in their forms.
  const { activeElement } = document;
  return [...controls, markup, form.contains(activeElement) ? activeElement?.localName : 'outside of the form'];
}

/** Whether the value of each control still follows its attribute. A clone has the flags of its original. */
function dirtyFlagsOf(form: HTMLFormElement): readonly (boolean | undefined)[] {
  return controlsOf(form.cloneNode(true) as HTMLFormElement).map((control) => {
    if (control.type === 'checkbox' || control.type === 'radio') {
      control.name = ''; // a radio button of a group may not be checked by its attribute
      control.defaultChecked = !control.checked;
      return control.checked !== control.defaultChecked;
    }
    if (!isText.test(control.type)) return undefined;
    control.defaultValue = `${control.value}x`;
    return control.value !== control.defaultValue;
  });
}

function differenceOf(before: readonly unknown[], after: readonly unknown[]): string | undefined {
  const index = before.findIndex((each, at) => JSON.stringify(each) !== JSON.stringify(after[at]));
  if (index < 0) return undefined;
  return `${JSON.stringify(before[index]).slice(0, 500)} is now ${JSON.stringify(after[index]).slice(0, 500)}`;
}
