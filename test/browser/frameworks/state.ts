/** What a framework keeps of the controls of its form. */
export interface State {
  readonly text: string;
  readonly number: string;
  readonly area: string;
  readonly box: boolean;
  readonly radio: string;
  readonly select: string;
}

/** Shows a form bound to a state in a container. */
export type Mount = (container: Element, initial: State) => { state(): State; unmount(): void };
