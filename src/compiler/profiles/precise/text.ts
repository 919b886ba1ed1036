import type { JsonSchema } from '../../../json-schema.js';
import type { ControlDescription } from '../../description.js';
import { anchored, isValidPattern, plainPattern, unicodePattern } from '../../html/pattern.js';
import { parseNonNegativeInteger } from '../../parameters/numbers.js';
import type { SchemaWithHints } from '../synthesize.js';

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

/** https://html.spec.whatwg.org/#valid-e-mail-address */
const emailGrammar = `[a-zA-Z0-9.!#$%&'*+\\/=?^_\`{|}~-]+@${label}(?:\\.${label})*`;

/** Approximates a valid absolute URL: a scheme, and a host if the scheme requires one. */
const special = '(?:[hH][tT][tT][pP][sS]?|[wW][sS][sS]?|[fF][tT][pP])';
const host = '(?:[^\\s\\/\\\\?#@:<>\\[\\]^|%]+|\\[[0-9a-fA-F:.]+\\])(?::[0-9]{0,5})?';
const end = '(?:[\\/\\\\?#](?:.*\\S)?)?';
const urlGrammar =
  `(?:${special}:[\\/\\\\]*(?:[^\\s\\/\\\\?#]*@)?${host}${end}` +
  `|(?!${special}:)[a-zA-Z][a-zA-Z0-9+.-]*:(?:(?!\\/\\/)(?:.*\\S)?|\\/\\/(?:[^\\s\\/?#]*@)?(?:${host})?${end}))`;

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

/** The author's pattern, if JSON Schema cannot express it. */
function patternHint(control: ControlDescription): string {
  const { pattern } = control.attributes;
  if (pattern === undefined || control.type === 'textarea' || authorPattern(control) !== undefined) return '';
  return isValidPattern(pattern) ? `Matches the regular expression ${pattern} (with the flag v).` : '';
}
