type Answer = { readonly value: unknown } | { readonly reason: unknown };

/** Handles a rejection immediately, so that it is not reported as unhandled before it is awaited. */
async function settle(answer: unknown): Promise<Answer> {
  try {
    return { value: await answer };
  } catch (reason) {
    return { reason };
  }
}

interface ToolCallEventInit {
  readonly name: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

/** A call of a tool without a form: `toolcall` at its `<webmcp-tool>`. It bubbles, is composed, and can be canceled. */
export class ToolCallEvent extends Event {
  /** The name of the tool. */
  readonly name: string;
  /** The input of the call. It is not validated. */
  readonly input: unknown;
  /** Aborts when the call is canceled. */
  readonly signal: AbortSignal;
  #answer: Promise<Answer> | undefined;
  #isOver = false;

  constructor({ name, input, signal }: ToolCallEventInit) {
    super('toolcall', { bubbles: true, composed: true, cancelable: true });
    this.name = name;
    this.input = input;
    this.signal = signal;
  }

  /**
   * Answers the call with a value or a promise, during the dispatch of the event or in one of its microtasks. The last
   * answer wins. `preventDefault()` without an answer declines the call.
   *
   * @throws InvalidStateError if the dispatch is over
   */
  respondWith(result: unknown): void {
    if (this.#isOver)
      throw new DOMException(
        'The dispatch of the event has ended. Call respondWith() in the listener.',
        'InvalidStateError',
      );
    this.#answer = settle(result);
  }

  static async dispatch(target: EventTarget, init: ToolCallEventInit): Promise<unknown> {
    const event = new ToolCallEvent(init);
    target.dispatchEvent(event);
    await new Promise((resolve) => setTimeout(resolve));
    event.#isOver = true;
    const answer = await event.#answer;
    if (!answer) throw unanswered(event);
    if ('reason' in answer) throw answer.reason;
    return answer.value;
  }
}

const unanswered = ({ defaultPrevented, name }: ToolCallEvent): DOMException =>
  defaultPrevented
    ? new DOMException(`The page declined the call of "${name}".`, 'NotAllowedError')
    : new DOMException(
        `No listener answered the call of "${name}". Listen for "toolcall" at its <webmcp-tool>, and call event.respondWith().`,
        'NotSupportedError',
      );
