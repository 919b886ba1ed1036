import { domTree } from '../dom/dom-tree.js';
import type { ResponseMode } from '../settings.js';
import { fetchResponse, requestOf } from './fetch-response.js';
import { responseOfNextPage } from './next-page.js';
import { afterListeners, isPrevented } from './submit-event.js';

const modeOf = (form: Element): string | null => domTree.attribute(form, 'data-webmcp-response');

/** Implements `data-webmcp-response`. If a listener prevents the submission, the page responds itself. */
export const responseMode: ResponseMode = {
  beforeSubmit(call, event, submit) {
    const { element } = call.form;
    if (modeOf(element) !== 'fetch') return;
    afterListeners(event, () => {
      const request = isPrevented(event) ? undefined : requestOf(element, event.submitter);
      if (!request) return;
      event.preventDefault();
      submit.respond(fetchResponse(element, request, call.signal));
    });
  },
  afterSubmit: (call, event) => (modeOf(call.form.element) === 'page' ? responseOfNextPage(call, event) : undefined),
};
