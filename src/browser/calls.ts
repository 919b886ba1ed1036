/* The part of the script that runs the tools of forms: it is loaded at the first call. */
import { customControls } from './dom/custom-controls.js';
import { commonEditors } from './editors/common.js';
import { CallQueue } from './execution/call-queue.js';
import type { CallsPart } from './settings.js';
import { responseMode } from './submission/response-mode.js';
import { widgets } from './widgets/widgets.js';

export { updateEditors } from './execution/editors.js';
export { answerPreviousPage } from './submission/next-page.js';

export const callsOf: CallsPart['callsOf'] = (form) => new CallQueue(form);

export const callSettings: CallsPart['callSettings'] = ({ awaitUser, editors = [] }) => ({
  awaitUser,
  custom: customControls,
  widgets,
  editors: [...editors, ...commonEditors],
  responseMode,
});
