import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/compiler/index.js';
import { parseTemporal, serializeTemporal, type TemporalType } from '../../../src/compiler/html/microsyntaxes.js';
import { temporalValues } from '../../../src/compiler/parameters/temporal.js';
import { compileHtml } from '../../../src/site/compile-html.js';

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const WEEK = 7 * DAY;
const BOTTOM = -62_135_596_800_000; // 0001-01-01
const TOP = 253_402_300_799_999; // 9999-12-31T23:59:59.999

const number = (type: TemporalType, text: string): number => {
  const parsed = parseTemporal(type, text);
  assert.ok(parsed !== undefined, text);
  return parsed;
};

const between = (type: TemporalType, min: string, max: string): Bounds => ({
  min: number(type, min),
  max: number(type, max),
});

function schemaOf(attributes: string, profile: 'precise' | 'portable' = 'precise'): JsonSchema {
  const html = `<form toolname=t tooldescription=d><input name=a ${attributes}></form>`;
  return compileHtml(html, { path: 'p', profile }).tools[0]?.inputSchema.properties?.['a'] ?? {};
}

const types = ['date', 'month', 'week', 'time', 'datetime-local'] as const;

test('the pattern of a date or time is its notation, which every value of four-digit years matches', () => {
  for (const type of types) {
    const { pattern = '' } = schemaOf(`type=${type} required`);
    assert.ok(pattern.length < 120, pattern);
    const [bottom, top] = type === 'month' ? [-23_628, 96_359] : type === 'time' ? [0, DAY - 1] : [BOTTOM, TOP];
    fc.assert(
      fc.property(fc.integer({ min: bottom, max: top }), (value) =>
        assert.match(serializeTemporal(type, value), new RegExp(pattern, 'u')),
      ),
      { numRuns: 500 },
    );
    assert.equal(schemaOf(`type=${type}`).pattern, `^(${pattern.slice(1, -1)})?$`);
  }
});

test('the pattern of a date or time excludes other notations', () => {
  const invalid: Readonly<Record<TemporalType, readonly string[]>> = {
    date: ['2024-1-1', '20240229', '2024-13-01', '2024-00-01', '2024-01-32', '2024-01-00', '02/29/2024', 'today'],
    month: ['2024-00', '2024-13', '2024-1', '2024-02-29'],
    week: ['2024-W00', '2024-W54', '2024-w09', '2024-09', '2024-W1'],
    time: ['24:00', '9:00', '09:60', '09:00:60', '09:00:00.0000', '09:00Z', '0900'],
    'datetime-local': ['2024-02-29', '2024-02-29t09:00', '2024-02-29T09:00Z', '2024-02-29T9:00', '2024-02-29 09:00'],
  };
  for (const type of types) {
    const regex = new RegExp(schemaOf(`type=${type} required`).pattern ?? '', 'u');
    for (const text of ['', ...invalid[type]]) assert.doesNotMatch(text, regex);
  }
});

test('a range and a step are described once, and do not change the pattern', () => {
  const cases = [
    ['date', 'min=2026-01-31', 'A date as YYYY-MM-DD. From 2026-01-31.'],
    ['date', 'max=2026-12-31 step=7', 'A date as YYYY-MM-DD. To 2026-12-31. In steps of 7 days from 1970-01-01.'],
    ['month', 'step=3', 'A month as YYYY-MM. In steps of 3 months from 1970-01.'],
    ['week', 'min=2026-W05', 'A week as YYYY-Www. From 2026-W05.'],
    ['time', 'min=22:00 max=06:00', 'A time as HH:MM. From 22:00 to 06:00.'],
    ['time', 'step=300', 'A time as HH:MM. In steps of 5 minutes from 00:00.'],
    ['time', 'step=1', 'A time as HH:MM. In steps of 1 second from 00:00.'],
    ['time', 'step=any', 'A time as HH:MM.'],
    ['time', 'value=09:00:30', 'A time as HH:MM. In steps of 1 minute from 09:00:30.'],
    [
      'datetime-local',
      'step=0.5',
      'A local date and time as YYYY-MM-DDTHH:MM. In steps of 0.5 seconds from 1970-01-01T00:00.',
    ],
  ] as const;
  for (const [type, attributes, description] of cases) {
    for (const profile of ['precise', 'portable'] as const) {
      const schema = schemaOf(`type=${type} ${attributes}`, profile);
      assert.equal(schema.description, description);
      assert.equal(schema.pattern, schemaOf(`type=${type}`).pattern);
    }
  }
});

