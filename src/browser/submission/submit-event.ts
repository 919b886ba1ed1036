import { SafeWeakMap, withoutPrototype } from '../../platform/collections.js';
import { apply, getter } from '../../platform/primordials.js';
import { define, operation, type Method } from '../../platform/properties.js';
import { listen, unlisten } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import { startTimeout } from '../../platform/timers.js';
import { windowOf, type Global } from '../dom/dom-tree.js';
import { composedPath, currentTarget, eventPhase, isConnected, isPrevented, isStopped } from '../dom/members.js';
import { hasOwnMembers, setSubmissions, submitMembers } from '../discovery/submit-members.js';
import type { Note } from './advice.js';
import type { PageResultObserver } from './page-result-observer.js';

const { FormData, queueMicrotask } = globalThis; // captured: see primordials.ts

const formDataOf = getter<Event, FormData>('FormDataEvent', 'formData');

export type SettledResponse = { readonly value: unknown } | { readonly reason: unknown };

/** Handles a rejection immediately, so that it is not reported as unhandled before the call awaits it. */
async function settle(response: unknown): Promise<SettledResponse> {
  try {
    return { value: await response };
  } catch (reason) {
    return { reason };
  }
}

const byForm = new SafeWeakMap<EventTarget, SubmissionTracker>();
const byEvent = new SafeWeakMap<Event, SubmissionTracker>();
const capture = withoutPrototype({ capture: true });
const capturing = 1;

interface SubmitSteps {
  /** Runs before the page's listeners. */
  before(event: SubmitEvent): void;
  /** Runs after the page's listeners. */
  after(event: SubmitEvent): void;
  /** Runs when the page calls `respondWith()`. */
  answer(): void;
  /** Returns whether `form.submit()` may submit the form. */
  allowsScript(): boolean;
}

/** The next submission of a form, which belongs to a call until `cancel()`, and the page's response. */
export class SubmissionTracker {
  event: SubmitEvent | undefined;
  response: Promise<SettledResponse> | undefined;
  /** Milliseconds since the epoch. */
  respondedAt: number | undefined;
  /** Resolves when the form is submitted, before the page's listeners. */
  readonly started: Promise<void>;
  /** Resolves after the dispatch and its microtasks. `respondWith()` throws from then on. */
  dispatched: Promise<void> | undefined;
  isDispatched = false;
  /** Whether the page has called `form.submit()`, which dispatches no event. */
  wasSubmittedByScript = false;
  /** Whether the form was in the page at the end of the dispatch. */
  wasConnected = false;
  /** Whether the script that submitted the form has removed it right after the dispatch. */
  wasRemovedAfterwards = false;
  isSent = false;
  /** Whether the form is sent by a request instead of a navigation. */
  isFetched = false;
  /** The last entry list that the page or the browser has constructed since the submission started. */
  entryList: FormData | undefined;
  /** Observes the page. Created before the page's listeners run. */
  page: PageResultObserver | undefined;
  isByUser = false;
  /** Whether a listener has prevented the press of the submit button. */
  wasPressPrevented = false;
  /** Whether the page has marked a control as invalid, for the user to correct. */
  isCorrected = false;
  /** For a submission without an entry list: notes about the values that the page has changed by the end of the dispatch. */
  shown: readonly Note[] = [];
  /** The reason why the submission was stopped after the page's listeners. */
  refusal: Error | undefined;
  readonly #form: Element;
  readonly #steps: SubmitSteps;
  readonly #listener: Listener;
  readonly #dataListener: Listener = (event) => (this.entryList = formDataOf(event));
  #start!: () => void;

