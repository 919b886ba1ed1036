import type { JsonSchema } from '../../../json-schema.js';
import type { ControlDescription } from '../../description.js';
import { commonDivisor, isMultiple } from '../../html/decimal.js';
import { parseNumber, parseTemporal, type TemporalType } from '../../html/microsyntaxes.js';
import { anchored, isValidPattern, plainPattern, unicodePattern } from '../../html/pattern.js';
import { sentence } from '../../parameters/limits.js';
import { numberRange, numberValues, parseNonNegativeInteger, type NumberRange } from '../../parameters/numbers.js';
import { temporalLimits, temporalValues, temporalWords } from '../../parameters/temporal.js';
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
 * The schema for a step base that is not a multiple of the step. The values are multiples of the greatest common
 * divisor of both, but not of the step. This is exact if the divisor is half the step; else a hint is needed.
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

const datePattern = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const timePattern = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?';

/**
 * The patterns of the notations. They omit ranges, steps and the lengths of months, which the form checks. Many pages
 * set `min` to the current day: with ranges, their schemas would change each day.
 */
const notations: Readonly<Record<TemporalType, string>> = {
  date: datePattern,
  month: '[0-9]{4}-(0[1-9]|1[0-2])',
  week: '[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])',
  time: timePattern,
  'datetime-local': `${datePattern}T${timePattern}`,
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

const domainLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

/** https://html.spec.whatwg.org/#valid-e-mail-address */
const emailGrammar = `[a-zA-Z0-9.!#$%&'*+\\/=?^_\`{|}~-]+@${domainLabel}(?:\\.${domainLabel})*`;

/** Approximates a valid absolute URL: a scheme, and a host if the scheme requires one. */
const specialScheme = '(?:[hH][tT][tT][pP][sS]?|[wW][sS][sS]?|[fF][tT][pP])';
const urlHost = '(?:[^\\s\\/\\\\?#@:<>\\[\\]^|%]+|\\[[0-9a-fA-F:.]+\\])(?::[0-9]{0,5})?';
const urlRest = '(?:[\\/\\\\?#](?:.*\\S)?)?';
const urlGrammar =
  `(?:${specialScheme}:[\\/\\\\]*(?:[^\\s\\/\\\\?#]*@)?${urlHost}${urlRest}` +
  `|(?!${specialScheme}:)[a-zA-Z][a-zA-Z0-9+.-]*:(?:(?!\\/\\/)(?:.*\\S)?|\\/\\/(?:[^\\s\\/?#]*@)?(?:${urlHost})?${urlRest}))`;

const grammars: Readonly<Record<string, string>> = { email: emailGrammar, url: urlGrammar };
const grammarHints: Readonly<Record<string, string>> = { email: 'An e-mail address.', url: 'An absolute URL.' };

export function matchesGrammar(type: string, text: string): boolean {
  const grammar = grammars[type];
  return grammar === undefined || new RegExp(`^(?:${grammar})$`, 'u').test(text);
}

export function textSchema(control: ControlDescription, required: boolean): SchemaWithHints {
  const hints = [grammarHints[control.type] ?? '', patternHint(control)];
  const { attributes, type, suggestions = [] } = control;
  const examples = suggestions.length > 0 ? { examples: suggestions } : {};
  if (type !== 'email' || attributes.multiple === undefined) {
    return { schema: { ...stringSchema(control, required), ...examples }, hints };
  }
  const { minLength: _, ...address } = stringSchema(control, true);
  return {
    schema: { type: 'array', items: { ...address, ...examples }, ...(required && { minItems: 1 }) },
    hints: [...hints, ...lengthHints(attributes)],
  };
}

const lengthHints = ({ minlength, maxlength }: ControlDescription['attributes']): readonly string[] =>
  Object.entries({ least: minlength, most: maxlength }).flatMap(([bound, text]) => {
    const length = parseNonNegativeInteger(text);
    return length === undefined ? [] : `At ${bound} ${length} characters in all, commas included.`;
  });

function stringSchema(control: ControlDescription, required: boolean): JsonSchema {
  const { minlength, maxlength } = control.attributes;
  const singleLine = control.type !== 'textarea' && grammars[control.type] === undefined;
  const minLength = Math.max(parseNonNegativeInteger(minlength) ?? 0, required ? 1 : 0);
  const maxLength = parseNonNegativeInteger(maxlength);
  const own = patternOf(control);
  const anchoring = { optional: !required, singleLine, minLength };
  const pattern = own === undefined ? plainPattern(anchoring) : anchored(own, anchoring);
  return {
    type: 'string',
    ...(required && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}

function patternOf(control: ControlDescription): string | undefined {
  const grammar = grammars[control.type];
  const author = authorPattern(control);
  if (grammar === undefined || author === undefined) return grammar ?? author;
  return `(?=${grammar}$)(?:${author})`;
}

const authorPattern = ({ type, attributes: { pattern } }: ControlDescription): string | undefined =>
  pattern === undefined || type === 'textarea' ? undefined : unicodePattern(pattern);

/** A hint with the author's pattern, if JSON Schema cannot express the pattern. */
function patternHint(control: ControlDescription): string {
  const { pattern } = control.attributes;
  if (pattern === undefined || control.type === 'textarea' || authorPattern(control) !== undefined) return '';
  return isValidPattern(pattern) ? `Matches the regular expression ${pattern} (with the flag v).` : '';
}
