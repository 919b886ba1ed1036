import type { JsonSchema } from '../../../json-schema.js';
import type { ControlDescription } from '../../description.js';
import { parseTemporal, type TemporalType } from '../../html/microsyntaxes.js';
import { temporalLimits, temporalValues, temporalWords } from '../../parameters/temporal.js';
import type { SchemaWithHints } from '../synthesize.js';
import { sentence } from '../../parameters/limits.js';
import { maxEnumLength } from './number.js';

const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?';

/**
 * The notation alone, so that agents can read it. Ranges, steps and the lengths of months are left to the form: a schema does not
 * change because pages state the day of their response in `min`.
 */
const notations: Readonly<Record<TemporalType, string>> = {
  date,
  month: '[0-9]{4}-(0[1-9]|1[0-2])',
  week: '[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])',
  time,
  'datetime-local': `${date}T${time}`,
};

export function temporalSchema(type: TemporalType, control: ControlDescription, required: boolean): SchemaWithHints {
  const examples = (control.suggestions ?? []).filter((text) => parseTemporal(type, text) !== undefined);
  const values = (type === 'time' && temporalValues(type, temporalLimits(type, control), maxEnumLength)) || [];
  const { format, range, steps } = temporalWords(type, control);
  return {
    schema: {
      type: 'string',
      ...(values.length > 0 ? { enum: required ? values : ['', ...values] } : notation(type, required)),
      ...(examples.length > 0 && { examples }),
    },
    hints: [format, range, values.length > 0 ? '' : steps].filter(Boolean).map(sentence),
  };
}

/** The format `date` of JSON Schema excludes the empty string. */
const notation = (type: TemporalType, required: boolean): JsonSchema =>
  required
    ? { pattern: `^${notations[type]}$`, ...(type === 'date' && { format: 'date' }) }
    : { pattern: `^(${notations[type]})?$` };
