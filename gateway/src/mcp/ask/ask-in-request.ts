import type { CallToolResult, ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';
import type { Outcome, Question, Round } from './ask.js';

export type Answer = Pick<Round, 'responses' | 'state'>;

/** https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities */
export function supportsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0);
}

/** The time that a person has for an answer, in milliseconds. */
const timeout = 300_000;

/** A person who has answered so many questions of a call does not want it. */
const maxQuestions = 8;

/**
 * Asks with a request to the client while its own request runs, in versions of the protocol that have such requests. Runs the
 * call again with each answer.
 */
export async function askInRequest(
  { mcpReq }: ServerContext,
  first: Question,
  run: (answer: Answer) => Promise<Outcome>,
): Promise<CallToolResult> {
  let outcome: Outcome = first;
  for (let count = 0; !('result' in outcome); count++) {
    const { question, state }: Question = outcome;
    const response: unknown =
      count < maxQuestions
        ? await mcpReq
            .send({ method: 'elicitation/create', params: question }, { signal: mcpReq.signal, timeout })
            .catch(() => cancelled)
        : cancelled;
    outcome = await run({ state, responses: { [state.step]: response } });
  }
  return outcome.result;
}

/** Stands for an answer that did not come. */
const cancelled = { action: 'cancel' };
