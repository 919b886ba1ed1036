import type { CallToolResult } from '@modelcontextprotocol/server';
import { hashOf, isRecord, type JsonRecord } from 'webmcp-forms/headless';
import type { InputCheck } from '../../run-action.js';
import type { Settings } from '../../settings.js';
import type { Action } from '../../webtools/actions.js';
import { invalidState, type Asking, type AskState } from './asking.js';
import {
  answeredValues,
  confirmQuestion,
  placeOf,
  secretsQuestion,
  sentLines,
  titleOf,
  valuesQuestion,
  type FormParams,
  type UrlParams,
} from './question.js';
import { secretFields, type SecretField, type SecretValues } from './secrets/secret-fields.js';
import type { PagePlace, SecretQuestion } from './secrets/secret-questions.js';

/** The answers of a client and the kinds of questions that it supports. */
export interface Round {
  readonly asking: Asking;
  readonly canAsk: boolean;
  /** Opens a place for pages on which people type secrets. Undefined if the client or the gateway does not support them. */
  readonly openPlace: (() => Promise<PagePlace>) | undefined;
  readonly isCurrent: SecretQuestion['isCurrent'];
  readonly wait: (id: string) => Promise<void>;
  /** The state of the question that the client answers. Its signature has been verified. */
  readonly state: AskState | undefined;
  readonly responses: Readonly<Record<string, unknown>> | undefined;
}

interface AskedCall {
  readonly settings: Settings;
  readonly action: Action;
  readonly input: JsonRecord;
  readonly client: string | undefined;
  readonly rateLimitKey: string | undefined;
  /** Everything that identifies the call, so that an answer to one call is not accepted for another. */
  readonly about: readonly unknown[];
  readonly check: (input: JsonRecord) => InputCheck;
  readonly accepts: (input: JsonRecord, secrets: SecretValues) => boolean;
}

export interface Question {
  readonly question: FormParams | UrlParams;
  readonly state: AskState;
}

export type Outcome = Question | { readonly result: CallToolResult };

export interface Refusal {
  readonly refusal: { readonly code: 'declined' | 'confirmation-required'; readonly message: string };
}

interface Complete {
  readonly input: JsonRecord;
  readonly secrets?: SecretValues;
}

/**
 * Asks a person for missing values, for the confirmation of a call and for secrets, one after the other. Returns the
 * next question, the complete input if no question is left, or the reason not to run the call.
 *
 * @throws {ProtocolError} if the state belongs to another call or was used before, or if too many questions are open
 */
export async function askPerson(
  call: AskedCall,
  round: Round,
): Promise<Question | Refusal | Complete | Required<Pick<InputCheck, 'failure'>>> {
  const { settings, action } = call;
  const digestOf = (): Promise<string> => hashOf(call.about); // lazy, because most calls need no question
  if (round.state && round.state.digest !== (await digestOf())) throw invalidState();
  const { values, isConfirmed, refusal, secrets, open } = await readAnswer(call, round);
  if (refusal) return { refusal };
  const input = { ...call.input, ...values };
  if (secrets) return { input, secrets };
  const stateOf = async (step: AskState['step']): Promise<AskState> => ({
    nonce: crypto.randomUUID(),
    digest: await digestOf(),
    step,
    values,
    isConfirmed,
  });
  const fields = round.openPlace ? secretFields(action, settings) : [];
  const checked = round.canAsk || fields.length > 0 ? call.check(input) : valid;
  const given = { input: call.input, given: values };
  const missing = round.canAsk && valuesQuestion(settings, action, checked.errors, given);
  if (missing) return { question: missing, state: await stateOf('values') };
  if (checked.failure) return { failure: checked.failure };
  if (action.consequential && !isConfirmed && settings.confirm !== 'never') {
    if (round.canAsk) return { question: confirmQuestion(settings, action, input), state: await stateOf('confirm') };
    if (settings.confirm === 'always') return { refusal: unconfirmed(settings, action) };
  }
  if (!round.openPlace || fields.length === 0) return { input };
  const id = open ?? (await openSecrets(call, input, fields, round));
  const url = round.asking.secrets.urlOf(id);
  if (url === undefined) return { refusal: late };
  return {
    question: secretsQuestion(settings, action, fields, url),
    state: { ...(await stateOf('secrets')), secrets: id },
  };
}

const valid: InputCheck = { errors: [] };

function openSecrets(
  { settings, action, client, rateLimitKey, accepts }: AskedCall,
  input: JsonRecord,
  fields: readonly SecretField[],
  { asking, isCurrent, openPlace }: Round,
): Promise<string> {
  const { lang, dir } = action;
  const question: SecretQuestion = {
    client,
    tool: titleOf(action),
    place: placeOf(settings.baseUrl, action),
    lang,
    dir,
    lines: sentLines(action, input),
    fields,
    accepts: (secrets) => accepts(input, secrets),
    isCurrent,
  };
  return asking.secrets.open(question, rateLimitKey, openPlace as NonNullable<typeof openPlace>);
}

interface Answer {
  readonly values: JsonRecord;
  readonly isConfirmed: boolean;
  readonly refusal?: Refusal['refusal'];
  readonly secrets?: SecretValues;
  readonly open?: string;
}

async function readAnswer(call: AskedCall, { state, responses, asking, wait }: Round): Promise<Answer> {
  if (!state) return { values: {}, isConfirmed: false };
  const { step, values, isConfirmed, secrets: id } = state;
  const response = responses?.[step];
  const known = { values, isConfirmed, ...(id !== undefined && { open: id }) };
  if (!isRecord(response)) return known;
  asking.accept(state);
  const { action, content } = response;
  const isDeclined = action !== 'accept' || (step === 'confirm' && !(isRecord(content) && content.send === true));
  if (isDeclined && id !== undefined) asking.secrets.end(id);
  if (isDeclined) return { ...known, refusal: declined };
  if (step === 'confirm') return { values, isConfirmed: true };
  if (step === 'values') return { values: { ...values, ...givenValues(call, values, content) }, isConfirmed };
  await wait(id ?? '');
  const taken = asking.secrets.take(id ?? '');
  if (taken === 'open') return known;
  if (taken === 'declined') return { ...known, refusal: declined };
  return taken === 'expired' ? { ...known, refusal: late } : { ...known, secrets: taken };
}

function givenValues({ input, check }: AskedCall, values: JsonRecord, content: unknown): JsonRecord {
  const { errors } = check({ ...input, ...values });
  return answeredValues(
    content,
    errors.map(({ parameter }) => parameter),
  );
}

const declined = {
  code: 'declined',
  message: 'The person did not agree. Nothing was sent. Do not send it again unless the person asks for it.',
} as const;

const late = {
  code: 'declined',
  message:
    'The page for the person has expired or was used. Nothing was sent. Call the tool again to ask for a new one.',
} as const;

const unconfirmed = ({ baseUrl }: Settings, action: Action): Refusal['refusal'] => ({
  code: 'confirmation-required',
  message:
    'A person has to confirm this form, and this client cannot ask one, because it does not support elicitation. ' +
    `Nothing was sent. A person can send the form on ${placeOf(baseUrl, action)}.`,
});
