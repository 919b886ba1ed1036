import type { RunningCall } from '../call/running-call.js';
import { isInIgnored, query } from '../dom/dom-tree.js';

/** A note about a value that the page has changed, or a validation message that the page shows. */
export interface Note {
  readonly parameter: string;
  readonly message: string;
}

export const asksForPassword = (page: Document | undefined): boolean =>
  page !== undefined && query(page, 'input[type=password]').some((input) => !isInIgnored(input));

/** The `message` of a response that is probably not the result of the call. */
export function adviceFor(status: number | undefined, mayWantLogin: boolean): { readonly message?: string } {
  const message = messageFor(status ?? 200, mayWantLogin);
  return message === undefined ? {} : { message };
}

function messageFor(status: number, mayWantLogin: boolean): string | undefined {
  if (status === 401 || status === 403) return `The site refused access (status ${status}). ${login}`;
  if (mayWantLogin) return `The next page asks for a password. If it is the login of the site: ${login}`;
  if (status === 404 || status === 410)
    return `The page does not exist (status ${status}). The submission was probably not processed.`;
  if (status >= 500) {
    return `The server failed (status ${status}). It may have processed the submission: check before calling again.`;
  }
  return status >= 400 ? `The server refused the submission (status ${status}).` : undefined;
}

const login = 'Ask the user to log in in this browser, then open the form and call the tool again.';

const maxNoteLength = 1000;

/**
 * The notes about the values of a call: all notes of its submission, and the notes of filling the form about parameters that
 * have no note of the submission.
 */
export function allNotes({ notes, filled }: RunningCall, submitted: readonly Note[]): readonly Note[] {
  const isKnown = ({ parameter }: Note): boolean => submitted.some((each) => each.parameter === parameter);
  const redacted = notes.map(({ parameter, message }) => ({
    parameter,
    message: (filled?.redact(message) ?? message).slice(0, maxNoteLength), // the message may quote the page
  }));
  return [...redacted.filter((note) => !isKnown(note)), ...submitted];
}

/** The `notes` member of a response, which is omitted for an empty list. */
export const notesMember = (notes: readonly Note[]): { readonly notes?: readonly Note[] } =>
  notes.length > 0 ? { notes: notes.map(({ parameter, message }) => ({ parameter, message })) } : {};
