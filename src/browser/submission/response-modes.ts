import { domTree } from '../dom/dom-tree.js';
import { fetchAnswer, requestOf } from './fetch-response.js';
import { answerOfNextPage } from './next-page.js';
import type { Answers } from '../settings.js';
import { afterPage, settled, wasPrevented } from './submit-event.js';

/** What a form wants its submission answered by: `fetch`, or the next `page`. */
const wish = (form: Element): string | null => domTree.attribute(form, 'data-webmcp-response');

/** The answers of forms that have `data-webmcp-response`. What the page's own listeners prevent is not ours to send. */
export const answers: Answers = {
  begin(run, event, submit) {
    const { element } = run.form;
    if (wish(element) !== 'fetch') return;
    afterPage(event, () => {
      const request = wasPrevented(event) ? undefined : requestOf(element, event.submitter);
      if (!request) return;
      event.preventDefault();
      submit.answer = settled(fetchAnswer(element, request, run.signal));
      submit.answeredAt = Date.now();
    });
  },
  after: (run, event) => (wish(run.form.element) === 'page' ? answerOfNextPage(run, event) : undefined),
};
