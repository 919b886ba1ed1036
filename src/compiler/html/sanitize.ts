import type { ControlType } from './elements.js';
import { parseTemporal, serializeTemporal } from './microsyntaxes.js';
import { stripEnds } from './text.js';

/**
 * The value sanitization algorithm of the types with text values.
 * https://html.spec.whatwg.org/#value-sanitization-algorithm
 *
 * @param isList - whether the control accepts several e-mail addresses
 */
export function sanitizeText(type: ControlType, value: string, isList = false): string {
  switch (type) {
    case 'date':
    case 'month':
    case 'week':
    case 'time':
      return parseTemporal(type, value) === undefined ? '' : value;
    case 'datetime-local': {
      const number = parseTemporal(type, value);
      return number === undefined ? '' : serializeTemporal(type, number);
    }
    case 'color':
      return /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#000000';
    case 'email':
    case 'url':
      return (isList ? value.split(',') : [value]).map((each) => strip(stripNewlines(each))).join(',');
    case 'textarea':
      return value.replace(/\r\n?/g, '\n');
    case 'hidden':
      return value;
    default:
      return stripNewlines(value);
  }
}

/** https://infra.spec.whatwg.org/#strip-newlines */
const stripNewlines = (value: string): string => value.replace(/[\n\r]/g, '');

/** https://infra.spec.whatwg.org/#strip-leading-and-trailing-ascii-whitespace */
const strip = (value: string): string => stripEnds(value, /[\t\n\f\r ]/);
