import * as fc from 'fast-check';
import type {
  ControlDescription,
  FormDescription,
  JsonValue,
  SynthesizedParameter,
  ControlGroup,
} from '../../../../src/compiler/index.js';
import type { TemporalType } from '../../../../src/compiler/html/microsyntaxes.js';
import { datesNear } from './dates.js';
import { numbersNear } from './numbers.js';
import { weighted } from './pieces.js';
import { textsNear } from './text-values.js';

type Values = fc.Arbitrary<JsonValue>;

const anything: Values = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    '',
    0,
    -1,
    1e300,
    [],
    {},
    [''],
    [[]],
    ['a', 1],
    { name: 'a' },
    'true',
    '1',
  ),
  fc.jsonValue() as Values,
);

const several = (item: Values): Values => fc.array(item, { maxLength: 4 });

function offered(form: FormDescription, unit: ControlGroup): fc.Arbitrary<string> {
  const values = unit.controls.flatMap((index) => {
    const { attributes, options, name } = form.controls[index] as ControlDescription;
    return (
      options?.map(({ value }) => value) ?? [attributes.value ?? 'on', ...(unit.kind === 'submitter' ? [name] : [])]
    );
  });
  return weighted([5, fc.constantFrom(...values, '')], [1, fc.constantFrom('', 'on', 'not offered')]);
}

const distinct = (item: fc.Arbitrary<string>): Values =>
  weighted<JsonValue>([5, fc.uniqueArray(item, { maxLength: 4 })], [1, fc.array(item, { maxLength: 4 })]);

const file = fc.record(
  {
    name: weighted<JsonValue>([9, fc.constantFrom('a.txt', 'é')], [1, fc.constantFrom('', 1)]),
    mediaType: fc.constantFrom('image/png', '', 'x'),
    content: weighted(
      [9, fc.constantFrom('', 'YQ==', 'YWI=', 'YWJj')],
      [1, fc.constantFrom('not base64', 'YQ=a', '====', 'é===')],
    ),
  },
  { requiredKeys: ['name', 'content'] },
) as Values;

function valuesOf(form: FormDescription, unit: ControlGroup): Values {
  const control = form.controls[unit.controls[0] as number] as ControlDescription;
  switch (unit.kind) {
    case 'number':
      return numbersNear(control);
    case 'boolean':
      return fc.boolean();
    case 'checkboxes':
    case 'select-multiple':
      return distinct(offered(form, unit));
    case 'file':
      return control.attributes.multiple === undefined ? file : several(file);
    case 'text':
      return texts(control);
    default:
      return offered(form, unit);
  }
}

function texts(control: ControlDescription): Values {
  if (/^(date|month|week|time)/.test(control.type)) return datesNear(control, control.type as TemporalType);
  return control.type === 'email' && control.attributes.multiple !== undefined
    ? several(textsNear(control))
    : textsNear(control);
}

function parameterValues(form: FormDescription, { units }: SynthesizedParameter): Values {
  if (units.length === 1) return valuesOf(form, units[0]);
  return weighted<JsonValue>(
    [9, fc.tuple(...units.map((unit) => valuesOf(form, unit)))],
    [1, several(valuesOf(form, units[0]))],
  );
}

export type Input = Readonly<Record<string, JsonValue>>;

/** Inputs for all or some parameters, mostly of the right types and close to valid values. */
export function inputsOf(form: FormDescription, parameters: readonly SynthesizedParameter[]): fc.Arbitrary<Input> {
  const entries = fc.tuple(
    ...parameters.map((parameter) =>
      weighted([15, parameterValues(form, parameter)], [1, anything]).map((value) => [parameter.name, value] as const),
    ),
  );
  return weighted<readonly (readonly [string, JsonValue])[]>(
    [16, entries],
    [3, entries.chain((all) => fc.subarray(all))],
    [1, entries.map((all) => [...all, ['unknown', 1]])],
  ).map((all) => Object.fromEntries(all));
}
