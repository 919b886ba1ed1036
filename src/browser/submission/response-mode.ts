import { readPageErrors } from '../../compiler/html/page-content.js';
import { portOf } from '../../platform/port.js';
import { documentOf, domTree, windowOf } from '../dom/dom-tree.js';
import { renderedTree } from '../dom/visible-lines.js';
import type { RunningCall } from '../call/running-call.js';
import type { Note, ToolForm } from '../settings.js';
import { fetchResponse, requestOf } from './fetch-response.js';
import { opensElsewhere, responseOfNextPage } from './next-page.js';
import { answeredBy, messagesOf } from './page-before.js';
import type { PageResultObserver } from './page-result-observer.js';
import { afterListeners, isPrevented, type SubmissionTracker } from './submit-event.js';
import { entryListOf } from './submitted-values.js';

const modeOf = ({ element, settings }: ToolForm): string | null =>
  settings.tree.attribute(element, 'data-webmcp-response');

/**
 * Implements `data-webmcp-response="fetch"`. Must run before the submit listeners of the page: if a listener prevents the
 * submission, the page responds itself.
 */
export function fetchIfWanted(call: RunningCall, event: SubmitEvent, submit: SubmissionTracker): void {
  const { element } = call.form;
  if (modeOf(call.form) !== 'fetch') return;
  afterListeners(event, () => {
    if (isPrevented(event)) return;
    const data = submit.entryList ?? entryListOf(element, event.submitter);
    const request = data && requestOf(element, event.submitter, data);
    if (!request) return;
    event.preventDefault();
    const { lost = [], notes = [] } = call.filled?.compare(data, true) ?? {};
    const answered = answeredBy(call, messagesOf(documentOf(element), domTree));
    submit.respond(
      fetchResponse(element, request, { call: answered, signal: call.signal, notes: [...lost, ...notes] }),
    );
  });
}

/**
 * Implements `data-webmcp-response="page"`, when the browser is about to navigate. Returns undefined if the next page does
 * not respond.
 *
 * @param notes - become a part of the response
 */
export function nextPageResponse(
  call: RunningCall,
  submit: SubmissionTracker,
  notes: readonly Note[],
): Promise<string | null> | undefined {
  const { element } = call.form;
  const mode = modeOf(call.form);
  const isDefault = mode === null && isNative(element) && opensElsewhere(element, submit);
  return isDefault || mode === 'page' ? responseOfNextPage(call, submit, notes) : undefined;
}

/** The validation messages around the form that its page has shown since the submission, and all in the form. */
export const errorsOf = (call: RunningCall, { place, before }: PageResultObserver): readonly Note[] =>
  place ? readPageErrors<Node, Element>(renderedTree, place, { call: answeredBy(call, before) }) : [];

/** Natively, a call ends with the document of its tool, and then results in the JSON-LD of the next page. */
const isNative = (form: Element): boolean => portOf(windowOf(form) as Window) === undefined;
