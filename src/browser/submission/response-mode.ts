import { readPageErrors } from '../../compiler/html/page-content.js';
import { portOf } from '../../platform/port.js';
import { windowOf } from '../dom/dom-tree.js';
import { renderedTree } from '../dom/visible-lines.js';
import type { ResponseMode, ToolForm } from '../settings.js';
import { fetchResponse, requestOf } from './fetch-response.js';
import { opensElsewhere, responseOfNextPage } from './next-page.js';
import { afterListeners, isPrevented } from './submit-event.js';
import { entryListOf } from './submitted-values.js';

const modeOf = ({ element, settings }: ToolForm): string | null =>
  settings.tree.attribute(element, 'data-webmcp-response');

/** Implements `data-webmcp-response`. If a listener prevents the submission, the page responds itself. */
export const responseMode: ResponseMode = {
  beforeSubmit(call, event, submit) {
    const { element } = call.form;
    if (modeOf(call.form) !== 'fetch') return;
    afterListeners(event, () => {
      if (isPrevented(event)) return;
      const data = submit.entryList ?? entryListOf(element, event.submitter);
      const request = data && requestOf(element, event.submitter, data);
      if (!request) return;
      event.preventDefault();
      const { lost = [], notes = [] } = call.filled?.compare(data, true) ?? {};
      submit.respond(fetchResponse(element, request, call.signal, [...lost, ...notes]));
    });
  },
  afterSubmit(call, submit, notes) {
    const { element } = call.form;
    const mode = modeOf(call.form);
    const isDefault = mode === null && isNative(element) && opensElsewhere(element, submit);
    return isDefault || mode === 'page' ? responseOfNextPage(call, submit, notes) : undefined;
  },
  errorsOf: (place) => (place ? readPageErrors<Node, Element>(renderedTree, place) : []),
};

/** Natively, a call ends with the document of its tool, and then results in the JSON-LD of the next page. */
const isNative = (form: Element): boolean => portOf(windowOf(form) as Window) === undefined;
