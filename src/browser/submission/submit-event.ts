import { apply, getter, method } from '../../platform/primordials.js';
import { withoutPrototype, SafeWeakMap } from '../../platform/collections.js';
import { listen, unlisten } from '../../platform/signals.js';
import { startTimeout, queueTask } from '../../platform/tasks.js';
import { accessor, define, operation, type Method } from '../../platform/properties.js';

const { queueMicrotask } = globalThis; // captured: a page may replace it

type Global = Window & typeof globalThis;

const phaseOf = getter<Event, number>('Event', 'eventPhase');
const composedPath = method<Event, [], EventTarget[]>('Event', 'composedPath');
const currentTarget = getter<Event, EventTarget | null>('Event', 'currentTarget');
const isStopped = getter<Event, boolean>('Event', 'cancelBubble');
const isConnected = getter<Node, boolean>('Node', 'isConnected');
const isPrevented = getter<Event, boolean>('Event', 'defaultPrevented');

export type Answer = { readonly value: unknown } | { readonly reason: unknown };

/** Waits for an answer at once: a rejection that nobody waits for yet would be reported as unhandled. */
export async function settled(answer: unknown): Promise<Answer> {
  try {
    return { value: await answer };
  } catch (reason) {
    return { reason };
  }
}

/** The submit event that a call waits for, and what the page makes of it. */
export interface ExpectedSubmit {
  event: SubmitEvent | undefined;
  /** What became of the last argument of `respondWith`. */
  answer: Promise<Answer> | undefined;
  /** Whether the page has called `form.submit()`, which dispatches no event. */
  isBypassed: boolean;
  /** Resolves when `respondWith` cannot be called any more: after the dispatch and its microtasks. */
  over: Promise<void> | undefined;
  isOpen: boolean;
  /** When the page has answered, in milliseconds since the epoch. */
  answeredAt: number | undefined;
  /** Whether the form was in the page when the dispatch ended. */
  wasConnected: boolean;
  /** Whether the script that submitted the form has removed it right after the dispatch. */
  wasTakenAway: boolean;
  /** Whether the browser has sent the form. */
  isSent: boolean;
  /** Runs when there is an event, before the page's listeners, or when the page has called `form.submit()`. */
  readonly begun: (event: SubmitEvent | undefined) => void;
  isDispatched(): boolean;
}

const byForm = new SafeWeakMap<EventTarget, ExpectedSubmit>();
const byEvent = new SafeWeakMap<Event, ExpectedSubmit>();

/** Makes the next submit event of a form the agent's; the result takes that back. */
export function expectSubmit(
  form: Element,
  begun: ExpectedSubmit['begun'],
): { readonly submit: ExpectedSubmit; readonly forget: () => void } {
  const submit: ExpectedSubmit = {
    event: undefined,
    answer: undefined,
    isBypassed: false,
    over: undefined,
    isOpen: true,
    answeredAt: undefined,
    wasConnected: false,
    wasTakenAway: false,
    isSent: false,
    begun,
    isDispatched: () => submit.event !== undefined && phaseOf(submit.event) !== 0,
  };
  byForm.set(form, submit);
  return { submit, forget: () => void (byForm.get(form) === submit && byForm.delete(form)) };
}

/** What is expected of an event, if it is an agent's submit. */
function expectedOf(event: Event): ExpectedSubmit | undefined {
  const known = byEvent.get(event);
  if (known || phaseOf(event) === 0 || !event.isTrusted || event.type !== 'submit') return known;
  const expected = byForm.get(composedPath(event)[0] as EventTarget);
  if (!expected || expected.event) return undefined;
  byEvent.set(event, expected);
  expected.event = event as SubmitEvent;
  expected.over = close(expected);
  const form = composedPath(event)[0] as Element;
  afterPage(event, () => (expected.wasConnected = isConnected(form)));
  queueMicrotask(() => (expected.wasTakenAway = expected.wasConnected && !isConnected(form)));
  expected.begun(expected.event);
  return expected;
}

