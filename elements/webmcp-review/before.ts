import { attributeOf, classesOf, isForm, matches } from './form.js';
import { controlsOf, read, type Held } from './held.js';

/** What the controls of a form held, as far as it is known. */
export type Before = ReadonlyMap<Element, Held | undefined>;

/** By form: what its controls held before the call that fills it. */
const fills = new WeakMap<HTMLFormElement, Before>();
/** By control: what it was last seen with. */
const seen = new WeakMap<Element, Held>();

/** Whether the browser fills and marks forms itself. */
export const isNative = (): boolean => 'modelContext' in document && CSS.supports('selector(:tool-form-active)');

export const isActive = (form: HTMLFormElement): boolean => matches(form, ':tool-form-active');

const isFilledByRuntime = (form: HTMLFormElement): boolean => classesOf(form).contains(':tool-form-active');

const formOf = (control: EventTarget | undefined): HTMLFormElement | undefined => {
  const form: unknown = control instanceof Element ? Reflect.get(control, 'form') : undefined;
  return isForm(form) ? form : undefined;
};

export const beforeOf = (form: HTMLFormElement): Before | undefined => fills.get(form);
export const forget = (form: HTMLFormElement): boolean => fills.delete(form);

/** Keeps what the forms that are tools held before they are filled, until the signal aborts. */
export function watchFills(signal: AbortSignal): void {
  document.addEventListener('input', onInput, { capture: true, signal });
  if (!isNative()) return;
  const look = lookSoon();
  for (const type of ['focusout', 'reset']) document.addEventListener(type, look, { capture: true, signal });
  window.addEventListener('blur', look, { signal });
  document.modelContext.addEventListener('toolchange', look, { signal });
  look();
}

function onInput(event: Event): void {
  const [control] = event.composedPath();
  const form = formOf(control);
  if (!form || fills.has(form)) return;
  if (isFilledByRuntime(form)) watchRuntime(form, control as Element);
  else if (isNative() && attributeOf(form, 'toolname') !== null && !isActive(form)) watchTask(form, control as Element);
}

/** The runtime's class says when a call is over. */
function watchRuntime(form: HTMLFormElement, first: Element): void {
  fills.set(form, lookAt(form, first));
  const observer = new MutationObserver(() => {
    if (isFilledByRuntime(form)) return;
    observer.disconnect();
    fills.delete(form);
  });
  observer.observe(form, { attributeFilter: ['class'] });
}

/** The browser fills all of a form in one task; the form is active then, unless it was the person. */
function watchTask(form: HTMLFormElement, first: Element): void {
  fills.set(form, lookAt(form, first));
  setTimeout(() => {
    if (!isActive(form)) fills.delete(form);
    remember(form);
  });
}

/** The first control that changes, and the radio buttons of its group, hold the new value already. */
function lookAt(form: HTMLFormElement, first: Element): Before {
  const isChanged = (control: Element): boolean => control === first || isTwin(control, first);
  return new Map(controlsOf(form).map((control) => [control, isChanged(control) ? last(control) : read(control)]));
}

/** A select tells its options also when another of them is chosen. */
const last = (control: Element): Held | undefined => seen.get(control) ?? optionsOnly(read(control));

const optionsOnly = (held: Held): Held | undefined =>
  held.kind === 'selected' ? { ...held, chosen: unknown } : undefined;

const unknown: readonly never[] = [];
/** Whether only the options of a select are known. */
export const isUnknown = (held: Held): boolean => held.kind === 'selected' && held.chosen === unknown;

const isTwin = (a: Element, b: Element): boolean =>
  [a, b].every((each) => each instanceof HTMLInputElement && each.type === 'radio') &&
  a.getAttribute('name') === b.getAttribute('name');

function remember(form: HTMLFormElement): void {
  for (const control of controlsOf(form)) seen.set(control, read(control));
}

/** Once for all that happens in a task. */
function lookSoon(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const form of document.querySelectorAll<HTMLFormElement>('form[toolname]')) remember(form);
    });
  };
}
