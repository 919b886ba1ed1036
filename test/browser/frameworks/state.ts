/** The state that a framework stores for the controls of its form. */
export interface State {
  readonly text: string;
  readonly number: string;
  readonly area: string;
  readonly box: boolean;
  readonly radio: string;
  readonly select: string;
}

export interface Mounted {
  /** The form of a tool that responds with the state as JSON. */
  readonly form: HTMLFormElement;
  state(): State;
  unmount(): void;
}

/** Renders a form bound to a state into a container. */
export type Mount = (container: Element, initial: State) => Mounted | Promise<Mounted>;

interface ToolSubmitEvent extends Event {
  readonly agentInvoked?: boolean;
  respondWith?(answer: Promise<string>): void;
}

/** Responds to agents with the state. */
export function answer(submission: Event, state: State): void {
  const { agentInvoked } = submission as ToolSubmitEvent;
  if (agentInvoked) (submission as ToolSubmitEvent).respondWith?.(Promise.resolve(JSON.stringify(state)));
}
