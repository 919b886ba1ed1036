type Answer = { readonly value: unknown } | { readonly reason: unknown };

/** Waits for an answer at once: a rejection that nobody waits for yet would be reported as unhandled. */
async function settled(answer: unknown): Promise<Answer> {
  try {
    return { value: await answer };
  } catch (reason) {
    return { reason };
  }
}

export interface ToolCallEventInit {
  readonly name: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

/** A call of a tool without a form: `toolcall` at its `<webmcp-tool>`. It bubbles, leaves shadow trees, and can be canceled. */
export class ToolCallEvent extends Event {
  /** The tool's name. */
  readonly name: string;
  /** What the agent gave, unchecked. */
  readonly input: unknown;
  /** Aborts when the caller gives up or goes away. */
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
   * Answers the call, while the event is dispatched or in a microtask of that: with a value, or with a promise of one. The
   * last answer wins. Without one, `preventDefault()` declines the call.
   *
   * Throws an InvalidStateError when it is too late.
   */
  respondWith(result: unknown): void {
    if (this.#isOver)
      throw new DOMException('The call is over: answer it while the event is dispatched.', 'InvalidStateError');
    this.#answer = settled(result);
  }

  /** Dispatches a call at an element, and gives the page's answer. */
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
    ? new DOMException(`The page declines the call of "${name}".`, 'NotAllowedError')
    : new DOMException(
        `Nothing answered the call of "${name}": listen for "toolcall" at its <webmcp-tool>, and call event.respondWith().`,
        'NotSupportedError',
      );
