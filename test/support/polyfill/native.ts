import { isNative } from './frame.js';

/** Deliberate differences from Chromium 156. Each has a test that fails there. */
const differences = {
  jsonText: 'Chromium does not accept JSON text as input, which agents of older drafts send',
  client: 'Chromium has no requestUserInteraction',
  reasons: 'Chromium does not report why a tool failed',
  loneSurrogate: 'Chromium drops a result that is not well-formed Unicode',
  coalesced: 'Chromium dispatches toolchange for each registration of a task',
  unlistedSchema: 'Chromium does not list a tool if the JSON of its schema is not an object',
  nameInUse: 'a script cannot detect the names that the browser has registered',
};

/** Operations that crash the renderer of Chromium 156. */
const crashes = {
  symbol: 'Chromium crashes for a result that is a symbol',
  inactiveDocument: 'Chromium crashes when modelContext of a document without a window is read',
};

/** A test that must fail natively. If it passes, the entry in the list is obsolete. */
export function differsFromNative(difference: keyof typeof differences, title: string, run: () => Promise<void>): void {
  if (!isNative) return void it(title, run);
  it(`${title} (not natively: ${differences[difference]})`, async () => {
    const passes = await run().then(
      () => true,
      () => false,
    );
    if (passes) throw new Error('The test passes natively. Remove the entry from `differences`.');
  });
}

/** A test that is skipped natively. */
export function crashesNative(crash: keyof typeof crashes, title: string, run: () => Promise<void>): void {
  if (isNative) it.skip(`${title} (not natively: ${crashes[crash]})`, run);
  else it(title, run);
}