test('a date or time without a legal value has the pattern of its notation', () => {
  const { pattern } = schemaOf('type=date');
  assert.equal(schemaOf('type=date min=2024-01-02 max=2024-01-01').pattern, pattern);
});

test('temporalValues counts steps from the base', () => {
  const values = (type: TemporalType, min: string, max: string, step: number, base: number): unknown =>
    temporalValues(type, { ...between(type, min, max), step, base }, 64);
  assert.deepEqual(values('date', '2024-02-27', '2024-03-02', 2 * DAY, number('date', '2024-02-27')), [
    '2024-02-27',
    '2024-02-29',
    '2024-03-02',
  ]);
  assert.deepEqual(values('month', '2023-11', '2024-05', 3, 0), ['2024-01', '2024-04']);
  assert.deepEqual(values('week', '2020-W52', '2021-W01', WEEK, -3 * DAY), ['2020-W52', '2020-W53', '2021-W01']);
  assert.deepEqual(values('time', '09:00', '10:00', 30 * MINUTE, 9 * 60 * MINUTE), ['09:00', '09:30', '10:00']);
  assert.deepEqual(values('datetime-local', '2024-01-01T23:00', '2024-01-02T01:00', 60 * MINUTE, 0), [
    '2024-01-01T23:00',
    '2024-01-02T00:00',
    '2024-01-02T01:00',
  ]);
});

test('temporalValues returns the times of a whole day, and the times of a reversed range in ascending order', () => {
  const hours = { step: 6 * 60 * MINUTE, base: 60 * MINUTE };
  assert.deepEqual(temporalValues('time', hours, 64), ['01:00', '07:00', '13:00', '19:00']);
  const night = between('time', '22:00', '01:00');
  assert.deepEqual(temporalValues('time', { ...night, step: 60 * MINUTE, base: night.min ?? 0 }, 64), [
    '00:00',
    '01:00',
    '22:00',
    '23:00',
  ]);
});

test('temporalValues returns undefined above the limit', () => {
  const range = { ...between('date', '2024-01-01', '2024-01-10'), step: DAY, base: 0 };
  assert.equal(temporalValues('date', range, 10)?.length, 10);
  assert.equal(temporalValues('date', range, 9), undefined);
  assert.equal(temporalValues('datetime-local', { min: BOTTOM, max: TOP, step: 1, base: 0 }, 64), undefined);
});

test('temporalValues returns undefined without both bounds or without an integer step', () => {
  assert.equal(temporalValues('date', { step: DAY, base: 0 }, 64), undefined);
  assert.equal(temporalValues('date', { min: 0, step: DAY, base: 0 }, 64), undefined);
  assert.equal(temporalValues('date', { max: 0, step: DAY, base: 0 }, 64), undefined);
  assert.equal(temporalValues('time', { min: 0, max: 10, step: 'any', base: 0 }, 64), undefined);
  assert.equal(temporalValues('time', { min: 0, max: 10, step: 0.5, base: 0 }, 64), undefined);
});

test('temporalValues returns an empty list for a range without a step', () => {
  assert.deepEqual(temporalValues('date', { min: DAY, max: 2 * DAY, step: 7 * DAY, base: 0 }, 64), []);
  assert.deepEqual(temporalValues('date', { min: 2 * DAY, max: DAY, step: DAY, base: 0 }, 64), []);
});

test('temporalValues returns the values of the range that are on the step', () => {
  const minutes = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(minutes, minutes, fc.integer({ min: 1, max: 1500 }), minutes, (first, last, step, base) => {
      const range = { min: first * MINUTE, max: last * MINUTE, step: step * MINUTE, base: base * MINUTE };
      const expected = Array.from({ length: 1440 }, (_, minute) => minute)
        .filter((minute) => (first > last ? minute >= first || minute <= last : minute >= first && minute <= last))
        .filter((minute) => (minute - base) % step === 0)
        .map((minute) => serializeTemporal('time', minute * MINUTE));
      const values = temporalValues('time', range, 1440);
      assert.deepEqual(values, expected);
    }),
    { numRuns: 200 },
  );
});
