import { isNative } from './live.js';

/** Faults of Chromium 156 that the library does not have, and their effect on a test. */
const faults = {
  staleLabels: ['fails', 'Chromium does not see that the text of a label changes'],
  staleOptions: ['fails', 'Chromium does not see that options come and go'],
  lostFirst: ['fails', 'Chromium unregisters the tool whose name a removed form has, whoever registered it'],
  noPromotion: ['fails', 'Chromium does not register the next form of a name that has become free'],
  unbatched: ['fails', 'Chromium fires toolchange for each registration and each removal'],
  windowless: ['crashes', 'the modelContext of a document without a window, and a form in it, crash Chromium'],
  digits: ['fails', 'Chromium prints numbers with six digits'],
  clamping: ['fails', 'Chromium lets a range change its value'],
  colors: ['fails', 'Chromium makes black of what is no color'],
  disabledOptions: ['fails', 'Chromium selects disabled options, which are not submitted'],
  dependents: ['fails', 'Chromium checks values against the options that there were before it fills'],
  lengths: ['fails', 'Chromium does not look at maxlength and minlength'],
  lineBreaks: ['fails', 'Chromium drops the line breaks of a text field'],
  removedControls: ['fails', 'Chromium skips a control that went away while it fills'],
  leftovers: ['fails', 'Chromium leaves in the form what did not pass validation'],
  argumentOrder: ['fails', 'Chromium fills in the order of the arguments'],
  needlessChange: ['fails', 'Chromium fires change at boxes and buttons that do not change'],
  radioTwins: ['fails', 'Chromium checks all radio buttons of one value in turn'],
  focusTheft: ['fails', 'Chromium moves the focus to what is not valid'],
  onlyFirst: ['fails', 'Chromium names the first of several wrong parameters'],
  vagueness: ['fails', 'Chromium says that the operation failed for an unknown transient reason'],
  reasons: ['fails', 'Chromium loses the reason of a rejected answer'],
  failedActivation: ['fails', 'Chromium fires toolactivated for calls that it refuses'],
  secondSubmit: ['fails', 'Chromium ends the call when the person submits what is not valid'],
  busyState: ['fails', 'Chromium ends the call when the form is reset, moved or described anew'],
  surrogates: ['fails', 'Chromium makes null of text that is not well-formed'],
  symbols: ['crashes', 'an answer that is a symbol crashes Chromium'],
  overlap: ['hangs', 'the first of two calls of one tool never settles in Chromium'],
  abortOfFirst: ['crashes', 'an abort of the first of two calls of one tool crashes Chromium'],
} as const;

/**
 * Defines a test of behaviour that Chromium gets wrong. With native WebMCP the test must fail, so that stale entries are
 * noticed; it is skipped if Chromium crashes or hangs.
 */
export function chromiumFault(fault: keyof typeof faults, title: string, run: () => Promise<void>): void {
  if (!isNative) return void it(title, run);
  const [effect, reason] = faults[fault];
  const name = `${title} (not natively: ${reason})`;
  if (effect !== 'fails') return void it.skip(name, run);
  it(name, async () => {
    const passes = await run().then(
      () => true,
      () => false,
    );
    if (passes) throw new Error('The browser does the same: this is no fault.');
  });
}
