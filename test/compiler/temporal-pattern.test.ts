import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { parseTemporal, serializeTemporal, type TemporalType } from '../../src/compiler/html/microsyntaxes.js';
import { isStepInPattern, temporalPattern } from '../../src/compiler/parameters/temporal-pattern.js';
import { isInTemporalRange, temporalValues } from '../../src/compiler/parameters/temporal.js';

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const WEEK = 7 * DAY;
const BOTTOM = -62_135_596_800_000; // 0001-01-01
const TOP = 253_402_300_799_999; // 9999-12-31T23:59:59.999
const units = { date: DAY, month: 1, week: WEEK, time: MINUTE, 'datetime-local': MINUTE } as const;
// Characters, classes, groups, |, ?, {n} and {1,n}; nothing that other engines interpret differently.
const PLAIN = /^(?:[0-9TW:-]|\\\.|\[[0-9-]+\]|\(\?:|\)|\||\?(?!\?)|\{[0-9](?:,[0-9])?\})*$/;

const pad = (number: number, width = 2): string => String(number).padStart(width, '0');
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const number = (type: TemporalType, text: string): number => {
  const parsed = parseTemporal(type, text);
  assert.ok(parsed !== undefined, text);
  return parsed;
};

/** A test for the pattern of a range, with the `u` flag. The default is the default step of the type. */
function matcher(
  type: TemporalType,
  bounds: Bounds = {},
  step: number | 'any' = units[type],
): (text: string) => boolean {
  const source = temporalPattern(type, { ...bounds, step });
  if (source === undefined) return () => false;
  assert.match(source, PLAIN);
  const regex = new RegExp(`^(?:${source})$`, 'u');
  return (text) => regex.test(text);
}

const between = (type: TemporalType, min: string, max: string): Bounds => ({
  min: number(type, min),
  max: number(type, max),
});

/** A range of the type within four-digit years, from one value to thousands of years; sometimes reversed or open. */
const ranges = (bottom: number, top: number): fc.Arbitrary<Bounds> =>
  fc
    .tuple(
      fc.integer({ min: bottom, max: top }),
      fc.oneof(...[0, 3, 40, 400, 20_000, top - bottom].map((max) => fc.integer({ min: 0, max }))),
      fc.constantFrom('both', 'both', 'both', 'reversed', 'min', 'max'),
    )
    .map(([start, length, kind]) => {
      const [min, max] = [Math.max(bottom, start - length), start];
      if (kind === 'both') return { min, max };
      return kind === 'reversed' ? { min: max, max: min } : { [kind]: start };
    });

const scaled = ({ min, max }: Bounds, scale: number, offset = 0): Bounds => ({
  ...(min !== undefined && { min: min * scale + offset }),
  ...(max !== undefined && { max: max * scale + offset }),
});

const isWithin = (value: number, { min = -Infinity, max = Infinity }: Bounds): boolean => min <= value && value <= max;

/** Both bounds and their middle, and the numbers at each distance from them: multiples of the unit. */
function probes({ min, max }: Bounds, unit: number, distances: readonly number[]): readonly number[] {
  const ends = [min, max].filter((end) => end !== undefined);
  const [first = 0, last = first] = ends;
  const middle = first + Math.floor((last - first) / 2 / unit) * unit;
  return [...ends, middle].flatMap((end) => [0, ...distances].flatMap((distance) => [end - distance, end + distance]));
}

test('the patterns without bounds are short', () => {
  const year = '(?:00(?:0[1-9]|[1-9][0-9])|(?:0[1-9]|[1-9][0-9])[0-9]{2})';
  assert.equal(temporalPattern('month', { step: 1 }), `${year}-(?:0[1-9]|1[0-2])`);
  assert.equal(temporalPattern('time', { step: MINUTE }), '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::00(?:\\.0{1,3})?)?');
  assert.equal(
    temporalPattern('date', { step: DAY }),
    `${year}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)` +
      '|(?:[0-9]{2}(?:0[48]|[13579][26]|[2468][048])|(?:0[48]|[13579][26]|[2468][048])00)-02-29',
  );
  assert.ok((temporalPattern('week', { step: WEEK }) ?? '').length <= 430);
});

