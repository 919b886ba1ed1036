import { isPolyfilled } from './model-context.js';

/** What a call is answered. A browser loses the reason why a tool fails, so there it is the result, as with forms. */
export async function answerOf(
  document: Document,
  signal: AbortSignal | undefined,
  called: Promise<unknown>,
): Promise<unknown> {
  try {
    return await called;
  } catch (reason) {
    if (signal?.aborted || isPolyfilled(document)) throw reason;
    return failure(reason);
  }
}

/** What a reason may have that an agent can make use of: that of a webtool has all. */
type Reason = Partial<Error & Readonly<Record<'code' | 'parameters', unknown>>>;

function failure(reason: unknown): object {
  const { name = 'Error', message = String(reason), code, parameters = [] } = (reason ?? {}) as Reason;
  return { isError: true, name, message, ...(typeof code === 'string' && { code }), errors: parameters };
}
