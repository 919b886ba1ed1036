import { isRecord, stringify } from '../json.js';

/** What is wrong with one parameter of a request, as the webtool says it. */
export interface WrongParameter {
  readonly parameter: string;
  readonly code?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly received?: unknown;
}

export interface WebtoolErrorOptions {
  readonly status?: number | undefined;
  readonly parameters?: readonly WrongParameter[];
  readonly cause?: unknown;
}

/**
 * A failure of a webtool, or of the way to it. Its message is meant for a model: it says all that is wrong, and has
 * nothing of the configuration.
 */
export class WebtoolError extends Error {
  override readonly name = 'WebtoolError';
  /** The webtool's own code, such as `SCHEMA_ERROR`, or one of the client's, such as `WEBTOOL_CHANGED`. */
  readonly code: string;
  /** The HTTP status of the answer; undefined if there is none. */
  readonly status: number | undefined;
  /** What is wrong with the request; empty for all other failures. */
  readonly parameters: readonly WrongParameter[];

  constructor(code: string, message: string, { status, parameters = [], cause }: WebtoolErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.parameters = parameters;
  }
}

const mostText = 50_000;
const mostOfSchema = 500;

/** The failure that an answer tells, in today's words or in those of the older dialect; undefined if it tells none. */
export function failureIn(body: unknown, status: number): WebtoolError | undefined {
  if (!isRecord(body) || body['status'] === 'ok') return undefined;
  const { error } = body;
  if (typeof error === 'string') return new WebtoolError('WEBTOOL_ERROR', error.slice(0, mostText), { status });
  if (!isRecord(error) || typeof error['message'] !== 'string') return undefined;
  const code = typeof error['code'] === 'string' ? error['code'] : 'WEBTOOL_ERROR';
  const parameters = Array.isArray(error['parameters']) ? error['parameters'].filter(isWrongParameter) : [];
  return new WebtoolError(code, messageOf(error['message'], parameters), { status, parameters });
}

const isWrongParameter = (value: unknown): value is WrongParameter =>
  isRecord(value) && typeof value['parameter'] === 'string' && typeof value['message'] === 'string';

/** A message that names every wrong parameter once, and what it takes. */
function messageOf(message: string, parameters: readonly WrongParameter[]): string {
  const untold = parameters.filter((wrong) => !message.includes(wrong.message));
  const lines = untold.map((wrong) =>
    wrong.message.includes(wrong.parameter) ? wrong.message : `${wrong.parameter}: ${wrong.message}`,
  );
  const taken = parameters.flatMap(({ parameter, code, expected }) =>
    isRecord(expected) && code !== 'unknown-parameter'
      ? [`${stringify(parameter)} takes ${stringify(expected).slice(0, mostOfSchema)}.`]
      : [],
  );
  return [message, ...lines, ...taken].join(' ').slice(0, mostText);
}
