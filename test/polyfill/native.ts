import { isNative } from './frame.js';

/** Where the polyfill deliberately does otherwise than Chromium 156. Each has a test that fails there. */
const differences = {
  jsonText: 'Chromium takes no JSON text as input; agents of older drafts send it',
  client: 'Chromium has no requestUserInteraction',
  reasons: 'Chromium loses the reason of a tool that failed',
  loneSurrogate: 'Chromium loses a result that is not well-formed Unicode',
  coalesced: 'Chromium fires toolchange for every registration, also of one task',
  unlistedSchema: 'Chromium does not list a tool whose schema turns into something else than an object',
  taken: 'a script cannot know the names that the browser holds',
};

/** What crashes the renderer of Chromium 156. */
const crashes = {
  symbol: 'a result that is a symbol crashes Chromium',
  inactiveDocument: 'reading modelContext of a document without a window, and of the page, crashes Chromium',
};

/** A test that must fail natively: an entry of the list that is not needed any more is a failure. */
export function differsFromNative(difference: keyof typeof differences, title: string, run: () => Promise<void>): void {
  if (!isNative) return void it(title, run);
  it(`${title} (not natively: ${differences[difference]})`, async () => {
    const passes = await run().then(
      () => true,
      () => false,
    );
    if (passes) throw new Error('The browser does the same: this is no difference.');
  });
}

/** A test that is never run natively. */
export function crashesNative(crash: keyof typeof crashes, title: string, run: () => Promise<void>): void {
  if (isNative) it.skip(`${title} (not natively: ${crashes[crash]})`, run);
  else it(title, run);
}
