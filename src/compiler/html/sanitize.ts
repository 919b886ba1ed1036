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
      return hexColor(value) ?? '#000000';
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

/**
 * Converts a color in hexadecimal notation to #rrggbb; undefined for other CSS colors, although browsers convert them
 * too.
 * https://html.spec.whatwg.org/#update-a-color-well-control-color
 */
export function hexColor(value: string): string | undefined {
  const [, digits] = /^#((?:[\da-f]{3,4}){1,2})$/i.exec(strip(value)) ?? [];
  if (digits === undefined || digits.length === 7) return undefined;
  const long = digits.length < 5 ? digits.replace(/./g, '$&$&') : digits;
  return `#${long.slice(0, 6).toLowerCase()}`;
}

/** https://infra.spec.whatwg.org/#strip-newlines */
const stripNewlines = (value: string): string => value.replace(/[\n\r]/g, '');

/** https://infra.spec.whatwg.org/#strip-leading-and-trailing-ascii-whitespace */
const strip = (value: string): string => stripEnds(value, /[\t\n\f\r ]/);
