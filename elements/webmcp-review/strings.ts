import type { Strings } from '../strings.js';

/** The messages when a review ends for a reason other than an action of the user. */
const endStrings = {
  aborted: 'The request of {tool} ended before you approved it. The form still has its changes.',
  'time-limit': 'The request of {tool} timed out before you approved it. The form still has its changes.',
  reset: 'The request of {tool} ended because the form was reset.',
  removed: 'The request of {tool} ended because the page removed the form.',
  renamed: 'The request of {tool} ended because the page changed the tool. The form still has its changes.',
  'not-taken': 'The page did not accept the changes of {tool}. Check the form, and submit it yourself.',
};

/** The messages about problems that prevent a step of the user. */
const problemStrings = {
  changed: 'The form has changed. It was not sent. Review it again.',
  'not-visible': 'This field is not visible on the page, or cannot be edited now.',
  'not-pressed': 'A script has pressed Approve. The form was not sent. Press Approve yourself.',
  covered:
    'Something covers Approve or the changes, or makes them hard to see. The form was not sent. Uncover them, or press Approve with the keyboard.',
  moved:
    'Approve has just appeared or moved. The form was not sent. Move the pointer onto it, and press Approve again.',
  embedded:
    'Another site shows this page in a frame, where it can hide changes. The form cannot be approved here. Use the button of the form, or open the page in its own tab.',
  'form-gone': 'The form was removed from the page. It was not sent.',
  'no-submit-button': 'The form has no button that can submit it now. It was not sent.',
  'not-valid': 'The form has invalid values. It was not sent. Correct them, and approve again.',
  'not-submitted': 'The browser did not submit the form.',
  'undo-prevented': 'The page prevented the end of the request. The previous values were restored.',
};

/** The English messages of `<webmcp-review>`. None of them needs plural forms. */
export const reviewStrings = {
  region: 'Changes by an agent',
  heading: '{tool}: review the changes ({count})',
  filled: '{tool} has filled in {form}. Changes: {count}. Review and approve.',
  unchanged: '{tool} has not changed {form}. Review and approve.',
  thisForm: 'this form',
  nothing: 'No changes.',
  before: 'Before',
  now: 'Now',
  byPerson: 'changed by you',
  byPage: 'changed by the page',
  editControl: 'Edit {label}',
  unnamed: 'Unnamed field',
  approve: 'Approve',
  approveBy: 'Approve: {button}',
  button: 'Button',
  target: 'Sends to',
  edit: 'Edit',
  undo: 'Undo',
  dismiss: 'Dismiss',
  show: 'Show the review',
  showAll: 'Show all',
  empty: 'empty',
  on: 'on',
  off: 'off',
  masked: 'hidden',
  notVisible: 'not visible on the page',
  unknown: 'unknown',
  absent: 'not on the page',
  file: '{name}, {size}',
  undone: 'Undone. The form has its previous values.',
  approved: 'Approved.',
  ...endStrings,
  ...problemStrings,
} as const satisfies Strings<string>;

export type ReviewString = keyof typeof reviewStrings;
/** A problem that prevents a step of the user. */
export type ReviewProblem = keyof typeof problemStrings;
/** The end of a review that was not caused by the user. */
export type ReviewEnd = keyof typeof endStrings;
