import { beforeOf, forget, isActive } from './before.js';
import { entriesOf, type Entry } from './entries.js';
import { attributeOf, call, elementsIn, isForm, matches } from './form.js';
import { read, type Held } from './held.js';
import { put } from './put.js';
import { isSame } from './same.js';
import type { ReviewProblem } from './strings.js';
import { allWaits, begin, focusedElement, over, tell, type Wait } from './waits.js';

/** Takes up the forms that the browser fills itself, until the signal aborts. */
export function watchNative(signal: AbortSignal): void {
  const { modelContext } = document;
  modelContext.addEventListener('toolactivated', (event) => onActivated(nameIn(event)), { signal });
  modelContext.addEventListener('toolcancel', (event) => onCanceled(nameIn(event)), { signal });
  const known = new Set(allWaits().map(({ form }) => form));
  for (const form of nativeForms()) if (!known.has(form)) take(form, attributeOf(form, 'toolname') ?? '', true); // filled before
}

const nameIn = (event: Event): string => String(Reflect.get(event, 'toolName'));

/** Natively a form waits if it is active and does not submit by itself. */
function onActivated(toolName: string): void {
  for (const form of nativeForms()) if (attributeOf(form, 'toolname') === toolName) take(form, toolName);
}

function take(form: HTMLFormElement, toolName: string, isLate = false): void {
  if (!isActive(form) || attributeOf(form, 'toolautosubmit') !== null) return;
  const earlier = allWaits().find((each) => each.form === form && each.phase === 'waiting');
  if (earlier) refill(earlier);
  else beginNative(form, toolName, isLate && !beforeOf(form));
}

/** The forms of the document, and the one that the browser has just moved the focus to. */
function nativeForms(): ReadonlySet<HTMLFormElement> {
  const focused: unknown = Reflect.get(focusedElement() ?? {}, 'form');
  return new Set([
    ...document.querySelectorAll<HTMLFormElement>('form[toolname]'),
    ...(isForm(focused) ? [focused] : []),
  ]);
}

function beginNative(form: HTMLFormElement, toolName: string, isUnseen: boolean): void {
  const submitter = (): Element | null => elementsIn(form).find((each) => matches(each, ':tool-submit-active')) ?? null;
  const tool = { toolName, title: attributeOf(form, 'tooltitle') || toolName };
  const entries = entriesOf(form).map((entry) => (isUnseen && !isHidden(entry) ? { ...entry, ...unknown } : entry));
  const wait = begin(form, tool, entries, submitter, () => undoNative(wait));
  forget(form);
}

const unknown = { before: 'unknown' } as const;
const isHidden = ({ control }: Entry): boolean => control instanceof HTMLInputElement && control.type === 'hidden';

/** A second call of the browser's fills a form that waits already. */
function refill(wait: Wait): void {
  for (const entry of wait.entries)
    if (entry.control) Object.assign(entry, { filled: read(entry.control), isEdited: false });
  wait.fill++;
  wait.problem = undefined;
  tell(wait);
}

/** Only a reset ends a call of the browser's; what else the person has filled in is put back after it. */
function undoNative(wait: Wait): ReviewProblem | undefined {
  const now = wait.entries.map(({ control }) => control && read(control));
  call(HTMLFormElement.prototype, 'reset', wait.form);
  const back = (): void => {
    const puts = wait.entries.map(({ before, filled }, index) => {
      const kept = typeof before === 'string' ? now[index] : isSame(before, filled) ? now[index] : before;
      return [wait.entries[index]?.control, kept] as const;
    });
    for (const [control, held] of puts) if (control && held && isChosen(held)) put(control, held);
    for (const [control, held] of puts) if (control && held) put(control, held);
  };
  back();
  setTimeout(back); // frameworks follow later
  if (isActive(wait.form)) return 'undo-prevented';
  setTimeout(() => over(wait));
  return undefined;
}

const isChosen = (held: Held): boolean => held.kind === 'checked' && held.checked;

function onCanceled(toolName: string): void {
  for (const wait of allWaits())
    if (wait.toolName === toolName && !isActive(wait.form) && wait.isNative) over(wait, 'aborted');
}
