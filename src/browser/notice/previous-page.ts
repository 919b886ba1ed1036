import type { Global } from '../../platform/dom.js';

/** The prefix of the keys under which pages store the calls that the next page of the origin answers. */
export const pendingPrefix = 'webmcp-forms:';

/** Whether a page of this origin may have submitted a form to this page during a call. */
export function mayAnswerPreviousPage(window: Global): boolean {
  try {
    return (
      window.document.referrer.startsWith(`${window.location.origin}/`) &&
      Object.keys(window.sessionStorage).some((key) => key.startsWith(pendingPrefix))
    );
  } catch {
    return false; // the storage is not allowed
  }
}
