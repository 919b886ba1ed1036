import { formCases, type FormCase } from '../generators/inputs.js';
import { ChromiumPage } from '../run/chromium.js';
import { inChromium, type Target } from '../target.js';

/** The entry list of a filled description is the one that a browser submits. */
export const entries: Target<FormCase> = {
  name: 'entries',
  cases: formCases(3),
  batch: 250,
  inBrowser: true,
  open: async () => inChromium(await ChromiumPage.open('entries'), 'compare', 'the entry lists are equal'),
};
