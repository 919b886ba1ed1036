import type { CallToolResult } from '@modelcontextprotocol/server';
import { type InputError, hashOf, isRecord, type JsonRecord } from 'webmcp-forms/headless';
import type { Settings } from '../../settings.js';
import type { Action } from '../../webtools/actions.js';
import { invalidState, type Asking, type AskState } from './asking.js';
import { answeredValues, confirmQuestion, placeOf, valuesQuestion, type FormParams } from './question.js';

/** The answers of a client, and whether it supports questions. */
export interface Round {
  readonly asking: Asking;
  /** Whether the client supports elicitation with forms. */
  readonly canAsk: boolean;
  /** The state of the question that the client answers. Its signature has been verified. */
  readonly state: AskState | undefined;
  readonly responses: Readonly<Record<string, unknown>> | undefined;
}

export interface AskedCall {
  readonly settings: Settings;
  readonly action: Action;
  readonly input: JsonRecord;
  /** All that the call depends on: an answer to one call is not one to another. */
  readonly about: readonly unknown[];
  /** The errors of an input. Undefined if the call fails for another reason. */
  readonly errorsOf: (input: JsonRecord) => readonly InputError[] | undefined;
}

export interface Question {
  readonly question: FormParams;
  readonly state: AskState;
}

/** The outcome of a call: a question to a person, or a result. */
export type Outcome = Question | { readonly result: CallToolResult };

export interface Refusal {
  readonly refusal: { readonly code: 'declined' | 'confirmation-required'; readonly message: string };
}

/**
 * Asks a person for missing values and for the confirmation of a call, one after the other. Returns the input of the call if
 * nothing has to be asked.
 *
 * @throws {ProtocolError} if the state is of another call, or was used before
 */
export async function askPerson(
  call: AskedCall,
  round: Round,
): Promise<Question | Refusal | { readonly input: JsonRecord }> {
  const { settings, action } = call;
  const digest = (): Promise<string> => hashOf(call.about);
  if (round.state && round.state.digest !== (await digest())) throw invalidState();
  const { values, isConfirmed, refusal } = readAnswer(call, round);
  if (refusal) return { refusal };
  const input = { ...call.input, ...values };
  const question = async (step: AskState['step'], params: FormParams): Promise<Question> => ({
    question: params,
    state: { nonce: crypto.randomUUID(), digest: await digest(), step, values },
  });
  const errors = round.canAsk ? call.errorsOf(input) : [];
  if (errors === undefined) return { input };
  if (errors.length > 0) {
    const params = valuesQuestion(settings, action, errors, { input: call.input, given: values });
    return params ? await question('values', params) : { input };
  }
  if (!action.consequential || isConfirmed || settings.confirm === 'never') return { input };
  if (round.canAsk) return await question('confirm', confirmQuestion(settings, action, input));
  return settings.confirm === 'always' ? { refusal: unconfirmed(settings, action) } : { input };
}

interface Answer {
  readonly values: JsonRecord;
  readonly isConfirmed: boolean;
  readonly refusal?: Refusal['refusal'];
}

function readAnswer({ input, errorsOf }: AskedCall, { state, responses, asking }: Round): Answer {
  if (!state) return { values: {}, isConfirmed: false };
  const { step, values } = state;
  const response = responses?.[step];
  if (!isRecord(response)) return { values, isConfirmed: false };
  asking.accept(state);
  const { action, content } = response;
  const isDeclined = action !== 'accept' || (step === 'confirm' && !(isRecord(content) && content.send === true));
  if (isDeclined) return { values, isConfirmed: false, refusal: declined };
  if (step === 'confirm') return { values, isConfirmed: true };
  const asked = (errorsOf({ ...input, ...values }) ?? []).map(({ parameter }) => parameter);
  return { values: { ...values, ...answeredValues(content, asked) }, isConfirmed: false };
}

const declined = {
  code: 'declined',
  message: 'The person did not agree. Nothing was sent. Do not send it again unless the person asks for it.',
} as const;

const unconfirmed = ({ baseUrl }: Settings, action: Action): Refusal['refusal'] => ({
  code: 'confirmation-required',
  message:
    'A person has to confirm this form, and this client cannot ask one, because it does not support elicitation. ' +
    `Nothing was sent. A person can send the form on ${placeOf(baseUrl, action)}.`,
});
