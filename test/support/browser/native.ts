import { isNative } from './live.js';

/** Faults of Chromium 156 that the library does not have, and their effect on a test. */
const chromiumFaults = {
  staleLabels: ['fails', 'Chromium misses changes of the text of a label'],
  staleOptions: ['fails', 'Chromium misses added and removed options'],
  lostFirst: ['fails', 'Chromium unregisters any tool with the name of a removed form'],
  noPromotion: ['fails', 'Chromium does not register the next form when a name becomes free'],
  unbatched: ['fails', 'Chromium fires toolchange for each registration and each removal'],
  windowless: ['crashes', 'the modelContext of a document without a window, and a form in it, crash Chromium'],
  digits: ['fails', 'Chromium prints numbers with six digits'],
  clamping: ['fails', 'Chromium accepts values that a range changes'],
  colors: ['fails', 'Chromium turns invalid colors into black'],
  disabledOptions: ['fails', 'Chromium selects disabled options, which are not submitted'],
  dependents: ['fails', 'Chromium checks values against the options before it fills the form'],
  lengths: ['fails', 'Chromium ignores maxlength and minlength'],
  lineBreaks: ['fails', 'Chromium drops the line breaks of a text field'],
  removedControls: ['fails', 'Chromium skips a control that is removed during filling'],
  leftovers: ['fails', 'Chromium does not restore the form after a failed validation'],
  argumentOrder: ['fails', 'Chromium fills in the order of the input'],
  needlessChange: ['fails', 'Chromium fires change at checkboxes and radio buttons that do not change'],
  radioTwins: ['fails', 'Chromium checks all radio buttons of one value in turn'],
  focusTheft: ['fails', 'Chromium moves the focus to an invalid control'],
  onlyFirst: ['fails', 'Chromium reports only the first of several invalid parameters'],
  vagueness: ['fails', 'Chromium reports that the operation failed for an unknown transient reason'],
  reasons: ['fails', 'Chromium drops the reason of a rejected response'],
  failedActivation: ['fails', 'Chromium fires toolactivated for calls that it rejects'],
  secondSubmit: ['fails', 'Chromium ends the call when the user submits an invalid form'],
  busyState: ['fails', 'Chromium ends the call when the form is reset or moved, or its description changes'],
  surrogates: ['fails', 'Chromium converts text that is not well-formed to null'],
  symbols: ['crashes', 'a symbol as the response crashes Chromium'],
  overlap: ['hangs', 'the first of two calls of one tool never settles in Chromium'],
  abortOfFirst: ['crashes', 'an abort of the first of two calls of one tool crashes Chromium'],
} as const;

/**
 * Defines a test of behaviour that Chromium gets wrong. With native WebMCP the test must fail, so that stale entries are
 * discovered; it is skipped if Chromium crashes or hangs.
 */
export function chromiumFault(fault: keyof typeof chromiumFaults, title: string, run: () => Promise<void>): void {
  if (!isNative) return void it(title, run);
  const [effect, reason] = chromiumFaults[fault];
  const name = `${title} (not natively: ${reason})`;
  if (effect !== 'fails') return void it.skip(name, run);
  it(name, async () => {
    const passes = await run().then(
      () => true,
      () => false,
    );
    if (passes) throw new Error('The browser passes this test. Remove the fault.');
  });
}
