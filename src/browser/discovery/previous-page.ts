import type { Global } from '../../platform/dom.js';

/** The prefix of the keys under which pages store the calls that the next page of the origin answers. */
export const pendingPrefix = 'webmcp-forms:';

/** Whether a page of this origin has submitted a form during a call, perhaps to this page. */
export function mayAnswerPreviousPage(window: Global): boolean {
  try {
    return Object.keys(window.sessionStorage).some((key) => key.startsWith(pendingPrefix));
  } catch {
    return false; // the storage is not allowed
  }
}
