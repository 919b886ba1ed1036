import type { JsonSchema } from '../../../json-schema.js';
import type { ControlDescription } from '../../description.js';
import { commonDivisor, isMultiple } from '../../html/decimal.js';
import { parseNumber } from '../../html/microsyntaxes.js';
import { numberRange, numberValues, type NumberRange } from '../../parameters/numbers.js';
import type { SchemaWithHints } from '../synthesize.js';

export const maxEnumLength = 64;

export function numberSchema(control: ControlDescription): SchemaWithHints {
  const examples = (control.suggestions ?? []).map(parseNumber).filter((number) => number !== undefined);
  const { schema, hints } = rangeSchema(numberRange(control));
  return { schema: { ...schema, ...(examples.length > 0 && { examples }) }, hints };
}

function rangeSchema(range: NumberRange): SchemaWithHints {
  const { minimum, maximum, step, base } = range;
  const type = step !== 'any' && Number.isInteger(step) && Number.isInteger(base) ? 'integer' : 'number';
  const limits: JsonSchema = {
    type,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  if (step === 'any' || (type === 'integer' && step === 1)) return { schema: limits, hints: [] };
  if (isExact(step) && isMultiple(base, step)) return { schema: { ...limits, multipleOf: step }, hints: [] };
  const values = numberValues(range, maxEnumLength);
  if (values && values.length > 0) return { schema: { type, enum: values }, hints: [] };
  return offsetSchema(limits, step, base);
}

/**
 * With an offset step base, the values are multiples of a finer step, but not of the step itself. That is exact if the
 * offset is half a step; otherwise a hint is needed.
 */
function offsetSchema(limits: JsonSchema, step: number, base: number): SchemaWithHints {
  const grid = commonDivisor(step, base);
  const isComplete = isExact(grid) && grid * 2 === step;
  return {
    schema: {
      ...limits,
      ...(isExact(grid) && !(limits.type === 'integer' && grid === 1) && { multipleOf: grid }),
      ...(isExact(step) && !isMultiple(base, step) && { not: { multipleOf: step } }),
    },
    hints: isComplete ? [] : [`In steps of ${step} from ${base}.`],
  };
}

/** Whether division by the step is exact in binary floating point. */
const isExact = (step: number): boolean => Number.isInteger(step * 1024);
