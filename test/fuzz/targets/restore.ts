import * as fc from 'fast-check';
import { formContent } from '../../support/browser/agreement/controls.js';
import { describe, inputs, pageOf } from '../generators/inputs.js';
import { ChromiumPage } from '../run/chromium.js';
import type { RestoreCase, UserEdit } from '../page/restore-case.js';
import { inChromium, type Target } from '../target.js';

const edit: fc.Arbitrary<UserEdit> = fc.record({
  control: fc.nat({ max: 9 }),
  text: fc.constantFrom('', 'typed', 'a\nb', '7', '2024-02-29', '09:30', '#aabbcc', 'me@example.com', 'é', ' x '),
  flag: fc.boolean(),
});

/** Controls that agents leave invalid, so that calls fail after the form was filled. */
const unfilled = fc.constantFrom(
  '',
  '<input name=zz required>',
  '<input name=zz required>',
  '<input type=checkbox name=zz required>',
);

const cases: fc.Arbitrary<RestoreCase> = fc
  .tuple(
    formContent,
    formContent,
    unfilled,
    fc.array(edit, { maxLength: 4 }),
    fc.constantFrom('chromium', 'precise', 'portable'),
  )
  .chain(([one, other, last, edits, profile]) => {
    const content = one + other + last;
    return inputs(describe(pageOf(one + other)), 3).map((each) => ({ content, edits, inputs: each, profile }));
  });

/** Fill and restore: a form is unchanged after a call that rejects its input. */
export const restore: Target<RestoreCase> = {
  name: 'restore',
  cases,
  batch: 200,
  inBrowser: true,
  open: async () => inChromium(await ChromiumPage.open('restore'), 'restore', 'a restored form is what it was'),
};
