import { method } from '../platform/captured.js';
import { bare } from '../platform/collections.js';
import { listen } from '../platform/signals.js';
import { domTree } from './dom-tree.js';
import { fetchAnswer, requestOf } from './fetch-answer.js';
import { answerOfNextPage } from './next-page.js';
import type { Answers } from './settings.js';
import { settled, wasPrevented } from './submit-event.js';

const composedPath = method<Event, [], EventTarget[]>('Event', 'composedPath');

/** What a form wants its submission answered by: `fetch`, or the next `page`. */
const wish = (form: Element): string | null => domTree.attribute(form, 'data-webmcp-response');

/** The answers of forms that have `data-webmcp-response`. */
export const answers: Answers = {
  begin(run, event, submit) {
    const { element } = run.form;
    if (wish(element) !== 'fetch') return;
    // The last listener of all: the page's own come first, and what they prevent is not ours to send.
    const last = composedPath(event).at(-1) as EventTarget;
    const send = (submitted: Event): void => {
      if (submitted !== event || wasPrevented(event)) return;
      const request = requestOf(element, event.submitter);
      if (!request) return;
      event.preventDefault();
      submit.answer = settled(fetchAnswer(element, request, run.signal));
    };
    listen(last, 'submit', send, bare({ once: true }));
  },
  after: (run) => (wish(run.form.element) === 'page' ? answerOfNextPage(run) : undefined),
};