  constructor(form: Element, steps: SubmitSteps) {
    this.#form = form;
    this.#steps = steps;
    this.started = new Promise((resolve) => (this.#start = resolve));
    this.#listener = observeSubmit(windowOf(form) as Global);
    byForm.set(form, this);
    // Some browsers do not propagate submit events of shadow trees to the window.
    listen(form, 'submit', this.#listener, capture);
    listen(form, 'formdata', this.#dataListener, capture);
  }

  cancel(): void {
    if (byForm.get(this.#form) === this) byForm.delete(this.#form);
    unlisten(this.#form, 'submit', this.#listener, capture);
    unlisten(this.#form, 'formdata', this.#dataListener, capture);
    this.page?.stop();
  }

  handleEvent(event: SubmitEvent): void {
    const form = this.#form;
    this.event = event;
    this.entryList = undefined;
    this.dispatched = new Promise((resolve) => {
      const finish = (): void => {
        this.isDispatched = true;
        resolve();
      };
      // Use a task and a timer, so that one of them runs before any timer or message of the page's listeners.
      queueTask(finish);
      startTimeout(0, finish);
    });
    afterListeners(event, () => {
      this.wasConnected = isConnected(form);
      this.#steps.after(event);
    });
    queueMicrotask(() => (this.wasRemovedAfterwards = this.wasConnected && !isConnected(form)));
    this.#steps.before(event);
    this.#start();
  }

  /** Runs `form.submit()` if the steps allow it. */
  handleScript(submit: () => void): void {
    if (this.#steps.allowsScript()) {
      submit();
      this.wasSubmittedByScript = true;
    }
    this.#start();
  }

  /**
   * Throws if the page may not respond.
   * https://webmachinelearning.github.io/webmcp/#dom-submitevent-respondwith
   */
  respondWith(window: Global, event: Event, response: unknown): void {
    const invalidState = (message: string): Error => new window.DOMException(message, 'InvalidStateError');
    if (!isPrevented(event)) throw invalidState('To call respondWith, you must first call preventDefault.');
    if (this.isDispatched) throw invalidState('To call respondWith, the event must be currently being dispatched.');
    this.#steps.answer();
    this.respond(response);
  }

  respond(value: unknown): void {
    this.response = settle(value);
    this.respondedAt = Date.now();
  }

  isDispatching(): boolean {
    return this.event !== undefined && eventPhase(this.event) !== 0;
  }
}

/** The submission that an event belongs to; undefined if no call expects it. */
function expectedFor(event: Event): SubmissionTracker | undefined {
  const known = byEvent.get(event);
  if (known || eventPhase(event) === 0 || !event.isTrusted || event.type !== 'submit') return known;
  const expected = byForm.get(composedPath(event)[0] as EventTarget);
  if (!expected || expected.event) return undefined;
  byEvent.set(event, expected);
  expected.handleEvent(event as SubmitEvent);
  return expected;
}

/** The entry list of a form; undefined while the page is constructing one, or if the button no longer belongs to the form. */
export function entryListOf(form: Element, submitter: Element | null): FormData | undefined {
  try {
    return new FormData(form as HTMLFormElement, submitter as HTMLElement | null);
  } catch {
    return undefined;
  }
}

/** Runs steps after the page's listeners: at the end of the event's path, or where propagation is stopped. */
export function afterListeners(event: Event, steps: () => void): void {
  const path = composedPath(event);
  let hasRun = false;
  const listener = (current: Event): void => {
    const isLast = currentTarget(current) === path.at(-1) && eventPhase(current) !== capturing;
    if (current !== event || hasRun || !(isLast || isStopped(current))) return;
    hasRun = true;
    steps();
  };
  for (const target of path) for (const options of [capture, undefined]) listen(target, 'submit', listener, options);
  queueTask(() => {
    for (const target of path)
      for (const options of [capture, undefined]) unlisten(target, 'submit', listener, options);
  });
}

setSubmissions(expectedFor);

type Listener = (event: Event) => void;

/** The submit listeners by observed prototype. A window has new prototypes for each document. */
const observed = new SafeWeakMap<object, Listener>();

/**
 * Observes submit events and `form.submit()`. If the browser or another script defines `agentInvoked` and `respondWith`,
 * overrides them on events that agents cause. Returns the listener for submit events.
 */
function observeSubmit(window: Global): Listener {
  const { prototype } = window.SubmitEvent;
  const known = observed.get(prototype);
  if (known) return known;
  const isOurs = hasOwnMembers(window);
  const members = submitMembers(window);
  const listener = (event: Event): void => {
    if (expectedFor(event) && !isOurs) Object.defineProperties(event, members);
  };
  observed.set(prototype, listener);
  listen(window, 'submit', listener, capture);
  patchFormSubmit(window);
  return listener;
}

/** https://html.spec.whatwg.org/#dom-form-submit */
function patchFormSubmit(window: Global): void {
  const { prototype } = window.HTMLFormElement;
  const submit = Reflect.get(prototype, 'submit') as () => undefined;
  const patchedSubmit: Method = function () {
    const expected = byForm.get(this as HTMLFormElement);
    const run = (): undefined => apply(submit, this, []);
    return expected ? expected.handleScript(run) : run();
  };
  define(prototype, 'submit', operation('submit', 0, patchedSubmit));
}
