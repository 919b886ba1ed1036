const isNative = 'modelContext' in Document.prototype && !Object.hasOwn(window, Symbol.for('webmcp-forms'));

/** Thrown if the browser does not respond to a frame. */
export class UnresponsiveFrameError extends Error {
  override readonly name = 'UnresponsiveFrameError';
}

/**
 * Limits the time of a native call: on a busy machine, the browser process of Chromium 156 misses one of several
 * hundred frames, and calls from that frame never settle.
 *
 * @throws {UnresponsiveFrameError} if the call does not settle in time, in browsers with WebMCP
 */
export function withNativeTimeout<Result>(result: Promise<Result>, timeoutMs = 5000): Promise<Result> {
  if (!isNative) return result;
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new UnresponsiveFrameError('The browser does not respond to this frame.')), timeoutMs);
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

/** Waits until the browser has listed the tools of a page, or has rejected the call. */
const respondedIn = ({ modelContext }: Document): Promise<unknown> => modelContext.getTools().catch(() => undefined);

/** Loads frames until the browser responds to one. The other frames stay until the test is over. */
export const openResponsiveFrame = (load: () => Promise<HTMLIFrameElement>): Promise<HTMLIFrameElement> =>
  retryInFrames(async () => {
    const frame = await withNativeTimeout(load(), 30_000);
    if (isNative) await withNativeTimeout(respondedIn(frame.contentDocument as Document));
    return frame;
  });