test('the patterns of usual ranges are short', () => {
  const cases = [
    ['date', '2024-05-20', '2024-05-25', '2024-05-2[0-5]'],
    ['date', '2024-02-01', '2024-02-29', '2024-02-(?:0[1-9]|[12][0-9])'],
    ['date', '2024-06-01', '2024-06-30', '2024-06-(?:0[1-9]|[12][0-9]|30)'],
    ['month', '2020-01', '2029-12', '202[0-9]-(?:0[1-9]|1[0-2])'],
    ['month', '2020-03', '2024-08', '2020-(?:0[3-9]|1[0-2])|202[1-3]-(?:0[1-9]|1[0-2])|2024-0[1-8]'],
    ['week', '2021-W01', '2021-W52', '2021-W(?:0[1-9]|[1-4][0-9]|5[0-2])'],
    ['time', '09:00', '09:59', '09:[0-5][0-9](?::00(?:\\.0{1,3})?)?'],
    ['time', '07:00', '23:59', '(?:0[7-9]|1[0-9]|2[0-3]):[0-5][0-9](?::00(?:\\.0{1,3})?)?'],
    ['time', '22:00', '06:00', '(?:0[0-5]:[0-5][0-9]|06:00|2[23]:[0-5][0-9])(?::00(?:\\.0{1,3})?)?'],
    ['datetime-local', '2024-05-20T09:00', '2024-05-20T09:30', '2024-05-20T09:(?:[0-2][0-9]|30)(?::00(?:\\.0{1,3})?)?'],
  ] as const;
  for (const [type, min, max, source] of cases) {
    assert.equal(temporalPattern(type, { ...between(type, min, max), step: units[type] }), source);
  }
});

test('every existing day of many years matches, and no other', () => {
  const matches = matcher('date');
  for (const year of [0, 1, 4, 100, 400, 1900, 1996, 1997, 1998, 1999, 2000, 2001, 2002, 2003, 2004, 9999]) {
    const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
        assert.equal(matches(text), year > 0 && day >= 1 && day <= (lengths[month - 1] ?? 0), text);
      }
    }
  }
});

test('the 29th of February matches in the leap years of 1 to 9999', () => {
  const matches = matcher('date');
  for (let year = 0; year <= 9999; year++) {
    assert.equal(matches(`${pad(year, 4)}-02-29`), year > 0 && isLeap(year), String(year));
  }
});

test('every month of the years 1 to 9999 matches, and no other string', () => {
  const matches = matcher('month');
  for (let year = 0; year <= 9999; year++) {
    for (let month = 0; month <= 13; month++) {
      const text = `${pad(year, 4)}-${pad(month)}`;
      assert.equal(matches(text), year > 0 && month >= 1 && month <= 12, text);
    }
  }
});

test('every week of 400 years matches, and no other', () => {
  const matches = matcher('week');
  // 1601-01-01 was a Monday; a week belongs to the year of its Thursday.
  let monday = Date.UTC(1601, 0, 1);
  for (let year = 1601; year <= 2000; year++) {
    let weeks = 0;
    for (; new Date(monday + 3 * DAY).getUTCFullYear() === year; monday += WEEK) weeks++;
    for (let week = 0; week <= 99; week++) {
      assert.equal(matches(`${year}-W${pad(week)}`), week >= 1 && week <= weeks, `${year}-W${week}`);
    }
  }
});

test('week 53 matches in the years 1 to 9999 that have it', () => {
  const matches = matcher('week');
  for (let year = 0; year <= 9999; year++) {
    const text = `${pad(year, 4)}-W53`;
    assert.equal(matches(text), parseTemporal('week', text) !== undefined, text);
  }
});

test('invalid strings and strings that are not normalized do not match', () => {
  const cases: Readonly<Record<TemporalType, readonly string[]>> = {
    date: [
      '',
      '2023-02-29',
      '2024-13-01',
      '0000-01-01',
      '10000-01-01',
      '02024-01-01',
      '2024-1-1',
      '2024-01',
      '2024-04-31',
    ],
    month: ['', '2024-00', '2024-13', '0000-12', '10000-01', '2024-1', '2024-01-01', '2024'],
    week: ['', '2024-W00', '2024-W53', '2020-W54', '0000-W01', '10000-W01', '2024-w01', '2024-01', '2024-W1'],
    time: ['', '24:00', '12:60', '1:00', '12:00:60', '12:00:00.', '12:00:00.0000', '12:00Z', '12:00:1'],
    'datetime-local': [
      '2024-01-01 12:00',
      '2024-01-01',
      '2024-01-01T24:00',
      '2023-02-29T12:00',
      '2024-01-01T12',
      '12:00',
    ],
  };
  for (const [type, texts] of Object.entries(cases) as [TemporalType, readonly string[]][]) {
    for (const step of [units[type], 'any'] as const) {
      const matches = matcher(type, {}, step);
      for (const text of texts) assert.ok(!matches(text), `${type} ${text}`);
    }
  }
});

