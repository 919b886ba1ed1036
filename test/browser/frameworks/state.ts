/** What a framework keeps of the controls of its form. */
export interface State {
  readonly text: string;
  readonly number: string;
  readonly area: string;
  readonly box: boolean;
  readonly radio: string;
  readonly select: string;
}

export interface Mounted {
  /** A tool: its submission answers the agent with the state, in JSON. */
  readonly form: HTMLFormElement;
  state(): State;
  unmount(): void;
}

/** Shows a form bound to a state in a container. */
export type Mount = (container: Element, initial: State) => Mounted | Promise<Mounted>;

interface ToolSubmitEvent extends Event {
  readonly agentInvoked?: boolean;
  respondWith?(answer: Promise<string>): void;
}

/** Answers the agent that submits a form with the state. A person's submission has nobody to answer. */
export function answer(submission: Event, state: State): void {
  const { agentInvoked } = submission as ToolSubmitEvent;
  if (agentInvoked) (submission as ToolSubmitEvent).respondWith?.(Promise.resolve(JSON.stringify(state)));
}
