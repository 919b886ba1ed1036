import type { JsonSchema } from '../../json-schema.js';
import type { ControlDescription } from '../description.js';

export type ExecuteErrorCode =
  | 'invalid-input'
  | 'unknown-parameter'
  | 'wrong-type'
  | 'wrong-count'
  | 'not-offered'
  | 'duplicate-value'
  | 'not-kept';

/** The flags of a ValidityState with their error codes. https://html.spec.whatwg.org/#validitystate */
export const constraintCodes = [
  ['valueMissing', 'value-missing'],
  ['typeMismatch', 'type-mismatch'],
  ['patternMismatch', 'pattern-mismatch'],
  ['tooLong', 'too-long'],
  ['tooShort', 'too-short'],
  ['rangeUnderflow', 'range-underflow'],
  ['rangeOverflow', 'range-overflow'],
  ['stepMismatch', 'step-mismatch'],
  ['badInput', 'bad-input'],
  ['customError', 'custom-error'],
] as const;

export type ConstraintCode = (typeof constraintCodes)[number][1];

/** An invalid parameter value, with enough detail for an agent to correct it. */
export interface ParameterError<Code extends string = ExecuteErrorCode> {
  /** The parameter's name, or the empty string for the input as a whole. */
  readonly parameter: string;
  readonly code: Code;
  readonly message: string;
  readonly expected: JsonSchema;
  /** The beginning of the received value as JSON; never a value that could be sensitive. */
  readonly received: string;
}

/** Replaces a received value that could be sensitive. */
export const redacted = '(not shown)';

export const hasSensitive = (controls: readonly ControlDescription[]): boolean =>
  controls.some(({ sensitive }) => sensitive);
