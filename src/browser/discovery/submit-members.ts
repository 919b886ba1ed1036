import { SafeWeakMap } from '../../platform/collections.js';
import type { Global } from '../../platform/dom.js';
import { getter } from '../../platform/primordials.js';
import { accessor, define, operation, type Method } from '../../platform/properties.js';
import type { SubmissionTracker } from '../submission/submit-event.js';

type Find = (event: Event) => SubmissionTracker | undefined;

/** Finds the submission of a call that a submit event belongs to. Returns undefined until the agent script is loaded. */
let find: Find = () => undefined;

/** Sets the function that finds the submission of an event. */
export const setSubmissions = (findSubmission: Find): void => void (find = findSubmission);

const submitterOf = getter<unknown, Element | null>('SubmitEvent', 'submitter');

/** A method of SubmitEvent; throws a TypeError for another `this`. */
const method = (run: (event: Event, args: readonly unknown[]) => unknown): Method =>
  function (...args) {
    submitterOf(this);
    return run(this as Event, args);
  };

export const submitMembers = (window: Global): PropertyDescriptorMap => ({
  agentInvoked: accessor('agentInvoked', { get: method((event) => find(event) !== undefined) }),
  respondWith: operation(
    'respondWith',
    1,
    method((event, args) => respondWith(window, event, args)),
  ),
});

/** https://webmachinelearning.github.io/webmcp/#dom-submitevent-respondwith */
function respondWith(window: Global, event: Event, args: readonly unknown[]): void {
  const submission = find(event);
  if (args.length === 0) throw new window.TypeError('1 argument required, but only 0 present.');
  if (submission) return submission.respondWith(window, event, args[0]);
  throw new window.DOMException('agentInvoked of the event is not true.', 'InvalidStateError');
}

/** The prototypes with the members of this script. A window has new prototypes for each document. */
const defined = new SafeWeakMap<object, true>();

export const hasOwnMembers = (window: Global): boolean => defined.has(window.SubmitEvent.prototype);

/** Whether the browser or another script defines the agent members of submit events. */
export const hasOtherMembers = (window: Global): boolean =>
  'agentInvoked' in window.SubmitEvent.prototype && !hasOwnMembers(window);

/** Adds `agentInvoked` and `respondWith` to submit events where they are missing. */
export function defineSubmitMembers(window: Global): void {
  const { prototype } = window.SubmitEvent;
  if ('agentInvoked' in prototype) return;
  defined.set(prototype, true);
  for (const [name, member] of Object.entries(submitMembers(window))) define(prototype, name, member);
}
