import type { AwaitUserDetail } from '../../src/index.js';
import { isConnected, isForm, listen, rootOf, attributeOf, parentOf } from '../form-access.js';
import type { WebmcpReview } from '../webmcp-review.js';
import { entriesOf, syncEntries, type Entry } from './entries.js';
import { isActive, isNative, recordValues } from './previous-values.js';
import type { ReviewEnd, ReviewProblem } from './strings.js';

/** A form that an agent has filled in and that waits for the user. */
export interface PendingForm {
  readonly form: HTMLFormElement;
  readonly toolName: string;
  /** The title of the tool, or its name. */
  readonly title: string;
  /** Whether the browser, and not the runtime, has filled in the form. */
  readonly isNative: boolean;
  readonly entries: Entry[];
  readonly submitter: () => Element | null;
  /** Ends the call and restores the form. Returns the problem if it failed. */
  readonly undo: () => ReviewProblem | undefined;
  /** Aborts when the form has stopped waiting. */
  readonly controller: AbortController;
  /** The number of calls that have filled in the form. */
  fillCount: number;
  /** In `sent`, the page handles the submission and may still reject it. */
  phase: 'waiting' | 'sent' | 'undone' | 'over';
  end: ReviewEnd | undefined;
  problem: ReviewProblem | undefined;
  wasReset: boolean;
}

const syncIntervalMs = 300;

export const reviewers = new Set<WebmcpReview>();
const pending = new Set<PendingForm>();
let watching: AbortController | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

export const pendingForms = (): readonly PendingForm[] => [...pending];

/** The forms that reviews show: forms that wait, and forms whose call was not ended by the user. */
export const shownForms = (): readonly PendingForm[] =>
  pendingForms().filter(({ phase }) => phase === 'waiting' || phase === 'over');

export function notifyReviewers(announced?: PendingForm): void {
  for (const reviewer of reviewers) reviewer.notify(announced);
}

/**
 * Adds a reviewer, and notifies all reviewers. The page is watched while it has reviewers.
 *
 * @param watchNative - watches the forms that the browser fills, until the signal aborts
 */
export function addReviewer(reviewer: WebmcpReview, watchNative: (signal: AbortSignal) => void): void {
  reviewers.add(reviewer);
  notifyReviewers();
  if (watching) return;
  watching = new AbortController();
  const { signal } = watching;
  document.addEventListener('webmcp-await-user', onAwaitUser, { signal });
  document.dispatchEvent(new Event('webmcp-who-waits')); // forms may be waiting already
  recordValues(signal);
  if (isNative()) watchNative(signal);
}

/** Removes a reviewer, and notifies the other reviewers. */
export function removeReviewer(reviewer: WebmcpReview): void {
  reviewers.delete(reviewer);
  notifyReviewers();
  if (reviewers.size > 0) return;
  watching?.abort();
  watching = undefined;
  for (const each of pending) if (each.phase === 'over' || !isConnected(each.form)) endPending(each);
}

/** Any script can dispatch this event. */
function onAwaitUser(event: Event): void {
  const detail = (event as CustomEvent).detail as AwaitUserDetail | null;
  const form: unknown = detail?.submitter && Reflect.get(detail.submitter, 'form');
  if (!detail || !isForm(form) || !(detail.signal instanceof AbortSignal)) return;
  const { toolName, title, submitter, changes, signal } = detail;
  const added = addPending({
    form,
    toolName,
    title: title || toolName,
    entries: entriesOf(form, changes),
    submitter: () => submitter,
    undo: () => void detail.undo(),
  });
  if ([...reviewers].some((each) => each.shows(added))) event.preventDefault(); // a review shows the form
  const onAbort = (): void => endPending(added, endOf(added, signal.reason));
  signal.addEventListener('abort', onAbort, { signal: added.controller.signal });
}

/** Adds a pending form. Replaces an earlier call of the same form. */
export function addPending(
  init: Pick<PendingForm, 'form' | 'toolName' | 'title' | 'entries' | 'submitter' | 'undo'>,
): PendingForm {
  for (const each of pending) if (each.form === init.form) endPending(each);
  const added: PendingForm = {
    ...init,
    isNative: isNative() && isActive(init.form),
    controller: new AbortController(),
    fillCount: 1,
    phase: 'waiting',
    end: undefined,
    problem: undefined,
    wasReset: false,
  };
  pending.add(added);
  followEvents(added);
  timer ??= setInterval(syncAll, syncIntervalMs);
  notifyReviewers(added);
  return added;
}

function followEvents(each: PendingForm): void {
  const { form, controller } = each;
  const { signal } = controller;
  const root = rootOf(form);
  for (const type of ['input', 'change']) listen(root, type, (event) => onEdit(each, event), signal);
  listen(form, 'reset', () => (each.wasReset = true), signal);
  listen(root, 'submit', (event) => event.composedPath()[0] === form && onSubmit(each, event), signal);
}

function onEdit(edited: PendingForm, event: Event): void {
  const entry = edited.entries.find(({ control }) => control && control === event.composedPath()[0]);
  if (!entry?.control) return;
  const { type, name } = entry.control as HTMLInputElement;
  const isOfGroup = ({ control }: Entry): boolean =>
    type === 'radio' &&
    (control as HTMLInputElement | undefined)?.type === type &&
    (control as HTMLInputElement).name === name;
  for (const each of edited.entries) if (each === entry || isOfGroup(each)) each.isEdited = event.isTrusted;
  if (edited.problem === 'not-valid') edited.problem = undefined;
  notifyReviewers();
}

