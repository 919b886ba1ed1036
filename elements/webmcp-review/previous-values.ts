import { modelContextOf } from '../../src/platform/model-context.js';
import { attributeOf, classesOf, isForm, matches } from '../form-access.js';
import { controlsOf, readControl, type ControlValue } from './control-value.js';

/** The values of a form's controls before a call fills it; undefined where they are unknown. */
export type PreviousValues = ReadonlyMap<Element, ControlValue | undefined>;

const previousValues = new WeakMap<HTMLFormElement, PreviousValues>();
const lastSeen = new WeakMap<Element, ControlValue>();

/** Whether the browser implements WebMCP for forms. */
export const isNative = (): boolean =>
  modelContextOf(window) !== undefined && CSS.supports('selector(:tool-form-active)');

/** Whether the browser has filled the form, and the form waits for the user. */
export const isActive = (form: HTMLFormElement): boolean => matches(form, ':tool-form-active');

const isFilledByRuntime = (form: HTMLFormElement): boolean => classesOf(form).contains(':tool-form-active');

export const previousValuesOf = (form: HTMLFormElement): PreviousValues | undefined => previousValues.get(form);
export const forgetValues = (form: HTMLFormElement): boolean => previousValues.delete(form);

/** Records the values of forms before they are filled, until the signal aborts. */
export function recordValues(signal: AbortSignal): void {
  document.addEventListener('input', onInput, { capture: true, signal });
  if (!isNative()) return;
  const record = throttledRecord();
  for (const type of ['focusout', 'reset']) document.addEventListener(type, record, { capture: true, signal });
  window.addEventListener('blur', record, { signal });
  modelContextOf(window)?.addEventListener('toolchange', record, { signal });
  record();
}

function onInput(event: Event): void {
  const [control] = event.composedPath();
  const form: unknown = control instanceof Element ? Reflect.get(control, 'form') : undefined;
  if (!isForm(form) || previousValues.has(form)) return;
  if (isFilledByRuntime(form)) recordUntilEnd(form, control as Element);
  else if (isNative() && attributeOf(form, 'toolname') !== null && !isActive(form))
    recordTask(form, control as Element);
}

/** Records the values, and deletes them when the runtime removes its class from the form at the end of the call. */
function recordUntilEnd(form: HTMLFormElement, first: Element): void {
  previousValues.set(form, valuesBefore(form, first));
  const observer = new MutationObserver(() => {
    if (isFilledByRuntime(form)) return;
    observer.disconnect();
    previousValues.delete(form);
  });
  observer.observe(form, { attributeFilter: ['class'] });
}

/**
 * Deletes the values if the form is not active after the task. Browsers fill and activate a form in one task, so the
 * input came from the user.
 */
function recordTask(form: HTMLFormElement, first: Element): void {
  previousValues.set(form, valuesBefore(form, first));
  setTimeout(() => {
    if (!isActive(form)) previousValues.delete(form);
    see(form);
  });
}

/** Runs after the first change, when `first` and its radio button group already have their new values. */
function valuesBefore(form: HTMLFormElement, first: Element): PreviousValues {
  const isChanged = (control: Element): boolean => control === first || isOfRadioGroup(control, first);
  return new Map(
    controlsOf(form).map((control) => [control, isChanged(control) ? seenValue(control) : readControl(control)]),
  );
}

/** The options of a select are known even if the selected options are not. */
function seenValue(control: Element): ControlValue | undefined {
  const seen = lastSeen.get(control);
  if (seen) return seen;
  const value = readControl(control);
  return value.kind === 'selected' ? { ...value, chosen: unknownChoice } : undefined;
}

const unknownChoice: readonly never[] = [];
export const isUnknown = (value: ControlValue): boolean => value.kind === 'selected' && value.chosen === unknownChoice;

const isOfRadioGroup = (one: Element, other: Element): boolean =>
  [one, other].every((each) => each instanceof HTMLInputElement && each.type === 'radio') &&
  one.getAttribute('name') === other.getAttribute('name');

function see(form: HTMLFormElement): void {
  for (const control of controlsOf(form)) lastSeen.set(control, readControl(control));
}

/** Records the values of all annotated forms, once for all events of a task. */
function throttledRecord(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      document.querySelectorAll<HTMLFormElement>('form[toolname]').forEach(see);
    });
  };
}
