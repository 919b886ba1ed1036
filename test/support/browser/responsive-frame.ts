const isNative = 'modelContext' in Document.prototype && !Object.hasOwn(window, Symbol.for('webmcp-forms'));

/** The browser does not respond to a frame. */
export class UnresponsiveFrameError extends Error {
  override readonly name = 'UnresponsiveFrameError';
}

/**
 * Limits the time of a native call: on a busy machine, the browser process of Chromium 156 never learns of one frame in
 * some hundreds, and calls from there never settle.
 *
 * @throws {UnresponsiveFrameError} after 5 seconds, in browsers with WebMCP
 */
export function withNativeTimeout<Result>(result: Promise<Result>): Promise<Result> {
  if (!isNative) return result;
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new UnresponsiveFrameError('The browser does not respond to this frame.')), 5000);
  });
  return Promise.race([result, timeout]);
}

/** Retries with another frame until the browser responds. */
export async function retryInFrames<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UnresponsiveFrameError)) throw error;
      console.warn(error.message);
    }
  }
}

/** Loads frames until the browser responds to one. The others stay until the test is over. */
export const openResponsiveFrame = (load: () => Promise<HTMLIFrameElement>): Promise<HTMLIFrameElement> =>
  retryInFrames(async () => {
    const frame = await load();
    if (isNative) await withNativeTimeout((frame.contentDocument as Document).modelContext.getTools());
    return frame;
  });
