const isNative = 'modelContext' in Document.prototype && !Object.hasOwn(window, Symbol.for('webmcp-forms'));

/** Whether `getTools` of a page answers; a page that is slow answers in the end. */
const isHeard = ({ document }: Window): Promise<boolean> =>
  Promise.race([
    document.modelContext.getTools().then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 5000, false)),
  ]);

/**
 * A frame that the browser answers, as `load` makes it. The browser process of Chromium 156 never hears of one frame in
 * some hundreds when the machine is busy: what is asked there hangs for ever. Such a frame is left behind, until the test
 * is over, and another is made.
 */
export async function openHeardFrame(load: () => Promise<HTMLIFrameElement>): Promise<HTMLIFrameElement> {
  let frame = await load();
  while (isNative && !(await isHeard(frame.contentWindow as Window))) {
    console.warn('A frame is not heard by the browser: another is made.');
    frame = await load();
  }
  return frame;
}
