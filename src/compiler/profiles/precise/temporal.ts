import type { ControlDescription } from '../../description.js';
import { parseTemporal, serializeTemporal, temporalSteps, type TemporalType } from '../../html/microsyntaxes.js';
import { isStepInPattern, temporalPattern } from '../../parameters/temporal-pattern.js';
import { temporalLimits, temporalValues, type TemporalLimits } from '../../parameters/temporal.js';
import type { SchemaWithHints } from '../profile.js';
import { maxEnumLength } from './number.js';

const formatHints: Readonly<Record<TemporalType, string>> = {
  date: 'A date as YYYY-MM-DD.',
  month: 'A month as YYYY-MM.',
  week: 'A week as YYYY-Www.',
  time: 'A time as HH:MM.',
  'datetime-local': 'A local date and time as YYYY-MM-DDTHH:MM.',
};

export function temporalSchema(type: TemporalType, control: ControlDescription, required: boolean): SchemaWithHints {
  const limits = temporalLimits(type, control);
  const examples = (control.suggestions ?? []).filter((text) => parseTemporal(type, text) !== undefined);
  const { schema, hints } = rangeSchema(type, limits, required);
  return {
    schema: { type: 'string', ...schema, ...(examples.length > 0 && { examples }) },
    hints: [formatHints[type], ...rangeHint(type, limits), ...hints],
  };
}

function rangeSchema(type: TemporalType, limits: TemporalLimits, required: boolean): SchemaWithHints {
  const values = temporalValues(type, limits, maxEnumLength);
  if (values && values.length > 0) return { schema: { enum: required ? values : ['', ...values] }, hints: [] };
  const pattern = temporalPattern(type, limits);
  return {
    schema: { pattern: anchor(pattern, required), ...(type === 'date' && required && { format: 'date' }) },
    hints: stepHint(type, limits),
  };
}

function anchor(pattern: string | undefined, required: boolean): string {
  if (pattern === undefined) return required ? '^(?!)' : '^$';
  return `^(?:${pattern})${required ? '' : '?'}$`;
}

function rangeHint(type: TemporalType, { min, max }: TemporalLimits): readonly string[] {
  const from = min === undefined ? '' : ` from ${serializeTemporal(type, min)}`;
  const to = max === undefined ? '' : ` to ${serializeTemporal(type, max)}`;
  const range = `${from}${to}`.trim();
  return range ? [`${range.charAt(0).toUpperCase()}${range.slice(1)}.`] : [];
}

const units: Readonly<Record<TemporalType, string>> = {
  date: 'days',
  month: 'months',
  week: 'weeks',
  time: 'seconds',
  'datetime-local': 'seconds',
};

function stepHint(type: TemporalType, { step, base }: TemporalLimits): readonly string[] {
  if (isStepInPattern(type, step)) return [];
  const { stepScaleFactor } = temporalSteps[type];
  return [`In steps of ${Number(step) / stepScaleFactor} ${units[type]} from ${serializeTemporal(type, base)}.`];
}
