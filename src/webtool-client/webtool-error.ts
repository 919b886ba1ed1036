import { exceedsDepth, isRecord, stringify } from '../json.js';
import { mapTexts, visibleText } from '../visible-text.js';
import { limits } from './limits.js';

export interface WrongParameter {
  readonly parameter: string;
  readonly code?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly received?: unknown;
}

interface WebtoolErrorOptions {
  readonly status?: number | undefined;
  readonly parameters?: readonly WrongParameter[];
  readonly cause?: unknown;
}

/**
 * A failure of a webtool, or of the connection to it. The message is written for a model: it contains all errors of the
 * request, and no values of the configuration.
 */
export class WebtoolError extends Error {
  override readonly name = 'WebtoolError';
  /** A code of the webtool, such as `SCHEMA_ERROR`, or of the client, such as `WEBTOOL_CHANGED`. */
  readonly code: string;
  /** The HTTP status of the response; undefined without a response. */
  readonly status: number | undefined;
  /** The errors of the request; empty for other failures. */
  readonly parameters: readonly WrongParameter[];

  constructor(code: string, message: string, { status, parameters = [], cause }: WebtoolErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.parameters = parameters;
  }
}

const maxSchemaLength = 500;

/** The failure in a response of a current or legacy webtool, or undefined. */
export function failureIn(body: unknown, status: number): WebtoolError | undefined {
  if (!isRecord(body) || body['status'] === 'ok' || exceedsDepth(body)) return undefined;
  const error = mapTexts(body['error'], visibleText);
  if (typeof error === 'string') return new WebtoolError('WEBTOOL_ERROR', limitMessage(error), { status });
  if (!isRecord(error) || typeof error['message'] !== 'string') return undefined;
  const code = typeof error['code'] === 'string' ? error['code'].slice(0, limits.name) : 'WEBTOOL_ERROR';
  const all = Array.isArray(error['parameters']) ? error['parameters'] : [];
  const parameters = all.slice(0, limits.errors).filter(isWrongParameter);
  return new WebtoolError(code, completeMessage(error['message'], parameters), { status, parameters });
}

const isWrongParameter = (value: unknown): value is WrongParameter =>
  isRecord(value) && typeof value['parameter'] === 'string' && typeof value['message'] === 'string';

/** Adds the parameter errors that the message lacks, and the expected schemas. */
function completeMessage(message: string, parameters: readonly WrongParameter[]): string {
  const missing = parameters.filter((each) => !message.includes(each.message));
  const errors = missing.map((each) =>
    each.message.includes(each.parameter) ? each.message : `${each.parameter}: ${each.message}`,
  );
  const schemas = parameters.flatMap(({ parameter, code, expected }) =>
    isRecord(expected) && code !== 'unknown-parameter'
      ? [`Expected ${stringify(parameter)} to match ${stringify(expected).slice(0, maxSchemaLength)}.`]
      : [],
  );
  return limitMessage([message, ...errors, ...schemas].join(' '));
}

function limitMessage(message: string): string {
  if (message.length <= limits.message) return message;
  const end = `... (The message of the webtool has ${message.length} characters. The limit is ${limits.message}.)`;
  return message.slice(0, limits.message - end.length) + end;
}
