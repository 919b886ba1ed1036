import type { ControlDescription } from '../description.js';
import { parseTemporal, serializeTemporal, temporalSteps, type TemporalType } from '../microsyntaxes.js';
import { temporalLimits, type TemporalLimits } from '../temporal.js';
import { temporalPattern, temporalValues } from '../temporal-pattern.js';
import { listLimit } from './precise-number.js';
import type { Said } from './precise-schema.js';

const natures: Readonly<Record<TemporalType, string>> = {
  date: 'A date as YYYY-MM-DD.',
  month: 'A month as YYYY-MM.',
  week: 'A week as YYYY-Www.',
  time: 'A time as HH:MM.',
  'datetime-local': 'A local date and time as YYYY-MM-DDTHH:MM.',
};

export function temporalSchema(type: TemporalType, control: ControlDescription, required: boolean): Said {
  const limits = temporalLimits(type, control);
  const examples = (control.suggestions ?? []).filter((text) => parseTemporal(type, text) !== undefined);
  const { schema, hints } = limited(type, limits, required);
  return {
    schema: { type: 'string', ...schema, ...(examples.length > 0 && { examples }) },
    hints: [natures[type], ...rangeHint(type, limits), ...hints],
  };
}

function limited(type: TemporalType, limits: TemporalLimits, required: boolean): Said {
  const values = temporalValues(type, limits, listLimit);
  if (values && values.length > 0) return { schema: { enum: required ? values : ['', ...values] }, hints: [] };
  const pattern = temporalPattern(type, { ...limits, step: secondsStep(limits) });
  return {
    schema: { pattern: anchoredTemporal(pattern, required), ...(type === 'date' && required && { format: 'date' }) },
    hints: stepHint(type, limits),
  };
}

function anchoredTemporal(pattern: string | undefined, required: boolean): string {
  if (pattern === undefined) return required ? '^(?!)' : '^$';
  return `^(?:${pattern})${required ? '' : '?'}$`;
}

/** The coarsest step that reaches every legal value whatever the base: it decides which seconds can be written. */
function secondsStep({ step, base }: TemporalLimits): number | 'any' {
  if (step === 'any') return step;
  return [60_000, 1000].find((unit) => step % unit === 0 && base % unit === 0) ?? 1;
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

/** A step that the pattern does not say: any but whole days, weeks or months, and those of the seconds. */
function stepHint(type: TemporalType, limits: TemporalLimits): readonly string[] {
  const { step, base } = limits;
  const { defaultStep, stepScaleFactor } = temporalSteps[type];
  if (step === 'any' || step === (defaultStep === 1 ? stepScaleFactor : secondsStep(limits))) return [];
  return [`In steps of ${step / stepScaleFactor} ${units[type]} from ${serializeTemporal(type, base)}.`];
}
