import type { CallException } from '../../../src/index.js';

interface Message {
  readonly message: string;
}

export interface Outcome {
  readonly text: string;
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}

/** The answer to a call, or the errors of a rejected call, which browsers with WebMCP return as a result. */
export async function outcomeOf(call: Promise<string | null>): Promise<Outcome> {
  const answer = await call.catch(({ message, errors }: CallException) => JSON.stringify({ text: message, errors }));
  const {
    text = '',
    errors = [],
    notes = [],
  } = JSON.parse(answer ?? '{}') as {
    readonly text?: string;
    readonly errors?: readonly Message[];
    readonly notes?: readonly Message[];
  };
  return { text, errors: errors.map(({ message }) => message), notes: notes.map(({ message }) => message) };
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** The types of the events of a user that are dispatched in the following 300 ms. */
export async function changesIn(root: Node): Promise<readonly string[]> {
  const types: string[] = [];
  const note = ({ type }: Event): void => void types.push(type);
  for (const type of ['input', 'change', 'focusout']) root.addEventListener(type, note);
  await wait(300);
  for (const type of ['input', 'change', 'focusout']) root.removeEventListener(type, note);
  return types;
}
