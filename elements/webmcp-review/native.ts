import { dispatchChoice, setState, type ControlState } from '../../src/browser/dom/control-state.js';
import { modelContextOf } from '../../src/platform/model-context.js';
import { attributeOf, elementsOf, focusedElement, isForm, matches } from '../form-access.js';
import { isSameValue, readControl, type ControlValue } from './control-value.js';
import { entriesOf, type Entry } from './entries.js';
import { addPending, endPending, notifyReviewers, pendingForms, type PendingForm } from './pending-forms.js';
import { forgetValues, isActive, previousValuesOf } from './previous-values.js';
import type { ReviewProblem } from './strings.js';

export function watchNative(signal: AbortSignal): void {
  const modelContext = modelContextOf(window);
  modelContext?.addEventListener('toolactivated', (event) => onActivated(nameIn(event)), { signal });
  modelContext?.addEventListener('toolcancel', (event) => onCanceled(nameIn(event)), { signal });
  const known = new Set(pendingForms().map(({ form }) => form));
  for (const form of nativeForms()) if (!known.has(form)) onFilled(form, attributeOf(form, 'toolname') ?? '', true);
}

const nameIn = (event: Event): string => String(Reflect.get(event, 'toolName'));

function onActivated(toolName: string): void {
  for (const form of nativeForms()) if (attributeOf(form, 'toolname') === toolName) onFilled(form, toolName);
}

/** A form that the browser has activated waits for the user unless it is submitted automatically. */
function onFilled(form: HTMLFormElement, toolName: string, wasFilledBefore = false): void {
  if (!isActive(form) || attributeOf(form, 'toolautosubmit') !== null) return;
  const earlier = pendingForms().find((each) => each.form === form && each.phase === 'waiting');
  if (earlier) refill(earlier);
  else addNative(form, toolName, wasFilledBefore && !previousValuesOf(form));
}

/** The annotated forms of the document, and the form that the browser has focused, which may be in a shadow tree. */
function nativeForms(): ReadonlySet<HTMLFormElement> {
  const focused: unknown = Reflect.get(focusedElement() ?? {}, 'form');
  return new Set([
    ...document.querySelectorAll<HTMLFormElement>('form[toolname]'),
    ...(isForm(focused) ? [focused] : []),
  ]);
}

function addNative(form: HTMLFormElement, toolName: string, areValuesUnknown: boolean): void {
  const added: PendingForm = addPending({
    form,
    toolName,
    title: attributeOf(form, 'tooltitle') || toolName,
    entries: entriesOf(form).map((entry) =>
      areValuesUnknown && !isHidden(entry) ? { ...entry, before: 'unknown' } : entry,
    ),
    submitter: () => elementsOf(form).find((each) => matches(each, ':tool-submit-active')) ?? null,
    undo: () => undo(added),
  });
  forgetValues(form);
}

const isHidden = ({ control }: Entry): boolean => control instanceof HTMLInputElement && control.type === 'hidden';

/** Handles a second call of the browser for a pending form. */
function refill(pending: PendingForm): void {
  for (const entry of pending.entries)
    if (entry.control) Object.assign(entry, { filled: readControl(entry.control), isEdited: false });
  pending.fillCount++;
  pending.problem = undefined;
  notifyReviewers(pending);
}

/** Only a reset ends a call of the browser. The user's values are restored after the reset. */
function undo(pending: PendingForm): ReviewProblem | undefined {
  const current = pending.entries.map(({ control }) => control && readControl(control));
  HTMLFormElement.prototype.reset.call(pending.form);
  const restore = (): void => restoreValues(pending.entries, current);
  restore();
  setTimeout(restore); // frameworks may handle the reset asynchronously
  if (isActive(pending.form)) return 'undo-prevented';
  setTimeout(() => endPending(pending));
  return undefined;
}

/**
 * Restores the values that the call changed, and the current values of all other controls. Controls that become checked
 * come first.
 */
function restoreValues(entries: readonly Entry[], current: readonly (ControlValue | undefined)[]): void {
  const values = entries.flatMap(({ control, before, filled }, index) => {
    const isUnchanged = typeof before === 'string' || isSameValue(before, filled);
    const value = isUnchanged ? current[index] : before;
    return control && value ? [{ control, value }] : [];
  });
  const isChecked = ({ value }: (typeof values)[number]): boolean => value.kind === 'checked' && value.checked;
  for (const { control, value } of [...values.filter(isChecked), ...values]) setValue(control, value);
}

function setValue(control: Element, value: ControlValue): void {
  if (isSameValue(readControl(control), value)) return;
  if (value.kind !== 'custom') return setState(control, stateOf(control, value));
  if (value.value !== undefined) Reflect.set(control, 'value', value.value);
  dispatchChoice(control);
}

function stateOf(control: Element, value: Exclude<ControlValue, { readonly kind: 'custom' }>): ControlState {
  if (value.kind !== 'selected') return value;
  const chosen = new Set(value.chosen.map((each) => each.value));
  return {
    kind: 'selected',
    options: Array.from((control as HTMLSelectElement).options, (option) => chosen.has(option.value)),
  };
}

function onCanceled(toolName: string): void {
  for (const each of pendingForms())
    if (each.toolName === toolName && !isActive(each.form) && each.isNative) endPending(each, 'aborted');
}
