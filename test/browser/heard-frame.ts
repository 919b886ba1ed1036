const isNative = 'modelContext' in Document.prototype && !Object.hasOwn(window, Symbol.for('webmcp-forms'));

/** The browser does not answer a page. */
export class UnheardError extends Error {
  override readonly name = 'UnheardError';
}

/**
 * What the browser answers, which must not be slower than that: the browser process of Chromium 156 never hears of one
 * frame in some hundreds when the machine is busy, and what is asked there hangs for ever.
 *
 * @throws {UnheardError} where the browser itself has the API, and is silent for 5 seconds
 */
export function heard<Answer>(answer: Promise<Answer>): Promise<Answer> {
  if (!isNative) return answer;
  const silence = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new UnheardError('The browser does not answer this frame.')), 5000);
  });
  return Promise.race([answer, silence]);
}

/** Does something again until it is not stopped by silence, with a frame of its own each time. */
export async function untilHeard<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UnheardError)) throw error;
      console.warn(error.message);
    }
  }
}

/** A frame that the browser answers, as `load` makes it. Others are left behind, until the test is over. */
export const openHeardFrame = (load: () => Promise<HTMLIFrameElement>): Promise<HTMLIFrameElement> =>
  untilHeard(async () => {
    const frame = await load();
    if (isNative) await heard((frame.contentDocument as Document).modelContext.getTools());
    return frame;
  });
