interface BodyObserver {
  readonly onRead?: () => void;
  /** Called at least once when the body ends, or when the client disconnects. */
  readonly onEnd: () => void;
}

/** The response with an observed body. */
export function observedResponse(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { onRead, onEnd }: BodyObserver,
): Response {
  const body = new ReadableStream({
    async pull(controller) {
      onRead?.();
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      onEnd();
      controller.close();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
