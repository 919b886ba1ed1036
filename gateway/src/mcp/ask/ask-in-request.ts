import type { CallToolResult, ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';
import type { Outcome, Question, Round } from './ask.js';

export type Answer = Pick<Round, 'responses' | 'state'>;

/** https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities */
export function supportsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0);
}

/** The first protocol version with URL elicitation. In earlier versions, the same capability has no defined meaning. */
const firstUrlVersion = '2025-11-25';

export const supportsUrls = (capabilities: ClientCapabilities | undefined, version = ''): boolean =>
  version >= firstUrlVersion && capabilities?.elicitation?.url !== undefined;

/** The time that a person has for an answer, in milliseconds. */
export const answerTimeout = 300_000;

/** The maximum number of questions of a call. The next question counts as canceled. */
const maxQuestions = 8;

/**
 * Sends questions to the client while its request runs, in protocol versions that allow this. Runs the call again with
 * each answer.
 */
export async function askInRequest(
  { mcpReq }: ServerContext,
  first: Question,
  run: (answer: Answer) => Promise<Outcome>,
): Promise<CallToolResult> {
  let outcome: Outcome = first;
  for (let count = 0; !('result' in outcome); count++) {
    const { question, state }: Question = outcome;
    const params = question.mode === 'url' ? { ...question, elicitationId: state.secrets ?? state.nonce } : question;
    const response: unknown =
      count < maxQuestions
        ? await mcpReq
            .send({ method: 'elicitation/create', params }, { signal: mcpReq.signal, timeout: answerTimeout })
            .catch(() => cancelled)
        : cancelled;
    outcome = await run({ state, responses: { [state.step]: response } });
  }
  return outcome.result;
}

/** Used if the client does not answer, and after `maxQuestions`. */
const cancelled = { action: 'cancel' };
