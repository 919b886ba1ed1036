import * as fc from 'fast-check';
import type { ControlDescription } from '../../../../src/compiler/index.js';
import {
  parseTemporal,
  serializeTemporal,
  temporalSteps,
  type TemporalType,
} from '../../../../src/compiler/html/microsyntaxes.js';
import { input, several, some, weighted, type Markup } from './pieces.js';

/** Limits, including invalid ones. */
const limits: Readonly<Record<TemporalType, readonly string[]>> = {
  date: [
    '2024-02-28',
    '2024-02-29',
    '2023-12-31',
    '2024-03-15',
    '2025-01-01',
    '1999-06-30',
    '2024-01-08',
    '2026-12-31',
    '1900-01-01',
    '0001-01-01',
    '2023-02-29',
    'x',
  ],
  month: ['2024-02', '2023-12', '2024-11', '1999-01', '1970-01', '0001-01', '2024-13'],
  week: ['2024-W09', '2020-W53', '2023-W52', '2021-W01', '1970-W01', '2021-W53'],
  time: [
    ...several([2, '09:00', '17:00', '22:00'], [1, '00:00', '09:30', '23:59', '12:00', '06:00', '18:45']),
    '10:07',
    '17:00:30',
    '23:59:59',
    '09:00:00.5',
    '24:00',
  ],
  'datetime-local': [
    '2024-02-28T09:00',
    '2024-02-29T17:30',
    '2023-12-31T23:59',
    '2024-03-01T00:00',
    '2024-02-28 12:00',
    '2024-06-01T10:07',
    '2025-12-31T23:59',
    '1999-06-30T08:15:30',
    '2024-03-01T08:00:00.250',
    '2024-03-01',
  ],
};
/** Steps, weighted by an estimate of real pages. */
const steps: Readonly<Record<TemporalType, readonly string[]>> = {
  date: several([3, '1', '7'], [1, '2', '14', '30', '0.5', 'any', '0']),
  month: several([2, '1', '3'], [1, '2', '5', '6', '12', 'any', '0.5']),
  week: several([2, '1', '2'], [1, '4', 'any']),
  time: several(
    [4, '1', '900', '1800'],
    [2, '60', '300', '600', '3600', 'any'],
    [1, '2', '10', '30', '90', '7200', '0.5', '0.1', '0.001', '0.0001', '1.5', '0'],
  ),
  'datetime-local': several(
    [4, '1', '900'],
    [2, '60', '300', '1800', '3600', 'any'],
    [1, '30', '7200', '86400', '604800', '0.1', '0.001', '1.5', '0'],
  ),
};
const times = [
  '09:00',
  '09:00:00',
  '09:00:30',
  '09:00:00.5',
  '09:00:00.000',
  '9:00',
  '24:00',
  '09:60',
  '09:00:00.0000',
];
/** Valid values and near misses. */
const odd: Readonly<Record<TemporalType, readonly string[]>> = {
  date: [
    '2024-02-29',
    '2000-02-29',
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '0000-01-01',
    '2024-1-1',
    '2024-02-29T09:00',
    '20240229',
  ],
  month: ['2024-12', '2024-00', '2024-13', '2024-1', '2024-02-29'],
  week: ['2020-W53', '2024-W53', '2024-W00', '2024-w09', '2024-09', '2024-W1'],
  time: times,
  'datetime-local': [
    ...times.map((time) => `2024-02-29T${time}`),
    '2023-02-29T09:00',
    '2024-02-29t09:00',
    '2024-02-29T09:00Z',
    '2024-02-29',
  ],
};

export const temporal: Markup = fc
  .constantFrom(...(Object.keys(limits) as TemporalType[]))
  .chain((type) =>
    input(
      type,
      some('min', limits[type], 2),
      some('max', limits[type], 2),
      some('step', steps[type], /time/.test(type) ? 4 : 8),
      some('value', limits[type], 5),
      some('list', ['l'], 15),
    ),
  );

/** Values some steps or units from the limits and the default, times also with seconds or fractions, and odd values. */
export function datesNear({ attributes }: ControlDescription, type: TemporalType): fc.Arbitrary<string> {
  const { stepScaleFactor, defaultStep } = temporalSteps[type];
  const step = Math.ceil((Number(attributes.step) || defaultStep) * stepScaleFactor);
  const near = fc
    .tuple(
      fc.constantFrom(
        ...[attributes.min, attributes.max, attributes.value, limits[type][0]].map((text) => parse(type, text)),
      ),
      fc.constantFrom(0, 0, 1, -1, 2, 10),
      fc.constantFrom(step, step, stepScaleFactor, 1),
      fc.constantFrom('', '', '', '', ':30', '.5'),
    )
    .map(([number, count, unit, end]) => serialize(type, number + count * unit) + (/time/.test(type) ? end : ''));
  return weighted([5, near], [3, fc.constantFrom(...odd[type])], [1, fc.constantFrom('', ' ', 'x', 'today')]);
}

const parse = (type: TemporalType, text = ''): number =>
  parseTemporal(type, text) ?? (parseTemporal(type, limits[type][0] as string) as number);

/** Times wrap at midnight. */
const serialize = (type: TemporalType, number: number): string =>
  serializeTemporal(type, type === 'time' ? (number + 86_400_000) % 86_400_000 : number);