/** Ends with the task: a timer and a message that are there before those of the page's listeners come first. */
const close = (expected: ExpectedSubmit): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      expected.isOpen = false;
      resolve();
    };
    queueTask(end);
    startTimeout(0, end);
  });

/** Runs steps at the end of a dispatch, after the listeners of the page: at the end of its path, or where they stop it. */
export function afterPage(event: Event, steps: () => void): void {
  const path = composedPath(event);
  const listener = (ending: Event): void => {
    const isLast = isStopped(ending) || currentTarget(ending) === path.at(-1);
    if (ending === event && isLast) steps();
  };
  for (const target of path) listen(target, 'submit', listener);
  queueTask(() => path.forEach((target) => unlisten(target, 'submit', listener)));
}

const messages = {
  notPrevented: 'To call respondWith, you must first call preventDefault.',
  isOver: 'To call respondWith, the event must be currently being dispatched.',
  notAgent: 'You can only call respondWith on a submit event that has agentInvoked == true.',
};

/** https://webmachinelearning.github.io/webmcp/#dom-submitevent-respondwith */
function respondWith(window: Global, event: Event, args: readonly unknown[]): void {
  const expected = expectedOf(event);
  const refuse = (message: string): Error => new window.DOMException(message, 'InvalidStateError');
  if (args.length === 0) throw new window.TypeError('1 argument required, but only 0 present.');
  if (!expected) throw refuse(messages.notAgent);
  if (!isPrevented(event)) throw refuse(messages.notPrevented);
  if (!expected.isOpen) throw refuse(messages.isOver);
  expected.answer = settled(args[0]);
  expected.answeredAt = Date.now();
}

const members = (window: Global): PropertyDescriptorMap => ({
  agentInvoked: accessor('agentInvoked', { get: forEvents((event) => expectedOf(event) !== undefined) }),
  respondWith: operation(
    'respondWith',
    1,
    forEvents((event, args) => respondWith(window, event, args)),
  ),
});

const isSubmitEvent = getter<unknown, Element | null>('SubmitEvent', 'submitter');

/** Throws where `this` is no SubmitEvent. */
const forEvents = (run: (event: Event, args: readonly unknown[]) => unknown): Method =>
  function (...args) {
    isSubmitEvent(this);
    return run(this as Event, args);
  };

type Taker = (event: Event) => void;

/** By the prototype of a window that is prepared, which changes with its document: takes notice of an event. */
const takers = new SafeWeakMap<object, Taker>();

/** Whether a window's submit events have an agent's members already: the browser's own, or those of another script. */
export const hasSubmitMembers = (window: Global): boolean =>
  'agentInvoked' in window.SubmitEvent.prototype && !takers.has(window.SubmitEvent.prototype);

/**
 * Gives a window's submit events `agentInvoked` and `respondWith` where they are missing, and takes notice of
 * `form.submit()`. Where they are there, those of the agent's own events are replaced. Returns what takes notice of a
 * form's own events: those of a shadow tree do not reach the window in every browser.
 */
export function prepareWindow(window: Global): Taker {
  const { prototype } = window.SubmitEvent;
  const known = takers.get(prototype);
  if (known) return known;
  const isMissing = !('agentInvoked' in prototype);
  const own = members(window);
  if (isMissing) for (const [name, member] of Object.entries(own)) define(prototype, name, member);
  const take = (event: Event): void => {
    if (expectedOf(event) && !isMissing) Object.defineProperties(event, own);
  };
  takers.set(prototype, take);
  listen(window, 'submit', take, withoutPrototype({ capture: true }));
  noticeSubmit(window);
  return take;
}

/** https://html.spec.whatwg.org/#dom-form-submit */
function noticeSubmit(window: Global): void {
  const { prototype } = window.HTMLFormElement;
  const submit = Reflect.get(prototype, 'submit') as () => undefined;
  const noticing: Method = function () {
    const result = apply(submit, this, []);
    const expected = byForm.get(this as HTMLFormElement);
    if (expected) {
      expected.isBypassed = true;
      if (!expected.event) expected.begun(undefined);
    }
    return result;
  };
  define(prototype, 'submit', operation('submit', 0, noticing));
}

export { isPrevented as wasPrevented, type Global };
