import type { AwaitUserDetail } from '../../src/index.js';
import { isActive, isNative, watchFills } from './before.js';
import { entriesOf, follow, type Entry } from './entries.js';
import { isForm, isOnPage, listen, parentOf, rootOf } from './form.js';
import type { ReviewEnd, ReviewProblem } from './strings.js';

/** A form that an agent has filled in, and that waits for its person. */
export interface Wait {
  readonly form: HTMLFormElement;
  readonly toolName: string;
  /** What the tool is called for people: its title, or its name. */
  readonly title: string;
  /** Whether the browser has filled it in. */
  readonly isNative: boolean;
  readonly entries: Entry[];
  readonly submitter: () => Element | null;
  /** Ends the call, and puts the form back; tells what keeps it from that. */
  readonly undo: () => ReviewProblem | undefined;
  /** Aborts when it is over. */
  readonly controller: AbortController;
  /** `sent`: the page has the submission, and may still say that something is not right. */
  /** Counts the calls that have filled it in. */
  fill: number;
  phase: 'waiting' | 'sent' | 'undone' | 'over';
  end: ReviewEnd | undefined;
  problem: ReviewProblem | undefined;
  wasReset: boolean;
}

/** Who shows what waits. */
export interface Reviewer {
  /** Takes notice that something has changed; of a wait, if that is to be told. */
  notice(about?: Wait): void;
}

const reviewers = new Set<Reviewer>();
const waits = new Set<Wait>();
let watching: AbortController | undefined;
let pulse: ReturnType<typeof setInterval> | undefined;

export const allWaits = (): readonly Wait[] => [...waits];
export const allReviewers = (): readonly Reviewer[] => [...reviewers];

/** Watches the page as long as there is somebody to show what waits. */
export function join(reviewer: Reviewer): void {
  reviewers.add(reviewer);
  watching ??= watch();
}

export function leave(reviewer: Reviewer): void {
  reviewers.delete(reviewer);
  if (reviewers.size > 0) return;
  watching?.abort();
  watching = undefined;
  for (const wait of waits) if (wait.phase === 'over' || !isOnPage(wait.form)) finish(wait);
}

function watch(): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  document.addEventListener('webmcp-await-user', onAwaitUser, { signal });
  document.dispatchEvent(new Event('webmcp-who-waits')); // a form may wait already
  watchFills(signal);
  if (isNative()) void import('./native.js').then(({ watchNative }) => watchNative(signal));
  return controller;
}

function onAwaitUser(event: Event): void {
  const detail = (event as CustomEvent).detail as AwaitUserDetail | null;
  const form: unknown = detail?.submitter && Reflect.get(detail.submitter, 'form');
  if (!detail || !isForm(form) || !(detail.signal instanceof AbortSignal)) return;
  const { toolName, title, submitter, changes, signal } = detail;
  const wait = begin(
    form,
    { toolName, title: title || toolName },
    entriesOf(form, changes),
    () => submitter,
    () => {
      detail.undo();
      return undefined;
    },
  );
  signal.addEventListener('abort', () => over(wait, endOf(wait, signal.reason)), { signal: wait.controller.signal });
}

/** Also in shadow trees. */
export function focusedElement(root: Document | ShadowRoot = document): Element | null {
  const { activeElement } = root;
  return activeElement?.shadowRoot?.activeElement ? focusedElement(activeElement.shadowRoot) : activeElement;
}

/** Takes up a form that waits. */
export function begin(
  form: HTMLFormElement,
  tool: Pick<Wait, 'toolName' | 'title'>,
  entries: Entry[],
  submitter: Wait['submitter'],
  undo: Wait['undo'],
): Wait {
  for (const each of waits) if (each.form === form) finish(each);
  const isFilledNatively = isNative() && isActive(form);
  const state = {
    isNative: isFilledNatively,
    fill: 1,
    phase: 'waiting',
    end: undefined,
    problem: undefined,
    wasReset: false,
  } as const;
  const wait: Wait = { form, ...tool, entries, submitter, undo, controller: new AbortController(), ...state };
  waits.add(wait);
  follows(wait);
  pulse ??= setInterval(beat, 300);
  tell(wait);
  return wait;
}

function follows(wait: Wait): void {
  const { form, controller } = wait;
  const { signal } = controller;
  const root = rootOf(form);
  for (const type of ['input', 'change']) listen(root, type, (event) => onEdit(wait, event), signal);
  listen(form, 'reset', () => (wait.wasReset = true), signal);
  listen(root, 'submit', (event) => event.composedPath()[0] === form && onSubmit(wait, event), signal);
}

