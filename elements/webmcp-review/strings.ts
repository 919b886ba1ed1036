import type { Strings } from '../strings.js';

/** What `<webmcp-review>` says, in English. No sentence depends on a number. */
export const reviewStrings = {
  region: 'What an agent has filled in',
  heading: '{tool}: review what was filled in',
  filled: '{tool} has filled in {form}. Changes: {count}. Review and approve.',
  unchanged: '{tool} has changed nothing in {form}. Review and approve.',
  thisForm: 'this form',
  nothing: 'Nothing was changed.',
  before: 'Before',
  now: 'Now',
  byPerson: 'changed by you',
  byPage: 'changed by the page',
  editControl: 'Edit {label}',
  unnamed: 'Control without a name',
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
  masked: 'not shown',
  notVisible: 'not visible on the page',
  unknown: 'not known',
  absent: 'not on the page',
  file: '{name}, {size}',
  undone: 'Undone. The form is as it was.',
  approved: 'Approved.',
  aborted: 'The request of {tool} has ended before you approved it. What it filled in is still in the form.',
  'time-limit': 'The time for {tool} was over before you approved it. What it filled in is still in the form.',
  reset: 'The form was reset, so the request of {tool} has ended.',
  removed: 'The page has taken the form away, so the request of {tool} has ended.',
  renamed: 'The page has changed its tool {tool}, so the request has ended. What was filled in is still in the form.',
  'not-taken':
    'The page did not take what you approved for {tool}. Look at the form, and send it yourself if it is right.',
  changed: 'The form has changed since it was shown. Nothing was sent; look at it again.',
  'not-visible': 'This control is not visible on the page, or takes no input now.',
  'form-gone': 'The form is not on the page any more. Nothing was sent.',
  'no-submit-button': 'The form has no button that can send it now. Nothing was sent.',
  'not-valid': 'Something in the form is not right yet. Nothing was sent; correct it, and approve again.',
  'not-submitted': 'The browser did not send the form. Nothing was sent.',
  'undo-prevented': 'The page refuses to end the request. The values from before were put back.',
} as const satisfies Strings<string>;

export type ReviewString = keyof typeof reviewStrings;
/** What can keep a review from ending as the person wants. */
export type ReviewProblem =
  'changed' | 'not-visible' | 'form-gone' | 'no-submit-button' | 'not-valid' | 'not-submitted' | 'undo-prevented';
/** How a wait can end without the person, or against what the person wants. */
export type ReviewEnd = 'aborted' | 'time-limit' | 'reset' | 'removed' | 'renamed' | 'not-taken';