test('a range of dates matches the days within it and no others', () => {
  fc.assert(
    fc.property(ranges(BOTTOM / DAY, Math.floor(TOP / DAY)), fc.integer({ min: 1, max: 9999 }), (days, year) => {
      const bounds = scaled(days, DAY);
      const matches = matcher('date', bounds);
      for (const value of probes(bounds, DAY, [DAY, 30 * DAY, 365 * DAY, 1461 * DAY])) {
        if (!isWithin(value, { min: BOTTOM, max: TOP })) continue;
        const text = serializeTemporal('date', value);
        assert.equal(matches(text), isWithin(value, bounds), text);
        for (const end of ['02-29', '02-30', '04-31', '12-32', '06-00', '01-01', '12-31']) {
          for (const other of [`${text.slice(0, 4)}-${end}`, `${pad(year, 4)}-${end}`]) {
            const parsed = parseTemporal('date', other);
            assert.equal(matches(other), parsed !== undefined && isWithin(parsed, bounds), other);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a range of months matches the months within it and no others', () => {
  fc.assert(
    fc.property(ranges(-23_628, 96_359), (bounds) => {
      const matches = matcher('month', bounds);
      for (const value of probes(bounds, 1, [1, 2, 11, 12, 13, 120, 1200])) {
        if (!isWithin(value, { min: -23_628, max: 96_359 })) continue;
        const text = serializeTemporal('month', value);
        assert.equal(matches(text), isWithin(value, bounds), text);
        for (const end of ['00', '13']) assert.ok(!matches(text.slice(0, 5) + end));
      }
    }),
    { numRuns: 300 },
  );
});

test('a range of weeks matches the weeks within it and no others', () => {
  fc.assert(
    fc.property(ranges((BOTTOM + 3 * DAY) / WEEK, Math.floor((TOP + 3 * DAY) / WEEK)), (weeks) => {
      const bounds = scaled(weeks, WEEK, number('week', '1970-W01'));
      const matches = matcher('week', bounds);
      for (const value of probes(bounds, WEEK, [WEEK, 52 * WEEK, 53 * WEEK, 5218 * WEEK])) {
        if (!isWithin(value, { min: BOTTOM, max: TOP })) continue;
        const text = serializeTemporal('week', value);
        const parsed = number('week', text);
        assert.equal(matches(text), isWithin(parsed, bounds), text);
        for (const end of ['W00', 'W01', 'W52', 'W53', 'W54']) {
          const other = text.slice(0, 5) + end;
          const real = parseTemporal('week', other);
          assert.equal(matches(other), real !== undefined && isWithin(real, bounds), other);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a range of local dates and times matches only the values within it', () => {
  const steps = [
    [MINUTE, 7 * MINUTE],
    [1000, 7000],
    [1, 'any'],
  ] as const;
  for (const [index, unit] of [MINUTE, 1000, 1].entries()) {
    fc.assert(
      fc.property(
        ranges(Math.ceil(BOTTOM / unit), Math.floor(TOP / unit)),
        fc.integer({ min: 0, max: 1 }),
        (range, which) => {
          const bounds = scaled(range, unit);
          const matches = matcher('datetime-local', bounds, steps[index]?.[which]);
          for (const value of probes(bounds, unit, [unit, MINUTE, 60 * MINUTE, DAY, 31 * DAY, 366 * DAY])) {
            if (!isWithin(value, { min: BOTTOM, max: TOP })) continue;
            const text = serializeTemporal('datetime-local', value);
            assert.equal(matches(text), isWithin(value, bounds), text);
            assert.ok(!matches(text.replace('T', ' ')));
          }
        },
      ),
      { numRuns: 100 },
    );
  }
});

test('a range of times matches every minute within it, and wraps if it is reversed', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(fc.option(minute, { nil: undefined }), fc.option(minute, { nil: undefined }), (first, last) => {
      const bounds = scaled(
        { ...(first !== undefined && { min: first }), ...(last !== undefined && { max: last }) },
        MINUTE,
      );
      const { min = 0, max = DAY - 1 } = bounds;
      for (const step of [MINUTE, 1000, 'any'] as const) {
        const matches = matcher('time', bounds, step);
        for (let value = 0; value < DAY; value += MINUTE) {
          const text = serializeTemporal('time', value);
          const expected = min > max ? value >= min || value <= max : value >= min && value <= max;
          assert.equal(matches(text), expected, text);
          assert.equal(matches(`${text}:00.00`), expected, text);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a range of times with milliseconds matches every spelling of the values within it', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: DAY - 1 }),
    fc.integer({ min: 0, max: 86_399 }).map((second) => second * 1000),
    fc.integer({ min: 43_200_000, max: 43_203_000 }),
  );
  fc.assert(
    fc.property(time, time, fc.boolean(), (min, max, isAny) => {
      const matches = matcher('time', { min, max }, isAny ? 'any' : 1);
      const isLegal = (value: number): boolean =>
        min > max ? value >= min || value <= max : value >= min && value <= max;
      for (const value of probes({ min, max }, 1, [1, 9, 10, 11, 99, 100, 101, 1000, MINUTE, 60 * MINUTE])) {
        if (value < 0 || value >= DAY) continue;
        const shortest = serializeTemporal('time', value);
        const withSeconds = shortest.length > 5 ? shortest : `${shortest}:00`;
        const withFraction = withSeconds.includes('.') ? withSeconds : `${withSeconds}.0`;
        for (const text of [
          shortest,
          withSeconds,
          withFraction,
          withFraction.padEnd(11, '0'),
          withFraction.padEnd(12, '0'),
        ]) {
          assert.equal(number('time', text), value);
          assert.equal(matches(text), isLegal(value), text);
        }
        assert.ok(!matches(withFraction.padEnd(13, '0')));
      }
    }),
    { numRuns: 500 },
  );
});

test('every thousandth of a second is compared with the bounds', () => {
  const start = number('time', '12:00:30');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 999 }), (one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const matches = matcher('time', { min: start + min, max: start + max }, 'any');
      for (let value = 0; value < 1000; value++) {
        assert.equal(matches(`12:00:30.${pad(value, 3)}`), value >= min && value <= max);
        if (value < 100) assert.equal(matches(`12:00:30.${pad(value)}`), value * 10 >= min && value * 10 <= max);
        if (value < 10) assert.equal(matches(`12:00:30.${value}`), value * 100 >= min && value * 100 <= max);
      }
      assert.equal(matches('12:00:30'), min === 0);
    }),
    { numRuns: 200 },
  );
});

test('a step that the pattern cannot express decides which seconds are allowed', () => {
  const texts = [
    '12:00',
    '12:00:00',
    '12:00:00.0',
    '12:00:00.000',
    '12:00:30',
    '12:00:30.00',
    '12:00:00.5',
    '12:00:30.125',
  ];
  const allowed = (step: number | 'any'): readonly string[] => texts.filter(matcher('time', {}, step));
  for (const step of [MINUTE, 7 * MINUTE, 2 * DAY]) assert.deepEqual(allowed(step), texts.slice(0, 4));
  for (const step of [1000, 7000, 90_000]) assert.deepEqual(allowed(step), texts.slice(0, 6));
  for (const step of [1, 500, 1500, 60_001, 0.5, 'any'] as const) assert.deepEqual(allowed(step), texts);
});

test('the patterns of usual steps are short', () => {
  const cases = [
    ['time', 15 * MINUTE, 0, '(?:[01][0-9]|2[0-3]):(?:[03]0|[14]5)(?::00(?:\\.0{1,3})?)?'],
    ['time', 5 * MINUTE, 2 * MINUTE, '(?:[01][0-9]|2[0-3]):[0-5][27](?::00(?:\\.0{1,3})?)?'],
    ['time', 12 * 60 * MINUTE, 60 * MINUTE, '(?:01|13):00(?::00(?:\\.0{1,3})?)?'],
    ['time', 30_000, 0, '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[03]0(?:\\.0{1,3})?)?'],
    ['time', MINUTE, 30_000, '(?:[01][0-9]|2[0-3]):[0-5][0-9]:30(?:\\.0{1,3})?'],
    ['time', 1000, 500, '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.5(?:0{1,2})?'],
  ] as const;
  for (const [type, step, base, source] of cases) assert.equal(temporalPattern(type, { step, base }), source);
  const quarters = { ...between('month', '2024-01', '2026-12'), step: 3, base: number('month', '2020-01') };
  assert.equal(temporalPattern('month', quarters), '202[4-6]-(?:0[147]|10)');
});

test('a step that the pattern expresses holds for all bases and bounds', () => {
  const steps: Readonly<Record<string, readonly number[]>> = {
    month: [1, 2, 3, 4, 6, 12],
    time: [1, 1000, 2000, 15_000, MINUTE, 5 * MINUTE, 15 * MINUTE, 90 * MINUTE, 360 * MINUTE, DAY],
    'datetime-local': [1, 1000, 30_000, MINUTE, 10 * MINUTE, 45 * MINUTE, 60 * MINUTE, 120 * MINUTE, DAY],
  };
  const span: Readonly<Record<string, readonly [number, number]>> = {
    month: [-600, 1200],
    time: [0, DAY - 1],
    'datetime-local': [-400 * DAY, 20_000 * DAY],
  };
  for (const type of ['month', 'time', 'datetime-local'] as const) {
    const [bottom, top] = span[type] as [number, number];
    const value = fc
      .tuple(fc.integer({ min: bottom, max: top }), fc.constantFrom(1, 500, 1000, MINUTE, 30 * MINUTE))
      .map(([each, grain]) => (type === 'month' ? each : Math.max(bottom, Math.floor(each / grain) * grain)));
    const bound = fc.option(value, { nil: undefined });
    fc.assert(
      fc.property(
        bound,
        bound,
        value,
        fc.constantFrom(...(steps[type] ?? [])),
        value,
        (min, max, base, step, other) => {
          assert.ok(isStepInPattern(type, step));
          const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
          const source = temporalPattern(type, { ...bounds, step, base }) ?? '(?!)';
          const regex = new RegExp(`^(?:${source})$`, 'u');
          const onStep = base + Math.round((other - base) / step) * step;
          const probed = [min, max, base, other, onStep].flatMap((each = base) =>
            [0, step, -step, 1, -1, 1000, MINUTE, 60 * MINUTE].map((distance) => each + distance),
          );
          for (const each of probed) {
            if (each < bottom || each > top) continue;
            const text = serializeTemporal(type, each);
            assert.equal(regex.test(text), isInTemporalRange(type, each, { ...bounds, step, base }), text);
          }
        },
      ),
      { numRuns: 500 },
    );
  }
});

test('bounds with a finer unit than the step are rounded inwards', () => {
  const matches = matcher('time', between('time', '10:00:30', '10:02:30'), MINUTE);
  assert.deepEqual(['10:00', '10:01', '10:02', '10:03'].filter(matches), ['10:01', '10:02']);
});

test('a range without values has no pattern', () => {
  const empty = [
    ['date', '2024-01-02', '2024-01-01'],
    ['month', '2024-02', '2024-01'],
    ['week', '2024-W02', '2024-W01'],
    ['datetime-local', '2024-01-01T12:01', '2024-01-01T12:00'],
    ['date', '10000-01-01', '10001-01-01'],
    ['time', '10:00:10', '10:00:20'],
  ] as const;
  for (const [type, min, max] of empty) {
    assert.equal(temporalPattern(type, { ...between(type, min, max), step: units[type] }), undefined, min);
  }
});

test('bounds beyond the year 9999 are ignored', () => {
  for (const [type, text] of Object.entries({ date: '275760-09-13', month: '275760-09', week: '275760-W37' }) as [
    TemporalType,
    string,
  ][]) {
    const step = units[type];
    assert.equal(temporalPattern(type, { max: number(type, text), step }), temporalPattern(type, { step }));
  }
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

test('temporalValues returns the times of a whole day, and those of a reversed range in ascending order', () => {
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

test('temporalValues returns the values of the range that are on the step and match its pattern', () => {
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
      assert.ok(expected.every(matcher('time', range, range.step)));
    }),
    { numRuns: 200 },
  );
});