function onEdit(wait: Wait, event: Event): void {
  const entry = wait.entries.find(({ control }) => control && control === event.composedPath()[0]);
  if (!entry?.control) return;
  const { type, name } = entry.control as HTMLInputElement;
  const isGroup = (each: Entry): boolean =>
    type === 'radio' &&
    (each.control as HTMLInputElement | undefined)?.type === type &&
    (each.control as HTMLInputElement).name === name;
  for (const each of wait.entries) if (each === entry || isGroup(each)) each.isEdited = event.isTrusted;
  if (wait.problem === 'not-valid') wait.problem = undefined;
  tell();
}

function onSubmit(wait: Wait, event: Event): void {
  wait.phase = 'sent';
  wait.problem = undefined;
  tell();
  setTimeout(() => {
    if (wait.isNative) return over(wait);
    if (!event.defaultPrevented || !wait.entries.some(({ control }) => control && isCalledInvalid(control))) return;
    if (wait.phase === 'sent') Object.assign(wait, { phase: 'waiting', problem: 'not-valid' });
    tell(wait);
  });
}

/** As the runtime sees it: a page that says what it finds invalid lets the person submit again. */
const isCalledInvalid = (control: Element): boolean =>
  control.getAttribute('aria-invalid') === 'true' ||
  (Reflect.get(control, 'validity') as ValidityState | undefined)?.customError === true;

/** What ended a wait: the code of the call's error if it is told, else what was seen. */
function endOf({ form, phase, wasReset }: Wait, reason?: unknown): ReviewEnd | undefined {
  const [first] = (Reflect.get(Object(reason) as object, 'errors') ?? []) as readonly { readonly code?: string }[];
  if (phase === 'sent') return first && /^(?:not-answered|rejected)$/.test(first.code ?? '') ? 'not-taken' : undefined;
  if (first?.code && /^(?:time-limit|reset|removed|renamed)$/.test(first.code)) return first.code as ReviewEnd;
  if (!isOnPage(form)) return 'removed';
  return wasReset ? 'reset' : 'aborted';
}

/** Ends a wait; what the person has not done stays to be read. */
export function over(wait: Wait, end?: ReviewEnd): void {
  const isTold = /^(?:waiting|sent)$/.test(wait.phase) && end && reviewers.size > 0;
  if (isTold) Object.assign(wait, { phase: 'over', end });
  else waits.delete(wait);
  wait.controller.abort();
  tell(isTold ? wait : undefined);
  if (!allWaits().some(({ phase }) => phase !== 'over')) pulse = void clearInterval(pulse);
}

/** Takes a wait, or what is told of its end, away. */
export function finish(wait: Wait): void {
  over(wait);
}

/** What no event tells: values that a script sets, controls that are rendered anew, calls that the browser ends. */
function beat(): void {
  for (const wait of waits) {
    if (wait.phase === 'over') continue;
    if (wait.isNative && wait.phase === 'waiting' && !isActive(wait.form)) over(wait, nativeEnd(wait));
    else follow(wait.form, wait.entries);
  }
  tell();
}

const nativeEnd = (wait: Wait): ReviewEnd | undefined => (endOf(wait) !== 'aborted' ? endOf(wait) : 'renamed');

/** Tells that something has changed; of a wait, if that is to be said aloud. */
export function tell(about?: Wait): void {
  for (const reviewer of reviewers) reviewer.notice(about);
}

/** The distance from a form up to what it has in common with an element, through shadow trees. */
export function distance(form: Node, element: Node): number {
  const above = [...ancestors(element)];
  return [...ancestors(form)].findIndex((node) => above.includes(node));
}

/** Whether a person can see it and press what is in it: not in a closed dialog, nor behind a modal one. */
export function isUsable(element: HTMLElement): boolean {
  const check = Reflect.get(element, 'checkVisibility') as HTMLElement['checkVisibility'] | undefined;
  if (check?.call(element, { visibilityProperty: true, opacityProperty: true }) === false) return false;
  const above = [...ancestors(element)];
  const modals = [...document.querySelectorAll(':is(dialog:modal)')]; // in :is() an unknown name is no error
  return (
    !above.some((each) => each instanceof HTMLElement && each.inert) &&
    (modals.length === 0 || modals.some((modal) => above.includes(modal)))
  );
}

function* ancestors(node: Node): Generator<Node> {
  for (let each: Node | null = node; each; each = each instanceof ShadowRoot ? each.host : parentOf(each)) yield each;
}
