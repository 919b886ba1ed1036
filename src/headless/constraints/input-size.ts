import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { hasSensitive, redacted } from '../../compiler/input/parameter-error.js';
import type { Parameter } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { makeParameter, parametersOf, type Synthesis } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { isRecord } from '../../json.js';
import type { InputError } from '../submission-error.js';

/** The maximum number of values of a list: addresses, options, files, and items of a custom element. */
const maxListLength = 10_000;

/** The maximum length of a string, without the content of files. */
const maxTextLength = 2_000_000;

const maxUrlLength = 100_000;
const maxFileNameLength = 1_000;

/**
 * The errors of the parameters whose values are too large to be converted, so that the work of later checks is bounded.
 *
 * @param form - without secrets
 */
export function sizeErrors(form: FormDescription, input: JsonValue, synthesis: Synthesis): readonly InputError[] {
  if (!isRecord(input) || Object.keys(input).length === 0) return [];
  return parametersOf(form, synthesis).flatMap((parameter) => {
    const { name } = parameter;
    const value = Object.hasOwn(input, name) ? (input[name] as JsonValue) : null;
    const excess = value === null ? undefined : excessOf(form, parameter, value);
    if (!excess) return [];
    const isSensitive = hasSensitive(controlsOf(form, parameter));
    return {
      parameter: name,
      code: excess.code,
      message: `Parameter ${preview(name)} ${excess.reason}.`,
      expected: makeParameter(form, parameter, synthesis).schema,
      received: isSensitive ? redacted : preview(value),
    };
  });
}

interface Excess {
  readonly code: 'too-long' | 'wrong-count';
  /** The predicate of a sentence about the parameter. */
  readonly reason: string;
}

const controlsOf = ({ controls }: FormDescription, { units }: Parameter): readonly ControlDescription[] =>
  units.flatMap((unit) => unit.controls.map((index) => controls[index] as ControlDescription));

function excessOf(form: FormDescription, { units }: Parameter, value: JsonValue): Excess | undefined {
  const [unit] = units;
  const { type, attributes, options = [] } = form.controls[unit.controls[0] as number] as ControlDescription;
  const values = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const maxLength = Math.max(maxListLength, options.length, units.length);
  const isEmailList = type === 'email' && attributes.multiple !== undefined;
  const count = isEmailList ? addressCount(values, maxLength) : values.length;
  if (count > maxLength) {
    const reason = `has more than ${maxLength} values, the limit of the gateway. Send fewer`;
    return { code: 'wrong-count', reason };
  }
  const isFile = type === 'file';
  const maxText = isFile ? maxFileNameLength : type === 'url' ? maxUrlLength : maxTextLength;
  if (values.every((each) => isShort(each, maxText, isFile))) return undefined;
  const text = isFile ? 'name or media type' : 'text';
  const reason = `has a ${text} of more than ${maxText} characters, the limit of the gateway. Send a shorter one`;
  return { code: 'too-long', reason };
}

function addressCount(values: readonly JsonValue[], limit: number): number {
  let count = values.length;
  for (const value of values) {
    if (typeof value !== 'string') continue;
    for (let at = value.indexOf(','); at >= 0 && count <= limit; at = value.indexOf(',', at + 1)) count++;
  }
  return count;
}

/** Whether a value is within the limit. Objects other than files are validated by the schema of their custom element. */
function isShort(value: JsonValue, limit: number, isFile: boolean): boolean {
  const texts = isFile && isRecord(value) ? [value.name, value.mediaType] : [value];
  return texts.every((text) => typeof text !== 'string' || text.length <= limit);
}