function onSubmit(submitted: PendingForm, event: Event): void {
  submitted.phase = 'sent';
  submitted.problem = undefined;
  notifyReviewers();
  setTimeout(() => {
    if (submitted.isNative) return endPending(submitted);
    const isRejected = submitted.entries.some(({ control }) => control && isMarkedInvalid(control));
    if (!event.defaultPrevented || !isRejected) return;
    if (submitted.phase === 'sent') Object.assign(submitted, { phase: 'waiting', problem: 'not-valid' });
    notifyReviewers(submitted);
  });
}

/** Whether the page has marked a control as invalid. As in the runtime, the user may then submit again. */
const isMarkedInvalid = (control: Element): boolean =>
  control.getAttribute('aria-invalid') === 'true' ||
  (Reflect.get(control, 'validity') as ValidityState | undefined)?.customError === true;

/** The reason why a form has stopped waiting: the code of the call's error, or the observed state. */
function endOf({ form, phase, wasReset }: PendingForm, reason?: unknown): ReviewEnd | undefined {
  const [first] = (Reflect.get(Object(reason) as object, 'errors') ?? []) as readonly { readonly code?: string }[];
  if (phase === 'sent') return first && /^(?:not-answered|rejected)$/.test(first.code ?? '') ? 'not-taken' : undefined;
  if (first?.code && /^(?:time-limit|reset|removed|renamed)$/.test(first.code)) return first.code as ReviewEnd;
  if (!isConnected(form)) return 'removed';
  return wasReset ? 'reset' : 'aborted';
}

/** Removes a pending form. If the user did not end it, `end` is shown until the user dismisses it. */
export function endPending(ended: PendingForm, end?: ReviewEnd): void {
  const isShown = /^(?:waiting|sent)$/.test(ended.phase) && end && reviewers.size > 0;
  if (isShown) Object.assign(ended, { phase: 'over', end });
  else pending.delete(ended);
  ended.controller.abort();
  notifyReviewers(isShown ? ended : undefined);
  if (!pendingForms().some(({ phase }) => phase !== 'over')) timer = void clearInterval(timer);
}

/** Detects changes without events: values set by scripts, replaced controls, calls that the browser ends. */
function syncAll(): void {
  for (const each of pending) {
    if (each.phase === 'over') continue;
    if (each.isNative && each.phase === 'waiting' && !isActive(each.form)) endPending(each, nativeEnd(each));
    else syncEntries(each.form, each.entries);
  }
  notifyReviewers();
}

/** Browsers end a call without an event only if the tool has changed. */
function nativeEnd(each: PendingForm): ReviewEnd | undefined {
  const end = endOf(each);
  return end === 'aborted' ? 'renamed' : end;
}

/** The element that shows a form: the usable element whose `for` is its ID, or the nearest element without `for`. */
export function reviewerOf<Reviewer extends HTMLElement & { readonly htmlFor: string | null }>(
  form: HTMLFormElement,
  reviewers: Iterable<Reviewer>,
): Reviewer | undefined {
  const id = attributeOf(form, 'id');
  const usable = [...reviewers].filter((each) => isUsable(each));
  const named = usable.find(({ htmlFor }) => htmlFor && htmlFor === id);
  if (named) return named;
  const unnamed = usable.filter(({ htmlFor }) => !htmlFor);
  return unnamed.sort((a, b) => distance(form, a) - distance(form, b))[0];
}

/** The distance from a form up to its common ancestor with an element, through shadow trees. */
function distance(form: Node, element: Node): number {
  const above = [...ancestors(element)];
  return [...ancestors(form)].findIndex((node) => above.includes(node));
}

/** Whether the user can see and operate an element: it is neither inert, nor in a closed dialog, nor behind a modal one. */
function isUsable(element: HTMLElement): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const above = [...ancestors(element)];
  const modals = [...document.querySelectorAll(':is(dialog:modal)')]; // :is() ignores an unknown pseudo-class
  return (
    !above.some((each) => each instanceof HTMLElement && each.inert) &&
    (modals.length === 0 || modals.some((modal) => above.includes(modal)))
  );
}

function* ancestors(node: Node): Generator<Node> {
  for (let each: Node | null = node; each; each = each instanceof ShadowRoot ? each.host : parentOf(each)) yield each;
}

/** The `detail` of the events of `<webmcp-review>`. */
export interface ReviewEventDetail {
  readonly toolName: string;
  readonly form: HTMLFormElement;
}

export type Step = 'approve' | 'edit' | 'undo';

/** Dispatches the event before a step. Returns false if the page has canceled it. */
export function dispatchStep(element: Element, step: Step, { toolName, form }: PendingForm): boolean {
  const detail: ReviewEventDetail = { toolName, form };
  const init = { bubbles: true, composed: true, cancelable: true, detail };
  return element.dispatchEvent(new CustomEvent(`webmcp-review-${step}`, init));
}

declare global {
  interface HTMLElementEventMap {
    'webmcp-review-approve': CustomEvent<ReviewEventDetail>;
    'webmcp-review-edit': CustomEvent<ReviewEventDetail>;
    'webmcp-review-undo': CustomEvent<ReviewEventDetail>;
  }
}
